import Alarms
import Logging
import ServiceLifecycle
import Speaker
import Synchronization

/// The languages whose voice the daemon has tried.
private final class TriedVoices: Sendable {
  let found = Mutex<[String: Bool]>([:])
}

/// Produces speech in advance. For each alarm without a recording, the service produces the speech
/// before the first ring of the alarm. The service produces the speech for one text at a time.
struct SpeechPrefetch: Service {
  private let synthesizer: SpeechSynthesizer
  private let language: String
  private let logger: Logger
  private let queue: AsyncStream<SpokenWords>
  private let wanted: AsyncStream<SpokenWords>.Continuation
  private let tried = TriedVoices()

  /// The maximum number of texts in the queue. This number is larger than the number of alarms in a
  /// real home.
  ///
  /// If the queue is full, the service does not add a new text. In this case, the first ring of the
  /// alarm requests the speech for this text again.
  private static let longestQueue = 10_000

  init(synthesizer: SpeechSynthesizer, language: String, logger: Logger) {
    self.synthesizer = synthesizer
    self.language = language
    self.logger = logger
    (queue, wanted) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.longestQueue))
  }

  /// Returns the path of the stored speech for `words`.
  ///
  /// The function prefers speech in the language of `words`. If `words` has no language, or if no
  /// speech in this language is stored, the function searches for speech in the language of the
  /// home.
  ///
  /// The result is nil if no speech for the words is stored yet.
  func path(_ words: SpokenWords) -> String? {
    synthesizer.path(words.text, language: words.language ?? language)
      ?? synthesizer.path(words.text, language: language)
  }

  /// Deletes all stored speech except the speech for `words`.
  ///
  /// - Parameter seconds: the function also keeps speech that was produced or used in the last
  ///   `seconds` seconds.
  func forgetAll(but words: Set<SpokenWords>, olderThan seconds: Int = 0) throws {
    var spoken: [(words: String, language: String)] = []
    for one in words {
      spoken.append((one.text, language))
      if let own = one.language { spoken.append((one.text, own)) }
    }
    try synthesizer.forgetAll(but: spoken, olderThan: seconds)
  }

  // MARK: Voices

  /// The languages that `tryVoices` has tried. The value is true if a voice for the language
  /// exists.
  var voices: [String: Bool] { tried.found.withLock { $0 } }

  /// Tries the voice of each language with a short text. The daemon stores no sound.
  ///
  /// The service tries only the first `mostVoices` languages, because the test of each language
  /// takes some time.
  func tryVoices(of languages: Set<String>) async {
    var found: [String: Bool] = [:]
    for language in languages.sorted().prefix(Self.mostVoices) {
      found[language] = await synthesizer.hasVoice(language)
    }
    tried.found.withLock { $0 = found }
  }

  private static let mostVoices = 20

  /// Requests speech for `words`, and returns at once.
  func prepare(_ words: SpokenWords) { wanted.yield(words) }

  /// Requests speech for `words`, and waits until the speech is produced.
  ///
  /// If no voice speaks the language of the person, the voice of the home speaks the words. Words
  /// with a foreign accent are better than a tone without words.
  func speak(_ words: SpokenWords) async throws(SpeechFailure) {
    guard let own = words.language, own != language else {
      return try await synthesizer.speak(words.text, language: language)
    }
    do {
      try await synthesizer.speak(words.text, language: own)
    } catch .notInstalled {
      throw .notInstalled
    } catch {
      logger.warning("no voice speaks \(own), so the voice of the home speaks: \(error)")
      try await synthesizer.speak(words.text, language: language)
    }
  }

  func run() async throws {
    for await words in queue.cancelOnGracefulShutdown() {
      do {
        try await speak(words)
      } catch .notInstalled {
        // If espeak-ng is not installed, the built-in tone sounds instead of the words. Therefore,
        // this case is not an error.
        continue
      } catch {
        logger.warning("cannot prepare the spoken words of an alarm: \(error)")
      }
    }
  }
}
