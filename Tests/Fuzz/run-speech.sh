#!/bin/sh
# Fuzzes espeak-ng through `prompter-sound speak`: run-speech.sh [SECONDS]. The texts and languages are random; the daemon
# would clean some of these texts first. With 0 seconds [default], the 60 texts are always the same, from one seed.
# Otherwise the texts are new, for that time. A crash of espeak-ng is only counted, because the sandbox contains it. The
# script fails with exit code 1 if a run does not end within its limits, leaves a file, or cannot start espeak-ng.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
command -v espeak-ng >/dev/null || { echo "cannot run run-speech.sh: espeak-ng is not installed" >&2; exit 1; }
exec python3 "$here/speech.py" "$programs/prompter-sound" "$(command -v espeak-ng)" "${1:-0}"
