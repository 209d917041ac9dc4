import Alarms
import ArgumentParser
import ClientKit
import JSONValue
import MessageDigest
import Report
import StudyExport

/// `prompter study allocation`: compares the enrolments of an export with the allocation list.
struct StudyAllocation: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allocation",
    abstract: "Compare the enrolments of an export with the allocation list.",
    discussion: """
      Needs no daemon. The list is a CSV file with the columns participant and arm, and for a blinded study \
      also arm_code. The command ignores other columns. Give an export or a pool of exports. The exit code \
      is 0 if all enrolments agree with the list, and 1 if not.

      Example: prompter study allocation allocation.csv all-homes --study remind1
      """)

  @Argument(help: "The allocation list.", completion: .file())
  var list: String

  @Argument(help: "The directory of an export or of a pool.", completion: .directory)
  var export: String

  @Option(
    help: ArgumentHelp("Only the enrolments in this study (default: all).", valueName: "id"))
  var study: String?

  /// The parser stores the value of this flag in the options of `PrompterCommand`. The declaration
  /// here only adds the flag to the help.
  @Flag(help: "Print the result as JSON.")
  var json = false

  @ParentCommand var prompter: PrompterCommand

  func run() throws {
    let list = try AllocationList(file: list)
    let manifest = try ExportManifest(directory: export)
    guard manifest.layout == ExportLayout.frictionless.rawValue else {
      throw Failure.badUsage(
        "cannot check \(export): it has the layout \(manifest.layout); export again without --layout"
      )
    }
    try manifest.check("check")
    let check = AllocationCheck(list, try enrolments())
    if prompter.connection.json {
      Terminal.print(json: Self.document(check))
    } else {
      Self.print(check)
    }
    guard check.findings.isEmpty else {
      throw Failure.refused(
        "\(TextFormat.counted(check.findings.count, "difference")) between the enrolments and the "
          + "allocation list")
    }
  }

  private func enrolments() throws -> [AllocationCheck.Enrolment] {
    var found: [AllocationCheck.Enrolment] = []
    var studies: Set<String> = []
    let path = "\(export)/participants.csv"
    var reader = CSVTableReader()
    try Files.stream(path) { bytes in
      do throws(Refusal) {
        try reader.feed(bytes) { line in
          guard study == nil || line["study_id"] == study else { return }
          studies.insert(line["study_id"] ?? "")
          found.append(
            .init(
              person: line["person"] ?? "", participant: line["participant"], arm: line["arm"],
              isBlinded: line["is_blinded"] == "true", sha256: line["allocation_sha256"]))
        }
      } catch {
        throw Failure.badUsage("cannot read \(path): \(error.detail)")
      }
    }
    if studies.count > 1 {
      throw Failure.badUsage(
        "cannot check \(export): it contains the studies \(studies.sorted().joined(separator: ", ")); "
          + "choose one with --study")
    }
    guard !found.isEmpty else {
      throw Failure.badUsage(
        "cannot check \(export): it contains no enrolment"
          + (study.map { " in the study \"\($0)\"" } ?? ""))
    }
    return found
  }

  private static func print(_ check: AllocationCheck) {
    if !check.findings.isEmpty {
      var table = Table("PERSON", "PARTICIPANT", "DIFFERENCE")
      for finding in check.findings {
        table.add(
          .init(finding.person), .init(finding.participant), .init(finding.text, .attention))
      }
      Terminal.print(table.text)
    }
    let different = Set(check.findings.map(\.person)).count
    Terminal.print(
      "\(TextFormat.counted(check.enrolments, "enrolment")) compared, "
        + "\(TextFormat.counted(different, "person", "people")) with a difference. "
        + "\(TextFormat.counted(check.unused.count, "row")) of the list not used.")
    if !check.skipped.isEmpty {
      Terminal.print(
        "Skipped, because a later row is in use: \(check.skipped.joined(separator: ", ")).")
    }
    if check.blinded > 0 {
      Terminal.print(
        "The SHA-256 of the list was not compared for "
          + "\(TextFormat.counted(check.blinded, "enrolment")): the study is blinded.")
    }
  }

  private static func document(_ check: AllocationCheck) -> JSON {
    .object([
      ("enrolments", .integer(Int64(check.enrolments))),
      ("blinded", .integer(Int64(check.blinded))),
      (
        "differences",
        .array(
          check.findings.map { finding in
            .object([
              ("kind", .string(finding.kind.rawValue)), ("person", .string(finding.person)),
              ("participant", .string(finding.participant)), ("text", .string(finding.text)),
            ])
          })
      ),
      ("unused", .array(check.unused.map(JSON.string))),
      ("skipped", .array(check.skipped.map(JSON.string))),
    ])
  }
}

extension AllocationList {
  /// The maximum size of an allocation list in bytes.
  private static let limitBytes = 1 << 20

  /// Reads an allocation list.
  ///
  /// - Throws: `Failure.badUsage` with the reason why the list cannot be used.
  init(file path: String) throws {
    let bytes = try Files.read(path, atMost: Self.limitBytes)
    var rows: [Row] = []
    var reader = CSVTableReader()
    do throws(Refusal) {
      // The reader ignores a last row without a line feed, because in an export such a row is
      // incomplete. An allocation list can end without a line feed, so add the line feed.
      try reader.feed(bytes + (bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")])) {
        rows.append(
          Row(
            participant: $0["participant"] ?? "", arm: $0["arm"] ?? "", armCode: $0["arm_code"]))
      }
    } catch {
      throw Failure.badUsage("cannot read \(path): \(error.detail)")
    }
    do throws(AllocationError) {
      try self.init(rows, columns: reader.columns, sha256: SHA256Digest.hex(bytes))
    } catch {
      throw Failure.badUsage("cannot use the allocation list \(path): \(error)")
    }
  }
}
