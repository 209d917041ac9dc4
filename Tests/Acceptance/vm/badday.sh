#!/bin/bash
# The worst days of a disk and a memory: full, full at the start, taking nothing, damaged; and no memory left.
# run-vm: --sound hda --mem 900 --timeout 1500
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
S=/var/lib/prompter
mkdir -p $S
truncate -s 200M /home.raw
mkfs.ext4 -q -m 0 /home.raw
mount -o loop /home.raw $S
check "the package installs" install_package /payload/new/*.deb
rings() { events ring_started | wc -l; }
rang() { [ "$(rings)" -ge "$1" ]; }
sounds() { grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status; }
says() { prompter --json status | grep -q "$1"; }
silence() { prompter cancel >/dev/null 2>&1; within 15 sh -c '! grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status'; }
check "an alarm for every day" prompter add "Take the pills" --schedule "every day 08:00"

echo "== the disk is full"
check "room was set aside" test "$(stat -c %s $S/reserve)" -ge 16000000
check "an alarm that is to ring on the full disk" prompter add "Full" --schedule "in 60 seconds" --rings 3 --spacing 20s
due=$((SECONDS + 60))
dd if=/dev/zero of=$S/filler bs=1M 2>/dev/null
refused_for_space() {
  local n
  for n in $(seq 60); do
    if prompter add "Nr $n" --schedule "every day 09:00" >/tmp/add 2>&1; then continue; fi
    grep -q "disk is full" /tmp/add && return 0
    cat /tmp/add; return 1
  done
  return 1
}
check "changes are refused, and why is said" refused_for_space
control "the room was given up for the record" test -e $S/reserve
check "the status says that the disk is full" says "the disk is full"
sleep $((due > SECONDS ? due - SECONDS : 0))
check "it rings all the same" within 20 rang 1
check "and is answered" prompter done
check "durably: the answer is in the record" within 5 sh -c 'prompter log | grep -q "\"type\":\"completed\""'
rm $S/filler
check "with room again a start sets some aside" systemctl restart prompterd.service
check "it is there" within 10 test -e $S/reserve
check "and changes are taken" prompter add "After" --schedule "every day 10:00"

echo "== the disk is full to the last byte when the daemon starts"
systemctl stop prompterd.service
rm -f $S/reserve
dd if=/dev/zero of=$S/filler bs=1M 2>/dev/null; dd if=/dev/zero of=$S/filler2 bs=512 2>/dev/null
systemctl start prompterd.service
check "it comes up" within 20 is_answering
check "and knows its alarms" sh -c 'prompter list | grep -q "Take the pills"'
rm $S/filler $S/filler2
systemctl restart prompterd.service
check "with room again all is well" prompter add "After that" --schedule "every day 11:00"

echo "== the disk takes nothing any more"
check "an alarm" prompter add "Read-only" --schedule "in 20 seconds" --rings 6 --spacing 30s
events=$(prompter --json status | field 'j["record"]["events"]')
mount -o remount,abort $S 2>/dev/null || mount -o remount,ro $S
control "nothing can be written" touch $S/x
check "it rings all the same" within 40 sounds
check "the status says that nothing is recorded" within 10 says "the record cannot be written"
check "an answer takes effect, and says that it is not recorded" \
  sh -c 'prompter done 2>&1 | grep -q "it took effect, but the record cannot be written"'
check "the sound stops" within 15 refused sounds
check "a start on such a disk comes up" sh -c 'systemctl restart prompterd.service'
check "answers" within 20 is_answering
check "knows its alarms" sh -c 'prompter list | grep -q "Take the pills"'
check "says that it works on a copy" says "copy in"
check "and rings what was not over" within 40 sounds
systemctl stop prompterd.service
umount $S 2>/dev/null || umount -l $S
e2fsck -fy /home.raw >/dev/null 2>&1
mount -o loop /home.raw $S
systemctl start prompterd.service
check "on a disk that was mended it goes on where the record ended" \
  within 20 sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "and the record is whole" prompter verify
silence

echo "== the record is damaged"
sleep 15
check "there is a second copy" test -s $S/snapshot/record.sqlite
systemctl stop prompterd.service
events=$(python3 -c "import sqlite3; print(sqlite3.connect('$S/snapshot/record.sqlite').execute('select max(seq) from events').fetchone()[0])")
size=$(stat -c %s $S/record.sqlite)
cp $S/record.sqlite /tmp/honest.sqlite
dd if=/dev/urandom of=$S/record.sqlite bs=4096 seek=1 count=$((size / 4096 - 1)) conv=notrunc 2>/dev/null
control "the file is damaged" sh -c "[ \"\$(sqlite3 $S/record.sqlite 'pragma integrity_check' 2>&1)\" = ok ]"
began=$SECONDS
systemctl start prompterd.service
check "it comes up all the same" within 10 is_answering
echo "figure: up $((SECONDS - began)) s after a start with a damaged record"
check "knows its alarms" sh -c 'prompter list | grep -q "Take the pills"'
check "goes on from the second copy" \
  sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "says so" says "was damaged"
check "has kept the damaged file" sh -c "ls $S/damaged-*/record.sqlite"
check "its record is whole" prompter verify
check "and it rings" sh -c 'prompter add "After damage" --schedule "in 3 seconds" --rings 1 && sleep 1'
check "to be heard" within 20 sounds
silence

echo "== a byte is flipped that no database notices"
systemctl stop prompterd.service
python3 - <<P
import sqlite3
db = sqlite3.connect("$S/record.sqlite")
for name, in db.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
    db.execute(f"drop trigger {name}")
db.execute("update events set payload = replace(payload, '8', '9') where type = 'alarm_created'")
db.commit()
P
restarted=$(restarts)
systemctl start prompterd.service
check "it is found after the start, and recovered by another" \
  within 60 sh -c "[ \$(ls -d $S/damaged-* | wc -l) -ge 2 ]"
check "it answers" within 20 is_answering
check "and its record is whole" prompter verify

echo "== no memory is left"
check "an alarm that rings" prompter add "Memory" --schedule "in 3 seconds" --rings 5 --spacing 15s
check "is heard" within 30 sounds
before=$(restarts)
for task in $(pgrep -x prompterd); do echo 1000 >/proc/$task/oom_score_adj; done
echo f >/proc/sysrq-trigger
check "the kernel kills the daemon" within 20 sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"
check "it is back" within 20 is_answering
check "and rings on" within 40 sounds
check "the record is whole" prompter verify
silence

echo "== the clock comes up unset"
check "an alarm in a minute" prompter add "Unset" --schedule "in 60 seconds" --rings 1
before=$(rings)
systemctl stop prompterd.service
mkdir -p /run/systemd/system/prompterd.service.d
printf '[Service]\nEnvironment=PROMPTER_BOOT_ID=00000000000000000000000000000001\n' \
  >/run/systemd/system/prompterd.service.d/boot.conf
systemctl daemon-reload
now=$(date +%s)
date -s '1971-01-01 00:00:00' >/dev/null
systemctl start prompterd.service
check "the alarm rings by the last known time" within 90 rang $((before + 1))
check "and what is recorded is marked" sh -c 'prompter log | tail -n 5 | grep -q "\"clock_state\":\"unset\""'
date -s "@$((now + 90))" >/dev/null
check "the record is whole" prompter verify
done_checking
