import CivilTime

// The summary of a day for a contact. `step` decides when a summary is due. A service of the daemon
// then writes the text of the summary from the record. This service gives the text to `step` with
// the command `sendSummary`, and `step` sends the text to the contact as a notice. For each day, a
// contact gets at most one summary, also after a restart and after a clock step. If the device was
// off when a summary was due, the daemon sends this summary later on the same day.
extension Transition {
  /// Requests the text of each summary that is due.
  mutating func requestSummaries() {
    let today = environment.homeZone.civil(at: wall).dateTime.date
    for (contact, time) in environment.summaries.sorted(by: { $0.key < $1.key }) {
      guard environment.isSummaryDue(at: time, on: today, wall: wall),
        notices.summaries[contact]?.contains(today) != true,
        volatile.requestedSummaries[contact] != today
      else { continue }
      volatile.requestedSummaries[contact] = today
      effects.append(.writeSummary(contact: contact, today))
    }
  }

  /// Sends the summary of a day, unless the contact already got it.
  mutating func sendSummary(of day: CivilDate, to contact: String, _ text: String) {
    reply = .done
    guard environment.contacts.contains(contact),
      notices.summaries[contact]?.contains(day) != true
    else { return }
    _ = send(
      .summary, to: contact, of: nil, on: day,
      NoticeMessage(text: text, label: "Summary of \(day.words)"))
  }
}

extension Environment {
  /// Returns true if the summary of `day` is due. In the home zone, the summary is due on `day` at
  /// `time`.
  fileprivate func isSummaryDue(at time: ClockTime, on day: CivilDate, wall: Instant) -> Bool {
    homeZone.resolve(CivilDateTime(date: day, time: time)).instant <= wall
  }
}

extension HomeState {
  /// Returns the earliest instant at which the next summary for one of the contacts is due; nil if
  /// no contact gets a summary.
  func nextSummary(in environment: Environment) -> Instant? {
    guard !environment.summaries.isEmpty, let wall = clock.lastLook?.wall else { return nil }
    let today = environment.homeZone.civil(at: wall).dateTime.date
    return environment.summaries.map { contact, time in
      let isOver =
        notices.summaries[contact]?.contains(today) == true
        || volatile.requestedSummaries[contact] == today
      return environment.homeZone.resolve(
        CivilDateTime(date: isOver ? today.adding(days: 1) : today, time: time)
      ).instant
    }.min()
  }
}
