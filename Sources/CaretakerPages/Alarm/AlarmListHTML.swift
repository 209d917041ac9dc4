import CivilTime

/// The HTML of the list of all alarms.
struct AlarmListHTML: Sendable {
  private let context: PageContext
  /// The alarms in the order of their next rings.
  private let alarms: [AlarmReading]

  init(_ context: PageContext, _ alarms: [AlarmReading]) {
    self.context = context
    self.alarms = alarms.enumerated().sorted { one, other in
      switch (one.element.next.first, other.element.next.first) {
      case (let first?, let second?) where first != second: first < second
      case (.some, nil): true
      case (nil, .some): false
      default: one.offset < other.offset
      }
    }.map(\.element)
  }

  var content: PageContent {
    let list =
      alarms.isEmpty
      ? "<p class=\"nothing\">\(context.say(.noAlarms))</p>\n"
      : "<ul class=\"alarms\">\n\(alarms.map(row).joined())</ul>\n"
    return PageContent(
      title: context.plain(.alarms),
      html: """
        <div class="head"><h1>\(context.say(.alarms))</h1>
        <a class="button main" href="/alarms/new">\(context.say(.newAlarm))</a></div>
        \(saved)\(list)
        """, isLive: true)
  }

  private var saved: String {
    context.visit.query["saved"] == "removed" ? context.notice(context.say(.alarmRemoved)) : ""
  }

  private func row(_ alarm: AlarmReading) -> String {
    let person =
      context.household.people.count > 1
      ? " <span class=\"person\">\(context.escape(context.household.name(of: alarm.person)))</span>"
      : ""
    return """
      <li><p><a href="\(Link.to("alarms", alarm.id))"><strong>\(context.escape(alarm.label))</strong></a>\(person)</p>
      <p class="state">\(context.state(of: alarm))</p>
      <p class="told">\(context.english(alarm.phrase))</p></li>

      """
  }
}

extension PageContext {
  /// Returns the next ring of an alarm, or the reason why the alarm has no next ring, as HTML.
  func state(of alarm: AlarmReading) -> String {
    if alarm.isPersonPaused { return say(.personIsPaused(name: household.name(of: alarm.person))) }
    if let until = alarm.pausedUntil, until > household.local {
      return say(.pausedUntil(time: moment(until)))
    }
    return alarm.next.first.map { say(.nextRing(time: moment($0))) } ?? say(.noNextRing)
  }
}
