import Alarms
import FoundationEssentials
import Glibc
import Processes
import Sentences

/// Answers a prompt with the command `prompter`, and plays a sound.
///
/// The button program needs no special rights. If the configuration permits its user to answer
/// prompts, every process of this user can answer a prompt with the command `prompter`.
struct Answers {
  var socket: String
  var sounds: String
  /// The language from the command line. If the value is nil, the program speaks the language of
  /// the person.
  var language: ButtonLanguage?
  /// The language of the last spoken sentence. The program uses this language if the daemon does
  /// not reply.
  private var lastLanguage: ButtonLanguage?
  /// The id of the prompt that the last press acknowledged ("on my way").
  ///
  /// After the acknowledgement, the prompt no longer calls. If no other prompt calls, the next
  /// press answers the acknowledged prompt.
  private var onTheWay: String?

  init(socket: String, sounds: String, language: ButtonLanguage?) {
    self.socket = socket
    self.sounds = sounds
    self.language = language
  }

  mutating func give(_ press: Press) {
    // This sound only confirms the press. Later, an announcement tells the person the result of the
    // call.
    if press == .call {
      return play(carryOut(prompter(["call"])).isGood ? "acknowledge" : "beep")
    }
    guard let said = ask(["prompts", "--current", "--limit", "100"]), let listing = read(said)
    else {
      return say([.answerFailed], to: nil, orPlay: "beep")
    }
    switch (press, listing.heard, onTheWay) {
    case (.short, let calling?, _):
      answer(
        calling.id, with: calling.acknowledgesFirst ? "ack" : "done",
        of: listing.person(of: calling.id))
    case (.short, nil, let id?): answer(id, with: "done", of: listing.person(of: id))
    case (.short, nil, nil): speakProgress()
    case (.long, let calling?, _):
      answer(calling.id, with: "delay", of: listing.person(of: calling.id))
    case (.long, nil, let id?): answer(id, with: "delay", of: listing.person(of: id))
    // The press is now long enough for "later". The sound tells the person to release the button.
    case (.held, .some, _), (.held, nil, .some): play("acknowledge")
    // No prompt calls, and the last press acknowledged no prompt. Therefore the program delays no
    // prompt and plays no sound.
    case (.long, nil, nil), (.held, nil, nil), (.call, _, _): break
    }
  }

  /// - Parameter person: the person for whom the prompt is; nil if the program does not know the
  ///   person.
  private mutating func answer(_ id: String, with answer: String, of person: String?) {
    let reply = carryOut(prompter([answer, id]))
    if onTheWay == id { onTheWay = nil }
    // If the daemon stopped the sound, the answer took effect, even if the daemon can write the
    // record only later. Therefore the person does not have to press the button again.
    let refusal = Refusal(reply.said)
    guard reply.isGood || refusal?.tookEffect == true else {
      return say([refusal?.sentence ?? .answerFailed], to: person, orPlay: "beep")
    }
    if answer == "ack" { onTheWay = id }
    play(answer == "done" ? "reward" : "acknowledge")
  }

  // MARK: Lists of prompts

  /// The list of prompts that the daemon returns.
  struct Listing: Decodable {
    struct Prompt: Decodable {
      var id: String
      var person: String?
      var outcome: String?
    }

    /// The prompt that calls now. If an answer contains no prompt id, the daemon applies the answer
    /// to this prompt.
    struct Calling: Decodable {
      var id: String
      var ringsSounded: Int
      /// True if the person must answer "on my way" before "done".
      var acknowledgesFirst: Bool

      enum CodingKeys: String, CodingKey {
        case id
        case ringsSounded = "rings_sounded"
        case acknowledgesFirst = "acknowledge_first"
      }
    }

    var prompts: [Prompt]
    var calling: Calling?

    func person(of id: String) -> String? { prompts.first { $0.id == id }?.person }

    /// The prompt that a press answers: the prompt that calls, but only if this prompt has already
    /// sounded.
    var heard: Calling? { calling.flatMap { $0.ringsSounded > 0 ? $0 : nil } }
  }

