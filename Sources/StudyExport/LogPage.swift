import Alarms
import EventCoding
import JSONValue

/// The researcher's codebook, `docs/reference/LOG.md`, made from the tables of the export.
public enum LogPage {
  /// The whole page.
  public static var text: String {
    var page = preface
    for layout in ExportLayout.allCases {
      page += "\n## Layout `\(layout.rawValue)`\n\n\(words(layout))\n"
      for table in layout.tables where table != .codebook { page += section(table) }
    }
    page +=
      "\n## codebook.csv\n\nIn every layout: what this page says, of the columns that are there.\n"
    page += section(.codebook)
    return page + lists
  }

  private static func words(_ layout: ExportLayout) -> String {
    switch layout {
    case .frictionless: "The default: everything, in tables of this program's own."
    case .mpath:
      "`prompter export DIR --layout mpath`: prompts as the beeps of an m-Path study, read by the R package "
        + "mpathr (`read_mpath(\"mpath_basic.csv\", \"mpath_meta.csv\")`) and what is built on it. Cells are "
        + "separated by semicolons; times are seconds on the participant's wall clock, as m-Path has them. In "
        + "safe harbor they count as if day 1 were 2000-01-01."
    case .cleanadh:
      "`prompter export DIR --layout cleanadh`: completions as the openings of a monitor, for "
        + "CleanADHdata.R (Bandiera et al., JMIR Form Res 2024;8:e51013). eventlist.csv is read as it is; the "
        + "other files are the sheets of that script's auxiliary workbook, one file each. In safe harbor dates "
        + "count as if day 1 were 2000-01-01."
    }
  }

  private static func section(_ table: ExportTable) -> String {
    var text = "\n### \(table.name).csv\n\n\(table.title)."
    if !table.primaryKey.isEmpty {
      text += " One row for each \(table.primaryKey.map { "`\($0)`" }.joined(separator: ", "))."
    }
    text +=
      "\n\n| Column | Type | Unit | Meaning | Empty when | Example | In |\n|---|---|---|---|---|---|---|\n"
    for column in table.columns {
      var seen: [String] = []
      for profile in ExportProfile.allCases {
        for field in column.fields(profile) where !seen.contains(field.name) {
          seen.append(field.name)
          text += row(field, column)
        }
      }
    }
    return text
  }

  private static func row(_ field: ExportField, _ column: ExportColumn) -> String {
    let profiles = ExportProfile.allCases.filter { profile in
      column.fields(profile).contains { $0.name == field.name }
    }
    let isEverywhere = profiles.count == ExportProfile.allCases.count
    let shown = isEverywhere ? "all" : profiles.map(\.rawValue).joined(separator: ", ")
    let cells = [
      "`\(field.name)`", field.type, field.unit ?? "", field.meaning, field.emptyWhen ?? "never",
      field.example.isEmpty ? "" : "`\(field.example)`", shown,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  private static func list(_ title: String, _ rows: [(String, String)]) -> String {
    "\n## \(title)\n\n| Word | Meaning |\n|---|---|\n"
      + rows.map { "| `\($0.0)` | \(escaped($0.1)) |\n" }.joined()
  }

  /// The closed lists.
  private static var lists: String {
    list("Outcomes", Outcome.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Reasons", ReasonCode.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Causes of gaps", GapCause.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Types of events", EventGlossary.types.map { ($0.type, $0.meaning) })
  }

  private static let preface = """
    # The record, column by column

    What `prompter export` writes. This page is made of the same tables as the files themselves, their
    `codebook.csv` and their `datapackage.json`, and a test fails when it is not.

    ```
    prompter export DIR [--profile safe_harbor|limited|identified] [--layout frictionless|mpath|cleanadh]
    ```

    The same record gives the same bytes. `MANIFEST.json` holds the digest and the number of rows of every file, and the
    head of the record: its newest event's number, hash and code. Keep it away from the device; then
    `prompter verify --manifest DIR` proves that the files are as they were written and that the record still holds what
    they were made of. Its `record` says whether any event was missing or did not follow when the export walked through,
    and how many were purged before.

    `prompter report DIR` makes one page of pictures, `report.html`, and `summary.csv` of an export in the default layout.
    The export's own `analysis.py` (pandas) and `analysis.R` (nothing but R) compute the same `summary.csv` from
    `prompts.csv` alone: a row for each phase, person and measure with `n`, `of` and `value`, which is a share in percent or
    a quantile. The page says how each is counted; what was excluded is counted too.

    ## What was purged

    `prompter log purge` (see STUDIES.md) takes the beginning out of the record and puts it into a file. An export made after
    that has no rows of prompts that were over by then. `gaps.csv` has one row with the cause `purged` from the first event to
    where the purge ended, and `MANIFEST.json` says `purged_through_seq` and `purged_events`. Of the events up to there those are
    left that alarms, people, prompts and answers are still made of: `events.csv` has them, with holes between their numbers.
    Day 1 stays the day that it was.

    The file is one JSON document a line. The first: `format`, `version`, `after_seq` and `after_hash` (the event before, 0 and
    64 zeros for none), `through_seq` and `through_hash`. Then each event: its columns as in `events.csv`, `payload` as the text
    that was hashed, and the `salt` and `body` of its words where it has any. `hash` is SHA-256, in hex, over the columns before
    it: `-;` for null, else the number of its UTF-8 bytes, `:`, the bytes, `;`. `payload_digest` is SHA-256 of salt (as bytes) and
    body. `prompter verify --archive FILE` checks all of it, and that the record goes on from there; so does this:

    ```
    import hashlib, json, sys
    sha = lambda data: hashlib.sha256(data).hexdigest()
    lines = map(json.loads, open(sys.argv[1], encoding="utf-8"))
    first = next(lines)
    seq, last = first["after_seq"], first["after_hash"]
    for row in lines:
        cells = [row[name] for name in list(row)[: list(row).index("hash")]]
        data = [b"-;" if c is None else b"%d:%s;" % (len(str(c).encode()), str(c).encode()) for c in cells]
        words = bytes.fromhex(row.get("salt", "")) + row.get("body", "").encode()
        assert (row["seq"], row["prev_hash"]) == (seq + 1, last) and sha(b"".join(data)) == row["hash"], row["seq"]
        assert "body" not in row or sha(words) == row["payload_digest"], row["seq"]
        seq, last = row["seq"], row["hash"]
    assert (seq, last) == (first["through_seq"], first["through_hash"])
    ```

    ## How to read a cell

    - Files are UTF-8, lines end with LF, cells are quoted as RFC 4180 has it. An empty cell means what "Empty when" says
      and nothing else: no `NA`, no -99.
    - A text that a spreadsheet would run, because it begins with `=`, `+`, `-`, `@`, a tab or a line break, has one `'` in
      front; so has a text that begins with `'`, and one in which blanks, combining marks or invisible characters stand before
      such a sign. Numbers are never touched.
    - `_utc` is RFC 3339 with milliseconds. `_local` is the same instant as the wall clock of the home showed it. A
      latency is a difference of wall clocks unless it says otherwise; `clock_state` says how far to trust them.
    - Profiles: `identified` holds everything, typed words too. `limited` has pseudonyms and real dates, and nothing that
      anybody typed. `safe_harbor`, the default, has the day of the study and the time of day instead of dates; no words,
      zones, users, hashes or weekdays; and identifiers that cannot be looked up anywhere. Day 1 is the local day of the
      first event. What lies before it, as a clock that starts in 1970 does, stays empty, and so does a length of time of
      more than 31 days.

    """
}
