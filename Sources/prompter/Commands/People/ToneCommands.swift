import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter tone`: manages recordings.
struct ToneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tone", abstract: "Store, list, play and remove recordings of familiar voices.",
    discussion: """
      Examples:
        prompter tone add dad --record
        prompter tone add mum mum.wav
        prompter tone list
      """,
    subcommands: [
      ToneAdd.self, ToneList.self, TonePlay.self, ToneTest.self, ToneRename.self, ToneRemove.self,
    ])
}

/// `prompter tone add`: stores a recording.
struct ToneAdd: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Check, normalise and store a recording.",
    discussion: """
      The home reads WAV, FLAC, Ogg Vorbis, Ogg Opus and MP3. If the package prompter-formats is \
      installed there, it also reads M4A, MP4, AAC, AMR, 3GP, WebM, Matroska, CAF and WMA. The \
      content of the file decides, not its name.

      With --record the command records from a microphone of this machine, even if the home is \
      another machine (--host). It counts down, shows how loud you are, and can play the recording \
      before you keep it. With --json it prints the level on standard error, as ten lines of JSON \
      per second.

      Example: prompter tone add dad --record
      """)

  @Argument(help: "The name of the recording, for example dad.")
  var name: String

  @Argument(help: "The sound file.", completion: .file())
  var file: String?

  @Flag(help: "Record it now. Enter ends the recording.")
  var record = false

  @Option(
    help: ArgumentHelp(
      "With --record: use this ALSA device (default: ALSA's default).", valueName: "device"))
  var microphone: String?

  @Option(
    help: ArgumentHelp(
      "With --record: stop after this many seconds, 1 to 60 (default: 60).", valueName: "seconds"))
  var seconds: Int?

  @Flag(help: "With --record: keep the first recording and ask no questions.")
  var yes = false

  @Flag(help: "Replace the recording with this name. Its alarms then play the new recording.")
  var replace = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if (file == nil) != record {
      throw ValidationError("Give either a sound file or --record.")
    }
    if !record, microphone != nil || seconds != nil || yes {
      throw ValidationError("--microphone, --seconds and --yes need --record.")
    }
    if let seconds, !(1...60).contains(seconds) {
      throw ValidationError("--seconds must be from 1 to 60.")
    }
  }

  func run() throws {
    if let file { return try store(try Files.read(file, atMost: Route.uploadBody)) }
    try refuseTakenName()
    let recorder = VoiceRecorder(
      microphone: microphone ?? "default", seconds: seconds ?? 60,
      asks: !yes && !connection.json, meter: LevelMeter(json: connection.json))
    try recorder.keep(store)
  }

  /// Throws if a stored recording already has the new name. The command calls this function before
  /// the user makes a recording. Otherwise the user would make a recording, and the home would then
  /// refuse it.
  ///
  /// With `--replace`, `--queue` or `--json`, the function does not check the name.
  private func refuseTakenName() throws {
    if replace || connection.queue || connection.json { return }
    let names = try connection.client.send(Request(.listTones)).document().list("tones")
      .map { $0.text("name") }
    guard let taken = NameMatch.find(name, in: names) else { return }
    throw Failure.refused(
      "name: there is already a recording \"\(taken)\"; choose another name, or replace it (--replace)"
    )
  }

  private func store(_ sound: [UInt8]) throws {
    var request = Request(
      .addTone, ["name": name], query: [("replace", replace ? "yes" : nil)])
    request.headers.append(("Content-Type", "application/octet-stream"))
    request.body = sound
    try connection.carryOut(request) { reply in
      let tone = try reply.document()["tone"] ?? .null
      let name = tone.text("name")
      return "Stored \"\(name)\": \(ToneList.seconds(tone)), \(ToneList.loudness(tone))."
    }
  }
}

/// `prompter tone list`: lists the stored recordings.
struct ToneList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stored recordings.",
    discussion: "Example: prompter tone list --json")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listTones)) { reply in
      let tones = try reply.document().list("tones")
      if tones.isEmpty {
        return "No recording is stored. Alarms use spoken words or the built-in tone."
      }
      var table = Table("TONE", "LENGTH", "LOUDNESS", "SHA-256")
      for tone in tones {
        table.add(
          .init(tone.text("name")), .init(Self.seconds(tone)), .init(Self.loudness(tone)),
          .init(String(tone.text("sha256").prefix(12)), .faint))
      }
      return table.text
    }
  }

  static func seconds(_ tone: JSON) -> String {
    let tenths = (tone.count("duration_ms") + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  static func loudness(_ tone: JSON) -> String {
    guard let value = tone["loudness_lufs"]?.double else { return "loudness unknown" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) LUFS"
  }
}

/// `prompter tone remove`: removes a recording that no alarm uses.
struct ToneRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a recording that no alarm uses.",
    discussion: "Example: prompter tone remove dad")

  @Argument(help: "The recording's name.")
  var name: String

  @Option(
    help: ArgumentHelp("Let its alarms and people use this recording instead.", valueName: "other"))
  var replaceWith: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let name = name
    let request = Request(.removeTone, ["name": name], query: [("replace_with", replaceWith)])
    try connection.carryOut(request) { _ in "Removed \"\(name)\"." }
  }
}
