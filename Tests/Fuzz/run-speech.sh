#!/bin/sh
# Fuzzes espeak-ng as it is run by us: run-speech.sh [SECONDS]. Random texts, also such as the daemon would clean
# before, in random languages, to `prompter-sound speak`. With 0 seconds, the default, always the same 60 texts, made from
# one seed; else other ones for that time. espeak-ng may crash: that is counted, and contained. It is a finding, and exit
# code 1, if anything else happens: if a run does not end within its limits, leaves a file or a process behind, or
# starts nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
command -v espeak-ng >/dev/null || { echo "run-speech.sh needs espeak-ng" >&2; exit 1; }
exec python3 "$here/speech.py" "$root/.build/debug/prompter-sound" "$(command -v espeak-ng)" "${1:-0}"
