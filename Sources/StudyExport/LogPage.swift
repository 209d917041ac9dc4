import Alarms
import EventCoding
import JSONValue

/// The codebook for researchers (`docs/reference/LOG.md`), generated from the tables of the export.
public enum LogPage {
  /// The whole codebook as Markdown.
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
    case .frictionless:
      "This layout is the default. It contains all data. The columns of its tables are listed below."
    case .mpath:
      "`prompter export DIR --layout mpath`: in m-Path, a reminder to answer questions is a beep. "
        + "This layout contains each prompt as one beep, for the R package mpathr "
        + "(`read_mpath(\"mpath_basic.csv\", \"mpath_meta.csv\")`) and for packages that use mpathr. Semicolons "
        + "separate the cells. Times are seconds on the participant's wall clock, as in m-Path. In `safe_harbor`, "
        + "times count as if day 1 were 2000-01-01."
    case .cleanadh:
      "`prompter export DIR --layout cleanadh`: for the script CleanADHdata.R "
        + "(Bandiera et al., JMIR Form Res 2024;8:e51013). The script analyses data of electronic pill boxes "
        + "(monitors), which record when a person opens them. This layout contains each alarm as one pill box, and "
        + "each completed prompt as one opening. The script reads `eventlist.csv` directly. Each other file is one "
        + "sheet of the auxiliary workbook of the script. In `safe_harbor`, dates count as if day 1 were 2000-01-01."
    }
  }

  private static func section(_ table: ExportTable) -> String {
    var text = "\n### \(table.name).csv\n\n\(table.title)."
    if !table.primaryKey.isEmpty {
      let key = table.primaryKey.map { "`\($0)`" }.joined(separator: " and ")
      text += " One row for each \(table.primaryKey.count > 1 ? "combination of " : "")\(key)."
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

  /// The tables of all fixed lists, such as outcomes and reasons.
  private static var lists: String {
    list("Outcomes", Outcome.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Reasons", ReasonCode.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Causes of gaps", GapCause.allCases.map { ($0.rawValue, $0.meaning) })
      + list("Types of events", EventGlossary.types.map { ($0.type, $0.meaning) })
  }

  private static let preface = """
    # The columns of an export

    This page describes the files of `prompter export`. A program makes this page from the same tables as `codebook.csv`
    and `datapackage.json` of an export, and a test fails if the page differs from these tables.

    ```
    prompter export DIR [--profile safe_harbor|limited|identified] [--layout frictionless|mpath|cleanadh]
    ```

    Two exports of the same record contain the same bytes. `MANIFEST.json` contains:

    - `files`: the SHA-256 and the number of rows of every file
    - `head`: the number, the hash and the head code of the newest event
    - `record`: the events that were missing or did not continue the hash chain, and the number of events that were purged
      before the export

    Keep `MANIFEST.json` away from the device. Then `prompter verify --manifest DIR` proves that the files are unchanged,
    and that the record still contains the events from which they were made.

    `prompter report DIR` makes `report.html`, a page with charts, and `summary.csv` from an export in the default layout.
    The scripts `analysis.py` (needs pandas) and `analysis.R` (needs only base R) of the export compute the same
    `summary.csv` from `prompts.csv` alone. `summary.csv` has a row for each phase, person and measure. The column `n`
    contains a count, and the column `of` contains the total. The column `value` contains a percentage or a quantile, for
    example the median. `report.html` explains each measure and shows the number of excluded prompts.

    ## Exports after a purge

    `prompter log purge` (see STUDIES.md) moves the beginning of the record into a file. In an export after a purge:

    - `prompts.csv` does not contain the ended prompts that were purged.
    - `gaps.csv` has one row with the cause `purged`. The row begins at the first event of the record and ends at the last
      purged event.
    - `record` in `MANIFEST.json` contains `purged_through_seq` and `purged_events`.
    - `events.csv` contains those purged events that current alarms, people, prompts and answers need. The
      column `seq` skips the numbers of the other purged events.
    - Day 1 of the study is the same day as before the purge.

    The file of a purge has one JSON document on each line:

    - The first line has these members: `format` and `version`; `after_seq` and `after_hash`, the number and the hash of the
      event before the first event of the file (0 and 64 zeros if there is no such event); `through_seq` and `through_hash`,
      the number and the hash of the last event.
    - Each further line is an event. It has the columns of `events.csv`, with `payload` as the text that was hashed. If the
      event has free text, the line also has the `salt` and the `body` of this text.

    `hash` is the SHA-256, in hexadecimal, of the encoded columns before `hash`. The columns are encoded in this way:

    - A column with a value is encoded as the number of its bytes in UTF-8, a colon, the bytes and a semicolon. For example,
      `patient` becomes `7:patient;`, and the number 1204 becomes `4:1204;`.
    - A column without a value (null) is encoded as `-;`.
    - The encoded columns follow one another without a separator. For example, the columns 1204, null and `patient` become
      `4:1204;-;7:patient;`.

    `payload_digest` is the SHA-256 of the bytes of the salt, followed by the bytes of the body. For example, the salt
    `00ff` stands for the two bytes 0x00 and 0xFF.

    `prompter verify --archive FILE` checks the hashes and the digests of the file, and checks that the record continues
    after the file. This program checks the file alone:

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
    - A missing value is an empty cell, never `NA` or -99. "Empty when" gives the condition for an empty cell.
    - A spreadsheet could run a text as a formula if the text begins with `=`, `+`, `-`, `@`, a tab or a line break. The
      export puts one `'` before these texts, and before texts that begin with `'`. Blanks, combining marks and
      invisible characters at the beginning of a text do not count. The export never changes numbers.
    - A column with the ending `_utc` contains an instant in RFC 3339 with milliseconds. The column with the ending `_local`
      contains the same instant as the wall clock of the home showed it.
    - A latency is a difference between two times of the wall clock. If a latency uses another clock, its description says
      so. `clock_state` contains the reliability of the clock.

    | Profile | Content |
    |---|---|
    | `identified` | everything, including typed texts |
    | `limited` | pseudonyms and real dates, but no text that a person typed |
    | `safe_harbor` (default) | day of the study and time of day instead of dates; identifiers that occur in no other data; no texts, zones, users, hashes or weekdays |

    Day 1 is the local day of the first event whose `clock_state` is not `unset`. In `safe_harbor`, a time before day 1 stays
    empty, for example a time of a clock that starts in 1970. A duration of more than 31 days is empty, too.

    """
}
