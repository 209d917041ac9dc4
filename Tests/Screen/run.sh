#!/bin/bash
# Tests the patient's screen in a browser:
#   Tests/Screen/run.sh [PROGRAMS_DIRECTORY] [PICTURES_DIRECTORY]
# Checks sizes, contrast, accessibility, touches and answers in each language and at two display sizes, with a real daemon
# (test_screen.py, test_training.py, test_questions.py) and with sample screens (test_gallery.py). Checks the JavaScript
# (scripts.sh). Kills and stops a browser that prompter-screen watches (test_browser.py). Writes a picture of each screen.
# Kills the daemon while a person answers, and measures how fast the screen follows a ring (test_outages.py).
# With PROMPTER_WRITE_PICTURES=1, it also writes the pictures of docs/user/SCREEN.md again.
# Needs Chromium, gettext, nodejs, node-typescript, the built tests, and Python 3 with venv; Playwright, axe, Pillow and
# oxlint are installed below .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
pictures=$(realpath -m "${2:-.build/screen}")
venv=$PWD/.build/screen-venv
if ! "$venv/bin/pip" freeze 2>/dev/null | grep -q '^oxlint==1.89.0'; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8 \
    pillow==13.0.0 oxlint==1.89.0
fi
translations/generate --check
rm -rf "$pictures"
mkdir -p "$pictures"
PROMPTER_WRITE_SCREENS=$pictures/gallery "$programs/prompterPackageTests.xctest" --testing-library swift-testing \
  --filter '^PagesTests\.ScreenGalleryTests' > "$pictures/gallery.log" 2>&1 || { cat "$pictures/gallery.log" >&2; exit 1; }

# The programs mostly wait, so they run side by side. Each has a daemon, a browser or a server of its own.
jobs=() names=()
trap 'kill "${jobs[@]}" 2>/dev/null || true' EXIT
start() {
  "${@:2}" > "$pictures/$1.log" 2>&1 &
  jobs+=($!)
  names+=("$1")
}
start scripts Tests/Screen/scripts.sh "$venv/bin/oxlint" "$pictures"
start screen "$venv/bin/python" Tests/Screen/test_screen.py "$programs" "$pictures"
start training "$venv/bin/python" Tests/Screen/test_training.py "$programs"
start questions "$venv/bin/python" Tests/Screen/test_questions.py "$programs" "$pictures"
start outages "$venv/bin/python" Tests/Screen/test_outages.py "$programs"
start browser python3 Tests/Screen/test_browser.py "$programs"
start gallery-screens "$venv/bin/python" Tests/Screen/test_gallery.py "$pictures/gallery" "$pictures"
failed=0
for index in "${!jobs[@]}"; do
  wait "${jobs[$index]}" || failed=1
  cat "$pictures/${names[$index]}.log"
done
trap - EXIT
exit "$failed"
