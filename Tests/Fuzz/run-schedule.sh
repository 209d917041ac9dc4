#!/bin/sh
# Fuzzes the parsers of schedule phrases and of iCalendar: run-schedule.sh [SECONDS] [WORK_DIRECTORY]. With 0 seconds
# [default], the inputs come from a fixed seed, so each run has the same inputs. With more seconds, each run has new
# inputs, and keeps interesting inputs for the next run. If there is a finding, the exit code is 1, and the finding
# stays in the work directory. Needs the Swift toolchain and libical. The script compiles all modules as one module,
# so it removes the imports of these modules.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-0}
work=${2:-$root/.build/fuzz}/schedule
rm -rf "$work/source"
if [ "$seconds" -eq 0 ]; then
  rm -rf "$work/corpus"
  bounds="-seed=1 -runs=30000"
else
  bounds="-max_total_time=$seconds"
fi
mkdir -p "$work/source" "$work/corpus"

for file in "$root"/Sources/CivilTime/*/*.swift "$root"/Sources/Alarms/*/*.swift \
  "$root"/Sources/Sentences/*.swift "$root"/Sources/Sentences/*/*.swift \
  "$root"/Sources/ICalendar/*.swift "$root"/Sources/ICalendar/*/*.swift "$root"/Sources/ICalendarParser/*.swift \
  "$root"/Sources/EventCoding/DurationText.swift \
  "$root"/Sources/JSONValue/*.swift "$here/FuzzSchedule.swift"; do
  name=$(basename "$(dirname "$file")")_$(basename "$file")
  sed -E '/^import (CivilTime|Alarms|EventCoding|JSONValue|ICalendar|ICalendarParser|Sentences)$/d' "$file" >"$work/source/$name"
done
swiftc -swift-version 6 -package-name prompter -parse-as-library -sanitize=fuzzer,address "$work"/source/*.swift \
  -I "$root/Sources/C/CICal" -lical -o "$work/fuzz-schedule" 2>"$work/build.log" || { cat "$work/build.log" >&2; exit 1; }

i=0
while IFS= read -r phrase; do
  i=$((i + 1))
  printf '0%s' "$phrase" >"$work/corpus/phrase$i"
done <<'PHRASES'
every day 08:00 and 20:30 until 2026-12-31
every 2 weeks on tue 10:00 starting 2026-12-01 for 3 times
30 minutes after lunch is completed at the latest 10:00
3 times a day at random between 09:00 and 12:00 at least 30 minutes apart on weekdays
DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=3 EXDATE:20261202T080000 RDATE:20261205T100000
on the 31st of every 2 months 09:00 and the evening before at 19:00
every 90 minutes from 22:00 to 06:00 on weekends
2026-12-01T14:00:00+01:00
half past eight every morning please
every day except sunday at 8 and 20 oclock
monday to friday 24:00 until 24.12.2026
jeden Tag um 8.30 Uhr
PHRASES
printf '1%s' 'BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:x
DTSTART;TZID=Europe/Berlin:20261201T140000
RRULE:FREQ=DAILY;COUNT=3
EXDATE;VALUE=DATE:20261202
BEGIN:VALARM
TRIGGER:-PT1H
REPEAT:2
DURATION:PT5M
END:VALARM
END:VEVENT
END:VCALENDAR' >"$work/corpus/calendar"

export ASAN_OPTIONS=detect_leaks=0
cd "$work"
# shellcheck disable=SC2086 # two options in one word
./fuzz-schedule corpus $bounds -max_len=600 -timeout=10 -print_final_stats=1 \
  2>fuzz.log || { tail -40 fuzz.log >&2; exit 1; }
grep -h 'number_of_executed_units' fuzz.log
