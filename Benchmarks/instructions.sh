#!/bin/sh
# Counts the instructions of one query with callgrind, from the difference between 12,000 and 2,000 queries. The rules
# start in 1970. Build first: swift build -c release. Needs valgrind. The exit code is 1 if a query of a rule needs
# more than 1,000 instructions.
set -eu
cd "$(dirname "$0")"
# valgrind 3.19 cannot read the debug information of this compiler, so valgrind runs a copy of the program without
# this information.
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -g -o "$stripped" .build/release/civiltime-bench
chmod +x "$stripped"

collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$stripped" --only "$1" "$2" 2>&1 |
    awk '/Collected/ { print $4 }'
}

status=0
for rule in R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R12 EX200 COUNT W1 W2 W3 W4 W5; do
  few=$(collected "$rule" 2000)
  many=$(collected "$rule" 12000)
  each=$(((many - few) / 10000))
  echo "$rule $each instructions a query, random numbers included"
  if [ "$each" -gt 1000 ] || [ "$each" -le 0 ]; then status=1; fi
done
exit $status
