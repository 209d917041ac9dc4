#!/bin/sh
# Fuzzes the decoder of pictures: run-image.sh [SECONDS]. With 0 seconds [default], the inputs are always the same,
# from one seed. Otherwise they are new. The script runs prompter-image in its sandbox with malformed files of every
# format, and measures its time and memory. A finding gives exit code 1 and stays in .build/fuzz/image. Needs a built
# prompter-image.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-0}
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
if [ "$seconds" -eq 0 ]; then seed=1; else seed=$(date +%s); fi
mkdir -p "$root/.build/fuzz/image"
cd "$root/.build/fuzz/image"
python3 "$here/image.py" "$programs/prompter-image" "$root/Tests/Fixtures/image" "$seconds" "$seed"
