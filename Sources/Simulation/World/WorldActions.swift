import Alarms
import CivilTime

extension World {
  private static let caretaker = Actor(role: .caretaker, id: "uid:1001", source: "socket")
  static let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")
  private static let patient = Actor(role: .patient, id: "uid:1002", source: "socket")

  /// Performs one action, and adds the action to `performed`.
  func perform(_ action: Action) {
    performed.append(TimedAction(at: clock.time, action))
    if let fault = action.fault { faults[fault, default: 0] += 1 }
    switch action {
    case .add(let form): ask(.add(newAlarmID(), form.complete), by: Self.caretaker)
    case .edit(let number, let form, let isStale):
      guard let alarm = alarm(number) else { return }
      let known = VersionCondition(isStale ? alarm.version - 1 : alarm.version)
      ask(.edit(alarm.id, ifVersion: known, form), by: Self.caretaker)
    case .remove(let number, let isStale):
      guard let alarm = alarm(number) else { return }
      let stale = isStale ? VersionCondition(alarm.version + 1) : nil
      ask(.remove(alarm.id, ifVersion: stale), by: Self.caretaker)
    case .answer(let target, let answer, let role):
      guard let id = prompt(target) else { return }
      ask(.answer(id.prompt, answer), by: role == .patient ? Self.patient : Self.caretaker)
    case .respond(let target, let number, let completes, let role):
      respond(to: target, number, completes, by: role == .patient ? Self.patient : Self.caretaker)
    case .present(let target): screen(target) { .present($0) }
    case .sayAgain(let target): screen(target) { .sayAgain($0) }
    case .undo(let target, let role):
      guard let id = prompt(target) else { return }
      ask(.undo(id.prompt), by: role == .patient ? Self.patient : Self.caretaker)
    case .say, .call, .addPerson, .changePerson, .removePerson, .pausePeople, .resumePeople,
      .setPhase, .endPhase, .importHolidays, .removeHolidays:
      household(action)
    case .supply(let command): ask(.supply(withNewID(command)), by: Self.caretaker)
    case .export: export()
    case .purge(let days): purge(keepingDays: days)
    case .kill(let calls, let down): scheduleKill(calls, down, nil)
    case .restart(let down):
      guard daemon != nil else { return }
      deliver(.stopping(reason: "asked to stop"))
      if daemon != nil { end(downMilliseconds: down) }
    case .power(let calls, let seconds, let battery): scheduleKill(calls, seconds * 1_000, battery)
    case .disk(let seconds): unwritableUntil = max(unwritableUntil, clock.time + seconds * 1_000)
    case .slowDisk(let milliseconds, let seconds):
      slowness = (milliseconds, clock.time + seconds * 1_000)
    case .contacts(let condition, let seconds):
      notifier.set(condition, until: clock.time + seconds * 1_000)
    case .clock(let seconds): setClock(clock.errorMilliseconds + seconds * 1_000)
    case .sync:
      clock.state = .synced
      if battery != nil { isSetAtBoot = true }
      setClock(0)
    case .loseSync: clock.state = .unsynced
    case .suspend(let seconds):
      audit.troubles.insert("suspend")
      let until = max(suspendedUntil, clock.time + seconds * 1_000)
      clock.sleep(milliseconds: until - max(suspendedUntil, clock.time))
      suspendedUntil = until
    case .speaker(let condition, let seconds):
      if condition != .well { audit.troubles.insert("speaker") }
      speaker.set(condition, until: clock.time + seconds * 1_000)
    case .forge(let back): forge(back)
    case .zone(let name): replaceZones(home: name, release)
    case .tzdata(let number): replaceZones(home: homeZone, number)
    case .again(let back): askAgain(back)
    }
  }

  private func askAgain(_ back: Int) {
    guard asked.count > back else { return }
    let request = asked[asked.count - 1 - back]
    switch request.command {
    // In the real daemon, the request handler gives a new alarm id to each request that adds an
    // alarm.
    case .add(_, let form): ask(.add(newAlarmID(), form.complete), by: request.actor)
    case .call(_, let name): ask(.call(newAlarmID(), by: name), by: request.actor)
    case .announce(_, let form): ask(.announce(newAlarmID(), form), by: request.actor)
    case .supply(let command): ask(.supply(withNewID(command)), by: request.actor)
    // In the real daemon, the request handler reads a closed prompt from the record. In the
    // simulation, the audit supplies the closed prompt.
    case .respond(let id, let forms, let completes, _):
      let past = id.flatMap { daemon?.home.prompt($0) == nil ? audit.past($0) : nil }
      ask(.respond(id, forms, completes: completes, past: past), by: request.actor)
    default: ask(request.command, by: request.actor)
    }
  }

