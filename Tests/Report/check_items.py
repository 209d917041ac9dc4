"""Compares items.csv and instruments.csv of an export with prompts.csv, responses.csv and mpath_basic.csv:

    python3 check_items.py FRICTIONLESS MPATH

Each question of each prompt has a row, an answered question has a response, and each other question has the cause that follows
from the outcome.
"""
import sys
from pathlib import Path

import pandas as pd

package, mpath = Path(sys.argv[1]), Path(sys.argv[2])
read = lambda path, **more: pd.read_csv(path, dtype=str, keep_default_na=False, **more)
prompts, items = read(package / "prompts.csv"), read(package / "items.csv")
responses, instruments = read(package / "responses.csv"), read(package / "instruments.csv")
assert len(instruments) and len(items) and len(responses), "there is nothing to compare"

asked = prompts.merge(instruments, on=["alarm_id", "alarm_version"])
pairs = lambda table, item: set(zip(table["prompt_id"], table[item]))
assert pairs(asked, "item") == pairs(items, "item") and len(asked) == len(items), "items.csv has other questions"
known = set(items["prompt_id"])
assert pairs(items[items["is_answered"] == "true"], "item") == {
    pair for pair in pairs(responses, "question") if pair[0] in known}, "items.csv has other responses"

CAUSES = {"": "open", "completed": "skipped", "completed_out_of_window": "skipped", "declined": "declined",
          "missed_no_response": "no_response", "suppressed_control_phase": "control_phase"}
for _, row in items.merge(prompts[["prompt_id", "outcome", "study_id", "phase"]], on="prompt_id", suffixes=("", "_p")).iterrows():
    outcome = row["outcome"]
    is_lost = outcome.startswith("missed_") or outcome == "unknown_crash"
    cause = CAUSES.get(outcome, "not_asked" if is_lost else "not_expected")
    assert row["cause"] == ("" if row["is_answered"] == "true" else cause), dict(row)
    assert (row["study_id"], row["phase"]) == (row["study_id_p"], row["phase_p"]), dict(row)

# Each scale has a column in the layout mpath. The column contains the newest responses.
basic, meta = read(mpath / "mpath_basic.csv", sep=";"), read(mpath / "mpath_meta.csv", sep=";")
assert set(meta["columnName"]) <= set(basic.columns), "mpath_meta.csv describes a column that is not there"
newest = responses.assign(number=responses["number"].astype(int)).sort_values("number")
newest = newest.drop_duplicates(["prompt_id", "question"], keep="last")
scales = set(instruments.loc[instruments["kind"] == "scale", "item"])
tasks = set(prompts.loc[prompts["is_announcement"] == "false", "prompt_id"])
for item in scales:
    expected = newest[(newest["question"] == item) & newest["prompt_id"].isin(tasks) & (newest["value_number"] != "")]
    found = basic[item + "_sliderNeutralPos_int"]
    assert sorted(found[found != ""].astype(float)) == sorted(expected["value_number"].astype(float)), item
