#!/bin/bash
# Tests the patient's screen in a browser, with a real daemon:
#   Tests/Screen/run.sh [PROGRAMS_DIRECTORY] [PICTURES_DIRECTORY]
# Checks sizes, contrast, accessibility, touches and answers in each language and at two display sizes, and writes a
# picture of each screen. Also kills and stops a browser that prompter-screen watches. Needs Chromium, gettext and Python 3 with venv; Playwright and axe are installed below .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
pictures=${2:-.build/screen}
venv=$PWD/.build/screen-venv
if ! "$venv/bin/pip" freeze 2>/dev/null | grep -q '^playwright==1.65.2'; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8
fi
translations/generate --check
mkdir -p "$pictures"
# This test mostly waits, so it runs at the same time.
python3 Tests/Screen/test_browser.py "$programs" >"$pictures/browser.log" 2>&1 &
browser=$!
failed=0
"$venv/bin/python" Tests/Screen/test_training.py "$programs" || failed=1
"$venv/bin/python" Tests/Screen/test_screen.py "$programs" "$pictures" || failed=1
"$venv/bin/python" Tests/Screen/test_questions.py "$programs" "$pictures" || failed=1
wait "$browser" || { cat "$pictures/browser.log" >&2; failed=1; }
exit "$failed"
