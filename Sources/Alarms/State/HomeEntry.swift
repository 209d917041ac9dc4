import CivilTime

extension HomeState {
  /// An alarm and its plan.
  ///
  /// The plan is nil if the zone of the alarm is missing from the system. Copies of an entry share
  /// this object, so that copying an entry is cheap.
  private final class Definition: Sendable {
    let alarm: Alarm
    let plan: SchedulePlan?
    /// The user who created the alarm; nil if the record does not contain this user.
    let creator: String?

    init(_ alarm: Alarm, _ plan: SchedulePlan?, creator: String?) {
      (self.alarm, self.plan, self.creator) = (alarm, plan, creator)
    }
  }

  /// An alarm, and the data that the daemon computes from the alarm.
  struct Entry: Sendable {
    private var definition: Definition
    /// The open prompts of the alarm.
    var open = OpenNominals.none
    var closedNominals: Set<Int64> = []
    /// The due instants of closed prompts. If `Alarm.keepsInstants` is false for the alarm, the set
    /// is empty.
    var closedInstants: Set<Instant> = []
    /// The prompts that ended before their first ring, without an answer and without a
    /// cancellation.
    ///
    /// Until the late window of one of these prompts has passed, `step` may plan this prompt again.
    var unheardNominals: Set<Int64> = []
    var unheardInstants: Set<Instant> = []
    var purged: PurgedTimes? {
      get { boxedPurge?.value }
      set { boxedPurge = newValue.map { Boxed($0) } }
    }
    private var boxedPurge: Boxed<PurgedTimes>?

    init(
      alarm: Alarm, plan: SchedulePlan?, closedNominals: Set<Int64> = [],
      closedInstants: Set<Instant> = [], unheardNominals: Set<Int64> = [],
      unheardInstants: Set<Instant> = [], creator: String? = nil
    ) {
      definition = Definition(alarm, plan, creator: creator)
      self.closedNominals = closedNominals
      self.closedInstants = closedInstants
      self.unheardNominals = unheardNominals
      self.unheardInstants = unheardInstants
    }

    var alarm: Alarm { definition.alarm }
    var plan: SchedulePlan? { definition.plan }
    var creator: String? { definition.creator }

    mutating func open(_ prompt: Prompt) {
      open.insert(prompt.id.nominalKey)
      unheardNominals.remove(prompt.id.nominalKey)
      unheardInstants.remove(prompt.dueAt)
    }

    mutating func close(_ prompt: Prompt) {
      let key = prompt.id.nominalKey
      open.remove(key)
      if prompt.canBePlannedAgain {
        unheardNominals.insert(key)
        if alarm.keepsInstants { unheardInstants.insert(prompt.dueAt) }
      } else {
        closedNominals.insert(key)
        if alarm.keepsInstants { closedInstants.insert(prompt.dueAt) }
      }
    }

    /// Marks a prompt as open again after an undo of the answer that closed the prompt.
    mutating func reopen(_ prompt: Prompt) {
      closedNominals.remove(prompt.id.nominalKey)
      closedInstants.remove(prompt.dueAt)
    }

    mutating func define(_ alarm: Alarm, _ plan: SchedulePlan?) {
      definition = Definition(alarm, plan, creator: definition.creator)
    }
  }
}

extension HomeState {
  /// For each contact that `alarm` notifies, adds `difference` to the number of alarms with this
  /// contact.
  mutating func countContacts(of alarm: Alarm, by difference: Int) {
    for contact in Set(alarm.escalation.notifySteps.lazy.map(\.contact)) {
      let count = alarmsByContact[contact, default: 0] + difference
      alarmsByContact[contact] = count == 0 ? nil : count
    }
  }
}
