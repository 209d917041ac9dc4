#!/bin/bash
# Installs prompter-web with the steps of PHONES.md. Two phones, each in its own network, show the pages through stunnel for
# two caretakers, while the script kills the services.
. /payload/lib.sh
fake_sound_card
name=10.77.0.1
address=https://$name:8443

check "the package prompter installs" install_package /payload/new/*.deb
check "the package prompter-web installs" dpkg --force-depends -i /payload/web/*.deb
control "the installation starts nothing" systemctl is-active prompter-web.service
control "nothing listens in the network" sh -c 'ss -ltnH | grep -q :8443'
control "the user of the pages has no role" sh -c 'id -nG prompter-web | grep -qE "prompter-(patient|caretaker|researcher|admin|monitor)"'

echo "== setup"
# The two phones are network namespaces that reach the device through a bridge.
ip link add home type bridge
ip address add $name/24 dev home
ip link set home up
for phone in 2 3; do
  ip netns add phone$phone
  ip link add wlan$phone type veth peer name eth0 netns phone$phone
  ip link set wlan$phone master home up
  ip -n phone$phone address add 10.77.0.$phone/24 dev eth0
  ip -n phone$phone link set eth0 up
done
sed -i "s|^address = .*|address = \"$address\"|" /etc/prompter-web/config.toml
useradd -M -G prompter-caretaker sofia
useradd -M -G prompter-researcher ben
useradd -M eve
control "without a delegate, no code is made" prompter web pair sofia
printf '\n[delegates.prompter-web]\npeople = ["sofia", "ben", "root"]\n' >>/etc/prompter/config.toml
check "the configuration is valid" prompterd --check-config --config /etc/prompter/config.toml
check "the daemon reads it" systemctl reload prompterd.service
check "the pages start" systemctl enable --now prompter-web-tls.service
check "all start at boot" systemctl is-enabled prompter-web-tls.service prompter-web.service prompter-web.socket
check "the exposure of the pages is at most 1.0" systemd-analyze security --no-pager --threshold=10 prompter-web.service
check "the pages have no network" \
  sh -c '[ "$(nsenter -n -t "$(systemctl show -p MainPID --value prompter-web.service)" ip -o link | grep -vc " lo:")" = 0 ]'
check "only stunnel can read the key" \
  sh -c '[ "$(stat -c "%U %G %a" /etc/prompter-web/tls/server.key)" = "root prompter-web-tls 640" ]'
control "the pages cannot read the key" \
  nsenter -m -t "$(systemctl show -p MainPID --value prompter-web.service)" runuser -u prompter-web -- cat /etc/prompter-web/tls/server.key
check "nobody else reaches the socket of the commands" refused as sofia prompter web devices
# own METHOD PATH USER: sends a request of a user to the socket with which users manage their own phones.
own() { runuser -u "$3" -- curl -s -X "$1" --unix-socket /run/prompter-web/own.sock -o /tmp/own.json -w '%{http_code}' "http://x$2"; }
check "sofia gets a code for her phone" [ "$(own POST /invitations sofia)" = 201 ]
check "eve gets no code" [ "$(own POST /invitations eve)" = 403 ]
check "nobody else reaches the socket of the pages" \
  refused as sofia curl -sf --unix-socket /run/prompter-web/web.sock http://x/ca.crt

echo "== phones"
show_journal() { journalctl -q --no-pager -u prompter-web -u prompter-web-tls | tail -n 30; }
trap '[ $? = 0 ] || show_journal; prompter log >/out/log.jsonl 2>/out/log.err' EXIT
# phone NUMBER ARGUMENTS...: sends a request from a phone that trusts the certificate of the home.
phone() {
  local number=$1
  shift
  ip netns exec "phone$number" curl -s --max-time 10 --cacert /etc/prompter-web/tls/ca.crt \
    -b "/tmp/jar$number" -c "/tmp/jar$number" -H "Origin: $address" "$@"
}
status() { phone "$1" -o /dev/null -w '%{http_code}' "${@:2}"; }
is_status() { [ "$(status "${@:2}")" = "$1" ]; }
# pair NUMBER USER: types the code on a phone.
pair() {
  local code
  code=$(prompter web pair "$2" --json | field 'j["code"]') && is_status 303 "$1" -d "code=$code" "$address/pair"
}
# After its start, stunnel needs a moment until it accepts connections.
check "a phone can download the certificate" within 10 sh -c \
  "ip netns exec phone2 curl -sk $address/ca.crt | cmp - /etc/prompter-web/tls/ca.crt"
control "a phone without the certificate does not trust the device" ip netns exec phone2 curl -s $address/
check "a phone without a code gets the page for the code" sh -c \
  "ip netns exec phone2 curl -s --cacert /etc/prompter-web/tls/ca.crt $address/ | grep -q 'Add this phone'"
check "sofia adds her phone" pair 2 sofia
check "ben adds his phone" pair 3 ben
control "eve cannot add a phone" prompter web pair eve
control "root cannot add a phone" prompter web pair root
check "sofia sees the day" is_status 200 2 "$address/"
check "ben, a researcher, does not see the day" is_status 403 3 "$address/"
check "an alarm calls" prompter add "Take the pills" --schedule "in 1 second"
prompt() { prompter prompts --state current --json | field 'j["prompts"][0]["id"]'; }
check "the alarm is due" within 10 prompt
id=$(prompt)
phone 2 "$address/" >/tmp/day.html
# field_of NAME: prints the value of this attribute in the first form, for example the value of a field or the address of the
# form.
field_of() { grep -o "$1=\"[^\"]*\"" /tmp/day.html | head -n 1 | cut -d'"' -f2; }
key=$(sed -n 's/.*name="key" value="\([^"]*\)".*/\1/p' /tmp/day.html | head -n 1)
answer() { status "$1" --data-urlencode "key=$key" --data-urlencode "prompt=$id" -d button=done "$address$(field_of action)"; }
check "ben cannot answer" [ "$(answer 3)" = 403 ]
check "the alarm still calls" [ "$(prompt)" = "$id" ]
check "sofia answers" [ "$(answer 2)" = 303 ]
check "the record names sofia, the pages and the device" sh -c \
  "prompter log | grep '\"completed\"' | grep -q \"uid:\$(id -u sofia),via:uid:\$(id -u prompter-web),device:1\""
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Test//EN BEGIN:VEVENT UID:one@example.org DTSTAMP:20261101T000000Z \
  DTSTART:20991201T090000 SUMMARY:Dentist END:VEVENT END:VCALENDAR >/tmp/calendar.ics
