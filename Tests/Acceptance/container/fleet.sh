#!/bin/bash
# Installs the server of a study and a home on one machine, with the commands of FLEET.md. The home sends its rows through
# nginx while the script kills the services, after an upgrade, and after a new start. At the end, the script purges both
# packages.
. /payload/lib.sh
fake_sound_card
# The container has no sudo, so this replacement runs each command as root, or as the user after -u.
cat >/usr/local/bin/sudo <<'S'
#!/bin/sh
if [ "$1" = -u ]; then
  user=$2
  shift 2
  exec runuser -u "$user" -- "$@"
fi
exec "$@"
S
chmod 755 /usr/local/bin/sudo
# commands SECTION: prints the lines in the code blocks of a section of FLEET.md.
commands() { awk -v title="### $1" '/^##/ { wanted = $0 == title } /^```/ { inside = !inside; next } inside && wanted' /payload/FLEET.md; }
show_journal() { journalctl -q --no-pager -u prompter-archive -u prompter-link -u nginx -u 'postgresql@*' | tail -n 40; }
trap '[ $? = 0 ] || show_journal; prompter log >/out/log.jsonl 2>/out/log.err' EXIT

echo "== server"
check "the archive installs with PostgreSQL and nginx" \
  install_package /payload/archive/old/*.deb /usr/local/share/server-packages/*.deb
control "the archive does not need the package prompter" dpkg-query -s prompter
control "the installation starts nothing" systemctl is-active prompter-archive.service
commands "Install the server" | grep -v -e 'apt-get' >/tmp/lines
check "FLEET.md contains the commands" [ "$(wc -l </tmp/lines)" -ge 6 ]
cd /
while read -r line <&3; do check "$line" sh -c "$line </dev/null"; done 3</tmp/lines
check "the archive starts at boot" systemctl is-enabled prompter-archive.service
check "the archive listens" within 10 test -S /run/prompter-archive/archive.sock
pin=$(/usr/lib/prompter-archive/server-certificate)
check "the pin stays the same" [ "$(/usr/lib/prompter-archive/server-certificate)" = "$pin" ]
check "only root can read the key of the server" [ "$(stat -c '%U %a' /etc/prompter-archive/tls/server.key)" = "root 600" ]
main_pid() { systemctl show -p MainPID --value "$1"; }
# is_status STATUS: true if the server replies with this status to a client without a certificate.
is_status() { [ "$(curl -sk -o /dev/null -w '%{http_code}' https://localhost/v1/streams/x/head)" = "$1" ]; }
check "nginx reaches the archive, which wants a certificate" within 10 is_status 401
control "another user cannot reach the socket of the archive" \
  as nobody curl -s --unix-socket /run/prompter-archive/archive.sock http://x/metrics
check "the exposure of the archive is at most 1.0" systemd-analyze security --no-pager --threshold=10 prompter-archive.service
has_no_network() { [ "$(nsenter -n -t "$(main_pid "$1")" ip -o link | grep -vc ' lo:')" = 0 ]; }
check "the archive has no network" has_no_network prompter-archive.service
archive() { sudo -u postgres prompter-archive "$@" --database dbname=prompter; }
# lists PATTERN: true if the list of homes contains this pattern.
lists() { archive home list | grep -q "$1"; }
code=$(archive home add home-017 --site berlin --study remind1 | head -n 1)
check "the archive expects the home" lists 'remind1.*berlin.*home-017.*never'

echo "== home"
check "the packages of the home install" install_package /payload/old/*.deb /payload/link/old/*.deb
check "the daemon runs" within 10 is_answering
roles() { as prompter-link prompter --json whoami | field 'j["roles"]'; }
check "the only role of the link is courier" [ "$(roles)" = "['courier']" ]
check "the link reads the rows without words" as prompter-link curl -sf -o /dev/null --unix-socket $SOCKET "http://x/v1/log?after=0"
check "the link cannot list the alarms" refused as prompter-link prompter list
systemctl start prompter-link.service
control "before the home joins a study, the link does not run" systemctl is-active prompter-link.service
check "a person takes part in the study" prompter study enrol patient --pseudonym P-017 --study remind1
check "an alarm is set" prompter add "Zqcanary pills" --schedule "every day 08:00"
control "a wrong pin is refused" prompter-link enrol https://localhost --code "$code" --pin "sha256//$(printf 'A%.0s' $(seq 43))=" --yes
check "the home joins the study" prompter-link enrol https://localhost --code "$code" --pin "$pin" --yes
check "the user of the link has the key" [ "$(stat -c '%U %a' /var/lib/prompter-link/home.key)" = "prompter-link 600" ]
echo 'at_once = true' >>/etc/prompter-link/config.toml
check "the link starts" systemctl enable --now prompter-link.service
check "the exposure of the link is at most 1.5" systemd-analyze security --no-pager --threshold=15 prompter-link.service
sees_record() { nsenter -m -t "$(main_pid prompter-link.service)" ls -A /var/lib/prompter | grep -q record; }
control "the link does not see the directory of the record" sees_record
rows() { sudo -u postgres psql -XAtqc 'SELECT count(*) FROM prompter.events' prompter; }
# has_all: true if the archive has at least as many rows as the home had at the newest call of `record`.
has_all() { [ "$(rows)" -ge "$wanted" ]; }
additions=0
# record: records a new event. After this, `has_all` is true only if the archive also has this event.
record() {
  additions=$((additions + 1))
  prompter add "Tea $additions" --schedule "every day 09:00" >/dev/null || exit 1
  wanted=$(prompter --json status | field 'j["record"]["events"]')
}
# arrives TEXT: checks that a new row arrives in the archive. The function restarts the link, because otherwise the link
# would wait 25 s for more events.
arrives() {
  record
  systemctl restart prompter-link.service
  check "$1" within 45 has_all
}
record
check "the archive has all rows of the home, also the newest one" within 45 has_all
check "the archive lists the contact" lists 'home-017.*20[0-9][0-9]-'
shows_archive() { prompter status | grep '^ *archive .*study remind1: collecting'; }
check "prompter status shows the archive" within 20 shows_archive
check "prompter link shows the same as prompter-link" [ "$(prompter link status | head -n 1)" = "$(prompter-link status | head -n 1)" ]
has_word() { sudo -u postgres pg_dump prompter | grep -q Zqcanary; }
control "the archive contains no typed word" has_word
check "the record of the home contains the word" sh -c 'prompter list | grep -q Zqcanary'

echo "== metrics, backup and restore"
commands "Alerts" | sed '/^WantedBy/q' >/etc/systemd/system/prompter-archive-metrics.service
check "FLEET.md contains the service for Prometheus" grep -q '^ExecStart=' /etc/systemd/system/prompter-archive-metrics.service
check "the service for Prometheus starts" systemctl enable --now prompter-archive-metrics.service
shows_home() { curl -sf http://127.0.0.1:9464/metrics | grep -q '^prompter_archive_home_expected{.*home="home-017".*} 1$'; }
check "Prometheus can read the home" within 10 shows_home
# FLEET.md mentions one step that is not a command: to copy the files to another machine.
check "the commands for a backup work" sh -ec "$(commands "Verify and back up" | grep -v '^\.\.\.')"
has_safe_head() { [ "$(field 'j["safe_head"] is not None' </var/lib/prompter-link/status.json)" = True ]; }
systemctl restart prompter-link.service
check "the home knows that a backup contains its rows" within 20 has_safe_head
arrives "a new row arrives after the backup"
systemctl stop prompter-archive-metrics.service
check "the commands for a restore work" \
  sh -ec "$(commands "Restore" | sed 's/^cd .*/&; sudo -u postgres dropdb prompter/')"
