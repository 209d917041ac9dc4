import Alarms
import EventCoding
import JSONValue

/// The codebook for researchers (`docs/reference/LOG.md`). Prompter generates the codebook from the
/// tables of the export.
public enum LogPage {
  /// The whole codebook as Markdown.
  public static var text: String {
    var page = preface
    for layout in ExportLayout.allCases {
      page += "\n## Layout `\(layout.rawValue)`\n\n\(description(layout))\n"
      for table in layout.tables where table != .codebook { page += section(table) }
      if layout == .frictionless {
        for table in ExportTable.ofReport { page += section(table) }
      }
    }
    page +=
      "\n## codebook.csv\n\nEvery layout has the file `codebook.csv`. It describes the columns of "
      + "the export, as this page does.\n"
    page += section(.codebook)
    return page + payloads + lists
  }

  private static func description(_ layout: ExportLayout) -> String {
    switch layout {
    case .frictionless:
      "This layout is the default. It contains all data. The next sections list the columns of "
        + "its tables."
    case .mpath:
      "`prompter export DIR --layout mpath`: the program m-Path reminds people to answer "
        + "questions, and calls such a reminder a beep. This layout contains each prompt, except "
        + "announcements, as one beep. The R package mpathr "
        + "(`read_mpath(\"mpath_basic.csv\", \"mpath_meta.csv\")`) and packages that use mpathr "
        + "can read this layout. Semicolons separate the cells. As in m-Path, a time is the number "
        + "of seconds since 1970-01-01 00:00 of a local clock. In `safe_harbor`, "
        + "the export shifts all dates, so that day 1 of the study is 2000-01-01.\n\n\(clock) "
        + "`timeZoneOffset` contains the offset of the clock from UTC: a time minus "
        + "`timeZoneOffset` is the time in UTC. `safe_harbor` does not have this column."
    case .cleanadh:
      "`prompter export DIR --layout cleanadh`: the script CleanADHdata.R (Bandiera et al., JMIR "
        + "Form Res 2024;8:e51013) analyses data of electronic pill boxes. An "
        + "electronic pill box records each time at which a person opens the box. In this layout, "
        + "each alarm takes the place of one pill box (column `Monitor`), and each completed "
        + "prompt takes the place of one opening of the box. The script reads `eventlist.csv` "
        + "directly. The script also reads an Excel file with further data. For this Excel file, "
        + "make one sheet from each of the files `EMInfo.csv`, `Regimen.csv` and "
        + "`NonMonitoredPeriods.csv`. In `safe_harbor`, the export shifts all dates, so that day 1 "
        + "of the study is 2000-01-01.\n\n\(clock) The days of `EMInfo.csv`, "
        + "`Regimen.csv` and `NonMonitoredPeriods.csv` are days on the same clock: the days for "
        + "which the prompts were scheduled."
    }
  }

  private static let clock =
    "All times of a row follow one clock: the clock of the alarm's zone, with the offset from UTC "
    + "that this zone had when the prompt was due. If a caretaker sets an alarm without a zone, its "
    + "zone is the home zone. If the home zone or the summer time changes before the prompt ends, "
    + "the clock of the row does not change."

