#!/bin/bash
# Tests exports and reports with the programs that researchers use:
#   Tests/Report/run.sh [PROGRAMS_DIRECTORY]
# The Frictionless validator checks the packages of every layout and profile, and the pools of several homes. The scripts of the export must compute the
# numbers of the report, in pandas and in R. A simulated trial must give the true effects. A browser loads the report. Needs Python 3 with venv, R and Chromium;
# frictionless, pandas and odmlib are installed below .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
programs=$(realpath "${1:-.build/debug}")
venv=$PWD/.build/report-venv
if ! "$venv/bin/python" -c 'import frictionless, odmlib, pandas; assert frictionless.__version__ == "5.21.0"' 2>/dev/null; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check frictionless==5.21.0 pandas odmlib==0.2.1
fi
work=$(mktemp -d)
daemon=
end() {
  [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap end EXIT
failed=0
passed=0
ok() { passed=$((passed + 1)); }
no() {
  echo "FAILED: $*" >&2
  failed=$((failed + 1))
}

# Compares the report of an export with the results of the scripts in the export. If a second argument is given, all
# three programs get this argument, for example --everybody.
same_numbers() {
  local table
  "$programs/prompter" report "$1" ${2:+"$2"} >/dev/null || { no "prompter report $1"; return; }
  for table in summary estimates; do
    local only=()
    [[ $table == summary ]] || only=(--estimates)
    "$venv/bin/python" "$scripts/analysis.py" "$1" ${2:+"$2"} "${only[@]}" >"$work/py.csv" || no "analysis.py on $1"
    LC_ALL=C Rscript --vanilla "$scripts/analysis.R" "$1" ${2:+"$2"} "${only[@]}" >"$work/r.csv" || no "analysis.R on $1"
    if cmp -s "$1/$table.csv" "$work/py.csv"; then ok; else
      no "pandas computes another $table.csv for $1"; diff "$1/$table.csv" "$work/py.csv" | head -5 >&2 || true; fi
    if cmp -s "$1/$table.csv" "$work/r.csv"; then ok; else
      no "R computes another $table.csv for $1"; diff "$1/$table.csv" "$work/r.csv" | head -5 >&2 || true; fi
  done
}

# Compares estimates.csv of a trial with the results of R's own functions and of the package sandwich. The other
# arguments are the names of the estimates.
same_estimates() {
  if Rscript --vanilla Tests/Report/check_estimates.R "$1" "${@:2}" >"$work/why"; then ok; else
    no "the estimates of $1: $(tail -n 3 "$work/why")"; fi
}

# Simulates a trial with known probabilities and pools its exports. The three programs must find these probabilities.
finds_truth() {
  local seed=$1 trial=$work/simulated-$1
  "$programs/prompter-sim" --trial "$trial" --seed "$seed" || { no "a simulated trial"; return; }
  "$programs/prompter" pool "$trial/pool" "$trial"/h0* >/dev/null || { no "the pool of a simulated trial"; return; }
  same_numbers "$trial/pool"
  "$venv/bin/python" - "$trial" <<'PY' && ok || no "the estimates of the simulated trial $seed are not the truth"
import sys
from pathlib import Path
import pandas as pd
trial = Path(sys.argv[1])
found = pd.read_csv(trial / "pool" / "estimates.csv").set_index(["analysis", "name", "group"])
for _, (name, group, truth) in pd.read_csv(trial / "truth.csv").iterrows():
    row = found.loc[("main", name, group)]
    assert row["people"] == 24 and row["low"] <= truth <= row["high"], (name, group, truth, dict(row))
    assert row["high"] - row["low"] < (45 if name == "carry_over" else 20), dict(row)
failed = found.loc[("not_delivered_failed", "share_pooled", "prompted")]
assert failed["prompts"] == found.loc[("main", "share_pooled", "prompted"), "prompts"] + 4 == 336, dict(failed)
PY
}

# Loads a page in a browser that has no network. The console must be empty, the page must request no other file, and
# every figure must be on the page.
looks_right() {
  local page=$1 log=$work/browser.log
  chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking \
    --disable-component-update --user-data-dir="$work/browser" --enable-logging=stderr \
    --log-net-log="$work/net.json" --host-resolver-rules='MAP * ~NOTFOUND' --window-size=900,9000 \
    --virtual-time-budget=2000 --screenshot="${page%.html}.png" "file://$page" >"$log" 2>&1 || no "chromium on $page"
  if grep -q 'CONSOLE' "$log"; then no "the console of $page has messages: $(grep CONSOLE "$log" | head -3)"; else ok; fi
  "$venv/bin/python" - "$work/net.json" "$page" <<'PY' && ok || no "$page requests another file"
import re, sys
from pathlib import Path
# Count only the requests of the page, because the browser also sends its own requests, for example for updates.
urls = set(re.findall(r'"initiator":"file:[^}]*?"url":"([^"]+)"', Path(sys.argv[1]).read_text(errors="replace")))
page = Path(sys.argv[2]).read_text()
own = re.findall(r'(?:src|href|action|data)\s*=|@import|url\((?!#)', page)
sys.exit(bool({u for u in urls if not u.startswith("file://" + sys.argv[2])} or own))
PY
  chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/browser" \
    --virtual-time-budget=2000 --dump-dom "file://$page" >"$work/dom" 2>/dev/null || no "chromium on $page"
  local figure
  for figure in change time-to-answer overview funnel completion latency rings heat raster persistence phases "${@:2}"; do
    if grep -q "<figure id=\"$figure\">" "$work/dom"; then ok; else no "$page does not have the figure $figure"; fi
  done
}

# Checks a package with the Frictionless validator.
is_valid() {
  if "$venv/bin/python" - "$1" <<'PY'; then ok; else no "Frictionless finds faults in $1"; fi
import sys
import frictionless
report = frictionless.validate(sys.argv[1] + "/datapackage.json")
if not report.valid:
    print(report.flatten(["title", "message"])[:5], file=sys.stderr)
sys.exit(not report.valid)
PY
}

# Compares items.csv and instruments.csv with the other tables of an export. Also compares the answers with the
# answers in the layout mpath.
has_items() {
  "$venv/bin/python" Tests/Report/check_items.py "$1" "$2" 2>"$work/why" && ok || no "the items of $1: $(tail -n 1 "$work/why")"
}

# Converts an export for REDCap and to ODM, and compares each result with the export.
converts() {
  local target
  for target in redcap odm; do
    "$programs/prompter" convert "$1" "$1-$target" --to $target >/dev/null || { no "convert $1 to $target"; return; }
  done
  "$venv/bin/python" Tests/Report/check_conversion.py "$1" "$1-redcap" "$1-odm" 2>"$work/why" && ok \
    || no "the conversion of $1: $(tail -n 1 "$work/why")"
}

# Expects that "prompter pool" refuses with a text: refuses_pool TEXT ARGUMENT...
refuses_pool() {
  local text=$1
  shift
  rm -rf "$work/refused"
  if "$programs/prompter" pool "$work/refused" "$@" 2>"$work/why"; then no "a pool of $*"; else
    grep -q "$text" "$work/why" && ok || no "$(cat "$work/why")"; fi
  [[ ! -e $work/refused ]] && ok || no "a refused pool leaves a directory"
}

# Joins the exports of three homes, and checks the pool.
pools() {
  local profile=$1 homes=$work/homes-$1 pool=$work/pool-$1
  "$venv/bin/python" Tests/Report/make_homes.py "$work/frictionless-$profile" "$homes" 3
  printf 'directory,site,home\nh001,berlin,b1\nh002,berlin,b2\nh003,oslo,o1\n' >"$homes/homes.csv"
  "$programs/prompter" pool "$pool" --list "$homes/homes.csv" >/dev/null || { no "pool $profile"; return; }
  is_valid "$pool"
  same_numbers "$pool" --everybody
  converts "$pool"
  "$venv/bin/python" - "$homes" "$pool" <<'PY' && ok || no "the pool $profile has other rows than its exports"
import json, sys
from pathlib import Path
import pandas as pd
homes, pool = Path(sys.argv[1]), Path(sys.argv[2])
read = lambda path: pd.read_csv(path, dtype=str, keep_default_na=False)
for table in ["prompts", "rings", "gaps", "clock", "responses", "items", "instruments", "participants", "phases", "alarms", "tones", "events"]:
    pooled = read(pool / f"{table}.csv")
    for name, home in [("h001", "b1"), ("h002", "b2"), ("h003", "o1")]:
        own = pooled[pooled["home"] == home]
        assert set(own["site"]) <= {"oslo" if home == "o1" else "berlin"}, (table, home)
        added = ["site", "home"] + (["device"] if table != "events" else []) + (["study_day"] if table == "prompts" else [])
        alone = read(homes / name / f"{table}.csv")
        assert len(set(own["device"]) - {""}) <= 1, (table, home)
        assert own.drop(columns=added).reset_index(drop=True).equals(alone), (table, home)
prompts, people = read(pool / "prompts.csv"), read(pool / "participants.csv")
day = "due_day" if "due_day" in prompts else "due_local"
number = (lambda cell: int(cell)) if day == "due_day" else (lambda cell: pd.Timestamp(cell[:10]).toordinal())
for _, row in prompts.iterrows():
    begun = [number(one["from_" + day[4:]]) for _, one in people.iterrows()
             if (one["person"], one["study_id"]) == (row["person"], row["study_id"])]
    begun = [first for first in begun if row[day] and first <= number(row[day])]
    assert row["study_day"] == (str(number(row[day]) - max(begun) + 1) if begun else ""), row["prompt_id"]
manifest = json.loads((pool / "MANIFEST.json").read_text())
assert [home["home"] for home in manifest["homes"]] == ["b1", "b2", "o1"] and manifest["version"] and manifest["made_utc"]
PY
  cp -r "$homes/h001" "$homes/again"
  refuses_pool "are the same export" "$homes/h001" "$homes/again"
  sed -i 's/"format"/ "format"/' "$homes/again/MANIFEST.json"
  refuses_pool "are from the same device" "$homes/h001" "$homes/again"
  refuses_pool "have the same home" "$homes/h001" "$homes/h001"
  refuses_pool "it contains several homes" "$pool" "$homes/h001"
  sed -i '2s/,/,1/' "$homes/h002/rings.csv"
  refuses_pool "changed since the export, or not in MANIFEST.json: rings.csv" "$homes/h001" "$homes/h002"
}

export PROMPTER_SOCKET=$work/control.sock
mkdir "$work/state"
chmod 700 "$work/state"
sqlite3 "$work/state/record.sqlite" <Tests/Fixtures/logbook/record-v1.sql
"$programs/prompterd" --state "$work/state" --socket "$PROMPTER_SOCKET" --device null 2>"$work/daemon.log" &
daemon=$!
for _ in $(seq 300); do
  [[ -S $PROMPTER_SOCKET ]] && break
  sleep 0.1
done
# Set a check-in that gets answers, and a check-in that gets no answers.
"$programs/prompter" add "How are you?" --schedule "in 1 seconds" --ask "pain=scale How bad is the pain?" \
  --ask "feels=choices(headache|nausea) What do you feel?" --ask "note=text(optional) Why?" >/dev/null || no "a check-in"
answered=
for _ in $(seq 50); do
  "$programs/prompter" answer pain=7 feels=headache,nausea >/dev/null 2>"$work/why" && answered=yes && break
  sleep 0.2
done
[[ -n $answered ]] && ok || no "an answer: $(cat "$work/why")"
for layout in frictionless mpath cleanadh; do
  for profile in identified limited safe_harbor; do
    package=$work/$layout-$profile
    "$programs/prompter" export "$package" --layout $layout --profile $profile >/dev/null || no "export $package"
    is_valid "$package"
  done
done
for profile in identified limited safe_harbor; do
  has_items "$work/frictionless-$profile" "$work/mpath-$profile"
  converts "$work/frictionless-$profile"
done
# In the old record, the file of a recording is missing.
"$programs/prompter" verify --manifest "$work/frictionless-limited" 2>"$work/why" && no "verify without a recording"
grep -q 'the recording "pills-22" is missing' "$work/why" && ok || no "$(cat "$work/why")"
scripts=$work/frictionless-limited
for profile in identified limited safe_harbor; do same_numbers "$work/frictionless-$profile"; done
for profile in identified limited safe_harbor; do pools $profile; done
refuses_pool "export all homes with the same profile" "$work"/homes-{limited,safe_harbor}/h003
refuses_pool "it has the layout mpath" "$work/mpath-limited"
refuses_pool "is not the name of a home" "$work/frictionless-limited/."
for seed in $(seq 7) 9; do
  "$venv/bin/python" Tests/Report/make_trial.py "$work/trial-$seed" "$seed" $([[ $((seed % 2)) == 0 ]] && echo safe_harbor)
  same_numbers "$work/trial-$seed"
done
same_estimates "$work/trial-9" paired_difference treatment_effect period_effect carry_over
same_estimates "$work/trial-5" share_pooled share_mean arm_difference arm_difference_pooled
same_estimates "$work/trial-7" share_pooled arm_difference arm_difference_pooled
# If the seed is odd, the exports have the profile limited. Otherwise, they have the profile safe_harbor.
for seed in 1 2; do finds_truth $seed; done
# If all people withdrew and forbid any use of their data, the tables are empty. The results of the three programs
# must still agree.
"$venv/bin/python" Tests/Report/make_trial.py "$work/nobody" 5
sed -i 's/until_withdrawal$/none/; s/,$/,none/' "$work/nobody/participants.csv"
"$venv/bin/python" - "$work/nobody" <<'PY'
import hashlib, json, sys
from pathlib import Path
path = Path(sys.argv[1]) / "MANIFEST.json"
manifest = json.loads(path.read_text())
for file in manifest["files"]:
    file["sha256"] = hashlib.sha256((path.parent / file["name"]).read_bytes()).hexdigest()
path.write_text(json.dumps(manifest))
PY
same_numbers "$work/nobody"
grep -q '^all,all,prompts,0,' "$work/nobody/summary.csv" && ok || no "people count who allow no use of their data"
cp "$work/trial-1/summary.csv" "$work/study.csv"
same_numbers "$work/trial-1" --everybody
if cmp -s "$work/study.csv" "$work/trial-1/summary.csv"; then no "the study alone has the numbers of all prompts"; else ok; fi
same_numbers "$work/trial-1"
# All three programs must suppress small numbers in the same way.
same_numbers "$work/trial-2" --suppress-small
if grep -q ',,,,true$' "$work/trial-2/summary.csv" &&
  ! grep -v monitored_h "$work/trial-2/summary.csv" | grep -q ',[1-4],[0-9]*,[0-9.]*,'; then ok; else
  no "summary.csv contains small numbers"; fi
# The page must hide the same numbers. No share in a table or beside a bar may have a small part.
if grep -q '<td>small' "$work/trial-2/report.html" &&
  ! grep -oE '<td>[0-9]+ \(|>[0-9]+ of [0-9]+ ' "$work/trial-2/report.html" | grep -qE '>([1-4]) (\(|of)' &&
  ! grep -q 'id="overview"' "$work/trial-2/report.html"; then ok; else
  no "report.html contains small numbers"; fi
same_numbers "$work/trial-2"
# If somebody changed a file after the export, `prompter report` must refuse the export.
cp -r "$work/trial-2" "$work/forged"
sed -i 's/missed_no_response/completed/' "$work/forged/prompts.csv"
if "$programs/prompter" report "$work/forged" 2>"$work/why"; then no "a report on changed data"; else
  grep -q "changed or missing since the export: prompts.csv" "$work/why" && ok || no "$(cat "$work/why")"; fi
looks_right "$work/frictionless-limited/report.html"
looks_right "$work/trial-1/report.html" series-pain series-temperature heat-control heat-prompted
mkdir -p "$root/.build/report"
cp "$work/trial-1/report.html" "$work/trial-1/report.png" "$root/.build/report"
echo "exports and reports: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
