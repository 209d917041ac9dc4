import API
import ArgumentParser
import ClientKit
import JSONValue
import StudyExport

/// `prompter export`: the study package in a directory.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the study package into a new or empty directory.",
    discussion: """
      The same record gives the same bytes. MANIFEST.json holds the digest of every file and the head of
      the record; keep a copy away from the device, for "prompter verify --manifest".

      Examples:
        prompter export study-2026-12 --profile limited
        prompter export for-mpathr --layout mpath
        prompter export mine --own                  what is recorded of you, in words, with a page to read
      """)

  @Argument(help: "The directory; it must be new or empty.", completion: .directory)
  var directory: String

  @Option(
    help: ArgumentHelp(
      "How much it tells: identified, limited or safe_harbor (default).", valueName: "profile"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "For which programs: \(ExportLayout.allCases.map(\.rawValue).joined(separator: ", ")) "
        + "(default: frictionless).", valueName: "layout"))
  var layout: String?

  @Flag(
    help:
      "Instead of the study package all that is recorded of one person, words included, for them.")
  var own = false

  @Option(
    help: ArgumentHelp(
      "With --own: of whom (default: yourself, else patient).", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if person != nil, !own { throw ValidationError("--person goes with --own.") }
    if own, profile != nil || layout != nil {
      throw ValidationError(
        "--own has neither profiles nor layouts: it holds everything of one person.")
    }
  }

  /// The person that the configuration says whoever asks is.
  private func whoAsks() throws -> String {
    let status = try connection.client.send(Request(.status)).document()
    return status["you"]?["person"]?.string ?? "patient"
  }

  func run() throws {
    var request =
      own
      ? Request(.ownData, ["id": try person ?? whoAsks()])
      : Request(.export, query: [("profile", profile), ("layout", layout)])
    request.silenceSeconds = Request.recordSilenceSeconds
    let unpacking = try Unpacking(into: directory)
    let activity = ProgressLine("exporting", ask: connection.asking("export"))
    do {
      let reply = try connection.client.send(
        request,
        consume: { bytes in
          activity.add(bytes: bytes.count)
          try unpacking.take(bytes)
        }, begin: { activity.expect(bytes: $0.archiveBytes) })
      activity.end()
      let files = try unpacking.finish()
      if let bad = reply.firstBadSequence {
        Terminal.printError(
          "prompter: the record has a hole or a break at event \(bad): MANIFEST.json counts them, and "
            + "\"prompter verify\" says more")
      }
      if connection.json {
        Terminal.print(
          json: .object([
            ("directory", .string(directory)), ("files", .array(files.map(JSON.string))),
          ]))
      } else {
        Terminal.print(
          "Wrote \(TextFormat.counted(files.count, "file")) to \(directory): "
            + files.joined(separator: ", "))
      }
    } catch {
      activity.end()
      unpacking.discard()
      throw error
    }
  }
}
