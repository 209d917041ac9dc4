#!/bin/bash
# Tests a night in which the clocks go forward. The machine runs in virtual time. One alarm is at a skipped local
# time, and the other alarm is in the early morning. night.after measures the sound that the sound card received.
# run-vm: --timeout 1200 --virtual-time --rtc 2027-03-28T00:48:00 --sound hda
. /payload/lib.sh
timedatectl set-timezone Europe/Berlin || ln -sf /usr/share/zoneinfo/Europe/Berlin /etc/localtime
amixer -q -c Intel sset Master 20% unmute
amixer -c Intel sget Master | grep -o '\[[0-9]*%\]' | head -n 1 >/tmp/level
check "the package installs" install_package /payload/new/*.deb
check "the home is in Berlin" sh -c 'prompter --json status | grep -q "\"zone\":\"Europe/Berlin\""'
check "a recording is stored" prompter tone add voice /payload/voice.flac
check "an alarm in the gap" prompter add "In the gap" --schedule "2027-03-28 02:30" --rings 1 --tone voice
check "an alarm in the morning" prompter add "Breakfast" --schedule "every day 05:30" --rings 2 --spacing 1m --tone voice
# Counts the interrupts of the sound card and the wake-ups of the daemon and its player in five idle minutes.
card() { awk '/snd_hda/ { print $2 }' /proc/interrupts; }
wakings() { for p in $(pgrep -f '^/usr/bin/prompter'); do cat /proc/"$p"/task/*/status; done \
  | awk '/^voluntary/ { n += $2 } END { print n }'; }
sleep 60
before=$(card) woken=$(wakings)
sleep 300
after=$(card) woken=$(($(wakings) - woken))
check "the sound card causes no interrupts while nothing rings" [ "$after" -eq "$before" ]
# Some wake-ups are necessary, because the daemon reports to the watchdog every five seconds, with a few threads.
check "the daemon and its player have fewer than 600 wake-ups" [ "$woken" -lt 600 ]
echo "figure: $woken wake-ups of the daemon and its player in five idle minutes"
prompter tone play voice >/dev/null
control "playing a tone causes interrupts of the sound card" [ "$(card)" -eq "$after" ]
# Wait until 05:45 summer time.
sleep $((1806205500 - $(date +%s)))
events ring_started >/tmp/rings
python3 - <<'P' >/tmp/table
import json
for line in open("/tmp/rings"):
    e = json.loads(line)
    print(e["wall_utc_ms"] / 1000, e["prompt_id"])
P
cat /tmp/table
# On this night, the alarm at 02:30 rings at 03:30 summer time (01:30 UTC). The alarm at 05:30 rings at 03:30 UTC.
rang() { python3 -c "
import sys
times = [float(line.split()[0]) for line in open('/tmp/table')]
late = [round(a - b, 3) for a, b in zip(times, $1)]
print('late by', late)
sys.exit(len(times) != len($1) or not all(0 <= x < $2 for x in late))"; }
check "each ring started within a second of its time" rang "[1806197400, 1806204600, 1806204660]" 1
control "the rings did not start an hour earlier" rang "[1806193800, 1806201000, 1806201060]" 1
check "the level of the sound card is restored" sh -c 'amixer -c Intel sget Master | grep -q "$(cat /tmp/level | tr -d "[]")"'
check "the record is whole" prompter verify
echo "figure: late by $(python3 -c "
times = [float(line.split()[0]) for line in open('/tmp/table')]
print([round((a - b) * 1000) for a, b in zip(times, [1806197400, 1806204600, 1806204660])])") ms over a night with a change of the clocks"
done_checking
