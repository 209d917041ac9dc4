#!/bin/bash
# Answers a task on the real display: prompter-kiosk with Weston and Chromium. Weston draws into Xvfb, because a container
# has no display. The scenario replaces only the path to a real display, and the terminal.
. /payload/lib.sh
fake_sound_card
screen_pid() { systemctl show -p MainPID --value prompter-screen.service; }
shown() { journalctl -q -u prompter-screen.service | grep -c "the browser shows the screen"; }
shows() { [ "$(shown)" -ge "$1" ]; }
check "the packages install" sh -c 'dpkg -i /payload/new/*.deb /payload/kiosk/*.deb'
Xvfb :99 -screen 0 800x480x24 -ac -nolisten tcp >/out/xvfb.log 2>&1 &
mkdir -p /run/systemd/system/prompter-display.service.d
{
  printf '[Unit]\nConditionPathExists=\nConflicts=\n[Service]\nPAMName=\nTTYPath=\nTTYReset=no\nTTYVHangup=no\n'
  printf 'TTYVTDisallocate=no\nUtmpIdentifier=\nStandardInput=null\nPrivateTmp=no\n'
  printf 'Environment=DISPLAY=:99 XDG_RUNTIME_DIR=/run/prompter-display\nExecStart=\n'
  sed -n 's/^ExecStart=//p' /lib/systemd/system/prompter-display.service |
    sed 's/^/ExecStart=/; s/drm-backend.so/x11-backend.so --width=800 --height=480/'
} >/run/systemd/system/prompter-display.service.d/xvfb.conf
systemctl daemon-reload
export DISPLAY=:99
picture() { import -window root "/out/$1.png"; }
# color X Y: the colour of a pixel, as 6 hexadecimal digits.
color() { import -window root -depth 8 -crop "1x1+$1+$2" txt:- | grep -oE '#[0-9A-F]{6}' | head -n 1; }
# On the screen, only the area with DONE is green.
is_green() { color 480 400 | grep -qE '^#[01].[3-9].[01].$'; }

check "the administrator gives the role" adduser --quiet prompter-screen prompter-patient
began=$EPOCHREALTIME
check "the screen starts" systemctl enable --now prompter-screen.service
check "the browser shows the screen" within 30 shows 1
# The check above looks only a few times in a second. The journal contains the exact time of the first frame.
first=$(journalctl -q -u prompter-screen.service -o short-unix | grep "the browser shows the screen" | cut -d ' ' -f 1)
echo "figure: first frame $(awk "BEGIN { printf \"%.1f\", $first - $began }") s after the start of the display and the screen"
picture clock
control "no task calls" is_green

echo "== the first answered task"
prompter add "Take the pills" --schedule "in 2 seconds" >/dev/null
check "the display shows the task" within 20 is_green
picture task
is_seen() { events presented | grep -q .; }
check "the record says that the screen showed the task" within 10 is_seen
# Touch DONE. The touch begins some time after the new screen has appeared, and is not too short.
sleep 1.5
xdotool mousemove 640 400 mousedown 1 sleep 0.2 mouseup 1
completed() { prompter prompts | grep -q completed; }
check "the task is completed" within 10 completed
picture done

echo "== sandbox"
check "each page is in a sandbox of Chromium" sh -c 'for p in $(pgrep -f "[t]ype=renderer"); do
  grep -q "^Seccomp:.2$" /proc/$p/status && [ "$(readlink /proc/$p/ns/user)" != "$(readlink /proc/1/ns/user)" ] || exit 1; done'
check "the browser has no network" sh -c "[ \"\$(nsenter -n -t $(screen_pid) ip -o link | grep -vc ' lo:')\" = 0 ]"

echo "== failures"
sleep 30
before=$(shown)
pkill -KILL -f type=renderer
check "a page that was killed is back within 15 s" within 15 shows $((before + 1))
sleep 30
before=$(shown)
pkill -STOP -f type=renderer
check "a page that was stopped is back within 60 s" within 60 shows $((before + 1))
before=$(shown)
kill -9 "$(systemctl show -p MainPID --value prompter-display.service)"
check "a display that was killed is back within 15 s" within 15 shows $((before + 1))
picture after
check "the daemon was never restarted" [ "$(restarts)" = 0 ]
done_checking
