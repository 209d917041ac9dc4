import Pages
import Sentences

/// The home as the stage needs it. The tests use a home without a daemon.
package protocol ScreenHome: EventSource {
  /// Reads everything that the screen shows.
  func reading() throws -> HomeReading

  /// The language of the sentences, and the language of labels if it is another one.
  func html(for reading: HomeReading?) -> ScreenHTML

  /// Sends the answers to the questions of a prompt.
  ///
  func send(_ answers: QuestionAnswers) throws -> AnswerReply
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
