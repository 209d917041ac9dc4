#!/bin/bash
# Sets alarms and answers prompts on a disk that records every write, and writes each confirmed change into a
# file on the same disk. powercut.after then simulates power cuts at hundreds of these writes.
# run-vm: --sound hda --timeout 1200 --log-disk @LEFT@/disk
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
S=/var/lib/prompter
mkdir -p $S
mount /dev/disk/by-id/virtio-data $S
check "the package installs" install_package /payload/new/*.deb
# The script writes a line into the file `confirmed` only after the daemon has confirmed the change.
note() { echo "$1" >>$S/confirmed; sync $S/confirmed; }
for n in $(seq 8); do
  check "alarm $n is set" prompter add "Number $n of eight" --schedule "every day 08:0$n"
  note "Number $n of eight"
done
for n in 1 2 3; do
  check "ring $n" prompter add "Ring $n of three" --schedule "in 2 seconds" --rings 2 --spacing 20s
  note "Ring $n of three"
  within 30 sh -c 'prompter --json status | grep -q "\"sounding\":\""'
  check "ring $n is answered" prompter done
  note "done $n"
done
done_checking
