#!/bin/bash
# Tests faults of the disk, the memory and the clock: a full disk, a disk that is full at the start, a read-only
# disk, a damaged record, a changed record, no memory, and an unset clock.
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
check "the daemon reserved space on the disk" test "$(stat -c %s $S/reserve)" -ge 16000000
check "an alarm for the time when the disk is full" prompter add "Full" --schedule "in 60 seconds" --rings 3 --spacing 20s
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
check "changes are refused with the reason" refused_for_space
control "the daemon used the reserved space for the record" test -e $S/reserve
check "the status says that the disk is full" says "the disk is full"
sleep $((due > SECONDS ? due - SECONDS : 0))
check "the alarm rings" within 20 rang 1
check "the alarm is answered" prompter done
check "the answer is in the record" within 5 sh -c 'prompter log | grep -q "\"type\":\"completed\""'
rm $S/filler
check "the daemon restarts after there is space again" systemctl restart prompterd.service
check "the daemon reserved space again" within 10 test -e $S/reserve
check "the daemon accepts changes again" prompter add "After" --schedule "every day 10:00"

echo "== the disk is full when the daemon starts"
systemctl stop prompterd.service
rm -f $S/reserve
dd if=/dev/zero of=$S/filler bs=1M 2>/dev/null; dd if=/dev/zero of=$S/filler2 bs=512 2>/dev/null
systemctl start prompterd.service
check "the daemon starts" within 20 is_answering
check "the daemon still has its alarms" sh -c 'prompter list | grep -q "Take the pills"'
rm $S/filler $S/filler2
systemctl restart prompterd.service
check "the daemon accepts changes after there is space again" prompter add "After that" --schedule "every day 11:00"

echo "== the disk is read-only"
check "an alarm for the time when the disk is read-only" prompter add "Read-only" --schedule "in 20 seconds" --rings 6 --spacing 30s
events=$(prompter --json status | field 'j["record"]["events"]')
mount -o remount,abort $S 2>/dev/null || mount -o remount,ro $S
control "the disk cannot be written" touch $S/x
check "the alarm rings" within 40 sounds
check "the status says that the record cannot be written" within 10 says "the record cannot be written"
check "an answer takes effect, and its reply says that it is not recorded" \
  sh -c 'prompter done 2>&1 | grep -q "it took effect, but the record cannot be written"'
check "the sound stops" within 15 refused sounds
check "the daemon restarts on a read-only disk" sh -c 'systemctl restart prompterd.service'
check "the restarted daemon answers" within 20 is_answering
check "the restarted daemon has its alarms" sh -c 'prompter list | grep -q "Take the pills"'
check "the status says that the daemon works on a copy" says "copy in"
check "the open prompt rings again" within 40 sounds
systemctl stop prompterd.service
umount $S 2>/dev/null || umount -l $S
e2fsck -fy /home.raw >/dev/null 2>&1
mount -o loop /home.raw $S
systemctl start prompterd.service
check "on the repaired disk the daemon continues where the record ended" \
  within 20 sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "the record is whole" prompter verify
silence

echo "== the record is damaged"
sleep 15
check "the record has a replica" test -s $S/snapshot/record.sqlite
systemctl stop prompterd.service
events=$(python3 -c "import sqlite3; print(sqlite3.connect('$S/snapshot/record.sqlite').execute('select max(seq) from events').fetchone()[0])")
size=$(stat -c %s $S/record.sqlite)
cp $S/record.sqlite /tmp/honest.sqlite
dd if=/dev/urandom of=$S/record.sqlite bs=4096 seek=1 count=$((size / 4096 - 1)) conv=notrunc 2>/dev/null
control "the file is damaged" sh -c "[ \"\$(sqlite3 $S/record.sqlite 'pragma integrity_check' 2>&1)\" = ok ]"
began=$SECONDS
systemctl start prompterd.service
check "the daemon starts with the damaged record" within 10 is_answering
echo "figure: up $((SECONDS - began)) s after a start with a damaged record"
check "the restarted daemon has its alarms" sh -c 'prompter list | grep -q "Take the pills"'
check "the daemon continues from the replica" \
  sh -c "[ \$(prompter --json status | sed 's/.*\"events\":\\([0-9]*\\).*/\\1/') -ge $events ]"
check "the status says that the record was damaged" says "was damaged"
check "the daemon kept the damaged file" sh -c "ls $S/damaged-*/record.sqlite"
check "the record of the daemon is whole" prompter verify
check "an alarm is set after the damage" sh -c 'prompter add "After damage" --schedule "in 3 seconds" --rings 1 && sleep 1'
check "the alarm after the damage sounds" within 20 sounds
silence

echo "== a byte is changed, and SQLite does not notice it"
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
check "the daemon finds the change after the start, restarts and recovers" \
  within 60 sh -c "[ \$(ls -d $S/damaged-* | wc -l) -ge 2 ]"
check "the recovered daemon answers" within 20 is_answering
check "the recovered record is whole" prompter verify

echo "== there is no free memory"
check "an alarm that rings" prompter add "Memory" --schedule "in 3 seconds" --rings 5 --spacing 15s
check "the alarm sounds" within 30 sounds
before=$(restarts)
for task in $(pgrep -x prompterd); do echo 1000 >/proc/$task/oom_score_adj; done
echo f >/proc/sysrq-trigger
check "the kernel kills the daemon" within 20 sh -c "[ \$(systemctl show -p NRestarts --value prompterd.service) -gt $before ]"
check "the killed daemon is back" within 20 is_answering
check "the prompt rings again" within 40 sounds
check "the record is whole" prompter verify
silence

echo "== the clock is unset at the start"
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
check "new events have the clock state "unset"" sh -c 'prompter log | tail -n 5 | grep -q "\"clock_state\":\"unset\""'
date -s "@$((now + 90))" >/dev/null
check "the record is whole" prompter verify
done_checking
