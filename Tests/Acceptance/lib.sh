# What every acceptance scenario says and waits with. Sourced.
set -u
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CHECKS=0
SOCKET=/run/prompter/control.sock
# Whatever happened, the record comes back with the rest.
trap 'prompter log >/out/log.jsonl 2>/out/log.err' EXIT

# Something that must hold: says so, or ends the scenario.
check() {
  local what=$1
  shift
  if "$@" >/tmp/said 2>&1; then
    CHECKS=$((CHECKS + 1))
    echo "ok: $what"
  else
    echo "FAILED ($?): $what"
    echo "  command: $*"
    sed 's/^/  | /' /tmp/said
    systemctl status --no-pager -l prompterd.service 2>&1 | tail -20 | sed 's/^/  | /'
    exit 1
  fi
}

# A control: the same command must fail on the broken variant, else the check shows nothing.
control() {
  local what=$1
  shift
  if "$@" >/tmp/said 2>&1; then
    echo "FAILED: control: $what: the check passed on what it should find"
    exit 1
  fi
  CHECKS=$((CHECKS + 1))
  echo "ok: control: $what"
}

refused() { ! "$@"; }
# Waits for a command to succeed: seconds, then the command.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}
as() { local user=$1; shift; runuser -u "$user" -- "$@"; }
pid() { systemctl show -p MainPID --value prompterd.service; }
restarts() { systemctl show -p NRestarts --value prompterd.service; }
is_answering() { prompter status; }
done_checking() { echo "$CHECKS checks"; }
# One field of the JSON on standard input: a Python expression of `j`.
field() { python3 -c 'import json,sys; j=json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
# The record's events of a type, one JSON line each.
events() { prompter log 2>/dev/null | python3 -c '
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] in sys.argv[1:]: print(line.strip())' "$@"; }
# A card that writes what it is given to a file, for a machine without one.
pretend_card() {
  cat >/etc/asound.conf <<'C'
pcm.!default { type file file "/var/lib/prompter/played.raw" format raw slave.pcm null }
ctl.!default { type hw card 0 }
C
}
install_package() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
}
