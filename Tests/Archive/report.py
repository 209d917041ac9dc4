"""The report, the metrics and the findings."""

import csv
import os
import subprocess

from homes import WORK, ask, psql, tool


def check():
    """The table and the metrics contain each home, also the silent homes."""
    tool("home", "add", "never", "--site", "B", "--study", "S-1")
    assert summary()["never"]["silent"] == "false", "a home is silent before it can be heard from"
    psql("UPDATE prompter.homes SET added_at = now() - interval '3 hours' WHERE home = 'never';"
         "UPDATE prompter.streams SET contact_at = now() - interval '3 hours' WHERE home = 'other'")
    homes = summary()
    assert homes["never"]["silent"] == "true" and homes["never"]["heard_from"] == "false"
    assert homes["other"]["silent"] == "true" and homes["home-0"]["silent"] == "false"
    counts = homes["prompts"]
    assert (counts["due"], counts["done"], counts["missed_device_off"]) == ("5", "1", "2"), counts
    assert int(homes["home-0"]["rows"]) > 0
    with open(f"{WORK}/report/index.html", encoding="utf-8") as file:
        page = file.read()
    assert "S-1 B: " in page and "never" in page
    assert not [name for name in os.listdir(f"{WORK}/report") if name.endswith(".new")]
    text = metrics()
    # promtool also reports names that break the conventions.
    subprocess.run(["promtool", "check", "metrics"], input=text, text=True, check=True)
    assert 'prompter_archive_replies_total{status="423"}' in text
    label = 'study="S-1",site="B",home="never"'
    assert f"prompter_archive_home_contact_timestamp_seconds{{{label}}} 0\n" in text
    assert f"prompter_archive_home_enrolled_timestamp_seconds{{{label}}} 0\n" in text
    found = {name: int(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines()
             if line.startswith("prompter_archive_home_") and 'home="prompts"' in line)}
    label = 'study="S-1",site="A",home="prompts"'
    for name, column in (("contact", "contact_at"), ("row", "received_at")):
        wanted = psql(f"SELECT extract(epoch FROM max({column}))::bigint FROM prompter.streams "
                      "WHERE home = 'prompts'")[0][0]
        assert found[f"prompter_archive_home_{name}_timestamp_seconds{{{label}}}"] == int(wanted)
    assert found[f'prompter_archive_home_open_findings{{{label},kind="fork"}}'] == 1, found
    assert found[f"prompter_archive_home_expected{{{label}}}"] == 1
    findings()


def summary():
    tool("report", f"{WORK}/report")
    with open(f"{WORK}/report/summary.csv", encoding="utf-8") as file:
        return {row["home"]: row for row in csv.DictReader(file)}


def metrics():
    status, text = ask("GET", "/metrics")
    assert status == 200, (status, text)
    return text


def findings():
    """Somebody closes a finding after a look at it. The same finding can open again."""
    rows = [row.split("\t") for row in tool("finding", "list").splitlines()]
    forks = [row for row in rows if row[:2] == ["prompts", "fork"]]
    assert len(forks) == 1 and len(forks[0]) == 7 and forks[0][3:5] == ["19", "1"], forks
    others = [row for row in rows if row[:2] != ["prompts", "fork"]]
    assert others
    tool("finding", "close", "nobody", "fork", code=2)
    tool("finding", "close", "prompts", "frok", code=64)
    assert tool("finding", "close", "prompts", "fork") == "1 findings were closed.\n"
    assert tool("finding", "close", "prompts", "fork") == "0 findings were closed.\n"
    assert [row.split("\t") for row in tool("finding", "list").splitlines()] == others
    assert 'home="prompts",kind="fork"' not in metrics()
