#!/bin/bash
# Installs, uses, upgrades, removes and purges the package on a minimal Debian.
. /payload/lib.sh
fake_sound_card
new=$(ls /payload/new/*.deb)

check "the package installs" install_package /payload/old/*.deb
check "the daemon runs" systemctl is-active prompterd.service
check "the sockets listen" systemctl is-active prompterd.socket prompter-tell.socket
check "all start at boot" systemctl is-enabled prompterd.service prompterd.socket prompter-tell.socket
check "the socket is at the documented path" test -S "$SOCKET"
check "the daemon reports ready only after it has armed the alarms" \
  sh -c 'systemctl show -p StatusText --value prompterd.service | grep -q "alarms armed"'
check "no unit has failed" sh -c '! systemctl --failed --no-legend | grep prompter'
check "the configuration is valid" prompterd --check-config --config /etc/prompter/config.toml
check "only root and the group prompter-config can read the configuration" \
  sh -c '[ "$(stat -c "%U %G %a" /etc/prompter/config.toml)" = "root prompter-config 640" ]'
check "the users prompter and prompter-tell can read the configuration" \
  sh -c 'for user in prompter prompter-tell; do runuser -u $user -- cat /etc/prompter/config.toml >/dev/null || exit 1; done'
check "systemd-analyze finds no fault in the units" \
  systemd-analyze verify --man=no --recursive-errors=no prompterd.service prompterd.socket prompter-fallback.service
check "the exposure of the daemon is at most 1.0" systemd-analyze security --no-pager --threshold=10 prompterd.service

echo "== people"
for user in carer:prompter-caretaker anna:prompter-patient study:prompter-researcher \
  nadia:prompter-analyst stranger:users; do
  useradd -M -G "${user#*:}" "${user%:*}"
done
check "a caretaker sets an alarm" as carer prompter add "Take the pills" --schedule "every day 08:00"
check "a patient cannot set an alarm" refused as anna prompter add "Chocolate" --schedule "every day 08:00"
check "the patient sees what is due" as anna prompter next
check "the researcher reads the record" as study prompter log
check "a caretaker cannot read the record" refused as carer prompter log
check "an analyst exports without names" \
  sh -c 'cd /tmp && runuser -u nadia -- prompter export /tmp/nadia --profile limited && test -s /tmp/nadia/prompts.csv'
check "an analyst verifies the record" as nadia prompter verify
check "an analyst cannot export names" refused as nadia prompter export /tmp/nadia-names --profile identified
check "an analyst cannot read the record" refused as nadia prompter log
check "an analyst cannot set an alarm" refused as nadia prompter add "Chocolate" --schedule "every day 08:00"
check "a user without a role is refused" refused as stranger prompter status
check "a user without a role gets status 403" sh -c "[ \"\$(runuser -u stranger -- curl -s -o /dev/null -w '%{http_code}' --unix-socket $SOCKET http://home/v1/status)\" = 403 ]"
check "root may do everything" prompter status
check "a caretaker cannot read the state directory" refused as carer ls /var/lib/prompter
check "a caretaker cannot read the configuration" refused as carer cat /etc/prompter/config.toml
mkdir -p /etc/systemd/system/prompterd.service.d
printf '[Service]\nPrivateUsers=yes\n' >/etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service
control "in a user namespace the daemon cannot tell roles apart" as carer prompter list
rm /etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service

echo "== sandbox"
P=$(pid)
check "the daemon's only capability is to wake the device" grep -q '^CapEff:.0000000800000000$' "/proc/$P/status"
check "a system call filter is on" grep -q '^Seccomp:.2$' "/proc/$P/status"
check "the daemon has no network" sh -c "[ \"\$(nsenter -n -t $P ip -o link | grep -vc ' lo:')\" = 0 ]"
check "the daemon's timer may wake the device" sh -c "cat /proc/$P/fdinfo/* | grep -q '^clockid: 8'"
check "a recording is decoded in its own sandbox, inside the daemon's sandbox" \
  as carer prompter tone add voice /payload/voice.flac
check "a file that is not a sound is refused" refused as carer prompter tone add junk /payload/lib.sh
check "the record contains the kernel's boot id" \
  sh -c "prompter log | tail -n 1 | grep -q \"\$(cat /proc/sys/kernel/random/boot_id)\""

echo "== socket activation"
systemctl stop prompterd.service
control "the daemon is stopped" systemctl is-active prompterd.service
check "a request starts the daemon and is answered" as anna prompter next
check "the daemon runs again" within 10 systemctl is-active prompterd.service

echo "== watchdog"
hangs() { kill -STOP "$(pid)"; local before; before=$(restarts); within "$1" sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"; }
check "a daemon that hangs is restarted within 15 s" hangs 15
check "the restarted daemon answers" within 10 is_answering
printf '[Service]\nWatchdogSec=0\n' >/etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service
control "without the watchdog the daemon is not restarted" hangs 13
kill -CONT "$(pid)"
rm -r /etc/systemd/system/prompterd.service.d; systemctl daemon-reload; systemctl restart prompterd.service
check "the daemon answers with the watchdog again" within 10 is_answering
timer_hangs() {
  # A signal cannot stop a single thread, so hold-thread stops the thread with ptrace. While hold-thread is attached,
  # a killed thread cannot end. Therefore, hold-thread detaches after 12 s. By then, the watchdog must have killed the
  # daemon.
  local before task
  before=$(restarts)
  task=$(grep -lx wall-timer /proc/"$(pid)"/task/*/comm | head -n 1)
  python3 /payload/hold-thread "$(basename "$(dirname "$task")")" 12 &
  within 20 sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"
}
check "the watchdog notices that only the timer thread hangs" timer_hangs
check "the daemon answers after that restart" within 10 is_answering

