import CivilTime

extension AlarmRules {
  static let steps = 1...10
  static let pauseSeconds: ClosedRange<Int64> = 1...86_400
  public static let notifySteps = 0...10
  static let notifySeconds: ClosedRange<Int64> = 0...86_400
  static let completeBySeconds: ClosedRange<Int64> = 1...86_400
}

extension Transition {
  /// Builds the bursts and contacts of an alarm from a form.
  func escalation(
    _ form: AlarmForm, basedOn old: Escalation
  ) throws(Refusal) -> Escalation {
    var new = old
    if let steps = form.steps {
      try refuseTwoWays(form)
      let checked = try self.steps(steps, field: "steps")
      (new.first, new.later) = (checked[0], Array(checked.dropFirst()))
    } else {
      new.first.burst = try burst(form, basedOn: old.first.burst)
    }
    if let notifySteps = form.notifySteps {
      new.notifySteps = try self.notifySteps(notifySteps, field: "tell")
    }
    new.completeBySeconds = try check(
      form.completeBySeconds ?? old.completeBySeconds, in: AlarmRules.completeBySeconds,
      field: "complete_by")
    if let completion = form.completion {
      guard completion.count <= 1 else {
        throw Refusal(
          .invalidField, field: "complete_step",
          "there are \(completion.count) bursts; give only one")
      }
      new.completion =
        completion.isEmpty ? nil : try steps(completion, field: "complete_step").first
    }
    return new
  }

  private func refuseTwoWays(_ form: AlarmForm) throws(Refusal) {
    let others = [
      ("rings", form.rings != nil), ("spacing", form.spacingSeconds != nil),
      ("gains", form.gainsDecibels != nil),
    ]
    guard let other = others.first(where: \.1)?.0 else { return }
    throw Refusal(
      .invalidField, field: other,
      "each step has its own \(other); give either the steps or \(other)")
  }

  private func steps(
    _ forms: [StepForm], field: String
  ) throws(Refusal) -> [EscalationStep] {
    guard AlarmRules.steps.contains(forms.count) else {
      throw Refusal(
        .invalidField, field: field,
        "there are \(forms.count) steps; there must be \(AlarmRules.steps.lowerBound) to "
          + "\(AlarmRules.steps.upperBound)")
    }
    var steps: [EscalationStep] = []
    for form in forms { steps.append(try step(form, after: steps.last, field: field)) }
    return steps
  }

  private func step(
    _ form: StepForm, after last: EscalationStep?, field: String
  ) throws(Refusal) -> EscalationStep {
    let rings = Int(
      try check(
        Int64(form.rings ?? Burst.standard.rings), in: AlarmRules.rings, field: field,
        of: "the number of rings", unit: ""))
    let spacing = try check(
      form.spacingSeconds ?? last?.burst.spacingSeconds ?? Burst.standard.spacingSeconds,
      in: AlarmRules.spacingSeconds, field: field, of: "the spacing")
    let pause = try pauseSeconds(form, after: last, field: field)
    return EscalationStep(
      burst: Burst(
        rings: rings, spacingSeconds: spacing,
        gainsDecibels: try gains(form.loudness, rings: rings, after: last, field: field)),
      tone: try existingTone(form.tone, old: nil, field: field), isUrgent: form.isUrgent,
      pauseSeconds: pause)
  }

  /// Returns the time before a step, in seconds; 0 for the first step. If the form does not contain
  /// this time, it is equal to the spacing of the previous step.
  private func pauseSeconds(
    _ form: StepForm, after last: EscalationStep?, field: String
  ) throws(Refusal) -> Int64 {
    if let last {
      return try check(
        form.pauseSeconds ?? last.burst.spacingSeconds, in: AlarmRules.pauseSeconds, field: field,
        of: "the time before a step")
    }
    guard let pause = form.pauseSeconds else { return 0 }
    throw Refusal(
      .invalidField, field: field,
      "the first step begins when the alarm is due and cannot wait \(pause) seconds")
  }

