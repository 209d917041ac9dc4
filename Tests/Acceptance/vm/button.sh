#!/bin/bash
# Tests the patient button on a virtual input device of the kernel. A short press completes a prompt, and a long press
# delays it. While nothing rings, a press plays the state of the day. The scenario also tests two presses by accident,
# and an unplugged button.
# run-vm: --sound hda --timeout 1200
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
modprobe uinput
echo 'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Acceptance button", SYMLINK+="input/by-id/acceptance-button"' \
  >/etc/udev/rules.d/99-acceptance.rules
udevadm control --reload
check "the package installs" install_package /payload/new/*.deb
mkfifo /tmp/words
python3 /payload/press-button.py "Acceptance button" </tmp/words >/tmp/pressed &
exec 7>/tmp/words
press() {
  local before
  before=$(wc -l </tmp/pressed)
  echo "$1" >&7
  within 20 sh -c "[ \$(wc -l </tmp/pressed) -gt $before ]"
}
check "a button is plugged in" press plug
check "udev names it" within 10 test -e /dev/input/by-id/acceptance-button
echo PROMPTER_BUTTON=/dev/input/by-id/acceptance-button >/etc/default/prompter-button
check "the service of the button starts" systemctl enable --now prompter-button.service
check "the service listens to the button" within 20 sh -c 'journalctl -u prompter-button | grep -q "listening to"'
# answers TYPE: prints the number of events of this type by the user of the button.
answers() { events "$1" | grep -c "\"actor_id\":\"uid:$(id -u prompter-button)\""; }
answered() { [ "$(answers "$1")" -ge "$2" ]; }
ringing() { within 30 sh -c 'prompter --json status | grep -q "\"sounding\":\""'; }
played() { grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status; }
check "an alarm rings" prompter add "One" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "the first alarm sounds" ringing
check "a short press" press short
check "a short press completes the prompt, as the user of the button" within 20 answered completed 1
check "the answer has the role patient" sh -c 'prompter log | grep "\"type\":\"completed\"" | grep -q "\"actor_role\":\"patient\""'
check "the sound has stopped" within 10 sh -c '! prompter --json status | grep -q "\"sounding\":\""'
sleep 12
before=$(events completed | wc -l)
check "a press while nothing rings" press short
check "the press plays a sound" within 30 played
sleep 12
check "the press completes nothing" [ "$(events completed | wc -l)" = "$before" ]
check "another alarm" prompter add "Two" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "the second alarm sounds" ringing
check "the button is held down" press hold
check "holding the button delays the prompt" within 20 answered delayed 1
control "holding the button does not complete the prompt" answered completed 2
prompter cancel >/dev/null 2>&1
sleep 10
check "a third alarm" prompter add "Three" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "the third alarm sounds" ringing
check "two presses, the second by accident" press double
check "two presses complete the prompt" within 20 answered completed 2
sleep 15
control "two presses complete only one prompt" answered completed 3
check "the button is unplugged" press unplug
check "the service notices that the button is gone" within 20 sh -c 'journalctl -u prompter-button | grep -q "trying again"'
check "the button is plugged in again" press plug
check "the service finds the button again" within 20 sh -c '[ $(journalctl -u prompter-button | grep -c "listening to") -ge 2 ]'
check "a fourth alarm" prompter add "Four" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "the fourth alarm sounds" ringing
check "a press of the button that was unplugged" press short
check "the press completes the fourth prompt" within 20 answered completed 3
echo "== the prompt that rang last, and on my way"
check "an alarm with two rings" prompter add "Older" --schedule "in 3 seconds" --rings 2 --spacing 20s
check "a second alarm, two seconds later" prompter add "Newer" --schedule "in 5 seconds" --rings 1
over() { [ "$(events ring_ended | wc -l)" -ge "$1" ]; }
rings=$(events ring_ended | wc -l)
check "all three rings are over" within 60 over $((rings + 3))
check "an announcement after the rings" prompter say "Lunch is ready"
check "the announcement is over" within 20 over $((rings + 4))
check "a press after the announcement" press short
check "the press completes the prompt that rang last" within 20 answered completed 4
check "the prompt that rang last is the older one" sh -c 'prompter --json prompts --complete --limit 1 | grep -q "\"label\":\"Older\""'
check "the other prompt is completed" prompter done
check "an alarm with a deadline for its completion" prompter add "Walk" --schedule "in 3 seconds" --rings 3 --spacing 20s --complete-by 5m
check "the alarm with a deadline sounds" ringing
check "the first press" press short
check "the first press acknowledges the prompt" within 20 answered acknowledged 1
sleep 5
check "the second press" press short
check "the second press completes the prompt" within 20 answered completed 5
check "the service of the button was never restarted" sh -c '[ "$(systemctl show -p NRestarts --value prompter-button.service)" = 0 ]'
check "the record is whole" prompter verify
done_checking