  private func newAlarmID() -> AlarmID {
    nextAlarm += 1
    return AlarmID("alarm\(1_000 + nextAlarm)")
  }

  private func withNewID(_ command: SupplyCommand) -> SupplyCommand {
    guard case .add(_, let form, let left) = command else { return command }
    nextSupply += 1
    return .add(SupplyID("supply\(nextSupply)"), form, left: left)
  }

  private func household(_ action: Action) {
    switch action {
    case .say(let form): ask(.announce(newAlarmID(), form), by: Self.caretaker)
    case .call(let id): ask(.call(newAlarmID(), by: id), by: Self.patient)
    case .addPerson(let id, let form): ask(.addPerson(PersonID(id), form), by: Self.caretaker)
    case .changePerson(let id, let form):
      ask(.changePerson(PersonID(id), ifVersion: nil, form), by: Self.caretaker)
    case .removePerson(let id): ask(.removePerson(PersonID(id)), by: Self.caretaker)
    case .pausePeople(let people, let until):
      ask(.pausePeople(people, until: until), by: Self.caretaker)
    case .resumePeople(let people): ask(.resumePeople(people), by: Self.caretaker)
    case .setPhase(let id, let form): ask(.setPhase(PersonID(id), form), by: Self.researcher)
    case .endPhase(let id): ask(.endPhase(PersonID(id), at: nil), by: Self.researcher)
    case .importHolidays(let list):
      ask(.importHolidays(list, replacing: true), by: Self.caretaker)
    case .removeHolidays(let name): ask(.removeHolidays(name), by: Self.caretaker)
    default: break
    }
  }

  /// Changes the home zone and the release of tzdata. The real daemon watches the zone files and
  /// detects such a change. The simulated daemon watches no files, so the world sends it the input
  /// `zonesChanged` at once.
  private func replaceZones(home: String, _ number: Int) {
    if (home, number) == (homeZone, release) { return }
    (homeZone, release) = (home, number)
    environment = atlas.environment(home: home, release: number)
    audit.environment = environment
    audit.zonesChanged = clock.reading
    audit.troubles.insert("clock")
    if deliver(.zonesChanged) != nil { wake() }
  }

  private func scheduleKill(_ calls: Int, _ down: Int64, _ battery: Action.BatteryClock?) {
    if daemon == nil {
      // The service is not running. If `battery` is not nil, the power fails now, and the device
      // must start before the service can start again.
      guard let battery else { return }
      self.battery = battery
      disk?.die(losingPower: lossSeed())
      return
    }
    plannedCrash = (calls, down, battery)
  }

  /// Sets the difference between the wall clock and the true time, in milliseconds. A change of the
  /// clock cancels the timer of the daemon, so the world wakes the daemon at once.
  private func setClock(_ error: Int64) {
    guard error != clock.errorMilliseconds else { return }
    audit.troubles.insert("clock")
    clock.errorMilliseconds = error
    if daemon != nil { (armed, isClockNews) = (clock.wall, true) }
  }

  private func forge(_ back: Int) {
    if heard.count > back {
      let report = heard[heard.count - 1 - back]
      // Send only false reports. A report about the ring that sounds now would be true, so do not
      // send this report.
      if let ring = report.ring, speaker.job?.order.prompt == ring.prompt,
        speaker.job?.order.ring == ring.number
      {
        return
      }
      deliver(.sound(report))
    } else {
      let id = PromptID(alarm: AlarmID("nobody"), nominalKey: 42)
      deliver(.sound(.started(id, ring: 1, device: "forged")))
    }
  }