  private static func section(_ table: ExportTable) -> String {
    var text = "\n### \(table.name).csv\n\n\(table.title)."
    if !table.primaryKey.isEmpty {
      let key = table.primaryKey.map { "`\($0)`" }.joined(separator: " and ")
      text += " One row for each \(table.primaryKey.count > 1 ? "combination of " : "")\(key)."
    }
    text +=
      "\n\n| Column | Type | Unit | Meaning | Empty when | Example | In "
      + "|\n|---|---|---|---|---|---|---|\n"
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
      "`\(field.name)`", field.type, field.unit ?? "", field.meaning, empty(field, column),
      field.example.isEmpty ? "" : "`\(field.example)`", shown,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  /// The condition under which a cell is empty. If `safe_harbor` has an additional condition, the
  /// text also contains this condition.
  private static func empty(_ field: ExportField, _ column: ExportColumn) -> String {
    let safe = column.fields(.safeHarbor).first { $0.name == field.name }?.emptyWhen
    if column.kind == .chain {
      return [
        column.emptyWhen, "a study is blinded",
        "in `limited`: the pseudonyms were changed before the export",
      ].compactMap { $0 }.joined(separator: "; ")
    }
    guard let usual = field.emptyWhen else {
      return safe.map { "only in `safe_harbor`: \($0)" } ?? "never"
    }
    guard let safe, safe.hasPrefix(usual + ", or ") else { return usual }
    return "\(usual); in `safe_harbor` also: \(safe.dropFirst(usual.count + ", or ".count))"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  /// The table of the members of the column `payload` of events.csv.
  private static var payloads: String {
    var text =
      "\n## Members of payloads\n\nThe column `payload` of events.csv contains a JSON object. An "
      + "event contains only the members of its type. This table describes the members of all "
      + "types. The file codebook.csv contains the same rows with the file "
      + "`\(PayloadMember.file)`. A time in a payload is the number of milliseconds since "
      + "1970-01-01 00:00 UTC.\n\n| Member | Type | Unit | Meaning | Words | Null when | In "
      + "|\n|---|---|---|---|---|---|---|\n"
    for member in PayloadMember.all {
      let words = member.words.map { "`\($0)`" }.joined(separator: ", ")
      let cells = [
        "`\(member.name)`", member.kind.rawValue, member.unit ?? "", member.meaning, words,
        member.nullWhen ?? "never",
        SafePayload.contains(member.name) ? "all" : "limited, identified",
      ]
      text += "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
    }
    return text
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

    This page describes the files of `prompter export`. The source code contains one list of all columns. This page,
    and the files `codebook.csv` and `datapackage.json` of each export, are generated from this list. A test fails if this page
    differs from the list.

    ```
    prompter export DIR [--profile safe_harbor|limited|identified] [--layout frictionless|mpath|cleanadh]
    ```

    If two exports have the same record, profile and layout, both contain the same bytes. After each export, the
    daemon adds the event `export_made` to the record. `MANIFEST.json` contains:

    - `files`: the SHA-256 and the number of rows of every file
    - `head`: the number, the hash and the head code of the newest event; not in `safe_harbor`
    - `record`: the number of missing events, the number of events that did not continue the hash chain, and the number of
      events that were purged before the export

    Keep a copy of `MANIFEST.json` outside the device. With this copy, `prompter verify --manifest DIR` proves that the
    files are unchanged, and that the record still contains the events from which the files were made.

    `prompter report DIR` reads an export in the default layout and makes three files: `report.html` (a page with charts),
    `summary.csv` and `estimates.csv`. The export contains the scripts `analysis.py` (needs pandas) and `analysis.R` (needs only
    base R). Both scripts compute the same `summary.csv` as `prompter report`. With `--estimates`, both scripts compute the same
    `estimates.csv` as `prompter report`. The scripts read only `prompts.csv`, `phases.csv` and `participants.csv`. REPORTING.md
    describes the estimates and their methods.

    `summary.csv` has a row for each combination of phase, person and measure:

    - The column `n` contains a count, for example the number of completed prompts. If the count is a part of a larger count,
      the column `of` contains the larger count.
    - The column `value` contains a percentage, or a quantile of a measured value, for example the median of a latency. In a row
      with the measure `monitored_h`, `value` is the monitored time in hours.
    - The column `is_small` marks a row if `n`, or `of` minus `n`, is from 1 to 4. With `--suppress-small`, `prompter report`
      and the scripts leave the numbers of these rows empty. Other rows can still reveal a suppressed number, for example if
      only one row of a sum is empty.

    `report.html` explains each measure. `report.html` also shows the number of prompts that the measures do not include.

    ## Exports after a purge

    `prompter log purge` (see STUDIES.md) moves the oldest events of the record into a file. In an export after a purge:

    - `prompts.csv` does not contain the ended prompts that were purged.
    - `gaps.csv` has one row with the cause `purged`. This gap begins at the first event of the record whose `clock_state`
      is not `unset`. The gap ends at the last event of the purged range.
    - `record` in `MANIFEST.json` contains `purged_through_seq` (the number of the last event of the purged range) and
      `purged_events` (the number of events that the purge removed).
    - From the purged range, `events.csv` contains only the events that the device still needs, for example the events of
      current alarms, people, open prompts and responses. The column `seq` skips the numbers of all other events of this
      range.
    - Day 1 of the study is the same day as in an export before the purge.

    A purge writes an archive file with one JSON document on each line:

    - The first line has the members `format` and `version`, and four more members. `after_seq` and `after_hash` are the
      number and the hash of the event before the first event of the file. If the file begins with event 1, `after_seq` is
      0, and `after_hash` is 64 zeros. `through_seq` and `through_hash` are the number and the hash of the last event.
    - Each of the next lines is one event. The line has the columns of `events.csv` from `seq` to `hash`. `payload` is a
      text: exactly the JSON text that was hashed. If the event has free text that was not erased, the line also has the
      members `salt` and `body`. `body` contains the free text.

    `hash` is the SHA-256, in hexadecimal, of the encoded columns before `hash`. The columns are encoded in this way:

    - A column with a value is encoded as four parts: the number of bytes of the value in UTF-8, a colon, these
      bytes, and a semicolon. For example, `patient` becomes `7:patient;`, and the number 1204 becomes `4:1204;`.
    - A column without a value (null) is encoded as `-;`.
    - The encoded columns follow one another without a separator. For example, the columns 1204, null and `patient` become
      `4:1204;-;7:patient;`.

    `payload_digest` is the SHA-256 of the bytes of the salt, followed by the bytes of `body` in UTF-8. The salt is written
    in hexadecimal. For example, the salt `00ff` means the two bytes 0x00 and 0xFF.

    `prompter verify --archive FILE` checks the hashes and the digests of the file. It also checks that the record contains
    the last event of the file, and that the later events of the record continue the hash chain. The following program
    checks only the file:

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
    - A missing value is an empty cell, never `NA` or -99. The column "Empty when" gives the condition for an empty cell.
    - Some programs change codes when they open a file. Prompter therefore refuses a pseudonym if a spreadsheet or R reads the
      pseudonym as a number with an exponent (`1e5`), a date (`3-4`), a missing value (`NA`) or a truth value (`TRUE`). Prompter
      also refuses the words `all` and `unknown`, because these words have a meaning in the tables. If two pseudonyms differ
      only in upper and lower case (`P-1` and `p-1`) or in leading zeros (`17` and `017`), Prompter refuses the second
      pseudonym.
    - A spreadsheet could run a text as a formula if the text begins with `=`, `+`, `-`, `@`, a tab or a line break. The
      export puts one `'` before these texts, and before texts that begin with `'`. If a text begins with blanks, combining
      marks or invisible characters, and the next character is `=`, `+`, `-` or `@`, the export also puts one `'` before
      the text. The export never changes numbers.
    - A column with the ending `_utc` contains an instant in RFC 3339 with milliseconds. The column with the same name and
      the ending `_local` contains the same instant in local time. If an alarm has its own time zone, the local times of
      the alarm are times in this zone. If a person has their own time zone, the local times of the person's phases and
      enrolments are times in the zone of the person. All other local times are times in the home zone.
    - A Boolean is `true` or `false`. In R, read such a column with `as.logical` or with `colClasses = "logical"`, as
      `analysis.R` does. If all columns are read as texts, `"false"` is a text and not a logical value.
    - A latency is the difference between two times of the wall clock, unless the description of the column names another
      clock. `clock_state` contains the reliability of the wall clock.

    ### Open a file in a spreadsheet

    If you double-click a CSV file, a spreadsheet guesses the encoding, the separator and the type of each column. It can
    then show `MÃ¼ller` for `Müller`, and change `017` to `17`, and `3-4` or `12.5` to a date. Import the file instead:

    | Step | Excel | LibreOffice Calc |
    |---|---|---|
    | Open | in an empty workbook: Data > From Text/CSV; choose the file | File > Open; choose the file |
    | Encoding | File Origin: 65001: Unicode (UTF-8) | Character set: Unicode (UTF-8) |
    | Separator | Delimiter: Comma (`mpath_basic.csv` and `mpath_meta.csv`: Semicolon) | Separated by: Comma (`mpath_*.csv`: Semicolon) |
    | Texts | Data Type Detection: Do not detect data types. All columns are then texts | mark all columns (Shift-click), Column type: Text |
    | Numbers | Transform Data: mark the columns of numbers, Data Type > Using Locale: Decimal number, English (United States) | mark the columns of numbers, Column type: US English |

    - The decimal separator of all numbers is a point.
    - Keep the columns of pseudonyms, ids, hashes, dates and times as texts.
    - A cell that begins with `'` is a protected text (see above).
    - Do not save the file from a spreadsheet over the export. `prompter verify --manifest DIR` would report the change.

    | Profile | Content |
    |---|---|
    | `identified` | everything, including typed texts |
    | `limited` | pseudonyms and real dates, but no text that a person typed |
    | `safe_harbor` (default) | instead of dates: the number of the study day and the time of day; instead of identifiers: codes that occur in no other data; rounded times and measured values; no texts, zones, users or hashes |

    ### What safe_harbor hides, and what remains

    If somebody has an export with the profile `safe_harbor` and an export with a different profile, no single column shows
    which rows of the two exports belong together:

    - Codes replace the ids, the event numbers and the digests. An export with a different profile does not contain these
      codes, and its pseudonyms are different. All tables of one export use the same codes.
    - Codes also replace the names of questions and choices, because a person typed these names.
    - A time of day is rounded down to a quarter of an hour.
    - A duration in milliseconds and a number of audio frames have two significant digits, rounded away from zero. This
      rounding does not change the shares of prompts that were completed within 15, 30 and 60 minutes. Reason: 15, 30 and 60
      minutes (900,000, 1,800,000 and 3,600,000 ms) already have two significant digits. So a duration of at most 15 minutes
      is rounded to at most 15 minutes, and a longer duration stays longer than 15 minutes.
    - A loudness is a whole number.
    - `MANIFEST.json` contains no number, hash or code of an event.

    The export also hides the day on which the clocks change:

    - The export contains no heartbeats and no events about new time zone data.
    - In the rows of a prompt, a time near the due time (at most two hours before or after it) is not a time of the wall clock.
      It is a time of a clock that shows the scheduled time of the prompt at the due time.
    - `duration_ms` in gaps.csv is the difference between the local time at the beginning and the local time at the end of the
      gap.

    Some facts remain. Consider them before you share an export:

    - If the code of a participant cannot be a name (for example `A-017`), the column `participant` contains this code in
      `limited` and in `safe_harbor`. With this code, researchers can join the export with other data of the trial. After
      `prompter study rekey`, exports with these two profiles do not contain the codes of earlier enrolments.
    - The names of the study and of the arm are the words that a researcher chose.
    - Responses, outcomes and the order of the prompts are the data of the study. If a reader has two exports of one home, or
      knows many events of this home, this reader can compare the patterns of many rows. Never give `limited` and
      `safe_harbor` exports of the same record to the same reader.
    - If an alarm is due only on certain weekdays, its prompts show which study days are these weekdays. If an alarm is silent on
      holidays, its prompts show which study days are holidays.
    - An alarm "every 8 hours" keeps its interval when the clocks change. From this day on, the local times of its prompts are
      one hour earlier or one hour later than before.
    - An alarm can be due some hours after an answer. If such an alarm is due in the night in which the clocks change, its
      prompt shows this change.

    An export with the profile `limited` contains the dates, the exact times and the numbers of the events. `prompter study
    rekey` does not change these values: an export from before the rekey and an export from after the rekey contain the same
    times. All ids and pseudonyms of the two exports differ. An export from after the rekey contains no hashes.

    Day 1 of the study is the local day of the first event whose `clock_state` is not `unset`. In `safe_harbor`, a cell is
    empty if its time is before day 1. For example, a clock that was not set can show a time in 1970. In
    `safe_harbor`, the cell of a duration in milliseconds is also empty if the duration is longer than 31 days.

    """
}
