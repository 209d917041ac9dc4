import Foundation
import Glibc
import Testing

@testable import Alarms

/// Compares the decisions about sequences of inputs with a golden file.
///
/// If a decision changes on purpose, `make golden` writes the file anew. Look at the difference.
@Suite struct `The decision about each input of a sequence` {
  private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden/input-sequences.txt")

  private static var sequences: [() -> InputSequence] {
    SupplySequences.all + StudySequences.all + PeopleSequences.all + SoundSequences.all
      + NoticeSequences.all + EditSequences.all
  }

  @Test func `is as in the golden file of input sequences`() throws {
    let played = Self.sequences.map { $0() }
    let text = played.map(\.text).joined()
    if getenv("PROMPTER_WRITE_GOLDEN") != nil { try Data(text.utf8).write(to: Self.golden) }
    let expected = try String(contentsOf: Self.golden, encoding: .utf8)
    var input: Substring = ""
    for (found, wanted) in zip(text.split(separator: "\n"), expected.split(separator: "\n")) {
      if wanted.hasPrefix("== ") || wanted.hasPrefix("-- ") { input = wanted }
      if found != wanted {
        Issue.record("\(input): \(found)\ninstead of\n\(wanted)")
        return
      }
    }
    #expect(text.utf8.count == expected.utf8.count)
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
