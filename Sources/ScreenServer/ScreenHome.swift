import Pages

/// The home as the stage needs it. The tests use a home without a daemon.
package protocol ScreenHome: EventSource {
  /// Reads everything that the screen shows.
  func reading() throws -> HomeReading

  /// The language of the sentences, and the language of labels if it is another one.
  func html(for reading: HomeReading?) -> ScreenHTML

  /// Sends the answers to the questions of a prompt.
  ///
  /// - Returns: the status of the reply.
  func send(_ answers: QuestionAnswers) throws -> Int
}
