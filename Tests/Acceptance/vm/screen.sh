#!/bin/bash
# Tests the screen on a machine with its own kernel: the memory limit, the light of the display, and clock steps. The
# display and the browser are simulated.
# run-vm: --sound hda --mem 1536
. /payload/lib.sh
. /payload/pretended-display.sh
amixer -q -c Intel sset Master 100% unmute
screen_pid() { systemctl show -p MainPID --value prompter-screen.service; }
shown() { journalctl -q -u prompter-screen.service | grep -c "the browser shows the screen"; }
shows() { [ "$(shown)" -ge "$1" ]; }
check "the package prompter installs" install_package /payload/new/*.deb
check "the package prompter-kiosk installs" dpkg --force-depends -i /payload/kiosk/*.deb
without_terminal
check "the administrator gives the role" adduser --quiet prompter-screen prompter-patient

echo "== light"
# The emulated machine has no display. But the kernel shows the lights of the keyboard with the same files. Such a light is
# either on or off.
light=$(ls -d /sys/class/leds/*capslock | head -n 1)
check "the keyboard has a light" test -w "$light/brightness"
mkdir -p /run/udev/rules.d
sed 's/"backlight"/"leds"/' /lib/udev/rules.d/70-prompter-kiosk.rules >/run/udev/rules.d/71-test.rules
control "only root may set the light" as prompter-screen test -w "$light/brightness"
udevadm control --reload
udevadm trigger --subsystem-match=leds --action=change
is_permitted() { as prompter-screen test -w "$light/brightness"; }
check "the rule permits the screen to set the light" within 10 is_permitted
control "the rule permits nobody else" as nobody test -w "$light/brightness"
control "the screen may not set another file of the light" as prompter-screen test -w "$light/trigger"
echo 'PROMPTER_SCREEN_OPTIONS="--restart-seconds 3 --backlight /sys/class/leds"' >/etc/default/prompter-screen
echo 0 >"$light/brightness"
is_bright() { [ "$(cat "$light/brightness")" = 1 ]; }
check "the screen starts" systemctl enable --now prompter-screen.service
check "the browser shows the screen" within 30 shows 1
check "the screen lights the display up" within 15 is_bright
echo 0 >"$light/brightness"
check "the screen lights up a display that another program made dark" within 15 is_bright
mkdir -p /run/systemd/system/prompter-screen.service.d
printf '[Service]\nReadWritePaths=\n' >/run/systemd/system/prompter-screen.service.d/sandbox.conf
systemctl daemon-reload
systemctl restart prompter-screen.service
echo 0 >"$light/brightness"
control "without the exception the sandbox keeps the light as it is" within 12 is_bright
check "the journal names the fault once" sh -c \
  "[ \"\$(journalctl -q -u prompter-screen.service | grep -c 'capslock/brightness: Read-only file system')\" = 1 ]"
rm /run/systemd/system/prompter-screen.service.d/sandbox.conf
systemctl daemon-reload
systemctl restart prompter-screen.service
check "with the exception the display gets bright" within 15 is_bright

echo "== clock steps"
# The difference between the time of the page and the clock of the machine must be at most a second.
page_is_right() { nsenter -n -t "$(screen_pid)" python3 -c '
import http.client, json, time
link = http.client.HTTPConnection("127.0.0.1:8077", timeout=10)
link.request("GET", "/live")
face = json.loads(link.getresponse().readline())["clock"]
assert face and abs(face["now_ms"] - time.time() * 1000) <= 1000, face'; }
check "the page has the time of the machine" within 10 page_is_right
for step in '+1 hour' '-1 hour' '-40 minutes' '+3 years' '-3 years' '+10 seconds'; do
  date -s "$step" >/dev/null
  check "the page follows a step of $step within 5 s" within 5 page_is_right
done
# As a control, stop the page server. A stopped page server cannot follow a clock step.
kill -STOP "$(screen_pid)"
control "a page server that is stopped shows nothing" timeout 3 bash -c 'nsenter -n -t "$0" curl -s http://127.0.0.1:8077/' "$(screen_pid)"
kill -CONT "$(screen_pid)"

echo "== memory"
check "the page is there" within 30 page_is_right
server=$(screen_pid)
limit=$(systemctl show -p MemoryMax --value prompter-screen.service)
check "the unit has a limit" [ "$limit" = 734003200 ]
before=$(shown)
sleep 3
check "an alarm is set" prompter add "Take the pills" --schedule "in 12 seconds" --rings 20
rings() { events ring_started | wc -l; }
rang() { [ "$(rings)" -ge "$1" ]; }
touch /run/prompter-screen/take-memory
chown prompter-screen /run/prompter-screen/take-memory
check "the browser took memory" within 20 sh -c 'journalctl -q -u prompter-screen.service | grep -q "taking memory"'
check "the alarm rings meanwhile" within 40 rang 1
began=$SECONDS
# Above MemoryHigh=, the kernel makes the browser slow. After this, the browser either paints no frame for 45 s, or reaches
# MemoryMax=.
check "a browser that takes too much memory is started again" within 150 shows $((before + 1))
group=/sys/fs/cgroup$(systemctl show -p ControlGroup --value prompter-screen.service)
echo "figure: the browser was back after $((SECONDS - began)) s; the kernel killed $(sed -n 's/^oom_kill //p' "$group/memory.events") processes"
echo "figure: the unit had at most $(($(cat "$group/memory.peak") / 1000000)) MB"
check "the unit never had more memory than its limit" [ "$(cat "$group/memory.peak")" -le "$limit" ]
check "the page server was not started again" [ "$(screen_pid)" = "$server" ]
check "the prompt is completed" prompter done
check "the daemon was never restarted" [ "$(restarts)" = 0 ]
check "systemd did not restart the display" sh -c '[ "$(systemctl show -p NRestarts --value prompter-display.service)" = 0 ]'
done_checking
