// Checks an erasure, and records the erasure. The logbook then deletes the texts.
extension Transition {
  mutating func erase(_ erasure: Erasure, _ words: WordsErased) throws(Refusal) {
    switch erasure {
    case .alarm(let id):
      if let alarm = alarm(id) {
        throw Refusal(
          .inUse,
          "cannot erase \"\(alarm.label)\": the alarm still uses these words; "
            + "remove the alarm first"
        )
      }
    case .words(let id):
      if personState(id) == nil { throw Refusal(.notFound, "the record has no person \"\(id)\"") }
    case .identity(let id):
      guard let state = personState(id) else {
        throw Refusal(.notFound, "the record has no person \"\(id)\"")
      }
      if state.person != nil {
        throw Refusal(
          .inUse,
          "cannot erase the identity of \"\(id)\": this person is still in this home; first use "
            + "prompter people remove")
      }
    }
    emit(erasure, words)
    reply = .done
  }

  /// Records an erasure. Before the row of the erasure, the function adds one row for each removed
  /// picture.
  ///
  /// The row of the erasure must come after the rows of the pictures, because the erasure also
  /// erases the names in these rows. If a remaining alarm or a reward shows a picture, the function
  /// does not remove this picture.
  mutating func emit(_ erasure: Erasure, _ words: WordsErased) {
    for sha256 in words.pictures.sorted() {
      guard let picture = picture(sha256), !home.shows(sha256) else { continue }
      emit(.imageRemoved(picture))
    }
    emit(.erased(erasure))
  }
}
