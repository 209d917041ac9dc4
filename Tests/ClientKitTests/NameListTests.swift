import ClientKit
import Testing

/// Tests the names that the command line accepts for alarms and prompts.
@Suite struct NameListTests {
  private func row(_ id: String, _ label: String, isCurrent: Bool = true) -> NameList.Row {
    NameList.Row(id: id, label: label, words: "", isCurrent: isCurrent)
  }

  @Test func `an id, a label in any letter case and the beginning of an id are found`() {
    let pills = row("k3v9t2m8q4wz", "Pills")
    let list = NameList([pills, row("k3v8000000aa", "Tea")])
    for name in ["k3v9t2m8q4wz", "Pills", "PILLS", "k3v9", "K3V9T"] {
      #expect(list.find(name) == .one(pills), "\(name)")
    }
    #expect(list.find("k3v") == .none(nearest: nil))
    #expect(list.find("Pils") == .none(nearest: "Pills"))
    #expect(list.find("zzzz") == .none(nearest: nil))
    #expect(list.find("ill") == .none(nearest: "Pills"))
  }

  @Test func `a label comes before the beginning of an id`() {
    let tea = row("aaaaaaaaaaaa", "k3v9")
    #expect(NameList([row("k3v9t2m8q4wz", "Pills"), tea]).find("k3v9") == .one(tea))
  }

  @Test func `an ambiguous name lists the candidates`() {
    let (one, two) = (row("k3v9aaaaaaaa", "Pills"), row("k3v9bbbbbbbb", "Pills"))
    let list = NameList([one, two])
    #expect(list.find("pills") == .several([one, two]))
    #expect(list.find("k3v9") == .several([one, two]))
    #expect(list.find("k3v9b") == .one(two))
    let sentence = NameList.ambiguous("pills", [one, two], "alarms").sentence
    #expect(sentence.contains("can mean 2 alarms"))
    #expect(sentence.contains("k3v9aaaaaaaa") && sentence.contains("k3v9bbbbbbbb"))
  }

  @Test func `an alarm that is over does not block its label`() {
    let (over, current) = (row("a234", "Pills", isCurrent: false), row("b234", "Pills"))
    #expect(NameList([over, current]).find("Pills") == .one(current))
    #expect(NameList([over]).find("Pills") == .one(over))
  }

  @Test func `the beginning of a prompt's id is found with its capital letter`() {
    let (morning, evening) = (
      row("k3v9t2m8q4wz@2026-12-01T08:00:00", "Pills"),
      row("k3v9t2m8q4wz@2026-12-01T20:00:00", "Pills")
    )
    let list = NameList([morning, evening])
    #expect(list.find("k3v9t2m8q4wz@2026-12-01T20") == .one(evening))
    #expect(list.find("k3v9") == .several([morning, evening]))
  }
}
