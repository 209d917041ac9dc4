import Pages
import Sentences

/// The functions of a home that the stage needs. Tests use an implementation without a daemon.
package protocol ScreenHome: EventSource {
  /// Reads the data that the screen shows.
  ///
  /// - Parameters:
  ///   - change: the changes since the last reading.
  ///   - last: the last reading; nil if there is no earlier reading.
  func reading(_ change: HomeChange, since last: HomeReading?) throws -> HomeReading

  /// Returns an HTML writer with the language of the sentences, and with the language of the labels
  /// if it is different.
  func html(for reading: HomeReading?) -> ScreenHTML

  /// Sends the answers to the questions of a prompt.
  func send(_ answers: QuestionAnswers) throws -> AnswerReply
}

/// The changes in the home since the last reading.
package enum HomeChange: Sendable, Hashable {
  /// Everything can have changed.
  case all
  /// Only these prompts and the time have changed.
  case prompts(Set<String>)
}

/// The reply of the daemon to an answer.
package struct AnswerReply: Sendable, Hashable {
  package var status: Int
  /// A sentence that tells the person why the daemon refused the answer; nil if the daemon accepted
  /// the answer.
  package var refusal: Sentence?

  package init(status: Int, refusal: Sentence? = nil) {
    (self.status, self.refusal) = (status, refusal)
  }

  package var isAccepted: Bool { (200..<300).contains(status) }
}
