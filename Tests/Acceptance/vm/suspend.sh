#!/bin/bash
# Suspends the machine to RAM before an alarm is due. The alarm must wake the machine and ring.
# run-vm: --sound hda
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
check "the package installs" install_package /payload/new/*.deb
check "the daemon's timer may wake the device" sh -c 'cat /proc/$(systemctl show -p MainPID --value prompterd.service)/fdinfo/* | grep -q "^clockid: 8"'
suspend_over() { # seconds until the alarm, the latest second at which the machine must be awake again
  prompter add "Wake up $RANDOM" --schedule "in $1 seconds" --rings 1 >/dev/null || return 2
  local began
  began=$(date +%s)
  # If the daemon does not wake the machine, the real-time clock wakes it. Without this wake-up, the
  # machine would sleep forever.
  rtcwake -m no -s $(($1 + 25)) >/dev/null
  sync
  echo mem >/sys/power/state
  local asleep=$(($(date +%s) - began))
  rtcwake -m disable >/dev/null
  echo "asleep for $asleep s"
  [ "$asleep" -le "$2" ]
}
rang() { [ "$(events ring_started | wc -l)" -ge "$1" ]; }
check "the alarm wakes the machine" suspend_over 15 22
check "the alarm rings" within 10 rang 1
late=$(prompter log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
planned = {e["prompt_id"]: e["payload"] for e in events if e["type"] == "planned"}
ring = next(e for e in events if e["type"] == "ring_started")
due = next(e for e in events if e["type"] == "due" and e["prompt_id"] == ring["prompt_id"])
print(ring["wall_utc_ms"] - due["wall_utc_ms"])')
echo "figure: first frame $late ms after the machine woke for it"
mkdir -p /etc/systemd/system/prompterd.service.d
printf '[Service]\nAmbientCapabilities=\nCapabilityBoundingSet=\n' >/etc/systemd/system/prompterd.service.d/control.conf
systemctl daemon-reload; systemctl restart prompterd.service; within 20 is_answering
control "without the capability the machine is not woken" suspend_over 12 19
check "the alarm rings late, within its late window" within 15 rang 2
check "the record is whole" prompter verify
done_checking
