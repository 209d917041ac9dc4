#!/bin/bash
# Sends the rows of homes to a real archive with a real PostgreSQL, and causes faults:
#   Tests/Archive/run.sh [PROGRAMS_DIRECTORY] [FAULTS, at least 40] [SEED] [SECONDS]
# If SECONDS is given, the script runs only the faults, for at most this number of seconds.
# The script starts its own PostgreSQL on a Unix socket in a temporary directory, and stops it at the end. It needs
# postgresql-15, nginx, prometheus, prometheus-alertmanager, openssl, curl and Python 3. As root, it runs PostgreSQL as the
# user postgres.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
faults=${2:-160}
seed=${3:-1}
seconds=${4:-}
if [[ -z $seconds ]]; then python3 Tests/Archive/alerts.py; fi
postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
work=$(mktemp -d /tmp/archive-test.XXXXXX)
chmod 755 "$work"
mkdir "$work/postgres"
run=()
if [[ $EUID -eq 0 ]]; then
  run=(runuser -u postgres --)
  chown postgres "$work/postgres"
fi
end() {
  "${run[@]}" "$postgres/pg_ctl" -D "$work/postgres/data" -m immediate stop >/dev/null 2>&1 || true
  # The tests of a full disk mount file systems.
  umount "$work/postgres/small" "$work/postgres/wal" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
# Only this test uses the socket, so the server can trust each user.
"${run[@]}" "$postgres/initdb" -D "$work/postgres/data" -A trust -U postgres --no-sync -E UTF8 \
  --no-locale >"$work/initdb.log"
"${run[@]}" tee -a "$work/postgres/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$work/postgres'
CONF
PROMPTER_PG_CTL="${run[*]} $postgres/pg_ctl -D $work/postgres/data -l $work/postgres/log" \
  PATH=$postgres:$PATH:/usr/sbin timeout "${seconds:-900}" \
  python3 Tests/Archive/faults.py "$programs" "$work" "$faults" "$seed"
if [[ -n $seconds ]]; then exit; fi
# These parts mostly wait, and each part has its own servers. Therefore, the parts run at the same time.
parts=(fleet link restores proxy)
jobs=()
for part in "${parts[@]}"; do
  arguments=("$programs")
  [[ $part != fleet ]] || arguments+=(check)
  python3 "Tests/Archive/$part.py" "${arguments[@]}" >"$work/$part.log" 2>&1 &
  jobs+=($!)
done
failed=0
for ((index = 0; index < ${#parts[@]}; index++)); do
  wait "${jobs[index]}" || failed=1
  cat "$work/${parts[index]}.log"
done
exit "$failed"