  /// An error that the daemon returned in place of a result.
  struct Refusal: Decodable {
    var kind: String
    var field: String?

    /// A sentence that tells the person the reason.
    var sentence: Sentence { RefusedAnswer.sentence(kind: kind, field: field) }

    /// - Parameter said: the output of `prompter --json`; empty if the command did not reach the
    ///   daemon.
    init?(_ said: [UInt8]) {
      guard let refusal = try? JSONDecoder().decode(Self.self, from: Data(said)) else { return nil }
      self = refusal
    }

    /// True if the daemon stopped the sound but could not record the answer. The person does not
    /// have to repeat this answer.
    var tookEffect: Bool { kind == "not_recorded" }
  }

  private func read(_ said: [UInt8]) -> Listing? {
    do {
      return try JSONDecoder().decode(Listing.self, from: Data(said))
    } catch {
      report("cannot read the reply of the daemon: \(error)")
      return nil
    }
  }

  // MARK: Sounds

  /// Speaks the number of prompts that the person completed today.
  ///
  /// The program calls this function if the person presses the button and no prompt waits for an
  /// answer. The speech also confirms that the button works.
  private mutating func speakProgress() {
    guard let said = ask(["prompts", "--state", "closed"]), let listing = read(said) else {
      return say([.answerFailed], to: nil, orPlay: "beep")
    }
    let today = String(localDate())
    let ended = listing.prompts.filter { $0.id.contains("@\(today)") }
    let done = ended.count { $0.outcome?.hasPrefix("completed") == true }
    say([.nothingNow, .progress(done: done, count: ended.count)], to: nil, orPlay: "chime")
  }

  // MARK: Words

  /// Speaks sentences in the language of the person.
  ///
  /// - Parameter sound: the sound to play if the device has no espeak-ng.
  private mutating func say(_ sentences: [Sentence], to person: String?, orPlay sound: String) {
    guard
      let chosen = language ?? ask(["status"]).flatMap(languages)
        .map({ ButtonLanguage($0.tags(for: person)) }) ?? lastLanguage
    else { return play(sound) }
    lastLanguage = chosen
    let words = sentences.map { Self.spoken($0.text(in: chosen.language)) }.joined(separator: " ")
    // The text is an argument of the shell and not a part of the script. Therefore the shell never
    // executes a word of the text as a command.
    let script = "espeak-ng --stdout -v \"$0\" -- \"$1\" | aplay -q"
    if run(["/bin/sh", "-c", script, chosen.voice, words]) == nil { play(sound) }
  }

  /// Returns a sentence that ends with a full stop, because the voice pauses after a full stop.
  private static func spoken(_ text: String) -> String { text.last == "." ? text : text + "." }

  private func languages(_ said: [UInt8]) -> HomeLanguages? {
    do {
      return try JSONDecoder().decode(HomeLanguages.self, from: Data(said))
    } catch {
      report("cannot read the languages of the home: \(error)")
      return nil
    }
  }

  private func localDate() -> String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(parts.tm_year) + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  private func play(_ sound: String) { _ = run(["aplay", "-q", "\(sounds)/\(sound).wav"]) }

  // MARK: Other programs

  private func prompter(_ words: [String]) -> [String] {
    ["prompter", "--socket", socket, "--json"] + words
  }

  /// Runs `prompter`, and returns its output; nil if the command failed.
  private func ask(_ words: [String]) -> [UInt8]? { run(prompter(words)) }

  /// Runs a program, and returns its output; nil if the program failed.
  private func run(_ words: [String]) -> [UInt8]? {
    let reply = carryOut(words)
    return reply.isGood ? reply.said : nil
  }

  /// Runs a program. Returns the output of the program, and a flag that is true if the program
  /// succeeded.
  private func carryOut(_ words: [String]) -> (said: [UInt8], isGood: Bool) {
    do {
      let ended = try ChildProcess.run(words)
      return (ended.output, ended.status == 0)
    } catch {
      report("cannot run \(error.executable): \(error.reason)")
      return ([], false)
    }
  }
}
