import Testing

@testable import Alarms

/// Compares the decisions about sequences of inputs with a golden file.
///
/// If you change a decision on purpose, write the golden file again with `make golden`, and check
/// the changes in the file.
@Suite struct `The decision about each input of a sequence` {
  private static var sequences: [() -> InputSequence] {
    SupplySequences.all + StudySequences.all + PeopleSequences.all + SoundSequences.all
      + NoticeSequences.all + EditSequences.all
  }

  @Test func `is as in the golden file of input sequences`() throws {
    try check(Self.sequences.map { $0() }, "input-sequences.txt")
  }

  @Test func `is as in the golden file of random sequences`() throws {
    try check(RandomSequences.seeds.map(RandomSequences.sequence), "random-sequences.txt")
  }

  private func check(_ played: [InputSequence], _ file: String) throws {
    let text = played.map(\.text).joined()
    try GoldenFile(file).expect(text) {
      $0.hasPrefix("== ") || $0.hasPrefix("-- ")
    }
    for sequence in played {
      let (home, replay) = (sequence.fixture.home, sequence.fixture.replay)
      #expect(replay.supplies == home.supplies)
      #expect(
        replay.people.filter { $0.value.person != nil }
          == home.people.filter {
            $0.value.person != nil && replay.people[$0.key] != nil
          })
      #expect(
        Set(home.openPrompts.map(\.id))
          == Set(replay.prompts.values.filter(\.state.isOpen).map(\.id)))
    }
  }
}
