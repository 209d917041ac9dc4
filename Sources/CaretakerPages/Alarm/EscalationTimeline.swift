import CivilTime

/// The rings and notifications that follow if nobody answers.
struct EscalationTimeline: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// - Parameter spacing: the time between two rings, in seconds.
    case rings(count: Int, spacing: Int64, tone: String?)
    case notify(contact: String)
  }

  /// A step, and the time from the first ring to this step, in seconds.
  struct Entry: Sendable, Hashable {
    var seconds: Int64
    var step: Step
  }

  /// The steps in the order of their times.
  var entries: [Entry]

  init(_ alarm: AlarmReading) {
    entries = []
    var end: Int64 = 0
    for burst in alarm.bursts {
      let start = end + burst.afterSeconds
      entries.append(
        Entry(
          seconds: start,
          step: .rings(
            count: burst.rings, spacing: burst.spacingSeconds, tone: burst.tone ?? alarm.tone)))
      end = start + Int64(burst.rings - 1) * burst.spacingSeconds
    }
    var told: Int64 = 0
    for one in alarm.tell {
      told += one.afterSeconds
      entries.append(Entry(seconds: told, step: .notify(contact: one.contact)))
    }
    // If a ring and a notification have the same time, the ring is first. Therefore, the sort must
    // not change the order of entries with equal times.
    entries = entries.enumerated().sorted {
      ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
    }
    .map(\.element)
  }
}

extension PageContext {
  /// Returns the timeline as HTML. If the alarm has no next ring, the timeline shows an example
  /// with a first ring at 08:00.
  func timeline(_ alarm: AlarmReading) -> String {
    let first = alarm.next.first.map(\.time)
    let list = EscalationTimeline(alarm).entries.map { entry in
      "<li class=\"\(entry.kind)\"><span class=\"time\">\(time(entry.seconds, after: first))</span>"
        + "<span>\(words(entry.step))</span></li>\n"
    }.joined()
    return "<ol class=\"timeline\">\n\(list)</ol>\n<p class=\"told\">\(say(.timelineEnds))</p>\n"
  }

  private func time(_ seconds: Int64, after first: ClockTime?) -> String {
    guard let first, let date = try? CivilDate(year: 2000, month: 1, day: 1) else {
      return escape(plain(.minutesLater(minutes: DurationWords.minutes(seconds))))
    }
    let local = CivilDateTime(date: date, time: first).localSeconds + seconds
    return String(CivilDateTime(localSeconds: local).time.description.prefix(5))
  }

  private func words(_ step: EscalationTimeline.Step) -> String {
    switch step {
    case .notify(let contact): return say(.timelineNotify(contact: contact))
    case .rings(let count, let spacing, let tone):
      let voice = tone.map { " (\(escape($0)))" } ?? ""
      if count == 1 { return say(.timelineRing) + voice }
      return say(.timelineRings(rings: String(count), spacing: DurationWords.text(spacing))) + voice
    }
  }
}

extension EscalationTimeline.Entry {
  fileprivate var kind: String {
    if case .notify = step { "notify" } else { "ring" }
  }
}

/// The text of a duration, such as "10 min". This text is the same in each language.
enum DurationWords {
  static func text(_ seconds: Int64) -> String {
    seconds % 60 == 0 && seconds > 0 ? "\(minutes(seconds)) min" : "\(seconds) s"
  }

  /// Returns the number of minutes. If this number is not an integer, the text has decimal places.
  /// Two decimal places are enough to show each second.
  static func minutes(_ seconds: Int64) -> String {
    seconds % 60 == 0
      ? String(seconds / 60) : String((Double(seconds) / 60 * 100).rounded() / 100)
  }
}
