#!/bin/bash
# docs/user/INSTALL.md, word by word: every command in it, in order, as somebody types it who has never seen Prompter.
. /payload/lib.sh
pretend_card
useradd -m anna
useradd -m sofia
# What a bare container has no use for: root is who asks, and the file stays as it is.
printf '#!/bin/sh\nexec "$@"\n' >/usr/local/bin/sudo
printf '#!/bin/sh\nexit 0\n' >/usr/local/bin/nano
chmod 755 /usr/local/bin/sudo /usr/local/bin/nano
mkdir /tmp/desk
cd /tmp/desk || exit 1
cp /payload/new/*.deb .
# A telephone's recording, whatever it calls it.
cp /payload/voice.flac pills.mp3
export DEBIAN_FRONTEND=noninteractive
# The lines within ``` that are whole, and need neither a button nor somebody who listens.
awk '/^```/ { inside = !inside; next } inside' /payload/INSTALL.md | grep -v -e '\.\.\.' -e prompter-button -e /dev/input -e calibrate >/tmp/lines
control "there is something to type" test ! -s /tmp/lines
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
check "somebody in the group may ask" as sofia prompter list
check "the patient sees what is due" as anna prompter next
check "what rang was heard" within 20 sh -c '[ "$(prompter log | grep -c "\"type\":\"ring_ended\"")" -ge 1 ]'
done_checking