echo "== a configuration with an error"
cp /etc/prompter/config.toml /tmp/config.toml
printf '\nlevle = 3\n' >>/etc/prompter/config.toml
check "an unknown key is refused with its line number" sh -c 'prompterd --check-config --config /etc/prompter/config.toml 2>&1 | grep -q "line [0-9]*: .*levle"'
systemctl restart prompterd.service
check "the daemon starts with the last valid configuration" as carer prompter list
cp /tmp/config.toml /etc/prompter/config.toml
chmod o+w /etc/prompter/config.toml
check "a configuration that every user can write is refused" refused prompterd --check-config --config /etc/prompter/config.toml
chmod o= /etc/prompter/config.toml
sed -i 's/^caretaker = .*/caretaker = ["@prompter-admin"]/' /etc/prompter/config.toml
systemctl reload prompterd.service
check "a reload removes a role" within 5 refused as carer prompter list
cp /tmp/config.toml /etc/prompter/config.toml; systemctl reload prompterd.service
check "a reload adds a role" within 5 as carer prompter list

echo "== upgrade while it rings"
as carer prompter add "Ring on" --schedule "in 3 seconds" --rings 20 --spacing 2s >/dev/null ||
  as carer prompter add "Ring on" --schedule "in 3 seconds" --rings 5 --spacing 10s
within 15 sh -c 'prompter --json status | grep -q "\"sounding\":\"" ' || { echo "FAILED: nothing rings"; exit 1; }
check "the new version installs" install_package "$new"
# silence-around-restart.py prints a negative number if no ring has started since the restart.
rings_on() { case $(prompter log | python3 /payload/silence-around-restart.py) in -* | '') false;; esac; }
check "the prompt rings again after the upgrade" within 20 rings_on
silence=$(prompter log | python3 /payload/silence-around-restart.py)
echo "figure: $silence s of silence around the upgrade"
check "at most 3 s of silence" python3 -c "import sys; sys.exit(not 0 <= float('$silence') <= 3.0)"
check "the new version is installed" sh -c "[ \"\$(dpkg-query -W -f '\${Version}' prompter)\" = '$(dpkg-deb -f "$new" Version)' ]"
check "the patient answers the same prompt" as anna prompter done
check "the record is whole" prompter verify
check "the upgrade kept the configuration" cmp /tmp/config.toml /etc/prompter/config.toml
check "other users still cannot read the configuration" \
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
check "the journal finds an event by its name" sh -c 'journalctl -q PROMPTER_EVENT=ring_started | grep -q .'
prompt=$(events ring_started | head -n 1 | field 'j["prompt_id"]')
check "the journal finds all events of a prompt by its id" sh -c "[ \$(journalctl -q PROMPT_ID='$prompt' | wc -l) -ge 2 ]"
control "the journal contains no label" sh -c 'journalctl -o export | grep -a "^MESSAGE" | grep -q "Take the pills"'

echo "== contacts are notified, outside the sandbox"
cat >/usr/local/bin/tell-test <<'T'
#!/bin/sh
{ env; id -un; readlink /proc/self/ns/net; ls /var/lib/prompter 2>&1 || true; } >"$HOME/told.new" && mv "$HOME/told.new" "$HOME/told"
T
chmod 755 /usr/local/bin/tell-test
printf '\n[contacts.anna]\ncommand = ["/usr/local/bin/tell-test"]\n' >>/etc/prompter/config.toml
systemctl reload prompterd.service
told=/var/lib/prompter-tell/told
check "an alarm with a contact is set" \
  within 10 as carer prompter add "Tell it" --schedule "in 2 seconds" --rings 1 --tell "anna after 5s"
