import CivilTime

/// The commands for recordings, and the command that tests the speaker.
extension Transition {
  /// Adds a tone.
  ///
  /// - Parameter replacing: true if the new tone may replace an existing tone with the same name.
  mutating func add(_ tone: Tone, replacing: Bool) throws(Refusal) {
    if !replacing, let refusal = home.refusesName(ofTone: tone.name) { throw refusal }
    if let refusal = tone.refusal(in: home, by: actor.id) { throw refusal }
    emit(.toneAdded(tone))
    reply = .tone(tone)
  }

  mutating func removeTone(_ name: String, replaceWith other: String?) throws(Refusal) {
    let tone = try known(name)
    let name = tone.name
    let other = try other.map { (other) throws(Refusal) in
      try known(other, field: "replace_with").name
    }
    if other == name {
      throw Refusal(.invalidField, field: "replace_with", "a tone cannot replace itself")
    }
    let labels =
      alarms(speakingWith: name).quotedLabels
      + people(speakingWith: name).map { "\($0.id)" }
    guard labels.isEmpty || other != nil else {
      throw Refusal(
        .inUse,
        "cannot remove the tone \"\(name)\": \(UserList.words(labels)) use it; name the tone to use "
          + "instead")
    }
    if let other { exchange(name, for: other) }
    emit(.toneRemoved(tone))
    reply = .tone(tone)
  }

  mutating func renameTone(_ name: String, to new: String) throws(Refusal) {
    var tone = try known(name)
    if let taken = toneName(new), taken != tone.name || new == tone.name {
      throw Refusal(.conflict, "the tone name \"\(taken)\" is already in use")
    }
    let old = tone
    tone.name = new
    emit(.toneAdded(tone))
    exchange(old.name, for: new)
    emit(.toneRemoved(old))
    reply = .tone(tone)
  }

  /// Records a test of the speaker.
  ///
  /// A test is not a ring of a prompt, and never delays the ring of a prompt.
  mutating func testRing(
    _ name: String?, device: String?, percent: Int?
  ) throws(Refusal) {
    if let device { try knownDevice(device) }
    try checkLevel(percent)
    var tone: Tone?
    if let name { tone = try known(name) }
    if let activeRing {
      throw Refusal(
        .conflict, "the speaker is in use: prompt \"\(activeRing.prompt)\" is ringing")
    }
    emit(.testRing(tone))
    reply = tone.map { .tone($0) } ?? .done
  }

  private func alarms(speakingWith name: String) -> [Alarm] {
    home.alarms.filter { $0.tones.contains(name) }.sorted { $0.id < $1.id }
  }

  private func people(speakingWith name: String) -> [Person] {
    livingPeople().filter { $0.tone == name }
  }

  /// Replaces a tone in all alarms and in the settings of all people.
  ///
  /// Each alarm and each person that uses the tone gets a new version. Open prompts use the new
  /// version of their alarm from then on.
  private mutating func exchange(_ name: String, for other: String) {
    for alarm in alarms(speakingWith: name) {
      var new = alarm
      new.version += 1
      new.exchangeTone(name, for: other)
      let open = openPrompts(of: alarm.id)
      emit(.alarmEdited(new))
      for prompt in open {
        if prompt.state == .planned {
          replan(prompt, for: new, from: new.schedule)
        } else {
          emit(.revised(prompt.id, version: new.version))
        }
      }
    }
    for person in people(speakingWith: name) {
      var new = person
      new.version += 1
      new.tone = other
      emit(.personChanged(new))
    }
  }

  private func known(_ name: String, field: String? = nil) throws(Refusal) -> Tone {
    if let tone = toneName(name).flatMap({ tone($0) }) { return tone }
    let detail =
      "there is no tone \"\(name)\""
      + NameMatch.suggestion(for: name, among: home.tones.keys.sorted())
    if let field { throw Refusal(.invalidField, field: field, detail) }
    throw Refusal(.notFound, detail)
  }
}