check "the service for Prometheus starts again" systemctl start prompter-archive-metrics.service
arrives "the rows after the backup arrive again"
check "Prometheus can read the home again" within 10 shows_home
check "the service for Prometheus ends" systemctl disable --now prompter-archive-metrics.service
# The administrator made this unit, so a purge does not remove it.
rm /etc/systemd/system/prompter-archive-metrics.service
systemctl daemon-reload

echo "== faults"
for unit in prompter-archive.service prompter-link.service prompterd.service; do
  check "$unit is killed" systemctl kill --kill-whom=main -s KILL "$unit"
  check "$unit runs again" within 15 systemctl is-active "$unit"
  arrives "after that, a new row arrives"
done
# Debian does not restart these two services after a crash, so an operator must restart them. systemd needs a moment
# until it notices that a process has ended.
for unit in nginx.service postgresql@15-main.service; do
  killed=$(main_pid "$unit")
  is_gone() { [ "$(main_pid "$unit")" != "$killed" ]; }
  check "$unit is killed" systemctl kill -s KILL "$unit"
  check "systemd notices that" within 15 is_gone
  within 3 systemctl is-active "$unit" || check "an operator starts $unit" systemctl restart "$unit"
  arrives "after that, a new row arrives"
done
services="prompter-link prompterd.socket prompterd prompter-archive nginx postgresql"
check "the link stops" systemctl stop prompter-link.service
record
# shellcheck disable=SC2086
check "all services stop" systemctl stop $services
control "no service runs" systemctl is-active prompter-link prompterd prompter-archive nginx postgresql@15-main
check "all start at boot" systemctl is-enabled prompter-link prompterd prompter-archive nginx postgresql
# shellcheck disable=SC2086
check "all services start" systemctl start $services
check "the row from before arrives" within 45 has_all

