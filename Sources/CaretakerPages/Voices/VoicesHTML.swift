/// The HTML with the list of recordings, and with the form that contains the recorder.
struct VoicesHTML: Sendable {
  private let context: PageContext
  private let voices: [VoiceReading]
  var typedName = ""
  var isFileMissing = false
  /// The refusal of the recording that the caretaker sent; nil if no recording was refused.
  var refusal: HomeRefusal?

  /// The maximum length of a recording that the page makes, in seconds.
  private static let longestSeconds = 60

  init(_ context: PageContext, _ voices: [VoiceReading]) {
    (self.context, self.voices) = (context, voices)
  }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? (isFileMissing ? 422 : 200), title: context.plain(.voices),
      html: """
        <h1>\(context.say(.voices))</h1>
        \(notices)\(list)\(recorder)<script type="module" src="/voice.js"></script>

        """, isLive: true)
  }

  private var notices: String {
    if let refusal { return context.notice(of: refusal, fields: ["name"]) }
    if isFileMissing { return context.notice(context.say(.voiceMissing), isRefusal: true) }
    return context.visit.query["saved"] == "remove"
      ? context.notice(context.say(.voiceRemoved)) : ""
  }

  // MARK: The list

  private var list: String {
    if voices.isEmpty {
      return context.section(
        "list", .voicesStored, isPart: true,
        "<p class=\"nothing\">\(context.say(.noVoices))</p>\n")
    }
    let rows = voices.map { voice in
      let play = context.form(
        Link.to("voices", voice.name),
        context.button("play", .playAtHome, about: .playAtHomeOf(voice: voice.name)))
      return """
        <li><div><p><a href="\(Link.to("voices", voice.name))"><strong>\(context.escape(voice.name))</strong></a></p>
        <p class="told">\(context.say(.voiceFacts(seconds: voice.seconds, loudness: voice.loudnessText)))</p></div>
        \(play)</li>

        """
    }.joined()
    return context.section(
      "list", .voicesStored, isPart: true, "<ul class=\"rows\">\n\(rows)</ul>\n")
  }

  // MARK: The recorder

  private var recorder: String {
    let name = context.field(
      "name", .voiceName, help: .voiceNameHelp, refusal: refusal
    ) { context.input("name", "text", typedName, " required maxlength=\"64\"" + $0) }
    let file = context.field("file", .voiceFile, help: .voiceFileHelp) {
      "<input id=\"file\" name=\"file\" type=\"file\" accept=\"audio/*,.wav,.flac,.ogg,.opus,.mp3,.m4a\" required\($0)>"
    }
    let store =
      context.checkbox("replace", .voiceReplace, false)
      + "<div class=\"buttons\">\(context.button("store", .voiceStore, isMain: true))</div>\n"
    let words: [(String, CaretakerSentence)] = [
      ("left", .secondsLeft(seconds: "{n}")), ("recorded", .voiceRecorded(seconds: "{n}")),
      ("loud", .voiceTooLoud), ("quiet", .voiceTooQuiet), ("good", .voiceGood),
      ("denied", .microphoneDenied),
    ]
    let data = words.map { " data-\($0.0)=\"\(context.say($0.1))\"" }.joined()
    return context.section(
      "record", .newVoice,
      """
      <div class="sheet">
      <div class="recorder" data-recorder data-longest="\(Self.longestSeconds)"\(data) hidden>
      <p class="help">\(context.say(.recordHelp))</p>
      <div class="buttons"><button type="button" data-start class="main">\(context.say(.recordStart))</button>
      <button type="button" data-stop disabled>\(context.say(.recordStop))</button></div>
      <p><meter min="0" max="1" low="0.05" high="0.9" optimum="0.5" value="0" aria-label="\(context.say(.levelMeter))"></meter>
      <span data-countdown></span></p>
      <p data-verdict role="status"></p>
      <audio controls hidden aria-label="\(context.say(.voiceListen))"></audio>
      </div>
      \(context.form("/voices", isUpload: true, file + name + store))</div>

      """)
  }
}

/// The HTML of one recording, with the controls to listen, to play at home, to rename and to
/// remove.
struct VoiceHTML: Sendable {
  private let context: PageContext
  private let voice: VoiceReading
  /// The names of all recordings except this recording.
  private let others: [String]
  /// The refusal of the change that the caretaker made; nil if no change was refused.
  var refusal: HomeRefusal?

  init(_ context: PageContext, _ voice: VoiceReading, others: [String]) {
    (self.context, self.voice, self.others) = (context, voice, others)
  }

  private var action: String { Link.to("voices", voice.name) }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? 200, title: voice.name,
      html: """
        <p><a href="/voices">← \(context.say(.voices))</a></p>
        <h1>\(context.escape(voice.name))</h1>
        \(notices)<p class="date">\(context.say(.voiceFacts(seconds: voice.seconds, loudness: voice.loudnessText)))</p>
        <p class="help">\(context.say(.loudnessHelp))</p>
        <audio controls preload="none" src="\(action)/sound" aria-label="\(context.say(.voiceListen))"></audio>
        \(context.form(action, context.button("play", .playAtHome, isMain: true)))
        \(renaming)\(removal)
        """)
  }

  private var notices: String {
    if let refusal { return context.notice(of: refusal, fields: ["name"]) }
    switch context.visit.query["saved"] {
    case "store": return context.notice(context.say(.voiceStored))
    case "play": return context.notice(context.say(.voicePlayed))
    case "rename": return context.notice(context.say(.voiceRenamed))
    default: return ""
    }
  }

  private var renaming: String {
    let name = context.field("name", .voiceName, help: .voiceNameHelp, refusal: refusal) {
      context.input("name", "text", voice.name, " required maxlength=\"64\"" + $0)
    }
    return context.section(
      "rename", .voiceRename,
      context.form(action, name + context.button("rename", .voiceRename)))
  }

  private var removal: String {
    let choices =
      [(value: "", words: "–")] + others.map { (value: $0, words: $0) }
    let other =
      others.isEmpty
      ? ""
      : context.field("replace_with", .voiceInstead, help: .voiceInsteadHelp) {
        context.select("replace_with", choices, "", $0)
      }
    return context.section(
      "remove", .voiceRemove,
      context.form(action, other + context.button("remove", .voiceRemove)))
  }
}
