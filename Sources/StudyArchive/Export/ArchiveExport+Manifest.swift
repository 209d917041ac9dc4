import ArchiveProtocol
import CivilTime
import EventCoding
import JSONValue
import StudyExport

extension ArchiveExport {
  /// The homes from which the archive expects rows, but does not have all rows.
  package var missing: [FleetState] { homes.filter { $0.missing != nil } }

  /// One sentence for each home in `missing`, for the output of the export command.
  package var missingSentences: [String] {
    missing.compactMap { home in
      home.missing.map { reason, since in
        let time = Instant(seconds: since)
        let why =
          switch reason {
          case .neverHeardFrom: "never had a contact; it was added at \(time)"
          case .silent: "is silent; its newest contact was at \(time)"
          case .noNewRows: "has contacts, but no new row since \(time)"
          }
        return "\(home.home) (\(home.site)) \(why)"
      }
    }
  }

  /// The content of the file MANIFEST.json.
  var manifest: JSON {
    .object(
      [
        ("format", .integer(1)), ("kind", .string("archive")),
        ("profile", .string(profile.rawValue)),
        ("layout", .string(ExportLayout.frictionless.rawValue)), ("version", .string(version)),
      ] + (profile == .limited ? limitedMembers : safeMembers) + [
        ("files", .array(files.map(\.manifestEntry)))
      ])
  }

  private var limitedMembers: [(String, JSON)] {
    let streams = Dictionary(grouping: streams) { $0.stream.home }
    return [
      ("made_utc", .optional(homes.first.map { Self.time($0.now) })),
      ("study", .optional(study)),
      (
        "verified",
        .object([
          ("streams", .integer(Int64(verification.streams))),
          ("rows", .integer(verification.rows)),
          ("sealed_rows", .integer(verification.sealedRows)),
          ("faults", .array(verification.faults.map(JSON.string))),
        ])
      ), ("missing", .array(missing.map(missingHome))),
      ("homes", .array(homes.map { home($0, streams[$0.home] ?? []) })),
    ]
  }

  private static func time(_ seconds: Int64) -> String { Instant(seconds: seconds).description }

  private func missingHome(_ home: FleetState) -> JSON {
    .object([
      ("study", .string(home.study)), ("site", .string(home.site)), ("home", .string(home.home)),
      ("reason", .optional(home.missing?.reason.rawValue)),
      ("since_utc", .optional(home.missing.map { Self.time($0.since) })),
    ])
  }

  private func home(
    _ home: FleetState, _ streams: [(stream: ArchivedStream, check: StreamCheck)]
  ) -> JSON {
    .object([
      ("study", .string(home.study)), ("site", .string(home.site)), ("home", .string(home.home)),
      ("state", .string(home.state)), ("expected", .bool(home.isExpected)),
      ("added_utc", .string(Self.time(home.added))),
      ("enrolled_utc", .optional(home.enrolled.map(Self.time))),
      ("newest_contact_utc", .optional(home.contact.map(Self.time))),
      ("newest_row_utc", .optional(home.received.map(Self.time))),
      ("backlog", .integer(home.backlog)),
      ("open_findings", .integer(home.findings.values.reduce(0, +))),
      ("streams", .array(streams.map { self.stream($0.stream, $0.check) })),
    ])
  }

  private func stream(_ stream: ArchivedStream, _ check: StreamCheck) -> JSON {
    .object([
      ("stream", .string(stream.stream)), ("parent", .optional(stream.parent)),
      ("parent_seq", stream.parentSequence.map { .integer($0) } ?? .null),
      ("successor", .optional(stream.successor)),
      ("start_seq", .integer(stream.start.sequence)),
      (
        "head",
        stream.head.map { head in
          .object([
            ("seq", .integer(head.sequence)), ("hash", .string(head.hash)),
            (
              "code",
              .string(HeadCode(sequence: head.sequence, hash: head.hash).description)
            ),
          ])
        } ?? .null
      ),
      ("rows", .integer(check.rows)), ("sealed_rows", .integer(check.sealedRows)),
      ("withheld_rows", .integer(withheld[stream.stream] ?? 0)),
      ("unreadable_rows", .integer(unreadableRows[stream.stream] ?? 0)),
      ("fault", .optional(check.fault)),
    ])
  }

