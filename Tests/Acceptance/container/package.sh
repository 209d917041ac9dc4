#!/bin/bash
# From bare Debian to a daemon that rings and tells people apart, and back to nothing.
. /payload/lib.sh
pretend_card
new=$(ls /payload/new/*.deb)

check "the package installs" install_package /payload/old/*.deb
check "the daemon runs" systemctl is-active prompterd.service
check "the sockets listen" systemctl is-active prompterd.socket prompter-tell.socket
check "all start at boot" systemctl is-enabled prompterd.service prompterd.socket prompter-tell.socket
check "the socket is where it is promised" test -S "$SOCKET"
check "alarms were armed when it said that it is ready" \
  sh -c 'systemctl show -p StatusText --value prompterd.service | grep -q "alarms armed"'
check "no unit has failed" sh -c '! systemctl --failed --no-legend | grep prompter'
check "the configuration can be used" prompterd --check-config --config /etc/prompter/config.toml
check "its readers are root and a group" \
  sh -c '[ "$(stat -c "%U %G %a" /etc/prompter/config.toml)" = "root prompter-config 640" ]'
check "and the two users that need it" \
  sh -c 'for user in prompter prompter-tell; do runuser -u $user -- cat /etc/prompter/config.toml >/dev/null || exit 1; done'
check "systemd finds nothing wrong with the units" \
  systemd-analyze verify --man=no --recursive-errors=no prompterd.service prompterd.socket prompter-fallback.service
check "the daemon is exposed 1.0 at most" systemd-analyze security --no-pager --threshold=10 prompterd.service

echo "== people"
for user in carer:prompter-caretaker anna:prompter-patient study:prompter-researcher stranger:users; do
  useradd -M -G "${user#*:}" "${user%:*}"
done
check "a caretaker sets an alarm" as carer prompter add "Take the pills" --schedule "every day 08:00"
check "the patient does not" refused as anna prompter add "Chocolate" --schedule "every day 08:00"
check "the patient sees what is due" as anna prompter next
check "the researcher reads the record" as study prompter log
check "the caretaker does not" refused as carer prompter log
check "a stranger is refused" refused as stranger prompter status
check "a stranger gets no data" sh -c "[ \"\$(runuser -u stranger -- curl -s -o /dev/null -w '%{http_code}' --unix-socket $SOCKET http://home/v1/status)\" = 403 ]"
check "root may do everything" prompter status
check "nobody else reads the state" refused as carer ls /var/lib/prompter
check "nor the configuration" refused as carer cat /etc/prompter/config.toml
mkdir -p /etc/systemd/system/prompterd.service.d
printf '[Service]\nPrivateUsers=yes\n' >/etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service
control "in a user namespace the roles are one" as carer prompter list
rm /etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service

echo "== sandbox"
P=$(pid)
check "waking the device is its only capability" grep -q '^CapEff:.0000000800000000$' "/proc/$P/status"
check "a system call filter is on" grep -q '^Seccomp:.2$' "/proc/$P/status"
check "it has no network" sh -c "[ \"\$(nsenter -n -t $P ip -o link | grep -vc ' lo:')\" = 0 ]"
check "its timer may wake the device" sh -c "cat /proc/$P/fdinfo/* | grep -q '^clockid: 8'"
check "a voice is decoded in its own sandbox within that one" \
  as carer prompter tone add voice /payload/voice.flac
check "what is no sound is refused, not decoded" refused as carer prompter tone add junk /payload/lib.sh
check "the record knows this boot by the kernel's name for it" \
  sh -c "prompter log | tail -n 1 | grep -q \"\$(cat /proc/sys/kernel/random/boot_id)\""

echo "== socket activation"
systemctl stop prompterd.service
control "the daemon is stopped" systemctl is-active prompterd.service
check "a request starts it and is answered" as anna prompter next
check "it runs again" within 10 systemctl is-active prompterd.service

echo "== watchdog"
hangs() { kill -STOP "$(pid)"; local before; before=$(restarts); within "$1" sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"; }
check "a daemon that hangs is restarted within 15 s" hangs 15
check "and answers" within 10 is_answering
printf '[Service]\nWatchdogSec=0\n' >/etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service
control "without the watchdog it hangs on" hangs 13
kill -CONT "$(pid)"
rm -r /etc/systemd/system/prompterd.service.d; systemctl daemon-reload; systemctl restart prompterd.service
check "its timer's thread keeps the watchdog" within 10 is_answering
timer_hangs() {
  # No signal stops a single thread; a tracer does. It lets go after the watchdog must have struck, because a
  # traced thread that was killed is only gone when its tracer has seen it.
  local before task
  before=$(restarts)
  task=$(grep -lx wall-timer /proc/"$(pid)"/task/*/comm | head -n 1)
  python3 /payload/hold-thread "$(basename "$(dirname "$task")")" 12 &
  within 20 sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"
}
check "the timer's thread alone hanging is noticed" timer_hangs
check "and it answers again" within 10 is_answering

