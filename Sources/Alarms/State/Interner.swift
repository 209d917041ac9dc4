import CivilTime

/// Shares equal values of many alarms, to save memory.
///
/// Even a home with a hundred thousand alarms usually has only a few different escalations, zone
/// names and plans. The interner keeps only one copy of equal values in memory. The daemon uses an
/// interner in two cases: when it reads all alarms at its start, and when it computes the plans of
/// all alarms again.
struct Interner {
  /// All values on which a plan depends, except the id of the alarm.
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

  /// Returns a copy of the alarm. The zone name and the escalation of the copy share memory with
  /// the equal values of other alarms.
  mutating func sharing(_ alarm: Alarm) -> Alarm {
    var alarm = alarm
    alarm.zoneName = zoneNames.insert(alarm.zoneName).memberAfterInsert
    alarm.sharedEscalation = escalations.insert(alarm.sharedEscalation).memberAfterInsert
    return alarm
  }

  /// Returns a copy of the prompt. The zone name of the copy shares memory with the equal zone
  /// names of other prompts and of alarms.
  mutating func sharing(_ prompt: Prompt) -> Prompt {
    var prompt = prompt
    prompt.zoneName = zoneNames.insert(prompt.zoneName).memberAfterInsert
    return prompt
  }

  /// Returns the plan of an alarm. The result is nil if `Environment.plan` returns nil.
  mutating func plan(for alarm: Alarm) -> SchedulePlan? {
    // Random times depend on the id of the alarm, so two alarms with random times cannot share a
    // plan.
    if case .random = alarm.schedule { return environment.plan(for: alarm) }
    let key = PlanKey(
      schedule: alarm.schedule, earlyReminders: alarm.earlyReminders, zoneName: alarm.zoneName)
    if let known = plans[key] { return known }
    let plan = environment.plan(for: alarm)
    plans[key] = plan
    return plan
  }
}
