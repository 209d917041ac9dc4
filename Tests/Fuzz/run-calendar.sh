#!/bin/sh
# Fuzzes the reader of calendar files: run-calendar.sh [SECONDS] [WORK_DIRECTORY]. With 0 seconds [default], the
# inputs come from a fixed seed, so each run has the same inputs. With more seconds, each run has new inputs. The
# script runs the real program in its sandbox, once for each input, and measures its time and memory. If there is a
# finding, the exit code is 1, and the finding stays in the work directory. Needs a built prompter-calendar.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-0}
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
work=${2:-$root/.build/fuzz}/calendar
mkdir -p "$work"
cd "$work"
if [ "$seconds" -eq 0 ]; then
  seed=1
else
  seed=$(date +%s)
fi
python3 "$here/calendar_files.py" "$programs/prompter-calendar" "$seconds" "$seed"
