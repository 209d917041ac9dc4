extension AnalysisScripts {
  /// The part of analysis.py that computes summary.csv.
  static let pythonSummary = #"""
    #!/usr/bin/env python3
    """Computes summary.csv and estimates.csv from prompts.csv, phases.csv and participants.csv:

        python3 analysis.py [DIRECTORY [STUDY]] > summary.csv
        python3 analysis.py [DIRECTORY [STUDY]] --estimates > estimates.csv

    If the file contains one study, only the prompts of this study count. If it contains several studies, name one of
    them, or write --everybody to count all prompts. With --suppress-small, small numbers stay empty. Needs pandas.
    "prompter report" writes the same numbers. codebook.csv explains the columns.
    """
    import math
    import statistics
    import sys
    from pathlib import Path

    import pandas as pd

    # Outcomes of prompts that nobody was expected to complete, and of prompts for which the device could not ask.
    NOT_EXPECTED = ["open", "announcement", "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused",
                    "cancelled_before_due", "cancelled_while_ringing", "superseded_by_edit"]
    NOT_ASKED = ["missed_audio_failed", "missed_device_off", "missed_suspended",
                 "missed_clock_invalid", "unknown_crash"]

    given = [word for word in sys.argv[1:] if word not in ["--suppress-small", "--estimates"]]
    suppresses = "--suppress-small" in sys.argv
    directory = Path(given[0] if given else ".")
    p = pd.read_csv(directory / "prompts.csv", dtype=str, keep_default_na=False)
    studies = sorted(set(p["study_id"]) - {""}) if "study_id" in p else []
    chosen = given[1] if len(given) > 1 else studies[0] if len(studies) == 1 else "--everybody"
    if len(given) <= 1 and len(studies) > 1 or chosen not in studies + ["--everybody"]:
        sys.exit("name one of these studies, or write --everybody: " + ", ".join(studies))
    # People who withdrew from a study and do not allow the study to use their data.
    barred = set()
    if (directory / "participants.csv").exists():
        left = pd.read_csv(directory / "participants.csv", dtype=str, keep_default_na=False)
        if "data_use" in left and "study_id" in p:
            left = left[left["data_use"] == "none"]
            barred = set(zip(left["study_id"], left["person"]))
            own = list(zip(p["study_id"], p["person"]))
            p = p[pd.Series([key not in barred for key in own], index=p.index, dtype=bool)]
    if chosen != "--everybody":
        p = p[p["study_id"] == chosen].copy()
    p["phase"] = p["phase"].replace("", "none")
    p["person"] = p["person"].replace("", "unknown")
    p["outcome"] = p["outcome"].replace("", "open")
    for column in [name for name in p if name.startswith("is_")]:
        p[column] = p[column] == "true"
    p.loc[p["is_announcement"], "outcome"] = "announcement"  # it asks for no task
    p["planned"] = ~p["outcome"].isin(NOT_EXPECTED)
    p["asked"] = p["planned"] & ~p["outcome"].isin(NOT_ASKED)
    p["answered"] = p["first_answer"] != ""
    p["completed"] = p["outcome"].str.startswith("completed")
    for column in ["first_ring_latency_ms", "answer_after_ring_ms", "completion_latency_ms", "rings_to_answer"]:
        p[column] = pd.to_numeric(p[column], errors="coerce")
    if "due_local" in p:
        days = pd.to_datetime(p["due_local"].str[:10], errors="coerce")
        p["day"] = (days - pd.Timestamp("1970-01-01")).dt.days
    else:
        p["day"] = pd.to_numeric(p["due_day"], errors="coerce")

    # Exports of earlier versions have no column monitored_s.
    monitored = None
    if (directory / "phases.csv").exists():
        phases = pd.read_csv(directory / "phases.csv", dtype=str, keep_default_na=False)
        if "monitored_s" in phases and len(phases):
            monitored = phases[phases["person"].isin(set(p["person"]))].copy()
            monitored["s"] = pd.to_numeric(monitored["monitored_s"])
            if "study_id" in monitored:
                if chosen != "--everybody":
                    monitored = monitored[monitored["study_id"] == chosen]
                own = list(zip(monitored["study_id"], monitored["person"]))
                monitored = monitored[pd.Series([key not in barred for key in own], index=monitored.index, dtype=bool)]

    rows = ["phase,person,measure,n,of,value,is_small"]


    def put(phase, person, measure, n, of=None, value=None):
        if value is None and of:
            value = 100 * n / of
        small = measure != "monitored_h" and (0 < n < 5 or of is not None and 0 < of - n < 5)
        numbers = [str(n), "" if of is None else str(of), "" if value is None else f"{value:.1f}"]
        if small and suppresses:
            numbers = ["", "", ""]
        rows.append(",".join([phase, person, measure, *numbers, "true" if small else "false"]))


    def measures(phase, person, group):
        def say(measure, n, of=None, value=None):
            put(phase, person, measure, int(n), None if of is None else int(of), value)

        planned, asked = group[group["planned"]], group[group["asked"]]
        say("prompts", len(group))
        for outcome in NOT_EXPECTED:
            say("excluded_" + outcome, (group["outcome"] == outcome).sum())
        say("planned", len(planned), len(group))
        for outcome in NOT_ASKED:
            say("not_asked_" + outcome, (group["outcome"] == outcome).sum())
        say("asked", len(asked), len(planned))
        say("delivered", planned["is_delivered"].sum(), len(planned))
        say("answered", asked["answered"].sum(), len(asked))
        say("completed", asked["completed"].sum(), len(asked))
        for minutes in [15, 30, 60]:
            within = asked["completion_latency_ms"].abs() <= minutes * 60000
            say(f"completed_within_{minutes}_min", within.sum(), len(asked))
        for outcome in ["declined", "missed_no_response"]:
            say(outcome, (asked["outcome"] == outcome).sum(), len(asked))
        for name, column, divisor in [("first_ring_latency_s", "first_ring_latency_ms", 1000),
                                      ("answer_after_ring_s", "answer_after_ring_ms", 1000),
                                      ("completion_latency_min", "completion_latency_ms", 60000),
                                      ("rings_to_answer", "rings_to_answer", 1)]:
            values = planned[column].dropna()
            for suffix, share in [("q1", 0.25), ("median", 0.5), ("q3", 0.75)]:
                value = values.quantile(share) / divisor if len(values) else None
                say(f"{name}_{suffix}", len(values), None, value)
        if monitored is not None:
            part = monitored if person == "all" else monitored[monitored["person"] == person]
            part = part if phase == "all" else part[part["phase"] == phase]
            say("monitored_h", (part["s"] > 0).sum(), None, int(part["s"].sum()) / 3600)


    for person in ["all"] + sorted(set(p["person"])):
        own = p if person == "all" else p[p["person"] == person]
        measures("all", person, own)
        for phase in sorted(set(own["phase"])):
            measures(phase, person, own[own["phase"] == phase])

    # Kaplan and Meier: a person discontinued on the last day with an answer if the device still asked the person at
    # least seven days later. Other people are censored on the last day on which the device asked. Days on which all
    # asked prompts belong to a control phase do not count, because no prompt rings.
    people = []
    for _, own in p[p["asked"] & p["day"].notna()].groupby("person"):
        prompted = own[own["phase"] != "control"]
        silent = set(own["day"]) - set(prompted["day"])
        if len(prompted) == 0:
            continue
        number = {day: int(day) - sum(other < day for other in silent) for day in set(prompted["day"])}
        first, last = number[prompted["day"].min()], number[prompted["day"].max()]
        answers = prompted.loc[prompted["answered"], "day"]
        answered = number[answers.max()] if len(answers) else first - 1
        ended = last - answered >= 7
        people.append(((answered if ended else last) - first + 1, ended))
    for limit in [7, 14, 28]:
        share = 1.0
        for day in sorted({days for days, ended in people if ended and days < limit}):
            at_risk = sum(days >= day for days, _ in people)
            share *= 1 - sum(ended and days == day for days, ended in people) / at_risk
        lost = sum(ended and days < limit for days, ended in people)
        put("all", "all", f"persisting_{limit}_days", len(people) - lost, len(people),
            100 * share if people else None)

    if "--estimates" not in sys.argv:
        print("\n".join(rows))
        sys.exit()

    """#
}
