#!/bin/bash
# Tests the patient's screen in a browser:
#   Tests/Screen/run.sh [PROGRAMS_DIRECTORY] [PICTURES_DIRECTORY]
# Checks sizes, contrast, accessibility, touches and answers in each language and at two display sizes, with a real daemon
# (test_screen.py, test_training.py, test_questions.py) and with sample screens (test_gallery.py). Checks the JavaScript
# (scripts.sh). Kills and stops a browser that prompter-screen watches (test_browser.py). Writes a picture of each screen.
# Lets the daemon refuse answers, and holds back the replies of the daemon (test_refusals.py). Changes the clock
# (test_time.py), and types markup into every text (test_markup.py). Kills the daemon while a person answers, and measures
# how fast the screen follows a ring (test_outages.py). Checks the caretaker's pages in the same way: with a real daemon, and
# with sample pages (Tests/Caretaker). With PROMPTER_WRITE_PICTURES=1, it also writes the pictures of docs/user/SCREEN.md and
# docs/user/CARETAKER.md again. Needs Chromium, gettext, nodejs, node-typescript, the built tests, and Python 3 with venv;
# the script venv installs the rest. The long forms of these tests are in Tests/Acceptance/screen.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
pictures=$(realpath -m "${2:-.build/screen}")
venv=$(Tests/Screen/venv)
translations/generate --check
rm -rf "$pictures"
mkdir -p "$pictures/samples"
PROMPTER_WRITE_SCREENS=$pictures/gallery PROMPTER_WRITE_CARETAKER=$pictures/caretaker "$programs/prompterPackageTests.xctest" --testing-library swift-testing \
  --filter 'GalleryTests' > "$pictures/gallery.log" 2>&1 || { cat "$pictures/gallery.log" >&2; exit 1; }

# check NAME: runs one test program. Each program has its own daemon, browser or server.
check() {
  case $1 in
    scripts) Tests/Screen/scripts.sh "$venv/oxlint" "$pictures";;
    screen) "$venv/python" Tests/Screen/test_screen.py "$programs" "$pictures";;
    training) "$venv/python" Tests/Screen/test_training.py "$programs";;
    photo) "$venv/python" Tests/Screen/test_photo.py "$programs" "$pictures";;
    questions) "$venv/python" Tests/Screen/test_questions.py "$programs" "$pictures";;
    time) "$venv/python" Tests/Screen/test_time.py "$programs";;
    refusals) "$venv/python" Tests/Screen/test_refusals.py "$programs";;
    markup) "$venv/python" Tests/Screen/test_markup.py "$programs";;
    outages) "$venv/python" Tests/Screen/test_outages.py "$programs";;
    caretaker) "$venv/python" Tests/Caretaker/test_caretaker.py "$programs";;
    voices) "$venv/python" Tests/Caretaker/test_voices.py "$programs";;
    phones) "$venv/python" Tests/Caretaker/test_phones.py "$programs" "$pictures";;
    caretaker-pages) "$venv/python" Tests/Caretaker/test_pages.py "$pictures/caretaker" "$pictures";;
    browser) python3 Tests/Screen/test_browser.py "$programs";;
    gallery-screens) "$venv/python" Tests/Screen/test_gallery.py "$pictures/gallery" "$pictures/samples";;
  esac
}

# timed NAME: runs one test program, and also prints how long the program took.
timed() {
  local began=$SECONDS code=0
  check "$1" || code=$?
  echo "-- $1: $((SECONDS - began)) s"
  return "$code"
}

declare -A jobs=()
trap 'kill "${jobs[@]}" 2>/dev/null || true' EXIT

# begin NICENESS NAME...: starts test programs in the background with this niceness.
begin() {
  local name
  for name in "${@:2}"; do
    {
      [[ $1 -eq 0 ]] || renice -n "$1" "$BASHPID" >/dev/null
      timed "$name"
    } >"$pictures/$name.log" 2>&1 &
    jobs[$name]=$!
  done
}

# finish NAME...: waits for the end of these programs. Adds the names of the failed programs to `again`.
again=()
finish() {
  local name
  for name in "$@"; do
    wait "${jobs[$name]}" || again+=("$name")
    unset "jobs[$name]"
    cat "$pictures/$name.log"
  done
}

# side_by_side NAME...: runs several programs at the same time.
side_by_side() {
  begin 0 "$@"
  finish "$@"
}

# The programs mostly wait for real time, so several programs run at the same time. If even more browsers ran at the
# same time, the programs would miss their time limits on 2 cores. The two programs with sample pages only compute, so
# they run at a low priority. The last three programs compare the screen or the browser with the clock, so they start
# after the end of all other programs. If a program fails, it runs a second time alone. A real fault fails again, but
# a pause of the machine does not occur twice.
begin 10 gallery-screens caretaker-pages
side_by_side scripts screen training photo questions refusals
side_by_side markup caretaker voices phones
finish gallery-screens caretaker-pages
side_by_side time browser
side_by_side outages
failed=0
for name in "${again[@]}"; do
  echo "== $name, a second time"
  timed "$name" 2>&1 || failed=1
done
exit "$failed"
