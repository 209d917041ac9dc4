#!/bin/bash
# Runs all fuzzers: all.sh [SECONDS]. The fuzzer of the schedules needs as much time as all other fuzzers together.
# Therefore, it runs at the same time as the others. If a fuzzer has a finding, the exit code is 1. PROMPTER_PROGRAMS
# is the directory of the programs that read the malformed files (default: .build/debug). Programs that were built for
# release need much less time than debug builds.
set -euo pipefail
cd "$(dirname "$0")"
log=$(mktemp)
./run-schedule.sh "$@" >"$log" 2>&1 &
schedule=$!
trap 'kill "$schedule" 2>/dev/null || true; rm -f "$log"' EXIT
for fuzzer in run.sh run-calendar.sh run-sound.sh run-image.sh run-speech.sh; do "./$fuzzer" "$@"; done
code=0
wait "$schedule" || code=$?
cat "$log"
exit "$code"
