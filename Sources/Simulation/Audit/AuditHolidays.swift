import Alarms
import CivilTime

// Checks the lists of holidays, and the alarms that use these lists.
extension Audit {
  /// Checks that no prompt becomes due on a holiday of the list that its alarm uses.
  ///
  /// The check reads the dates from the events about the list, and not from the schedule of the
  /// alarm. An early reminder can be due on a holiday, because only the day of its main prompt
  /// matters.
  mutating func checkHoliday(_ event: Event) {
    guard case .due(let id, _) = event, let prompt = replay.prompts[id], prompt.leadsToAt == nil,
      let name = replay.alarms[id.alarm]?.schedule.holidays?.list
    else { return }
    if replay.holidays[name]?.holiday(on: id.nominal.date) != nil {
      fail("I6", "\(id) is due on a holiday of \(name)")
    }
  }

  /// Checks a change of a list of holidays that the daemon accepted. The record must contain the
  /// change. Each alarm that uses the list must have the new dates.
  ///
  /// The daemon may remove a list if all alarms that use the list have ended. These alarms keep the
  /// dates of the removed list.
  mutating func checkHolidays(_ change: HolidayImport) {
    let name = change.list.name
    guard let stored = replay.holidays[name] else {
      let open = replay.prompts.values.first { prompt in
        prompt.state.isOpen && replay.alarms[prompt.id.alarm]?.schedule.holidays?.list == name
      }
      if let open {
        fail("I2", "the list of holidays \(name) was removed, but \(open.id) will still ring")
      }
      return
    }
    if stored != change.list {
      fail("I2", "the list of holidays \(name) was acknowledged, but is not in the record")
    }
    for alarm in replay.alarms.values where alarm.schedule.holidays?.list == name {
      if alarm.schedule.holidays?.days != stored.days.map(\.date) {
        fail("I2", "alarm \(alarm.id) does not have the dates of the list \(name)")
      }
    }
  }
}
