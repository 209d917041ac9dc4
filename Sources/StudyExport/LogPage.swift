import Alarms
import EventCoding
import JSONValue

/// The researcher's codebook, `docs/reference/LOG.md`, made from the tables of the export.
public enum LogPage {
  /// The whole page.
  public static var text: String {
    var page = preface
    for layout in ExportLayout.allCases {
      page += "\n## Layout `\(layout.rawValue)`\n\n\(description(layout))\n"
      for table in layout.tables where table != .codebook { page += section(table) }
    }
    page +=
      "\n## codebook.csv\n\nEvery layout has this file. It describes the columns of the export, as this page does.\n"
    page += section(.codebook)
    return page + lists
  }

  private static func description(_ layout: ExportLayout) -> String {
    switch layout {
    case .frictionless: "The default: all data, in tables of this project."
    case .mpath:
      "`prompter export DIR --layout mpath`: prompts as the beeps of an m-Path study, for the R package mpathr "
        + "(`read_mpath(\"mpath_basic.csv\", \"mpath_meta.csv\")`) and packages that use it. Semicolons separate "
        + "the cells. Times are seconds on the participant's wall clock, as in m-Path. In `safe_harbor` they "
        + "count as if day 1 were 2000-01-01."
    case .cleanadh:
      "`prompter export DIR --layout cleanadh`: completions as the openings of a monitor, for "
        + "CleanADHdata.R (Bandiera et al., JMIR Form Res 2024;8:e51013). The script reads eventlist.csv "
        + "unchanged. Each other file is one sheet of the auxiliary workbook of the script. In `safe_harbor` "
        + "dates count as if day 1 were 2000-01-01."
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

  /// The closed lists as tables.
  private static var lists: String {
    list("Outcomes", Outcome.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Reasons", ReasonCode.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Causes of gaps", GapCause.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Types of events", EventGlossary.types.map { ($0.type, $0.meaning) })
  }

  private static let preface = """
    # The columns of an export

    This page describes the files of `prompter export`. It is made from the same tables as `codebook.csv` and
    `datapackage.json` of an export, and a test fails if it differs from them.

    ```
    prompter export DIR [--profile safe_harbor|limited|identified] [--layout frictionless|mpath|cleanadh]
    ```

    The same record gives the same bytes. `MANIFEST.json` contains:

    - `files`: the SHA-256 and the number of rows of every file
    - `head`: number, hash and code of the newest event
    - `record`: events that were missing or did not continue the hash chain during the export, and how many events were
      purged before

    Keep `MANIFEST.json` away from the device. Then `prompter verify --manifest DIR` proves that the files are unchanged,
    and that the record still contains the events from which they were made.

    `prompter report DIR` makes `report.html`, a page with charts, and `summary.csv` from an export in the default layout.
    The scripts `analysis.py` (needs pandas) and `analysis.R` (needs only base R) of the export compute the same
    `summary.csv` from `prompts.csv` alone. It has a row for each phase, person and measure. `n` is a count, `of` is its
    total, and `value` is a share in percent or a quantile. The page explains each measure. It also shows how many prompts
    were excluded.

    ## Exports after a purge

    `prompter log purge` (see STUDIES.md) moves the beginning of the record into a file. In an export after a purge:

    - `prompts.csv` does not contain the ended prompts that were purged.
    - `gaps.csv` has one row with the cause `purged`, from the first event to the end of the purge.
    - `record` in `MANIFEST.json` contains `purged_through_seq` and `purged_events`.
    - `events.csv` contains the earlier events that current alarms, people, prompts and answers need. Their numbers have
      gaps.
    - Day 1 stays the same day.

    The file of a purge has one JSON document on each line:

    - The first line has `format` and `version`; `after_seq` and `after_hash`, the event before the file (0 and 64 zeros
      if there is none); and `through_seq` and `through_hash`, the last event.
    - Each further line is an event. It has the columns of `events.csv`, with `payload` as the text that was hashed. If the
      event has free text, the line also has its `salt` and `body`.

    `hash` is the SHA-256, in hex, of the columns before it. Each column is `-;` if it is null; otherwise it is the number
    of its UTF-8 bytes, `:`, the bytes, and `;`. `payload_digest` is the SHA-256 of the salt (as bytes) and the body.
    `prompter verify --archive FILE` checks all of this, and checks that the record continues after the file. This program
    checks the file alone:

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

    - Files are UTF-8. Lines end with LF. Cells are quoted as RFC 4180 requires.
    - "Empty when" says when a cell is empty. No other value, such as `NA` or -99, stands for a missing value.
    - A spreadsheet could run a text that begins with `=`, `+`, `-`, `@`, a tab or a line break. Such a text has one `'` in
      front. So has a text that begins with `'`, and a text in which blanks, combining marks or invisible characters
      precede such a sign. Numbers are never changed.
    - `_utc` is RFC 3339 with milliseconds. `_local` is the same instant as the wall clock of the home showed it.
    - A latency is a difference of wall clock times, unless its description says otherwise. `clock_state` says how reliable
      the clock was.

    | Profile | Content |
    |---|---|
    | `identified` | everything, including typed texts |
    | `limited` | pseudonyms and real dates, but no text that a person typed |
    | `safe_harbor` (default) | day of the study and time of day instead of dates; opaque identifiers that cannot be looked up; no texts, zones, users, hashes or weekdays |

    Day 1 is the local day of the first event whose `clock_state` is not `unset`. In `safe_harbor`, a time before day 1 stays
    empty, for example from a clock that starts in 1970. So does a length of time of more than 31 days.

    """
}
