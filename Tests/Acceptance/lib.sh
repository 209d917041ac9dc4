# Functions of all acceptance scenarios. A scenario sources this file.
set -u
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CHECKS=0
SOCKET=/run/prompter/control.sock
# Copies the record to the results at the end, also after a failure.
trap 'prompter log >/out/log.jsonl 2>/out/log.err' EXIT

# check TEXT COMMAND...: the command must succeed. If the command fails, the scenario ends.
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

# control TEXT COMMAND...: the command must fail. A control shows that the previous check can fail. The control uses a
# broken variant, or expects the opposite of the previous check.
control() {
  local what=$1
  shift
  if "$@" >/tmp/said 2>&1; then
    echo "FAILED: control: $what: the command succeeded, so the check can never fail"
    exit 1
  fi
  CHECKS=$((CHECKS + 1))
  echo "ok: control: $what"
}

refused() { ! "$@"; }
# within SECONDS COMMAND...: repeats the command until it succeeds; fails after this number of seconds.
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
# field EXPRESSION: prints the value of a Python expression. In the expression, `j` is the JSON document from standard
# input.
field() { python3 -c 'import json,sys; j=json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
# events TYPE...: prints the events of these types in the record, one JSON line each.
events() { prompter log 2>/dev/null | python3 -c '
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] in sys.argv[1:]: print(line.strip())' "$@"; }
# Configures a sound device that writes to a file, for a machine without a sound card.
fake_sound_card() {
  cat >/etc/asound.conf <<'C'
pcm.!default { type file file "/var/lib/prompter/played.raw" format raw slave.pcm null }
ctl.!default { type hw card 0 }
C
}
install_package() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
}