echo "== a configuration with a slip"
cp /etc/prompter/config.toml /tmp/config.toml
printf '\nlevle = 3\n' >>/etc/prompter/config.toml
check "is refused with its line" sh -c 'prompterd --check-config --config /etc/prompter/config.toml 2>&1 | grep -q "line [0-9]*: .*levle"'
systemctl restart prompterd.service
check "and the daemon goes on with the last one that could be used" as carer prompter list
cp /tmp/config.toml /etc/prompter/config.toml
chmod o+w /etc/prompter/config.toml
check "one that everybody can write is refused" refused prompterd --check-config --config /etc/prompter/config.toml
chmod o= /etc/prompter/config.toml
sed -i 's/^caretaker = .*/caretaker = ["@prompter-admin"]/' /etc/prompter/config.toml
systemctl reload prompterd.service
check "a reload takes a role away" within 5 refused as carer prompter list
cp /tmp/config.toml /etc/prompter/config.toml; systemctl reload prompterd.service
check "and gives it back" within 5 as carer prompter list

echo "== upgrade while it rings"
as carer prompter add "Ring on" --schedule "in 3 seconds" --rings 20 --spacing 2s >/dev/null ||
  as carer prompter add "Ring on" --schedule "in 3 seconds" --rings 5 --spacing 10s
within 15 sh -c 'prompter --json status | grep -q "\"sounding\":\"" ' || { echo "FAILED: nothing rings"; exit 1; }
check "the new version installs" install_package "$new"
# Less than nothing: no ring has started since the restart.
rings_on() { case $(prompter log | python3 /payload/silence.py) in -* | '') false;; esac; }
check "it rings on" within 20 rings_on
silence=$(prompter log | python3 /payload/silence.py)
echo "figure: $silence s of silence around the upgrade"
check "at most 3 s of silence" python3 -c "import sys; sys.exit(not 0 <= float('$silence') <= 3.0)"
check "it is the new version" sh -c "[ \"\$(dpkg-query -W -f '\${Version}' prompter)\" = '$(dpkg-deb -f "$new" Version)' ]"
check "the patient answers the same prompt" as anna prompter done
check "the record is whole" prompter verify
check "the configuration was kept" cmp /tmp/config.toml /etc/prompter/config.toml
check "and is closed to others" \
  sh -c '[ "$(stat -c "%U %G %a" /etc/prompter/config.toml)" = "root prompter-config 640" ]'

