import Logging
import ServiceLifecycle
import Speaker

/// Has the words of alarms without a recording spoken, one after the other, before rings need them.
struct Narration: Service {
  private let narrator: Narrator
  private let language: String
  private let logger: Logger
  private let queue: AsyncStream<String>
  private let wanted: AsyncStream<String>.Continuation

  /// More than one home has alarms; what does not fit is asked for again by its first ring.
  private static let longestQueue = 10_000

  init(narrator: Narrator, language: String, logger: Logger) {
    self.narrator = narrator
    self.language = language
    self.logger = logger
    (queue, wanted) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.longestQueue))
  }

  /// The file of these words; nil where they were not spoken yet.
  func path(_ words: String) -> String? { narrator.path(words, language: language) }

  /// Asks for words; returns at once.
  func prepare(_ words: String) { wanted.yield(words) }

  /// Asks for words, and waits until they were spoken.
  func speak(_ words: String) async throws(SpeechFailure) {
    try await narrator.speak(words, language: language)
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
