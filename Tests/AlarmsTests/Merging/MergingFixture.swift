import CivilTime
import Testing

@testable import Alarms

/// Makes homes in which several alarms are due at the same time.
struct MergingFixture {
  /// Returns a home in which alarms with these labels are due after 15 s. The rings of each alarm
  /// are 60 s apart.
  func home(
    _ labels: [String] = ["Pills", "Flowers", "Drops"], rings: Int = 3,
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws -> CoreFixture {
    var fixture = CoreFixture()
    try add(labels, rings: rings, to: &fixture, edit)
    return fixture
  }

  func add(
    _ labels: [String], rings: Int = 3, to fixture: inout CoreFixture,
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws {
    for label in labels {
      try fixture.add(label) {
        $0.schedule = "in 15 seconds"
        $0.rings = rings
        $0.spacingSeconds = 60
        $0.lateWindowSeconds = 600
        $0.person = PersonID.patient.text
        edit(&$0)
      }
    }
  }

  /// Returns the texts of each sound: first the opening words, then the words of each prompt.
  func sounds(_ fixture: CoreFixture) -> [[String]] {
    fixture.played.map { order in
      ([order.lead, order.words].compactMap { $0 } + order.others.map(\.words)).map(\.text)
    }
  }

  func events(_ fixture: CoreFixture, _ type: String) -> Int {
    fixture.records.count { $0.event.type == type }
  }

  func id(_ fixture: CoreFixture, _ label: String) throws -> PromptID {
    try #require(fixture.home.openPrompts.first { fixture.home.alarm($0.id.alarm)?.label == label })
      .id
  }
}
