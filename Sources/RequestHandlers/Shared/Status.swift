import API
import Alarms
import CivilTime
import JSONValue
import Sentences

extension JSON {
  /// Returns the state of the daemon, with the faults that can prevent a ring.
  ///
  /// - Parameters:
  ///   - asker: the sender of the request. The response contains the sender, so that users see how
  ///     the daemon identifies them.
  ///   - roles: all roles of the sender.
  ///   - only: the only person whose prompts the sender may see; nil for all people.
  static func status(
    _ home: HomeState, isRecordWritable: Bool, reading: ClockReading, environment: Environment,
    head: (sequence: Int64, hash: String), version: String, machine: MachineReport, asker: Actor,
    askerName: String?,
    roles: [Role], only: PersonID?, callerStats: CallerStats?
  ) -> JSON {
    let machine = machine.seen(by: only, in: home)
    let problems = problems(
      home, isRecordWritable: isRecordWritable, reading: reading, machine: machine,
      environment: environment, only: only)
    let own = only.map { home.openPrompts(of: $0) }
    let isSoundingSeen = home.isSoundingSeen(by: only)
    let next = own.map { $0.compactMap(\.nextStepAt).min() } ?? home.nextStep
    var document = JSON.object([
      ("version", .string(version)), ("state", .string(problems.isEmpty ? "ok" : "degraded")),
      ("problems", .array(problems.map(\.json))),
      (
        "alarms",
        .integer(Int64(home.currentAlarmCount(of: only)))
      ),
      ("open_prompts", .integer(Int64(own?.count ?? home.openPromptCount))),
      ("waiting", .integer(Int64(home.waitingCount(of: only)))),
      ("paused", .array(home.paused(of: only, at: reading.wall, environment))),
      ("sounding", .optional(isSoundingSeen ? home.sounding?.description : nil)),
      ("next_utc", .optional(next?.description)),
      (
        "clock",
        .object([
          ("utc", .string(reading.wall.description)),
          ("state", .string(reading.clockState.rawValue)),
          ("error_ms", .optional(reading.clockErrorMilliseconds)),
        ])
      ),
      ("zone", .string(environment.homeZone.name)),
      ("language", .string(environment.language)),
      ("languages", .languages(home.livingPeople(only), environment.language, machine)),
      ("tzdata", .string(environment.tzdataVersion)),
      ("speaker", .speaker(home, levels: home.levels, only: only)),
      ("record", .record(only == nil ? head : nil, isWritable: isRecordWritable)),
      ("machine", .machine(machine)), ("work", .array(machine.work.map(JSON.work))),
      (
        "you",
        .object([
          ("id", .string(asker.id)), ("name", .optional(askerName)),
          ("role", .string(asker.role.rawValue)),
          ("roles", .array(roles.map { .string($0.rawValue) })),
          ("person", .optional(only?.text)),
        ])
      ),
    ])
    if let link = machine.archiveLink, only == nil {
      document.set("archive_link", link.json(head: head.sequence))
    }
    if let callerStats {
      document.set("presence", .callerStats(callerStats, device: reading.wall))
      document.set("inactive", .inactive(home))
    }
    return document
  }

  /// The status for a courier. This status contains no problems and no lists, because these can
  /// contain words that a person typed.
  var withoutWords: JSON {
    var document = self
    for name in ["problems", "paused", "languages"] { document.set(name, .array([])) }
    document.set("sounding", .null)
    return document
  }

  /// Returns the people for whom a task has rung and who have not answered a prompt since this
  /// ring. Each entry contains the start time of the ring. The list contains only people with an
  /// inactivity rule.
  private static func inactive(_ home: HomeState) -> JSON {
    .array(
      home.people.values.sorted { $0.id.text < $1.id.text }.compactMap { state in
        state.inactivity.map { inactivity in
          .object([
            ("person", .string(state.id.text)),
            ("since_utc", .string(inactivity.since.description)),
            ("notified", .integer(Int64(inactivity.notifyProgress.begun))),
            ("next_notification_utc", .optional(home.inactivitySteps[state.id]?.description)),
          ])
        }
      })
  }

  /// Returns the languages of the people. The screen, the button and `prompter doctor` use these
  /// languages.
  ///
  /// - Parameter language: the language of the home.
  private static func languages(
    _ people: [Person], _ language: String, _ machine: MachineReport
  ) -> JSON {
    .array(
      people.prefix(mostLanguages).map { person in
        let own = person.language ?? language
        let words = Language.first(of: [own, language])
        return .object([
          ("person", .string(person.id.text)), ("language", .string(own)),
          ("voice", machine.isSpeaking ? machine.voices[own].map(JSON.bool) ?? .null : .null),
          ("sentences", .string(words.tag)),
        ])
      })
  }

