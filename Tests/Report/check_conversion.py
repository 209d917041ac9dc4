"""Checks the files of `prompter convert` against the export:

    python3 check_conversion.py EXPORT REDCAP ODM

The ODM file must be valid according to the schema of CDISC, and the target of each reference in the
file must exist. The REDCap files must follow the rules for names, types and values of a REDCap
import. Both must contain each row and each value of the export.
"""
import json
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import odmlib
import pandas as pd
import xmlschema

export, redcap, odm = map(Path, sys.argv[1:4])
read = lambda path: pd.read_csv(path, dtype=str, keep_default_na=False)
unmarked = lambda text: text[1:] if text.startswith("'") else text
TABLES = ["participants", "phases", "prompts", "items", "responses", "diary"]
resources = {one["name"]: one["schema"]["fields"] for one in json.loads((export / "datapackage.json").read_text())["resources"]}
types = {(name, field["name"]): field["type"] for name in TABLES for field in resources[name]}
rows = {}  # For each person and table: the rows as dictionaries of the cells that are not empty.
for name in TABLES:
    for _, row in read(export / f"{name}.csv").iterrows():
        cells = {key: unmarked(cell) if types[name, key] == "string" else cell
                 for key, cell in row.items() if cell and key != "person"}
        rows.setdefault((row["person"] or "unknown", name), []).append(cells)
assert rows and any(name == "responses" for _, name in rows), "there is nothing to compare"

# Compare the ODM file.
schema = Path(odmlib.__file__).parent / "schemas/odm/1.3.2/ODM1-3-2.xsd"
xmlschema.XMLSchema(str(schema)).validate(str(odm / "odm.xml"))
root = xml.parse(odm / "odm.xml").getroot()
SPACE = "{http://www.cdisc.org/ns/odm/v1.3}"
defined = {one.get("OID") for one in root.iter() if one.get("OID")}
for one in root.iter():
    for key, aim in one.attrib.items():
        if key.endswith("OID") and key not in ("OID", "FileOID"):
            assert aim in defined, f"{one.tag} names {aim}, which is not defined"
lists = {one.get("OID"): {item.get("CodedValue") for item in one} for one in root.iter(SPACE + "CodeList")}
items = {one.get("OID"): one for one in root.iter(SPACE + "ItemDef")}
FORMS = {"integer": r"-?\d+", "float": r"-?\d+(\.\d+)?", "boolean": r"true|false", "date": r"\d{4}-\d\d-\d\d", "time": r"\d\d:\d\d:\d\d",
         "datetime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", "text": r"(?s).*"}
found = {}
for subject in root.iter(SPACE + "SubjectData"):
    for group in subject.iter(SPACE + "ItemGroupData"):
        name = group.get("ItemGroupOID").removeprefix("IG.")
        place = found.setdefault((subject.get("SubjectKey"), name), [])
        assert group.get("ItemGroupRepeatKey") == str(len(place) + 1)
        for item in group:
            definition, value = items[item.get("ItemOID")], item.get("Value")
            assert re.fullmatch(FORMS[definition.get("DataType")], value), f"{item.get('ItemOID')} is {value}"
            assert len(value) <= int(definition.get("Length", len(value))), f"{item.get('ItemOID')} is longer than its length"
            code = definition.find(SPACE + "CodeListRef")
            assert code is None or value in lists[code.get("CodeListOID")], f"{item.get('ItemOID')} is {value}"
        place.append({one.get("ItemOID").removeprefix(f"IT.{name}."): one.get("Value") for one in group})
assert found == rows, "the ODM file has other rows than the export"

# Compare the REDCap files.
dictionary = read(redcap / "data_dictionary.csv")
names = list(dictionary["Variable / Field Name"])
assert len(dictionary.columns) == 18 and len(set(names)) == len(names) and names[0] == "record_id"
assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,99}", name) for name in names), "a variable has a name that REDCap refuses"
repeating = list(read(redcap / "repeating_instruments.csv")["form_name"])
assert list(dict.fromkeys(dictionary["Form Name"])) == ["person"] + repeating
CHECKS = {"integer": r"-?\d+", "number": r"-?\d+(\.\d+)?", "datetime_seconds_ymd": r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "date_ymd": r"\d{4}-\d\d-\d\d",
          "time": r"\d\d:\d\d", "": r"(?s).*"}
kinds = dictionary.set_index("Variable / Field Name")
data = read(redcap / "data.csv")
assert list(data.columns) == ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "person_complete"] + [
    column for form in repeating for column in list(dictionary[dictionary["Form Name"] == form].iloc[:, 0]) + [f"{form}_complete"]]
shown, seen = {}, set()
for _, row in data.iterrows():
    person, form = row["record_id"], row["redcap_repeat_instrument"]
    full = {key: cell for key, cell in row.items() if cell and key in kinds.index and key != "record_id"}
    if not form:
        assert person not in seen and not full and row["person_complete"] == "2"
        seen.add(person)
        continue
    assert person in seen and form in repeating
    place = shown.setdefault((person, form), [])
    assert row["redcap_repeat_instance"] == str(len(place) + 1) and row[f"{form}_complete"] == "2"
    cells = {}
    for name, cell in full.items():
        kind, choices = kinds.loc[name, "Field Type"], kinds.loc[name, "Choices, Calculations, OR Slider Labels"]
        assert kinds.loc[name, "Form Name"] == form, f"{name} has a value in the form {form}"
        assert re.fullmatch(CHECKS[kinds.loc[name, "Text Validation Type OR Show Slider Number"]], cell), f"{name} is {cell}"
        if kind == "truefalse":
            assert cell in "01"
        if kind == "dropdown":
            assert cell in [one.split(", ")[0] for one in choices.split(" | ")], f"{name} is {cell}"
        cells[name.removeprefix(f"{form}_")] = cell
    place.append(cells)


def as_redcap(name, key, cell):
    kind = types[name, key]
    return {"boolean": {"true": "1", "false": "0"}.get(cell), "datetime": cell[:19].replace("T", " "), "time": cell[:5]}.get(kind, cell)


wanted = {place: [{key: as_redcap(place[1], key, cell) for key, cell in row.items()} for row in all_rows]
          for place, all_rows in rows.items()}
shown = {place: [{key: unmarked(cell) if types[place[1], key] == "string" else cell for key, cell in row.items()} for row in all_rows]
         for place, all_rows in shown.items()}
assert shown == wanted, "the REDCap data have other rows than the export"