  /// Responds to about half of the questions of a prompt, sometimes with an invalid value. If the
  /// prompt is closed, the function reads the prompt from the record.
  private func respond(
    to target: Action.Target, _ number: Int, _ completes: Bool, by actor: Actor
  ) {
    guard let id = prompt(target), let home = daemon?.home else { return }
    guard let named = id.prompt ?? home.sounding else { return }
    let past = home.prompt(named) == nil ? audit.past(named) : nil
    guard let checkIn = (past?.alarm ?? home.alarm(named.alarm))?.checkIn else { return }
    let forms = checkIn.questions.enumerated().compactMap { place, question in
      number >> place & 1 == 1 ? nil : Self.form(question, number + place)
    }
    ask(.respond(id.prompt, forms, completes: completes, past: past), by: actor)
  }

  private static func form(_ question: Question, _ number: Int) -> ResponseForm {
    let value: ResponseForm.Value =
      switch question.kind {
      case .mood: .text(Mood.allCases[number % 3].rawValue)
      case .yesNo: .flag(number % 2 == 0)
      case .scale: .number(Double(number % 12))
      default: .text("so so")
      }
    return ResponseForm(question: question.name, value: value)
  }

  private func alarm(_ number: Int) -> Alarm? {
    guard let alarms = daemon?.home.alarms.sorted(by: { $0.id < $1.id }), !alarms.isEmpty else {
      return nil
    }
    return alarms[number % alarms.count]
  }

  /// - Returns: nil if the home has no prompt that matches `target`. Otherwise, the member `prompt`
  ///   is the prompt id that the answer contains. For the target `.current`, this member is nil,
  ///   because an answer with this target contains no prompt id.
  private func prompt(_ target: Action.Target) -> (prompt: PromptID?, Void)? {
    guard let home = daemon?.home else { return nil }
    func pick(_ prompts: [Prompt], _ number: Int) -> (prompt: PromptID?, Void)? {
      prompts.isEmpty ? nil : (prompts[number % prompts.count].id, ())
    }
    let open = home.openPrompts.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
    switch target {
    case .current: return (nil, ())
    case .open(let number): return pick(open.filter { $0.state != .planned }, number)
    case .planned(let number): return pick(open.filter { $0.state == .planned }, number)
    case .closed(let number):
      // The list `closed` begins with the prompts that the daemon has closed only in memory. The
      // record does not contain the end of these prompts yet.
      let unwritten = audit.open.filter { home.prompt($0) == nil }.sorted()
      let closed =
        unwritten
        + audit.recent.reversed().compactMap {
          if case .closed(let id, _, _, _) = $0.event { id } else { nil }
        }
      return closed.isEmpty ? nil : (closed[number % closed.count], ())
    case .unknown: return (PromptID(alarm: AlarmID("nobody"), nominalKey: 42), ())
    }
  }

  /// Sends a request of a screen. For `.current`, the request is about the calling prompt.
  private func screen(_ target: Action.Target, _ command: (PromptID) -> Command) {
    guard let id = prompt(target)?.prompt ?? daemon?.home.callingPrompt(of: nil)?.id else { return }
    ask(command(id), by: Self.patient)
  }

  private func ask(_ command: Command, by actor: Actor) {
    guard daemon != nil else { return }
    asked.append((command, actor))
    if asked.count > 16 { asked.removeFirst(8) }
    request(command, by: actor)
  }

  /// - Returns: true if the daemon carried out the request and the client received the reply.
  @discardableResult
  func request(_ command: Command, by actor: Actor) -> Bool {
    guard let daemon else { return false }
    requestCount += 1
    let count = audit.count
    // A refused request must not change the open prompts. The comparison of all open prompts takes
    // longer than a request. Therefore the function compares the open prompts only for every eighth
    // request.
    let open = requestCount % 8 == 0 ? Set(daemon.home.openPrompts) : nil
    let sounding = daemon.home.sounding
    switch deliver(.command(command, actor)) {
    case .success(let reply)?:
      requests[command.kind, default: RequestCount()].accepted += 1
      audit.acknowledged(command, reply, sounding: sounding)
      return true
    case .failure(let refusal)?:
      requests[command.kind, default: RequestCount()].refused += 1
      guard refusal.kind != .unrecorded, let daemon = self.daemon else { return false }
      if audit.count != count || open.map({ $0 != Set(daemon.home.openPrompts) }) ?? false {
        audit.fail("I11", "a refused request changed the state: \(refusal)")
      }
    case nil: break
    }
    return false
  }

