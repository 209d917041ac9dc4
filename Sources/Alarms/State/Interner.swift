import CivilTime

/// What many alarms have in common, each thing once: a home of a hundred thousand alarms says few different
/// things, and what is equal need not lie in memory twice.
///
/// Used while all of a home is looked at, and put away after that.
struct Interner {
  /// All that a plan follows from, where that is not the alarm's own name.
  private struct PlanKey: Hashable {
    var schedule: Schedule
    var earlyReminders: [EarlyReminder]
    var zoneName: String
  }

  private let environment: Environment
  private var escalations: Set<Boxed<Escalation>> = []
  private var plans: [PlanKey: SchedulePlan] = [:]
  private var zoneNames: Set<String> = []

  init(_ environment: Environment) { self.environment = environment }

  /// The same alarm, sharing what it has in common with others.
  mutating func sharing(_ alarm: Alarm) -> Alarm {
    var alarm = alarm
    alarm.zoneName = zoneNames.insert(alarm.zoneName).memberAfterInsert
    alarm.sharedEscalation = escalations.insert(alarm.sharedEscalation).memberAfterInsert
    return alarm
  }

  /// The same prompt, with the name of its zone from here.
  mutating func sharing(_ prompt: Prompt) -> Prompt {
    var prompt = prompt
    prompt.zoneName = zoneNames.insert(prompt.zoneName).memberAfterInsert
    return prompt
  }

  /// The plan of an alarm; nil as `Environment.plan` has it.
  mutating func plan(for alarm: Alarm) -> SchedulePlan? {
    // Random times are drawn from the alarm's name.
    if case .random = alarm.schedule { return environment.plan(for: alarm) }
    let key = PlanKey(
      schedule: alarm.schedule, earlyReminders: alarm.earlyReminders, zoneName: alarm.zoneName)
    if let known = plans[key] { return known }
    let plan = environment.plan(for: alarm)
    plans[key] = plan
    return plan
  }
}
