#!/bin/sh
# Fuzzes espeak-ng through `prompter-sound speak`: run-speech.sh [SECONDS]. The texts and languages are random. In the
# product, the daemon removes some characters from a text before espeak-ng gets the text; this script does not. With 0
# seconds [default], the 60 texts come from a fixed seed, so each run has the same texts. With more seconds, the
# script speaks new texts for this number of seconds. The script only counts the crashes of espeak-ng, because a crash
# does not leave the sandbox. The exit code is 1 if a run does not end within its limits, leaves a file, or cannot
# start espeak-ng.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
command -v espeak-ng >/dev/null || { echo "cannot run run-speech.sh: espeak-ng is not installed" >&2; exit 1; }
exec python3 "$here/speech.py" "$programs/prompter-sound" "$(command -v espeak-ng)" "${1:-0}"