echo "== idle"
mkdir -p /run/systemd/system/prompterd.service.d
printf '[Service]\nWatchdogSec=0\n' >/run/systemd/system/prompterd.service.d/idle.conf
systemctl daemon-reload; systemctl restart prompterd.service; within 20 is_answering; sleep 75
switches() { cat /proc/$(pid)/task/*/status | awk '/^voluntary/ { sum += $2 } END { print sum }'; }
before=$(switches); sleep 30; woken=$(($(switches) - before))
echo "figure: $woken wake-ups in 30 idle seconds without the watchdog"
check "an idle daemon is not woken" [ "$woken" -le 2 ]
rm /run/systemd/system/prompterd.service.d/idle.conf
systemctl daemon-reload; systemctl restart prompterd.service; within 20 is_answering

echo "== the journal"
check "has an event by its name" sh -c 'journalctl -q PROMPTER_EVENT=ring_started | grep -q .'
prompt=$(events ring_started | head -n 1 | field 'j["prompt_id"]')
check "and a prompt's whole life by its id" sh -c "[ \$(journalctl -q PROMPT_ID='$prompt' | wc -l) -ge 2 ]"
control "but no label" sh -c 'journalctl -o export | grep -a "^MESSAGE" | grep -q "Take the pills"'

echo "== people are told, outside the sandbox"
cat >/usr/local/bin/tell-test <<'T'
#!/bin/sh
{ env; id -un; readlink /proc/self/ns/net; ls /var/lib/prompter 2>&1 || true; } >"$HOME/told.new" && mv "$HOME/told.new" "$HOME/told"
T
chmod 755 /usr/local/bin/tell-test
printf '\n[contacts.anna]\ncommand = ["/usr/local/bin/tell-test"]\n' >>/etc/prompter/config.toml
systemctl reload prompterd.service
told=/var/lib/prompter-tell/told
check "an alarm that tells somebody" \
  within 10 as carer prompter add "Tell it" --schedule "in 2 seconds" --rings 1 --tell "anna after 5s"
check "tells them" within 40 test -e $told
check "as a user of its own" grep -qx prompter-tell $told
check "with what there is to say" grep -qx 'PROMPTER_LABEL=Tell it' $told
check "with the machine's network" grep -qxF "$(readlink /proc/1/ns/net)" $told
control "which the daemon has not" [ "$(readlink /proc/$(pid)/ns/net)" = "$(readlink /proc/1/ns/net)" ]
check "and without the record" grep -q "Permission denied\|cannot open directory" $told
check "the record knows it" within 10 sh -c 'prompter log | grep -q "\"type\":\"notified\""'
check "nobody but the daemon may ask for it" refused as carer sh -c 'exec 3<>/dev/null; python3 -c "
import socket; socket.socket(socket.AF_UNIX).connect(\"/run/prompter/tell.sock\")"'
cp /tmp/config.toml /etc/prompter/config.toml; systemctl reload prompterd.service
as carer prompter cancel >/dev/null 2>&1

echo "== a daemon that cannot be started"
mkdir -p /run/systemd/system/prompter-fallback.service.d
# Only that the tone can be heard in a file.
printf '[Service]\nReadWritePaths=/var/lib/prompter\n' >/run/systemd/system/prompter-fallback.service.d/test.conf
systemctl daemon-reload
toned() { [ "$(stat -c %s /var/lib/prompter/played.raw)" -gt 100000 ]; }
sounds_the_tone() { # what is wrong
  check "$1: sounds the plain tone" within 30 toned
}
well_again() {
  systemctl daemon-reload; systemctl reset-failed prompterd.service
  check "and rings again as soon as it can" within 20 is_answering
  # Answering it may still be on its way into this state, and only then the tone is forgotten.
  within 20 systemctl is-active prompterd.service
  systemctl stop prompter-fallback.service; rm -f /var/lib/prompter/played.raw
}
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
mv /usr/bin/prompterd /usr/bin/prompterd.away; printf '#!/bin/sh\nexit 1\n' >/usr/bin/prompterd; chmod 755 /usr/bin/prompterd
systemctl restart --no-block prompterd.service
sounds_the_tone "a broken program"
mv /usr/bin/prompterd.away /usr/bin/prompterd
well_again
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
mv /usr/bin/prompterd /usr/bin/prompterd.away
systemctl restart --no-block prompterd.service
sounds_the_tone "no program at all"
mv /usr/bin/prompterd.away /usr/bin/prompterd
well_again
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
printf 'levle = 3\n' >/etc/prompter/config.toml; mv /var/lib/prompter/config.last.toml /tmp/config.last.toml
systemctl restart --no-block prompterd.service
sounds_the_tone "a configuration that never was right"
cp /tmp/config.toml /etc/prompter/config.toml
well_again
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
sqlite3 /var/lib/prompter/record.sqlite "insert into grdb_migrations values ('999')"
systemctl restart --no-block prompterd.service
sounds_the_tone "a record of a newer version"
check "and the journal says so" sh -c 'journalctl -u prompterd | grep -q "a newer version of this program wrote it"'
sqlite3 /var/lib/prompter/record.sqlite "delete from grdb_migrations where identifier = '999'"
well_again
systemctl restart prompterd.service; sleep 3
control "a daemon that starts sounds none" toned

echo "== a backup comes back"
check "a backup is made" prompter backup /tmp/home.backup
chmod 600 /tmp/home.backup
check "and restored" prompter restore /tmp/home.backup --old-device-is-gone
check "as the daemon's user" \
  sh -c '[ "$(stat -c "%U %a" /var/lib/prompter/record.sqlite)" = "prompter 600" ]'
check "and it rings on from there" within 20 is_answering
check "the record is whole" prompter verify
tar -C /var/lib/prompter -cf /tmp/other.backup record.sqlite
check "what tar packed is refused" refused prompter restore /tmp/other.backup --old-device-is-gone
check "and changes nothing" within 20 is_answering

echo "== removal and purge"
events=$(prompter --json status | field 'j["record"]["events"]')
check "the package is removed" apt-get -q -y remove prompter
check "the record stays" test -s /var/lib/prompter/record.sqlite
control "nothing listens" test -S "$SOCKET"
check "it is installed again" install_package "$new"
check "and goes on with its record" sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "a purge that nobody is there to be asked about" apt-get -q -y purge prompter
check "keeps it" test -s /var/lib/prompter/record.sqlite
again() { check "it is installed once more" install_package "$new"; }
again
check "somebody at a terminal is asked, and says no" python3 /payload/purge-by-hand.py no
check "which keeps it" test -s /var/lib/prompter/record.sqlite
control "while the programs are gone" test -e /usr/bin/prompterd
again
nothing_is_left() {
  local trace
  for trace in /var/lib/prompter /var/lib/prompter-tell /etc/prompter /run/prompter /run/prompterd /usr/bin/prompterd \
    /usr/lib/prompter /usr/share/prompter /usr/share/doc/prompter; do
    control "leaves no $trace" test -e "$trace"
  done
  control "leaves no user" getent passwd prompter
  control "not even the one that tells" getent passwd prompter-tell
  control "leaves no group" getent group prompter-caretaker
  control "leaves no unit" sh -c 'find /etc/systemd /lib/systemd /var/lib/systemd/deb-systemd* -name "*prompter*" | grep .'
  control "leaves nothing that its question was answered with" \
    sh -c 'debconf-show prompter | grep .'
}
check "somebody at a terminal is asked, and says yes" python3 /payload/purge-by-hand.py yes
nothing_is_left
again
echo "prompter prompter/purge-record boolean true" | debconf-set-selections
check "a purge that was told beforehand to take all" apt-get -q -y purge prompter
nothing_is_left
done_checking
