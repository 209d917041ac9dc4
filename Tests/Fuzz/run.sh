#!/bin/sh
# Fuzzes the parsers of CivilTime: run.sh [SECONDS] [WORK_DIRECTORY]. With 0 seconds [default], the inputs come from a
# fixed seed, so each run has the same inputs. With more seconds, each parser runs for SECONDS with new inputs, and
# keeps interesting inputs for the next run. If there is a finding, the exit code is 1, and the finding stays in the
# work directory. Needs only the Swift toolchain.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-0}
work=${2:-$here/../../.build/fuzz}
if [ "$seconds" -eq 0 ]; then
  rm -rf "$work/rule" "$work/zone"
  rule_bounds="-seed=1 -runs=30000"
  zone_bounds="-seed=1 -runs=30000"
else
  rule_bounds="-max_total_time=$seconds"
  zone_bounds=$rule_bounds
fi
mkdir -p "$work/rule" "$work/zone"

for target in Rule Zone; do
  swiftc -O -swift-version 6 -parse-as-library -sanitize=fuzzer,address \
    "$here/Fuzz$target.swift" "$here"/../../Sources/CivilTime/*/*.swift \
    -o "$work/fuzz-$target" 2>"$work/build-$target.log" || {
    cat "$work/build-$target.log" >&2
    exit 1
  }
done

i=0
for rule in 'FREQ=YEARLY;BYWEEKNO=53,-1;BYDAY=MO;WKST=SU' 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=9' \
  'FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=FORWARD' 'FREQ=HOURLY;INTERVAL=5;BYHOUR=3' \
  'FREQ=WEEKLY;INTERVAL=3;BYMONTH=2;BYDAY=TU,SU;BYHOUR=1,2;BYSETPOS=-1' \
  'FREQ=DAILY;INTERVAL=97;BYMONTHDAY=13;BYDAY=FR;UNTIL=20991231T235959Z' \
  'FREQ=MINUTELY;BYHOUR=2;BYMINUTE=30;BYSECOND=60' 'FREQ=YEARLY;BYYEARDAY=366,-1'; do
  i=$((i + 1))
  printf 'zz%s' "$rule" >"$work/rule/seed$i"
done
for zone in America/New_York Australia/Lord_Howe Africa/Casablanca Pacific/Apia UTC; do
  cp "/usr/share/zoneinfo/$zone" "$work/zone/$(echo $zone | tr / _)"
done

export ASAN_OPTIONS=detect_leaks=0
cd "$work"
# shellcheck disable=SC2086 # two options in one word
./fuzz-Rule rule $rule_bounds -max_len=300 -timeout=5 -print_final_stats=1 \
  2>rule.log || { tail -40 rule.log >&2; exit 1; }
# shellcheck disable=SC2086 # two options in one word
./fuzz-Zone zone $zone_bounds -max_len=4096 -timeout=5 -print_final_stats=1 \
  2>zone.log || { tail -40 zone.log >&2; exit 1; }
grep -h 'number_of_executed_units' rule.log zone.log
