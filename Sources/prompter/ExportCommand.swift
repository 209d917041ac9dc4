import ArgumentParser
import Wire

/// `prompter export`: the study package in a directory.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the study package into a new or empty directory.",
    discussion: "Example: prompter export study-2026-12 --profile limited")

  @Argument(help: "The directory; it must be new or empty.", completion: .directory)
  var directory: String

  @Option(
    help: ArgumentHelp(
      "How much it tells: identified, limited or safe_harbor (default).", valueName: "profile"))
  var profile: String?

  @OptionGroup var connection: Connection

  func run() throws {
    var request = Request(.export, query: [("profile", profile)])
    request.silenceSeconds = Request.recordSilenceSeconds
    let unpacking = try Unpacking(into: directory)
    let activity = Activity("exporting")
    do {
      _ = try connection.client.send(request) { bytes in
        activity.add(bytes: bytes.count)
        try unpacking.take(bytes)
      }
      activity.end()
      let files = try unpacking.finish()
      Terminal.print(
        connection.json
          ? JSON.object([
            ("directory", .string(directory)), ("files", .array(files.map(JSON.string))),
          ]).description
          : "Wrote \(Words.counted(files.count, "file")) to \(directory): "
            + files.joined(separator: ", "))
    } catch {
      activity.end()
      unpacking.discard()
      throw error
    }
  }
}