check "the contact's command runs" within 40 test -e $told
check "the command runs as the user prompter-tell" grep -qx prompter-tell $told
check "the command gets the label" grep -qx 'PROMPTER_LABEL=Tell it' $told
check "the command has the network of the machine" grep -qxF "$(readlink /proc/1/ns/net)" $told
control "the daemon does not have the network of the machine" [ "$(readlink /proc/$(pid)/ns/net)" = "$(readlink /proc/1/ns/net)" ]
check "the command cannot read the record" grep -q "Permission denied\|cannot open directory" $told
check "the record contains the notification" within 10 sh -c 'prompter log | grep -q "\"type\":\"notified\""'
check "another user cannot connect to the notification socket" refused as carer sh -c 'exec 3<>/dev/null; python3 -c "
import socket; socket.socket(socket.AF_UNIX).connect(\"/run/prompter/tell.sock\")"'
cp /tmp/config.toml /etc/prompter/config.toml; systemctl reload prompterd.service
as carer prompter cancel >/dev/null 2>&1

echo "== a daemon that cannot be started"
mkdir -p /run/systemd/system/prompter-fallback.service.d
# Permit the service to write the tone to a file, so that the test can find the tone.
printf '[Service]\nReadWritePaths=/var/lib/prompter\n' >/run/systemd/system/prompter-fallback.service.d/test.conf
systemctl daemon-reload
toned() { [ "$(stat -c %s /var/lib/prompter/played.raw)" -gt 100000 ]; }
sounds_the_tone() { # the fault, as text for the check
  check "$1: the plain tone is played" within 30 toned
}
well_again() {
  systemctl daemon-reload; systemctl reset-failed prompterd.service
  check "the daemon answers after the repair" within 20 is_answering
  # A daemon that answers may not be active yet. `fallback-tone ready` runs only when the daemon is active.
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
sounds_the_tone "a missing program"
mv /usr/bin/prompterd.away /usr/bin/prompterd
well_again
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
printf 'levle = 3\n' >/etc/prompter/config.toml; mv /var/lib/prompter/config.last.toml /tmp/config.last.toml
systemctl restart --no-block prompterd.service
sounds_the_tone "an invalid configuration without a valid copy"
cp /tmp/config.toml /etc/prompter/config.toml
well_again
systemctl stop prompterd.service; rm -f /var/lib/prompter/played.raw
sqlite3 /var/lib/prompter/record.sqlite "insert into grdb_migrations values ('999')"
systemctl restart --no-block prompterd.service
sounds_the_tone "a record of a newer version"
check "the journal names the reason" sh -c 'journalctl -u prompterd | grep -q "a newer version of this program wrote it"'
sqlite3 /var/lib/prompter/record.sqlite "delete from grdb_migrations where identifier = '999'"
well_again
systemctl restart prompterd.service; sleep 3
control "a daemon that starts does not play the plain tone" toned

echo "== a backup is restored"
check "a backup is made" prompter backup /tmp/home.backup
chmod 600 /tmp/home.backup
check "the backup is restored" prompter restore /tmp/home.backup --old-device-is-gone
check "the restored record belongs to the daemon's user" \
  sh -c '[ "$(stat -c "%U %a" /var/lib/prompter/record.sqlite)" = "prompter 600" ]'
check "the daemon answers after the restore" within 20 is_answering
check "the record is whole" prompter verify
tar -C /var/lib/prompter -cf /tmp/other.backup record.sqlite
check "a tar archive that is not a backup is refused" refused prompter restore /tmp/other.backup --old-device-is-gone
check "the daemon still answers" within 20 is_answering

echo "== removal and purge"
events=$(prompter --json status | field 'j["record"]["events"]')
check "the package is removed" apt-get -q -y remove prompter
check "the removal keeps the record" test -s /var/lib/prompter/record.sqlite
control "the socket is gone" test -S "$SOCKET"
check "the package is installed again" install_package "$new"
check "the new installation continues the record" sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "a purge without a terminal" apt-get -q -y purge prompter
check "a purge without an answer keeps the record" test -s /var/lib/prompter/record.sqlite
again() { check "the package is installed once more" install_package "$new"; }
again
check "a purge in a terminal asks; the answer is no" python3 /payload/purge-by-hand.py no
check "the answer no keeps the record" test -s /var/lib/prompter/record.sqlite
control "the programs are gone" test -e /usr/bin/prompterd
again
nothing_is_left() {
  local trace
  for trace in /var/lib/prompter /var/lib/prompter-tell /etc/prompter /run/prompter /run/prompterd /usr/bin/prompterd \
    /usr/lib/prompter /usr/share/prompter /usr/share/doc/prompter; do
    control "the purge leaves no $trace" test -e "$trace"
  done
  control "the purge leaves no user prompter" getent passwd prompter
  control "the purge leaves no user prompter-tell" getent passwd prompter-tell
  control "the purge leaves no group" getent group prompter-caretaker
  control "the purge leaves no unit" sh -c 'find /etc/systemd /lib/systemd /var/lib/systemd/deb-systemd* -name "*prompter*" | grep .'
  control "the purge leaves no answer in debconf" \
    sh -c 'debconf-show prompter | grep .'
}
check "a purge in a terminal asks; the answer is yes" python3 /payload/purge-by-hand.py yes
nothing_is_left
again
echo "prompter prompter/purge-record boolean true" | debconf-set-selections
check "a purge with a prepared answer to delete the record" apt-get -q -y purge prompter
nothing_is_left
done_checking
