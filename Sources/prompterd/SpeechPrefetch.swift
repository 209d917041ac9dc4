import Alarms
import Logging
import ServiceLifecycle
import Speaker

/// Has the words of alarms without a recording spoken, one after the other, before rings need them.
struct SpeechPrefetch: Service {
  private let synthesizer: SpeechSynthesizer
  private let language: String
  private let logger: Logger
  private let queue: AsyncStream<SpokenWords>
  private let wanted: AsyncStream<SpokenWords>.Continuation

  /// More than one home has alarms; what does not fit is asked for again by its first ring.
  private static let longestQueue = 10_000

  init(synthesizer: SpeechSynthesizer, language: String, logger: Logger) {
    self.synthesizer = synthesizer
    self.language = language
    self.logger = logger
    (queue, wanted) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.longestQueue))
  }

  /// The file of these words in the language of whom they are for, else in the home's; nil where they were
  /// not spoken yet.
  func path(_ words: SpokenWords) -> String? {
    synthesizer.path(words.text, language: words.language ?? language)
      ?? synthesizer.path(words.text, language: language)
  }

  /// Deletes everything spoken but these words.
  ///
  /// - Parameter seconds: what was spoken or used within so many seconds stays.
  func forgetAll(but words: Set<SpokenWords>, olderThan seconds: Int = 0) throws {
    var spoken: [(words: String, language: String)] = []
    for one in words {
      spoken.append((one.text, language))
      if let own = one.language { spoken.append((one.text, own)) }
    }
    try synthesizer.forgetAll(but: spoken, olderThan: seconds)
  }

  /// Asks for words; returns at once.
  func prepare(_ words: SpokenWords) { wanted.yield(words) }

  /// Asks for words, and waits until they were spoken. Where no voice speaks the person's language, the
  /// home's own does: words with an accent say more than a tone.
  func speak(_ words: SpokenWords) async throws(SpeechFailure) {
    guard let own = words.language, own != language else {
      return try await synthesizer.speak(words.text, language: language)
    }
    do {
      try await synthesizer.speak(words.text, language: own)
    } catch .notInstalled {
      throw .notInstalled
    } catch {
      logger.warning("no voice speaks \(own), so the one of the home does: \(error)")
      try await synthesizer.speak(words.text, language: language)
    }
  }

  func run() async throws {
    for await words in queue.cancelOnGracefulShutdown() {
      do {
        try await speak(words)
      } catch .notInstalled {
        // The built-in tone sounds instead; nothing is wrong.
        continue
      } catch {
        logger.warning("words were not spoken: \(error)")
      }
    }
  }
}
