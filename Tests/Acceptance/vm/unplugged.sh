#!/bin/bash
# Unplugs the speaker and plugs it in again. The daemon must report the missing speaker, count no ring as heard,
# and then ring again.
# run-vm: --sound hda
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
check "the package installs" install_package /payload/new/*.deb
# On this machine, a program reads the clock with a system call. Therefore the test shows that the sandboxes allow
# this system call.
control "the clock of this machine cannot be read without a system call" grep -qE 'tsc|kvm-clock' /sys/devices/system/clocksource/clocksource0/current_clocksource
check "a recording is stored" prompter tone add voice /payload/voice.flac
check "an announcement is spoken" sh -c 'prompter say "Hello" && sleep 3 && ! journalctl -u prompterd.service | grep "not spoken"'
check "the announcement is over" within 15 sh -c 'prompter log | grep -q "\"type\":\"ring_ended\""'
card=$(readlink -f /sys/class/sound/card0/device)
count() { events "$1" | wc -l; }
reaches() { [ "$(count "$1")" -ge "$2" ]; }
check "an alarm is set while the speaker is plugged in" sh -c 'prompter add "One" --schedule "in 2 seconds" --rings 1'
check "the alarm sounds" within 15 reaches ring_ended 2
prompter done >/dev/null
echo 1 >"$card/remove"
sleep 1
control "the card is gone" test -e /dev/snd/pcmC0D0p
check "an alarm is set without a speaker" prompter add "Two" --schedule "in 2 seconds" --rings 2 --spacing 5s --late-window 10m
check "its ring is recorded as failed" within 25 reaches ring_failed 1
check "the failed ring does not count as heard" sh -c "[ \"$(count ring_started)\" = 2 ]"
check "the status says that there is no speaker" within 10 sh -c 'prompter --json status | grep -q "no usable speaker"'
echo 1 >/sys/bus/pci/rescan
check "the card is back" within 15 test -e /dev/snd/pcmC0D0p
udevadm settle; amixer -q -c Intel sset Master 100% unmute
check "an alarm is set after the speaker is back" prompter add "Three" --schedule "in 3 seconds" --rings 2 --spacing 10s
check "the third alarm sounds" within 40 reaches ring_started 3
check "the daemon was not restarted" sh -c '[ "$(systemctl show -p NRestarts --value prompterd.service)" = 0 ]'
check "the record is whole" prompter verify
done_checking
