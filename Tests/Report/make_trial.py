"""Writes the prompts.csv of an invented crossover trial, and the other files that a report needs:

    python3 make_trial.py DIRECTORY SEED [safe_harbor]

The trial has every kind of outcome, empty cells, people who stop early, and a person and a phase without a name.
"""
import csv
import hashlib
import json
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

directory, seed = Path(sys.argv[1]), int(sys.argv[2])
is_safe = sys.argv[3:] == ["safe_harbor"]
chance = random.Random(seed)
directory.mkdir(parents=True)
start = datetime(2026, 11, 30)
# In the trials 5, 11, … each person has one phase and is in one of three arms. In the trials 7, 13, … each person
# has one phase and no arm.
has_arms, is_parallel = seed % 6 == 5, seed > 1 and seed % 6 in [1, 5]

OTHER = ["declined", "missed_no_response", "missed_audio_failed", "missed_device_off", "missed_suspended",
         "missed_clock_invalid", "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused",
         "cancelled_before_due", "cancelled_while_ringing", "superseded_by_edit", "unknown_crash", ""]
TIME = ["due_day", "due_time"] if is_safe else ["due_utc", "due_local"]


def study(who, day):
    """Returns the study of a row. Odd trials have one study from the fourth day on, and every fourth person is
    not in the study."""
    return "trial-1" if seed % 2 and day >= 3 and who % 4 != 3 else ""


def clock(moment):
    if is_safe:
        return [(moment - start).days + 1, moment.strftime("%H:%M:%S.") + f"{moment.microsecond // 1000:03}"]
    text = moment.isoformat(timespec="milliseconds")
    return [text + "Z", text]


with open(directory / "prompts.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["prompt_id", "study_id", "person", "phase", "is_announcement", *TIME, "is_delivered", "first_ring_latency_ms", "first_answer",
                  "answer_after_ring_ms", "completion_latency_ms", "rings_to_answer", "outcome", "reason"])
    number = 0
    people = []
    for who in range(chance.choice([1, 3, 23]) if seed < 5 else 23):
        person = "" if who == 2 else f"P-{chance.getrandbits(40):010x}"
        people.append(person)
        first = ["prompted", "control"][who % 2]
        stops = chance.choice([5, 12, 20, 99, 99])
        for day in range(28):
            for hour in [8, 13, 18]:
                number += 1
                # Every fifth person has four periods. The other people have two periods.
                turns = 0 if is_parallel else day // (7 if who % 5 == 4 else 14)
                phase = first if turns % 2 == 0 else {"prompted": "control", "control": "prompted"}[first]
                phase = "" if day == 27 else phase
                due = start + timedelta(days=day, hours=hour, milliseconds=chance.randrange(50))
                chances = 0.05 if day >= stops else 0.8 if phase == "prompted" else 0.55
                sounds = phase == "prompted"
                outcome = "missed_no_response" if sounds else "suppressed_control_phase"
                if chance.random() < chances:
                    outcome = chance.choice(["completed"] * 9 + ["completed_out_of_window"])
                elif chance.random() < 0.5:
                    outcome = chance.choice(OTHER)
                done = outcome.startswith("completed")
                answer = "completed" if done else "declined" if outcome == "declined" else ""
                wait = chance.randrange(5_000, 4_000_000) if done else None
                ring = chance.randrange(5, 300) if sounds and (answer or chance.random() < 0.5) else ""
                out.writerow([
                    f"a@{number}", study(who, day), person, phase, "true" if number % 50 == 7 else "false", *clock(due), "true" if ring != "" else "false", ring, answer,
                    chance.randrange(900, 3_000_000) if answer and ring != "" else "",
                    wait if wait is not None and chance.random() < 0.95 else -60_000 if done else "",
                    chance.randrange(0, 7) if answer else "", outcome, "none" if outcome else ""])

if seed % 3:
    with open(directory / "phases.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        # In exports of earlier versions of Prompter, this file does not name the study.
        names_studies = seed % 2 == 1
        out.writerow(["person", "phase_no", "phase", "monitored_s"] + (["study_id"] if names_studies else []))
        for who, person in enumerate(people):
            for number, phase in enumerate(["prompted", "control"] if who % 2 == 0 else ["control", "prompted"]):
                of = "" if who % 5 == 3 and number == 0 else "earlier" if who % 7 == 0 and number == 0 else "trial-1"
                out.writerow([person or "P-other", number + 1, phase, chance.choice([0, chance.randrange(1_300_000)])]
                             + ([of] if names_studies else []))

if seed != 3:
    with open(directory / "participants.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        # In the trials 5, 6, 10, 11, … two people withdrew and forbid any use of their data.
        uses = seed % 5 in [0, 1] and seed > 1
        out.writerow(["person", "participant", "study_id", "arm", "seq"] + (["data_use"] if uses else []))
        for who, person in enumerate(people):
            arm = ["loud", "quiet, then loud", "none"][who % 3] if has_arms else "" if is_parallel else ["AB", "BA"][who % 2]
            for number, of in enumerate(["other", arm] if who % 7 == 0 else [arm]):
                use = ["none" if who in [4, 9] and of == arm else "until_withdrawal" if who == 5 else ""] if uses else []
                out.writerow([person, f"A-{who:03}", "trial-1" if of == arm else "earlier", of, who * 2 + number] + use)

with open(directory / "gaps.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["seq", *[name.replace("due", "from") for name in TIME],
                  *[name.replace("due", "to") for name in TIME], "duration_ms", "cause"])
    for day, hours in [(3, 5), (9, 60)]:
        begin = start + timedelta(days=day, hours=20)
        out.writerow([day, *clock(begin), *clock(begin + timedelta(hours=hours)), hours * 3_600_000, "device_off"])

with open(directory / "responses.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["prompt_id", "person", "question", "number", "value_number", "unit",
                  *[name.replace("due", "answered") for name in TIME]])
    for day in range(28):
        moment = start + timedelta(days=day, hours=8, minutes=chance.randrange(30))
        out.writerow([f"a@{day}", people[day % len(people)], "pain", 1, chance.randrange(11), "", *clock(moment)])
        out.writerow([f"a@{day}", people[day % len(people)], "temperature", 1, 36 + chance.randrange(20) / 10, "Cel", *clock(moment)])

files = [{"name": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
         for path in sorted(directory.glob("*.csv"))]
manifest = {"files": files, "profile": "safe_harbor" if is_safe else "limited", "head": {"seq": 1, "hash": "0" * 64, "code": "1"}}
(directory / "MANIFEST.json").write_text(json.dumps(manifest))