  /// Schedules the reaction of the simulated patient to a ring. The reaction depends only on the
  /// seed, the prompt and the number of the ring, and not on other events.
  func react(_ prompt: PromptID, _ ring: Int) {
    guard settings.hasPatient else { return }
    var random = SeededRandom(
      seed: settings.seed, about: prompt.nominalKey, Int64(ring), prompt.alarm.number)
    guard random.chance(60) else { return }
    let answer: Answer =
      switch random.roll(0...99) {
      case 0..<68: .complete
      case 68..<80: .delay(seconds: random.chance(50) ? nil : random.roll(30...1_200))
      case 80..<90: .acknowledge
      case 90..<95: .decline(.busy)
      default: .cancel(.caretakerOverride)
      }
    let target: Action.Target = random.chance(60) ? .current : .open(Int(random.roll(0...2)))
    let role: Role = random.chance(90) ? .patient : .caretaker
    let at = clock.time + random.roll(300...50_000)
    schedule(at, .answer(target, answer, role))
    reply(target, role, at, &random)
    if random.chance(10) { schedule(at + random.roll(1...4_000), .answer(target, answer, role)) }
    if random.chance(6) {
      let back: Action.Target = random.chance(70) ? .current : .closed(0)
      schedule(at + random.roll(1...70_000), .undo(back, random.chance(50) ? role : .caretaker))
    }
    if random.chance(5) {
      schedule(at + random.roll(10_000...600_000), .answer(.closed(0), answer, role))
    }
    // The reaction on the screen comes last. Otherwise, this reaction would change the random
    // numbers of all later reactions of the same seed.
    if random.chance(30) {
      let shown: Action.Target = random.chance(70) ? .current : .open(Int(random.roll(0...2)))
      schedule(clock.time + random.roll(100...20_000), .present(shown))
    }
    if random.chance(15) {
      let asked: Action.Target = random.chance(70) ? .current : .open(Int(random.roll(0...2)))
      schedule(clock.time + random.roll(1_000...100_000), .sayAgain(asked))
    }
  }

  /// Schedules the responses to questions. The simulated patient responds less than one second
  /// before the answer to the prompt, or up to one day after the answer.
  private func reply(
    _ target: Action.Target, _ role: Role, _ at: Int64, _ random: inout SeededRandom
  ) {
    guard random.chance(60) else { return }
    let number = Int(random.roll(0...99))
    switch random.roll(0...3) {
    case 0: schedule(at - random.roll(1...290), .respond(target, number, completes: false, role))
    case 1: schedule(at - random.roll(1...290), .respond(target, number, completes: true, role))
    case 2:
      schedule(at + random.roll(1...90_000), .respond(.closed(0), number, completes: false, role))
    default:
      schedule(
        at + random.roll(1...86_400_000),
        .respond(.closed(Int(random.roll(0...3))), number, completes: random.chance(50), role))
    }
  }

  private func schedule(_ at: Int64, _ action: Action) {
    let place = reactions.firstIndex { $0.at > at } ?? reactions.endIndex
    reactions.insert(TimedAction(at: at, action), at: place)
  }
}

extension Command {
  /// The kind of the command. The world counts the requests of each kind.
  fileprivate var kind: String {
    switch self {
    case .add: "add"
    case .edit: "edit"
    case .remove: "remove"
    case .answer: "answer"
    case .undo: "undo"
    case .present: "present"
    case .sayAgain: "say-again"
    case .respond: "respond"
    case .announce: "say"
    case .call: "call"
    case .addPerson: "person-add"
    case .changePerson: "person-edit"
    case .removePerson: "person-remove"
    case .pausePeople: "pause"
    case .resumePeople: "resume"
    case .setPhase: "phase"
    case .endPhase: "phase-end"
    case .importHolidays, .removeHolidays: "holidays"
    case .exported: "export"
    case .purge: "purge"
    default: "other"
    }
  }
}

extension AlarmForm {
  /// The form, completed so that the daemon does not refuse it. A random form often contains no
  /// person, and the forms of two alarms are often equal. Therefore, the result always contains a
  /// person, and permits an alarm that is equal to an existing one.
  fileprivate var complete: AlarmForm {
    var form = self
    form.person = form.person ?? PersonID.patient.text
    form.allowsDuplicate = true
    return form
  }
}