echo "== upgrade"
id=$(main_pid prompter-link.service)
check "the new versions install" install_package /payload/new/*.deb /payload/link/*.deb /payload/archive/*.deb
control "the old link does not run" [ "$(main_pid prompter-link.service)" = "$id" ]
check "the services run" within 10 systemctl is-active prompter-link prompter-archive
check "the upgrade keeps the configuration" grep -qx 'at_once = true' /etc/prompter-link/config.toml
check "the key of the server stays" [ "$(/usr/lib/prompter-archive/server-certificate)" = "$pin" ]
check "the daemon answers" within 20 is_answering
arrives "a new row arrives after the upgrade"
check "the archive is whole" archive verify

echo "== removal and purge"
check "the link is removed" dpkg -r prompter-link
control "the link does not run" pgrep -f "^prompter-link"
check "the removal keeps the key of the home" test -s /var/lib/prompter-link/home.key
check "the link is installed again" install_package /payload/link/*.deb
check "the link starts" systemctl start prompter-link.service
arrives "a new row arrives after the new installation"
check "the home leaves the study" prompter-link revoke
systemctl restart prompter-link.service
control "after that, the link does not run" systemctl is-active prompter-link.service
check "the link is purged" dpkg -P prompter-link
check "the archive is purged" dpkg -P prompter-archive
for trace in /var/lib/prompter-link /etc/prompter-link /etc/prompter-archive /run/prompter-archive /usr/lib/prompter-archive \
  /usr/bin/prompter-link /usr/bin/prompter-archive; do
  control "the purge leaves no $trace" test -e "$trace"
done
control "the purge leaves no user" sh -c 'getent passwd prompter-link || getent passwd prompter-archive || getent group prompter-archive'
control "the purge leaves no unit" \
  sh -c 'find /etc/systemd /lib/systemd /var/lib/systemd/deb-systemd* -name "*prompter-link*" -o -name "*prompter-archive*" | grep .'
check "nginx still has a valid configuration" nginx -t
check "nginx still runs" systemctl is-active nginx.service
check "the database keeps the rows" has_all
check "the daemon still answers" is_answering
done_checking
