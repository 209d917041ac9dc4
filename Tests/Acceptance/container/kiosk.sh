#!/bin/bash
# Installs prompter-kiosk, and checks its units with a simulated display and a simulated browser. The image contains
# neither Weston nor Chromium, and a container has no display.
. /payload/lib.sh
fake_sound_card
screen_pid() { systemctl show -p MainPID --value prompter-screen.service; }
. /payload/pretended-display.sh

check "the package prompter installs" install_package /payload/new/*.deb
check "the package prompter-kiosk installs" dpkg --force-depends -i /payload/kiosk/*.deb
control "the installation does not start the screen" systemctl is-active prompter-screen.service
control "the installation does not start the display" systemctl is-active prompter-display.service
control "the user of the screen has no role" sh -c 'id -nG prompter-screen | grep -q prompter-patient'
without_terminal
shown() { journalctl -q -u prompter-screen.service | grep -c "the browser shows the screen"; }
shows() { [ "$(shown)" -ge "$1" ]; }
# True if the page shows the tasks of the day. The page server can show them only if the daemon gives it the data.
shows_tasks() { nsenter -n -t "$(screen_pid)" curl -s http://127.0.0.1:8077/ | grep -q 'class="facts"'; }

echo "== without a role"
check "the screen starts" systemctl enable --now prompter-screen.service
check "the display starts too" systemctl is-active prompter-display.service
check "both start at boot" systemctl is-enabled prompter-screen.service prompter-display.service
check "the browser shows the page" within 20 shows 1
control "without a role the page shows no tasks" shows_tasks

echo "== with the role"
check "the administrator gives the role" adduser --quiet prompter-screen prompter-patient
# By default, at least 30 s pass between two starts of the browser. For this test, 3 s are enough.
echo 'PROMPTER_SCREEN_OPTIONS="--restart-seconds 3"' >/etc/default/prompter-screen
check "the screen starts again" systemctl restart prompter-screen.service
check "the browser shows the page again" within 20 shows 2
check "the page shows the tasks" within 20 shows_tasks
check "the browser uses Wayland" grep -qx -e --ozone-platform=wayland /run/prompter-screen/arguments

echo "== light"
# A container has no display, so files replace the light of the display.
light=/run/test-light/panel
mkdir -p "$light"
echo 255 >"$light/max_brightness"
echo 7 >"$light/brightness"
chgrp prompter-screen "$light/brightness"
chmod g+w "$light/brightness"
is_light() { [ "$(cat "$light/brightness")" = "$1" ]; }
# If there are several options --backlight, prompter-screen uses the last one.
echo 'PROMPTER_SCREEN_OPTIONS="--restart-seconds 3 --backlight /run/test-light --night-brightness 20"' >/etc/default/prompter-screen
mkdir -p /run/systemd/system/prompter-screen.service.d
printf '[Service]\nReadWritePaths=/run/test-light\n' >/run/systemd/system/prompter-screen.service.d/container.conf
systemctl daemon-reload
check "the screen starts with a light" systemctl restart prompter-screen.service
check "by day the display is bright" within 15 is_light 255
check "quiet hours are set" prompter people change patient --quiet-hours 00:00-23:59
# Restart the screen, because otherwise the screen needs up to a minute to notice the new quiet hours.
check "the screen starts again" systemctl restart prompter-screen.service
check "in quiet hours the display is dim" within 15 is_light 51
check "a task is set" prompter add "Take the pills" --schedule "in 2 seconds" --in-quiet-hours ring
check "a task that calls lights the display up" within 15 is_light 255
check "the task is answered" prompter done
check "the quiet hours end" prompter people change patient --quiet-hours none
before=$(shown)
check "the screen starts without quiet hours" systemctl restart prompter-screen.service
check "the browser shows the page after all this" within 20 shows $((before + 1))

echo "== sandbox"
P=$(screen_pid)
check "the screen has only its own loopback interface" sh -c "[ \"\$(nsenter -n -t $P ip -o link | grep -vc ' lo:')\" = 0 ]"
control "the page server cannot be reached from outside of the unit" curl -s -m 3 http://127.0.0.1:8077/
outside() { nsenter -n -t "$P" python3 -c '
import socket
for address in ("192.0.2.1", "10.0.0.1"):
    try: socket.create_connection((address, 80), 3)
    except OSError as error: assert error.errno == 101, error  # Network is unreachable.
    else: raise SystemExit(1)'; }
check "connect() from the unit fails" outside
check "a system call filter is on" grep -q '^Seccomp:.2$' "/proc/$P/status"
check "the screen has no capability" grep -q '^CapBnd:.0000000000000000$' "/proc/$P/status"
check "the display has no capability" grep -q '^CapBnd:.0000000000000000$' "/proc/$(systemctl show -p MainPID --value prompter-display.service)/status"
check "systemd-analyze finds no fault in the units" \
  systemd-analyze verify --man=no --recursive-errors=no prompter-screen.service
check "the exposure of the screen is at most 2.0" systemd-analyze security --no-pager --threshold=20 prompter-screen.service

echo "== failures"
browser() { pgrep -P "$(screen_pid)" -u prompter-screen; }
restarted() { [ "$(systemctl show -p MainPID --value prompter-display.service)" != "$1" ] && systemctl is-active prompter-display.service; }
display=$(systemctl show -p MainPID --value prompter-display.service)
before=$(shown)
kill -9 "$display"
check "a display that was killed is started again" within 15 restarted "$display"
check "the screen is back within 15 s" within 15 shows $((before + 1))
before=$(shown)
kill -STOP "$(screen_pid)"
check "a page server that hangs is back" within 25 shows $((before + 1))
before=$(shown)
sleep 3
kill -9 "$(browser)"
check "a browser that was killed is back within 15 s" within 15 shows $((before + 1))
check "the daemon was never restarted" [ "$(restarts)" = 0 ]

echo "== removal and purge"
check "the package prompter-kiosk is purged" dpkg --purge prompter-kiosk
nothing_is_left() {
  control "the purge leaves no user" getent passwd prompter-screen
  control "the purge leaves no group" getent group prompter-screen
  local trace
  for trace in /etc/prompter-kiosk /etc/default/prompter-screen /etc/chromium/policies/managed/prompter-kiosk.json \
    /run/prompter-screen /run/prompter-display /usr/share/doc/prompter-kiosk; do
    control "the purge leaves no $trace" test -e "$trace"
  done
  control "the purge leaves no unit" \
    sh -c 'find /etc/systemd /lib/systemd /var/lib/systemd/deb-systemd* -name "*prompter-screen*" -o -name "*prompter-display*" | grep .'
}
nothing_is_left
check "the daemon still answers" is_answering
done_checking