# import BUTTON: sends the calendar file from the phone of sofia. prompter-calendar reads it inside of the sandbox of the pages.
import() { phone 2 -F "key=0123456789abcdef$1" -F all_day=09:00 -F "button=$1" -F file=@/tmp/calendar.ics "$address/import"; }
is_alarm() { prompter list --json | grep -q Dentist; }
import look >/tmp/look.html
check "sofia's phone shows the preview of a calendar file" grep -q "id=\"report\"" /tmp/look.html
control "the preview sets no alarm" is_alarm
import import >/tmp/import.html
check "sofia's phone imports the calendar file" is_alarm
control "another program cannot name sofia" \
  curl -sf --unix-socket $SOCKET -H "Prompter-For: sofia" http://x/v1/day
check "the refusal is in the record" sh -c 'prompter log | grep -q "\"denied\""'

echo "== faults"
for unit in prompter-web.service prompter-web-tls.service prompterd.service prompter-web.service; do
  check "$unit is killed" systemctl kill --kill-whom=main -s KILL "$unit"
  check "after that, sofia sees the day" within 30 is_status 200 2 "$address/"
done
# Both phones send requests while the script kills the services at random moments. Each phone gets no answer, or only
# data that its user may see. A phone must never get the page of the other user.
busy() {
  while [ ! -e /tmp/calm ]; do
    status "$1" "$address/"
    echo
    sleep 0.1
  done >"/tmp/statuses$1"
}
units=(prompterd.service prompter-web.service prompter-web-tls.service)
RANDOM=1
busy 2 & phones=$!
busy 3 & phones="$phones $!"
for number in 1 2 3 4 5 6; do
  sleep "$((RANDOM % 3)).$((RANDOM % 10))"
  unit=${units[number % 3]}
  check "at a random moment, $unit is killed (kill $number of 6, seed 1)" systemctl kill --kill-whom=main -s KILL "$unit"
done
check "after that, sofia sees the day" within 30 is_status 200 2 "$address/"
check "after that, ben still does not see it" within 30 is_status 403 3 "$address/"
touch /tmp/calm
wait $phones
# only NUMBER STATUS: true if the phone got this status more than five times. Each of its other requests must end with
# no reply, or with 502 or 503.
only() { [ "$(grep -c "^$2" "/tmp/statuses$1")" -gt 5 ] && ! grep -vqE "^($2|000|50[23])$" "/tmp/statuses$1"; }
check "the phone of sofia got the day, and otherwise nothing" only 2 200
check "the phone of ben got refusals, and otherwise nothing" only 3 403
control "the phone of ben got the day" only 3 200
check "sofia cannot revoke the phone of ben" [ "$(own DELETE /devices/2 sofia)" = 404 ]
check "the phone of ben is revoked" prompter web revoke 2
check "ben is out" sh -c "[ \"\$(ip netns exec phone3 curl -s --cacert /etc/prompter-web/tls/ca.crt -b /tmp/jar3 -o /dev/null -w '%{http_code}' $address/live)\" = 401 ]"
check "sofia is not out" is_status 200 2 "$address/"
serial() { openssl x509 -in /etc/prompter-web/tls/server.crt -noout -serial; }
before=$(serial)
check "a restart keeps the certificate" sh -c "systemctl restart prompter-web-tls.service"
check "it is the same" [ "$before" = "$(serial)" ]
check "the phone sees the day again" within 20 is_status 200 2 "$address/"

echo "== removal"
check "the package is removed" dpkg -r prompter-web
control "nothing listens any more" sh -c 'ss -ltnH | grep -q :8443'
check "the package is purged" dpkg -P prompter-web
control "the keys are gone" test -e /etc/prompter-web
control "the users are gone" getent passwd prompter-web prompter-web-tls
check "the daemon still runs" is_answering
done_checking
