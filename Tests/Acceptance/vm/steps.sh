#!/bin/bash
# Tests clock steps: an hour forward, past the time of an alarm, and an hour back; three years forward, and three
# years back; and a minute back while the home moves to a different time zone.
# run-vm: --sound hda
. /payload/lib.sh
amixer -q -c Intel sset Master 100% unmute
check "the package installs" install_package /payload/new/*.deb
rings() { events ring_started | wc -l; }
rang() { [ "$(rings)" -ge "$1" ]; }
stepped() { [ "$(events clock_step | wc -l)" -ge "$1" ]; }
soon=$(date -u -d '+50 min' '+%Y-%m-%d %H:%M')
check "an alarm in 50 minutes" prompter add "Pills" --schedule "$soon" --zone UTC --rings 1 --late-window 30m
before=$(date +%s)
date -s '+1 hour' >/dev/null
check "the daemon notices a step of an hour forward within 5 s" within 5 stepped 1
check "the alarm that was due 10 minutes ago rings" within 10 rang 1
check "the prompt is completed" within 10 prompter done
date -s '-1 hour' >/dev/null
check "the daemon notices a step of an hour back" within 5 stepped 2
sleep 3
check "the completed prompt does not ring again" sh -c "[ \"$(rings)\" = 1 ]"
control "the record does not contain two rings" sh -c "[ \"$(rings)\" = 2 ]"
late=$(date -u -d '+20 min' '+%Y-%m-%d %H:%M')
check "another alarm, for today" prompter add "Tea" --schedule "$late" --zone UTC --rings 1
date -s '+3 years' >/dev/null
check "the daemon notices a step of three years forward" within 5 stepped 3
sleep 2
check "the alarm that is three years late does not ring" sh -c "[ \"$(rings)\" = 1 ]"
date -s '-3 years' >/dev/null
check "the daemon notices the step back" within 5 stepped 4
date -s "$late UTC" >/dev/null
check "the alarm rings at its own time" within 10 rang 2
check "an alarm that counts elapsed time" prompter add "Kettle" --schedule "in 10 seconds" --zone floating --rings 1
check "the alarm that counts elapsed time rings" within 20 rang 3
check "the prompt of elapsed time is completed" within 10 prompter done
moved() { [ "$(events tz_changed | wc -l)" -ge 1 ]; }
control "the home has not moved yet" moved
date -s '-1 minute' >/dev/null
timedatectl set-timezone America/New_York || ln -sf /usr/share/zoneinfo/America/New_York /etc/localtime
check "the daemon notices the new time zone" within 10 moved
check "the daemon notices a step of a minute back" within 5 stepped 6
sleep 60
check "the completed prompt does not ring again at its local time in the new zone" sh -c "[ \"$(rings)\" = 3 ]"
check "the record is whole" prompter verify
check "systemd did not restart the daemon" sh -c '[ "$(systemctl show -p NRestarts --value prompterd.service)" = 0 ]'
done_checking
