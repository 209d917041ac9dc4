import CivilTime

@testable import Alarms

extension InputSequence {
  /// Writes what a user and a screen can read at the end of the sequence: the expected rings of each
  /// alarm, the explanations of the newest prompts, and the explanations of some other times.
  mutating func writeOutlook() {
    var outlook = Outlook(fixture: fixture)
    for alarm in fixture.home.alarms.sorted(by: { $0.id.text < $1.id.text }) {
      outlook.write(alarm)
    }
    for prompt in fixture.replay.prompts.values.sorted(by: { ($0.dueAt, $0.id) > ($1.dueAt, $1.id) }
    )
    .prefix(6) { outlook.write(prompt) }
    append(outlook.text)
  }
}

private struct Outlook {
  let fixture: CoreFixture
  let history: [HistoryEvent]
  var text = "-- what users can read\n"

  init(fixture: CoreFixture) {
    self.fixture = fixture
    history = fixture.records.enumerated().map { place, record in
      HistoryEvent(
        sequence: Int64(place), event: record.event, actor: record.actor, at: record.reading.wall)
    }
  }

  mutating func write(_ alarm: Alarm) {
    let (home, now) = (fixture.home, fixture.now)
    let rings = home.expectedRings(of: alarm.id, at: now, count: 3, fixture.environment).map {
      [
        "\($0.occurrence.instant)", $0.suppression.map { "\($0.why) \($0.ringsAt as Any)" },
        $0.leadsToAt.map { "before \($0)" },
      ].compactMap(\.self).joined(separator: " ")
    }
    text += "  \(alarm.id): rings \(rings), voice \(home.voice(of: alarm, isSpeaking: true)), "
    text += "waiting \(home.waitingCount(of: alarm.id)), over \(home.isOver(alarm.id))\n"
    let versions = fixture.records.compactMap { record -> SetAlarm? in
      switch record.event {
      case .alarmCreated(let version) where version.id == alarm.id,
        .alarmEdited(let version) where version.id == alarm.id:
        SetAlarm(alarm: version, actor: record.actor, at: record.reading.wall)
      default: nil
      }
    }
    let next = rings.isEmpty ? nil : home.nextOccurrences(of: alarm.id, after: now.wall, count: 1)
    for time in [now.wall.adding(seconds: -7_200), next?.first?.instant].compactMap(\.self) {
      let why = whyNot(
        at: time, versions: versions, removal: nil, before: nil,
        interruptions: history.filter(\.isAboutDevice).suffix(3), now: now, in: home,
        fixture.environment, userName: { _ in nil })
      write(why, "\(time)")
    }
  }

  mutating func write(_ prompt: Prompt) {
    let why = Why(
      prompt, history: history.filter { $0.event.promptID == prompt.id },
      interruptions: history.filter(\.isAboutDevice).suffix(20), forecast: nil,
      in: WhyWords(zone: CoreFixture.berlin, person: "Hilde", ringsPerHour: 6) { _ in "Eva" })
    write(why, "\(prompt.id)")
    let guide = fixture.home.guide(to: prompt, at: fixture.now, fixture.environment)
    text += "    \(guide)\n".replacing("Alarms.", with: "").replacing("CivilTime.", with: "")
  }

  private mutating func write(_ why: Why, _ title: String) {
    let around = [why.before, why.after].map { $0.map { "\($0.nominal)" } ?? "-" }
    text += "    \(title): \(why.verdict.rawValue) | \(why.summary) | \(why.rule ?? "-") | "
    text += "\(why.dueAt.map { "\($0)" } ?? "-") | \(around.joined(separator: " "))"
    text += why.reasons.map { " | \($0.type) \($0.text)" }.joined() + "\n"
  }
}

extension HistoryEvent {
  /// Whether the event is about the device, and not about a prompt.
  fileprivate var isAboutDevice: Bool {
    switch event {
    case .gap, .clockStep, .boot, .serviceStarted, .serviceStopped, .audioLost, .audioRestored: true
    default: false
    }
  }
}
