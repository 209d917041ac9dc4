import JSONValue
import Testing

@testable import ClientKit

@Suite struct `The list of alarms` {
  private func list(_ members: [(String, JSON)]) -> String {
    let alarm = JSON.object(
      [
        ("id", .string("1q2cf1n2j923")), ("label", .string("Pills")), ("person", .string("hilde")),
        ("schedule", .string("2026-12-01 10:00")), ("zone", .string("Europe/Berlin")),
        ("next", .array([])), ("waiting", .integer(0)),
      ] + members)
    return AlarmText.list(.object([("alarms", .array([alarm]))]))
  }

  @Test func `says that an alarm without another ring is over`() {
    #expect(list([("is_over", .bool(true))]).hasSuffix("over"))
  }

  @Test func `does not call a paused alarm over`() {
    let pause = JSON.object([("until_local", .string("2026-12-28T00:00:00"))])
    let text = list([("is_over", .bool(false)), ("person_pause", pause)])
    #expect(!text.contains("over"))
    #expect(text.contains("hilde is paused until the end of Sun 27 Dec 2026"), "\(text)")
  }

  @Test func `says that an alarm is over while its person is paused`() {
    let pause = JSON.object([("until_local", .string("2026-12-28T00:00:00"))])
    #expect(list([("is_over", .bool(true)), ("person_pause", pause)]).hasSuffix("over"))
  }
}
