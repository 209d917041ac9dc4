import CivilTime

/// What an alarm would do, without setting it.
///
/// - Returns: the next `count` occurrences after `now`, and the zone they are read in.
/// - Throws: a refusal of the fields `schedule` or `zone`.
public func previewed(
  _ form: AlarmForm, count: Int, now: Instant, in surroundings: Surroundings
) throws(Refusal) -> ([Occurrence], Zone) {
  let home = Home(snapshot: HomeSnapshot(), limits: .standard, surroundings: surroundings)
  let moment = Moment(wall: now, bootNanoseconds: 0, bootID: "", clockState: .unsynced)
  let draft = Draft(home, moment, .daemon("preview"), surroundings)
  var labelled = form
  labelled.label = form.label ?? "preview"
  labelled.tone = nil
  let alarm = try draft.checked(labelled, basedOn: nil, id: AlarmID("preview"))
  guard let zone = surroundings.zone(alarm.zoneName), let plan = draft.plan(of: alarm) else {
    throw Refusal(.invalidField, field: "zone", "\"\(alarm.zoneName)\" cannot be used")
  }
  var occurrences: [Occurrence] = []
  var from = now
  while occurrences.count < count, let next = plan.next(after: from) {
    from = next.instant
    occurrences.append(next)
  }
  return (occurrences, zone)
}
