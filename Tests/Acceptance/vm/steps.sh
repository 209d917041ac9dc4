#!/bin/bash
# The clock is stepped: an hour forward over a pending alarm, back again, years away and back; back while the home
# moves to another zone.
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
check "an hour forward is noticed at once" within 5 stepped 1
check "and what was due 10 minutes ago rings" within 10 rang 1
check "it is answered" within 10 prompter done
date -s '-1 hour' >/dev/null
check "an hour back is noticed" within 5 stepped 2
sleep 3
check "nothing that was answered rings again" sh -c "[ \"$(rings)\" = 1 ]"
control "the count does tell one from two" sh -c "[ \"$(rings)\" = 2 ]"
late=$(date -u -d '+20 min' '+%Y-%m-%d %H:%M')
check "another alarm, for today" prompter add "Tea" --schedule "$late" --zone UTC --rings 1
date -s '+3 years' >/dev/null
check "three years ahead are noticed" within 5 stepped 3
sleep 2
check "an alarm that old does not ring" sh -c "[ \"$(rings)\" = 1 ]"
date -s '-3 years' >/dev/null
check "and back" within 5 stepped 4
date -s "$late UTC" >/dev/null
check "the alarm rings at its own time all the same" within 10 rang 2
check "what counts elapsed time" prompter add "Kettle" --schedule "in 10 seconds" --zone floating --rings 1
check "rings" within 20 rang 3
check "and is answered" within 10 prompter done
moved() { [ "$(events tz_changed | wc -l)" -ge 1 ]; }
control "the home has not moved yet" moved
date -s '-1 minute' >/dev/null
timedatectl set-timezone America/New_York || ln -sf /usr/share/zoneinfo/America/New_York /etc/localtime
check "the home moves" within 10 moved
check "a minute back is noticed" within 5 stepped 6
sleep 60
check "what was answered does not ring again under the time that it has there" sh -c "[ \"$(rings)\" = 3 ]"
check "the record is whole" prompter verify
check "systemd has not lost patience" sh -c '[ "$(systemctl show -p NRestarts --value prompterd.service)" = 0 ]'
done_checking