  /// The maximum number of people whose language is in the status.
  private static let mostLanguages = 100

  /// Returns the state of the record.
  ///
  /// - Parameter head: the head of the record; nil for a user who may see only one person. This
  ///   user must not see the head, because its sequence number counts the events of all people.
  private static func record(
    _ head: (sequence: Int64, hash: String)?, isWritable: Bool
  ) -> JSON {
    var members: [(String, JSON)] = []
    if let head {
      members = [("events", .integer(head.sequence)), ("head", .string(head.hash))]
    }
    return .object(members + [("writable", .bool(isWritable))])
  }

  /// Returns the faults that may prevent the next ring.
  ///
  /// For a user who may see only one person, the result contains the faults of the whole home and
  /// the faults that concern this person.
  private static func problems(
    _ home: HomeState, isRecordWritable: Bool, reading: ClockReading, machine: MachineReport,
    environment: Environment, only: PersonID?
  ) -> [StatusProblem] {
    var problems: [StatusProblem] = []
    if !isRecordWritable {
      problems.append(.init(.recordNotWritable, "the record cannot be written"))
    }
    problems += home.speakerProblems(of: only)
    if reading.clockState != .synced {
      problems.append(
        .init(.clockUnsynced, "the clock is not synchronised with a time source"))
    }
    problems += machine.problems + home.unknownNames(among: machine.configuredPeople)
    if only == nil {
      problems += home.unreachable(among: environment.contacts) + home.lowSupplies
    }
    problems += home.hoursOverLimit(of: only, at: reading, environment).map {
      .init(.hourFull, $0.words)
    }
    if only == nil {
      let today = environment.homeZone.civil(at: reading.wall).dateTime.date
      problems += home.endingHolidays(on: today).map { .init(.holidaysEnd, $0.words) }
    }
    return problems
  }

  private static func work(_ work: LongWork) -> JSON {
    .object([
      ("kind", .string(work.kind.rawValue)), ("what", .string(work.kind.rawValue)),
      ("done", .integer(work.done)), ("total", .integer(work.total)),
    ])
  }

  private static func machine(_ machine: MachineReport) -> JSON {
    .object([
      ("state_directory", .string(machine.stateDirectory)),
      ("configuration", .optional(machine.configuration)),
      ("free_bytes", machine.freeBytes.map { .integer($0) } ?? .null),
      ("total_bytes", machine.totalBytes.map { .integer($0) } ?? .null),
      ("speech", .bool(machine.isSpeechInstalled)),
      ("formats", .bool(machine.isFormatsInstalled)),
      ("missing_recordings", .array(machine.missingRecordings.map(JSON.string))),
    ])
  }
}

extension HomeState {
  /// Returns the people who were not removed. If `only` is not nil, the function returns only this
  /// person.
  fileprivate func livingPeople(_ only: PersonID?) -> [Person] {
    people.values.filter { only == nil || $0.id == only }.compactMap(\.person)
      .sorted { $0.id.text < $1.id.text }
  }

  /// The maximum number of entries in the list of paused people and paused alarms in the status.
  private static let mostPaused = 100

  /// Returns the paused people, followed by the paused alarms.
  fileprivate func paused(
    of only: PersonID?, at wall: Instant, _ environment: Environment
  ) -> [JSON] {
    let states = people.values.filter { only == nil || $0.id == only }
      .sorted { $0.id.text < $1.id.text }
    let paused = states.compactMap { state -> JSON? in
      guard state.person != nil, let pause = state.pause(at: wall) else { return nil }
      let until = pause.until.map { environment.zone(of: state).civil(at: $0).dateTime }
      return .object([
        ("person", .string(state.id.text)), ("alarm_id", .null), ("label", .null),
        ("until_local", .optional(until?.description)),
      ])
    }
    let own = alarms.filter { $0.pauses.until != nil && (only == nil || $0.person == only) }
      .sorted { ($0.label, $0.id) < ($1.label, $1.id) }
      .compactMap { alarm in
        JSON.pausedAlarm(
          alarm, zone: environment.zone(of: alarm) ?? environment.homeZone, now: wall)
      }
    return Array((paused + own).prefix(Self.mostPaused))
  }
}
