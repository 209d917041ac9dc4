#!/bin/bash
# The patient's button, on the kernel's virtual input device: short is done, held is later, in silence it says how
# the day is; pressed twice by accident, pulled out and put back.
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
check "its service starts" systemctl enable --now prompter-button.service
check "and listens" within 20 sh -c 'journalctl -u prompter-button | grep -q "listening to"'
# How many of a kind a user of the button's uid has made.
answers() { events "$1" | grep -c "\"actor_id\":\"uid:$(id -u prompter-button)\""; }
answered() { [ "$(answers "$1")" -ge "$2" ]; }
ringing() { within 30 sh -c 'prompter --json status | grep -q "\"sounding\":\""'; }
played() { grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status; }
check "an alarm rings" prompter add "One" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "and is heard" ringing
check "a short press" press short
check "is done, by the button's own user" within 20 answered completed 1
check "in the patient's role" sh -c 'prompter log | grep "\"type\":\"completed\"" | grep -q "\"actor_role\":\"patient\""'
check "the sound has stopped" within 10 sh -c '! prompter --json status | grep -q "\"sounding\":\""'
sleep 12
before=$(events completed | wc -l)
check "a press in silence" press short
check "is answered by a sound" within 30 played
sleep 12
check "and changes nothing" [ "$(events completed | wc -l)" = "$before" ]
check "another alarm" prompter add "Two" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "rings" ringing
check "held down" press hold
check "is put off" within 20 answered delayed 1
control "it is not done" answered completed 2
prompter cancel >/dev/null 2>&1
sleep 10
check "a third" prompter add "Three" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "rings too" ringing
check "two presses by accident" press double
check "are done" within 20 answered completed 2
sleep 15
control "once" answered completed 3
check "the button is pulled out" press unplug
check "which is noticed" within 20 sh -c 'journalctl -u prompter-button | grep -q "looking for it"'
check "and put back" press plug
check "it is found again" within 20 sh -c '[ $(journalctl -u prompter-button | grep -c "listening to") -ge 2 ]'
check "a fourth alarm" prompter add "Four" --schedule "in 3 seconds" --rings 5 --spacing 20s
check "rings as well" ringing
check "the button that was out" press short
check "answers it" within 20 answered completed 3
echo "== whoever called last, and on my way"
check "two at once" prompter add "Older" --schedule "in 3 seconds" --rings 2 --spacing 20s
check "one of them later" prompter add "Newer" --schedule "in 5 seconds" --rings 1
over() { [ "$(events ring_ended | wc -l)" -ge "$1" ]; }
rings=$(events ring_ended | wc -l)
check "the older one calls last" within 60 over $((rings + 3))
check "something is said after it" prompter say "Lunch is ready"
check "and heard" within 20 over $((rings + 4))
check "a press" press short
check "is for the task that called last" within 20 answered completed 4
check "which is the older one" sh -c 'prompter --json prompts --complete --limit 1 | grep -q "\"label\":\"Older\""'
check "what was waiting is done with" prompter done
check "one in two phases" prompter add "Walk" --schedule "in 3 seconds" --rings 3 --spacing 20s --complete-by 5m
check "rings, too" ringing
check "a first press" press short
check "says: on my way" within 20 answered acknowledged 1
sleep 5
check "a second one" press short
check "says: done" within 20 answered completed 5
check "its service was never restarted" sh -c '[ "$(systemctl show -p NRestarts --value prompter-button.service)" = 0 ]'
check "the record is whole" prompter verify
done_checking
