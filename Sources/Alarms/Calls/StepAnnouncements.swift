import CivilTime

extension Transition {
  /// Deletes each announcement that has ended. An announcement has only one due time, so an ended
  /// announcement is never due again.
  ///
  /// An announcement has ended if all its prompts are closed, and if nobody can undo an answer to
  /// one of these prompts any more. After an edit of the due time, the old prompt is closed and a
  /// new prompt is open, so the function keeps the announcement.
  ///
  /// - Parameter all: true to check every announcement of the home. If the value is false, the
  ///   function checks only announcements with a changed prompt, or with a prompt whose answer can
  ///   be undone. After a restart, the value must be true, because the prompt of an ended
  ///   announcement can be missing from the memory of the daemon.
  mutating func forgetAnnouncements(all: Bool) {
    var ids = Set(changes.prompts.keys.map(\.alarm)).union(home.answered.map(\.alarm))
    if all { ids.formUnion(home.alarms.filter(\.isAnnouncement).map(\.id)) }
    for id in ids.sorted() {
      guard let alarm = alarm(id), alarm.isAnnouncement, !isAnythingOpen(of: id),
        !isAnythingUndoable(of: id)
      else { continue }
      emit(.alarmDeleted(id, version: alarm.version))
    }
  }

  private func isAnythingUndoable(of alarm: AlarmID) -> Bool {
    home.answered.filter { $0.alarm == alarm }.union(changedPrompts(of: alarm)).contains {
      prompt($0).map { undoRefusal(of: $0) == nil } ?? false
    }
  }
}

extension HomeState {
  /// The earliest instant at which the answer to an announcement can no longer be undone. `step`
  /// then deletes the announcement.
  var nextAnnouncementEnd: Instant? {
    answered.lazy.filter { self.entries[$0.alarm]?.alarm.isAnnouncement == true }
      .compactMap { self.prompts[$0]?.lastAnswer?.undoUntil.adding(milliseconds: 1) }.min()
  }
}