  /// The members of a manifest with the profile `safe_harbor`. This profile shows no date, no hash
  /// and no name. A sentence about a fault would contain the name of a stream, and a sentence about
  /// missing rows would contain the name of a home. Therefore the manifest contains only the number
  /// of faults and the number of homes with missing rows.
  private var safeMembers: [(String, JSON)] {
    let counts = MissingReason.allCases.map { reason in
      (
        reason.rawValue,
        JSON.integer(Int64(homes.count { $0.missing?.reason == reason }))
      )
    }
    return [
      ("study", .optional(study)),
      ("verified", .object([("fault_count", .integer(Int64(verification.faults.count)))])),
      ("expected_homes", .integer(Int64(homes.count(where: \.isExpected)))),
      ("missing_homes", .object(counts)),
      (
        "homes",
        .array(
          codedHomes.sorted { $0.lexicographicallyPrecedes($1) }.map { pair in
            .object([("site", .string(pair[0])), ("home", .string(pair[1]))])
          })
      ),
    ]
  }

  /// The content of the file codebook.csv, which explains each column of each table.
  var codebook: (bytes: [UInt8], rows: Int) {
    let header = ExportTable.codebook.fields(.limited).map(\.name)
    var lines = [header]
    let tables: [(ExportTable, [String])] =
      switch profile {
      case .limited:
        [
          (.prompts, Self.promptColumns), (.rings, Self.homeColumns),
          (.participants, Self.homeColumns),
          (.phases, Self.homeColumns), (.events, ["site", "home", "stream"]),
        ]
      case .safeHarbor: [(.prompts, ["site", "home"])]
      }
    for (table, before) in tables {
      for name in before {
        let column = addedColumn(name)
        lines.append([
          "\(table.name).csv", name, column.type, "", column.meaning, "", column.emptyWhen,
          column.example,
        ])
      }
      for field in table.fields(profile == .limited ? .limited : .safeHarbor) {
        lines.append([
          "\(table.name).csv", field.name, field.type, field.unit ?? "", field.meaning,
          field.choices.joined(separator: "|"), field.emptyWhen ?? "", field.example,
        ])
      }
    }
    var bytes: [UInt8] = []
    for line in lines {
      for (place, cell) in line.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        CSV.append(text: cell, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return (bytes, lines.count - 1)
  }

  /// A column that is not in an export of a home.
  private struct AddedColumn {
    var type = "string"
    var meaning: String
    var emptyWhen = ""
    var example: String
  }

  private func addedColumn(_ name: String) -> AddedColumn {
    switch (name, profile) {
    case ("site", .limited): AddedColumn(meaning: "Site of the study", example: "berlin")
    case ("site", .safeHarbor):
      AddedColumn(meaning: "Code of the site", example: "i-9f86d081884c7d659a2f")
    case ("home", .limited):
      AddedColumn(meaning: "Home, as named in the archive", example: "home-017")
    case ("home", .safeHarbor):
      AddedColumn(meaning: "Code of the home", example: "h-9f86d081884c7d659a2f")
    case ("device", _):
      AddedColumn(meaning: "Pseudonym of the first device of the home", example: "D-16q4g4jx")
    case ("study_day", _):
      AddedColumn(
        type: "integer", meaning: StudyDays.meaning, emptyWhen: StudyDays.emptyWhen, example: "3")
    default:
      AddedColumn(
        meaning: "Stream of the home in the archive. After a fork, a home has several",
        example: "s-1")
    }
  }
}
