import Alarms
import Logging
import ServiceLifecycle
import Speaker

/// Has words of alarms without a recording spoken in advance, one by one.
struct SpeechPrefetch: Service {
  private let synthesizer: SpeechSynthesizer
  private let language: String
  private let logger: Logger
  private let queue: AsyncStream<SpokenWords>
  private let wanted: AsyncStream<SpokenWords>.Continuation

  /// Maximum length of the queue, more than the alarms of one home.
  ///
  /// If a text does not fit, the first ring of its alarm asks for it again.
  private static let longestQueue = 10_000

  init(synthesizer: SpeechSynthesizer, language: String, logger: Logger) {
    self.synthesizer = synthesizer
    self.language = language
    self.logger = logger
    (queue, wanted) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.longestQueue))
  }

  /// The file of these words in the person's language, else in the home's.
  ///
  /// It is nil if there is none yet.
  func path(_ words: SpokenWords) -> String? {
    synthesizer.path(words.text, language: words.language ?? language)
      ?? synthesizer.path(words.text, language: language)
  }

  /// Deletes all spoken words except these.
  ///
  /// - Parameter seconds: words that were spoken or used within this time stay.
  func forgetAll(but words: Set<SpokenWords>, olderThan seconds: Int = 0) throws {
    var spoken: [(words: String, language: String)] = []
    for one in words {
      spoken.append((one.text, language))
      if let own = one.language { spoken.append((one.text, own)) }
    }
    try synthesizer.forgetAll(but: spoken, olderThan: seconds)
  }

  /// Asks for words and returns at once.
  func prepare(_ words: SpokenWords) { wanted.yield(words) }

  /// Asks for words and waits until they are spoken.
  ///
  /// If no voice speaks the person's language, the home's voice speaks: words with an accent are
  /// more useful than a tone.
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
        // The built-in tone sounds instead; this is not an error.
        continue
      } catch {
        logger.warning("cannot prepare the spoken words of an alarm: \(error)")
      }
    }
  }
}
