#!/bin/bash
# A night in which the clocks go forward, in virtual time: an alarm in the hour that does not exist, one in the
# early morning, and what the sound card was given is measured outside (night.after).
# run-vm: --timeout 1200 --virtual-time --rtc 2027-03-28T00:48:00 --sound hda
. /payload/lib.sh
timedatectl set-timezone Europe/Berlin || ln -sf /usr/share/zoneinfo/Europe/Berlin /etc/localtime
amixer -q -c Intel sset Master 20% unmute
amixer -c Intel sget Master | grep -o '\[[0-9]*%\]' | head -n 1 >/tmp/level
check "the package installs" install_package /payload/new/*.deb
check "the home is in Berlin" sh -c 'prompter --json status | grep -q "\"zone\":\"Europe/Berlin\""'
check "a voice is stored" prompter tone add voice /payload/voice.flac
check "an alarm in the gap" prompter add "In the gap" --schedule "2027-03-28 02:30" --rings 1 --tone voice
check "an alarm in the morning" prompter add "Breakfast" --schedule "every day 05:30" --rings 2 --spacing 1m --tone voice
# What the night costs: how often the card and the daemon with its player are woken in five minutes of nothing.
card() { awk '/snd_hda/ { print $2 }' /proc/interrupts; }
wakings() { for p in $(pgrep -f '^/usr/bin/prompter'); do cat /proc/"$p"/task/*/status; done \
  | awk '/^voluntary/ { n += $2 } END { print n }'; }
sleep 60
before=$(card) woken=$(wakings)
sleep 300
after=$(card) woken=$(($(wakings) - woken))
check "the card is left alone while nothing rings" [ "$after" -eq "$before" ]
# The watchdog is fed every five seconds, which a few threads have a hand in.
check "and the daemon sleeps" [ "$woken" -lt 600 ]
echo "figure: $woken wakings of the daemon and its player in five idle minutes beside a sound card"
prompter tone play voice >/dev/null
control "a card that is played on would be seen" [ "$(card)" -eq "$after" ]
# 05:45 summer time.
sleep $((1806205500 - $(date +%s)))
events ring_started >/tmp/rings
python3 - <<'P' >/tmp/table
import json
for line in open("/tmp/rings"):
    e = json.loads(line)
    print(e["wall_utc_ms"] / 1000, e["prompt_id"])
P
cat /tmp/table
# 02:30 is 03:30 summer time, 01:30 UTC; 05:30 is 03:30 UTC.
rang() { python3 -c "
import sys
times = [float(line.split()[0]) for line in open('/tmp/table')]
late = [round(a - b, 3) for a, b in zip(times, $1)]
print('late by', late)
sys.exit(len(times) != len($1) or not all(0 <= x < $2 for x in late))"; }
check "each ring came within a second of its time" rang "[1806197400, 1806204600, 1806204660]" 1
control "an hour off would be seen" rang "[1806193800, 1806201000, 1806201060]" 1
check "the card's level is as it was found" sh -c 'amixer -c Intel sget Master | grep -q "$(cat /tmp/level | tr -d "[]")"'
check "all that rang is in the record, whole" prompter verify
echo "figure: late by $(python3 -c "
times = [float(line.split()[0]) for line in open('/tmp/table')]
print([round((a - b) * 1000) for a, b in zip(times, [1806197400, 1806204600, 1806204660])])") ms over a night with a change of the clocks"
done_checking
