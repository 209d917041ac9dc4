#!/bin/sh
# Fuzzes the decoder of pictures: run-image.sh [SECONDS]. With 0 seconds [default], the inputs come from a fixed seed,
# so each run has the same inputs. With more seconds, each run has new inputs. The script runs prompter-image in its
# sandbox with malformed files of every format, and measures its time and memory. If there is a finding, the exit code
# is 1, and the finding stays in .build/fuzz/image. Needs a built prompter-image.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-0}
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
if [ "$seconds" -eq 0 ]; then seed=1; else seed=$(date +%s); fi
mkdir -p "$root/.build/fuzz/image"
cd "$root/.build/fuzz/image"
python3 "$here/image.py" "$programs/prompter-image" "$root/Tests/Fixtures/image" "$seconds" "$seed"