  private func gains(
    _ loudness: StepForm.Loudness, rings: Int, after last: EscalationStep?, field: String
  ) throws(Refusal) -> [Double] {
    let before = last.map { $0.burst.gainDecibels(ring: $0.burst.rings - 1) }
    switch loudness {
    case .decibels(let gains): return Array(try checkedGains(gains, field: field).suffix(rings))
    case .asBefore: return before.map { [$0] } ?? Burst.standardGains(rings: rings)
    case .louder:
      var gains: [Double] = []
      var gain = before ?? -15
      while gains.count < rings, gain < 0 {
        gain = min(gain + 3, 0)
        gains.append(gain)
      }
      return gains.isEmpty ? [0] : gains
    }
  }

  /// Checks the contacts that a caretaker typed for an alarm, and the time before each
  /// notification.
  func notifySteps(_ notifySteps: [NotifyStep], field: String) throws(Refusal) -> [NotifyStep] {
    guard AlarmRules.notifySteps.contains(notifySteps.count) else {
      throw Refusal(
        .invalidField, field: field,
        "there are \(notifySteps.count) contacts; at most \(AlarmRules.notifySteps.upperBound) are allowed"
      )
    }
    var checked = notifySteps
    for (place, notify) in notifySteps.enumerated() {
      try check(
        notify.afterSeconds, in: AlarmRules.notifySeconds, field: field,
        of: "the time before \"\(notify.contact)\" is notified")
      checked[place].contact = try knownContact(notify.contact, field: field)
    }
    return checked
  }

  /// The name of a contact as the configuration spells it. The comparison with the typed name
  /// ignores upper and lower case.
  ///
  /// - Throws: a refusal if the configuration does not contain the contact. The daemon could not
  ///   notify such a contact.
  func knownContact(_ contact: String, field: String) throws(Refusal) -> String {
    if let known = NameMatch.find(contact, in: environment.contacts) { return known }
    let known = environment.contacts.sorted()
    throw Refusal(
      .invalidField, field: field,
      "\"\(contact)\" is not a contact: "
        + (known.isEmpty
          ? "the daemon's configuration has no contacts"
          : "the contacts in the daemon's configuration are \(known.joined(separator: ", "))"
            + NameMatch.suggestion(for: contact, among: known)))
  }

  /// Checks that a number is in a range. If it is not, the function throws a refusal.
  ///
  /// - Parameter what: the name that the text of the refusal uses for `value`.
  @discardableResult
  private func check(
    _ value: Int64, in range: ClosedRange<Int64>, field: String, of what: String,
    unit: String = " seconds"
  ) throws(Refusal) -> Int64 {
    if range.contains(value) { return value }
    throw Refusal(
      .invalidField, field: field,
      "\(what) is \(value)\(unit); it must be from \(range.lowerBound) to \(range.upperBound)")
  }

  /// Returns a refusal if the next prompt of an alarm can be due before the daemon has notified all
  /// contacts of the present prompt. The result is nil if the daemon can always notify all contacts
  /// before the next prompt.
  ///
  /// The daemon notifies the contacts one after another. Therefore, for each contact, the function
  /// adds up the waiting times of this contact and of all earlier contacts. If the sum is not
  /// shorter than the shortest time between two prompts, the next prompt can end the current prompt
  /// before the daemon notifies this contact.
  func neverNotified(_ alarm: Alarm, occurrences: [Instant]) -> Refusal? {
    var after: Int64 = 0
    let distances = zip(occurrences, occurrences.dropFirst()).map { $1.seconds - $0.seconds }
    guard let shortest = distances.min() else { return nil }
    for notify in alarm.escalation.notifySteps {
      after += notify.afterSeconds
      if after >= shortest {
        return Refusal(
          .invalidField, field: "tell",
          "the daemon would notify \"\(notify.contact)\" \(Schedule.words(seconds: after)) after a prompt "
            + "begins to ring, but the next prompt can ring after \(Schedule.words(seconds: shortest)) "
            + "and ends this one, so \"\(notify.contact)\" would never be notified; "
            + "choose a shorter time"
        )
      }
    }
    return nil
  }

  /// The largest number of rings of an alarm that start within one hour.
  ///
  /// - Parameter occurrences: the due times of the alarm. The first burst of the alarm begins at
  ///   each due time.
  func busiestHour(of alarm: Alarm, _ occurrences: [Instant]) -> Int {
    let offsets = alarm.escalation.steps.offsetsSeconds
    let rings = occurrences.flatMap { at in offsets.map { at.seconds + $0 } }.sorted()
    var (first, most) = (0, 0)
    for (index, ring) in rings.enumerated() {
      while ring - rings[first] >= 3_600 { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
