import Pages
import Sentences

/// The home as the stage needs it. The tests use a home without a daemon.
package protocol ScreenHome: EventSource {
  /// Reads what the screen shows.
  ///
  /// - Parameters:
  ///   - change: what changed since the last reading.
  ///   - last: the last reading; nil if there is none.
  func reading(_ change: HomeChange, since last: HomeReading?) throws -> HomeReading

  /// The language of the sentences, and the language of labels if it is another one.
  func html(for reading: HomeReading?) -> ScreenHTML

  /// Sends the answers to the questions of a prompt.
  ///
  func send(_ answers: QuestionAnswers) throws -> AnswerReply
}

/// What changed at home since the last reading.
package enum HomeChange: Sendable, Hashable {
  /// Anything.
  case all
  /// Only these prompts, and the time.
  case prompts(Set<String>)
}

/// The reply of the daemon to an answer.
package struct AnswerReply: Sendable, Hashable {
  package var status: Int
  /// The reason of a refusal, for the person; nil if the daemon took the answer.
  package var refusal: Sentence?

  package init(status: Int, refusal: Sentence? = nil) {
    (self.status, self.refusal) = (status, refusal)
  }

  package var isAccepted: Bool { (200..<300).contains(status) }
}
