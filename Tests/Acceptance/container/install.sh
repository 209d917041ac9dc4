#!/bin/bash
# Runs every command of docs/user/INSTALL.md, in order.
. /payload/lib.sh
fake_sound_card
useradd -m anna
useradd -m sofia
# The container has neither sudo nor nano. Therefore root runs all commands, and the configuration stays
# unchanged.
printf '#!/bin/sh\nexec "$@"\n' >/usr/local/bin/sudo
printf '#!/bin/sh\nexit 0\n' >/usr/local/bin/nano
chmod 755 /usr/local/bin/sudo /usr/local/bin/nano
mkdir /tmp/work
cd /tmp/work || exit 1
cp /payload/new/*.deb .
# A FLAC file with the suffix .mp3, because a telephone can write a wrong suffix.
cp /payload/voice.flac pills.mp3
export DEBIAN_FRONTEND=noninteractive
# Take each line of a code block that is a complete command, and that needs neither a button nor a person
# who listens.
awk '/^```/ { inside = !inside; next } inside' /payload/INSTALL.md | grep -v -e '\.\.\.' -e prompter-button -e /dev/input -e calibrate >/tmp/lines
control "INSTALL.md contains commands" test ! -s /tmp/lines
while read -r line <&3; do
  command=${line%%#*}
  case $command in
    *apt-get\ install*) command="${command/install/-y --no-install-recommends install}";;
    prompter\ done*) within 90 sh -c 'prompter --json status | grep -q "\"sounding\":\""';;
    systemctl\ status*) command="$command --no-pager";;
  esac
  [ -n "${command// /}" ] || continue
  check "$line" sh -c "$command </dev/null"
done 3</tmp/lines
check "a member of the caretaker group may list the alarms" as sofia prompter list
check "the patient sees what is due" as anna prompter next
check "the ring was played" within 20 sh -c '[ "$(prompter log | grep -c "\"type\":\"ring_ended\"")" -ge 1 ]'
done_checking
