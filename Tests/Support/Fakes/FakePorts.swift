import API
import Alarms
import CivilTime
import Engine
import JSONValue
import RequestHandlers
import Synchronization

/// Fake ports of the engine: a clock that the test sets, a record in memory that can fail, and a
/// speaker that stores each order to play a ring.
package final class FakePorts: Sendable {
  package struct DiskFull: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "the disk is full" }
  }

  package struct State {
    package var now = ClockReading(
      wall: Instant(seconds: 1_800_000_000), bootNanoseconds: 0, bootID: "boot",
      clockState: .synced)
    /// The summaries that the engine requested.
    package var summaries: [(contact: String, day: CivilDate)] = []
    package var isDiskFull = false
    /// The reason with which the home refuses requests on an almost full disk. The disk then has
    /// only its reserved space left. The reason is nil if the disk has more space.
    package var lowSpaceReason: String?
    package var records: [Record] = []
    /// The state that a replay of the recorded events gives.
    package var replay = Replay()
    /// Every alarm, including removed alarms.
    package var known: [AlarmID: Alarm] = [:]
    package var played: [PlayOrder] = []
    package var stopped: [PromptID] = []
    package var notifications: [ContactNotification] = []
    package var cancelledNotifications: [NotifySubject] = []
    package var wakeAt: Instant?
    package var freeBytes: Int64 = 1 << 30
    package var alarms = 0
    package var work: [LongWork] = []
    package var idempotencyRecords: [IdempotencyRecord] = []
    package var rewards = 0
    /// The rings that were played as test rings.
    package var rehearsed: [PlayOrder] = []
    package var pictures: [String: [UInt8]] = [:]
    package var recordings: [String: [UInt8]] = [:]
    /// The lines that the program wrote to its log.
    package var logged: [LogLine] = []
    /// True if exports and backups succeed.
    package var isExporting = false
  }

  package init(environment: Environment = FakePorts.environment) { homeEnvironment = environment }

  package let state = Mutex(State())
  private let homeEnvironment: Environment
  package static let environment = {
    var environment = Environment(homeZone: .utc, tzdataVersion: "test") {
      $0 == "UTC" ? .utc : nil
    }
    environment.contacts = ["anna", "bob"]
    return environment
  }()

  package var ports: Ports {
    var ports = Ports(
      now: { self.state.withLock { $0.now } },
      environment: { self.homeEnvironment },
      record: { records, changes in
        try self.state.withLock {
          if $0.isDiskFull { throw DiskFull() }
          $0.records += records
          for record in records { $0.replay.apply(record.event, at: record.reading) }
          $0.known.merge($0.replay.alarms) { _, new in new }
          $0.idempotencyRecords += changes.idempotencyRecords
        }
      },
      play: { order in self.state.withLock { $0.played.append(order) } },
      stop: { prompt, _ in self.state.withLock { $0.stopped.append(prompt) } },
      rehearse: { _ in },
      setLevel: { _, _ in },
      notify: { order in self.state.withLock { $0.notifications.append(order) } },
      cancelNotification: { subject in
        self.state.withLock { $0.cancelledNotifications.append(subject) }
      },
      wake: { instant in self.state.withLock { $0.wakeAt = instant } },
      freeBytes: { self.state.withLock { $0.freeBytes } },
      log: { line in self.state.withLock { $0.logged.append(line) } })
    ports.lowSpaceReason = { self.state.withLock { $0.lowSpaceReason } }
    ports.writeSummary = { contact, day in
      self.state.withLock { $0.summaries.append((contact, day)) }
    }
    return ports
  }

  package var types: [String] { state.withLock { $0.records.map(\.event.type) } }

  package func pass(seconds: Int64) {
    state.withLock {
      $0.now.wall = $0.now.wall.adding(seconds: seconds)
      $0.now.bootNanoseconds += seconds * 1_000_000_000
    }
  }

  /// Returns the prompts that pass a filter, in the order of a real record.
  package func prompts(_ filter: PromptFilter) -> [ArchivedPrompt] {
    let found = state.withLock { state -> [ArchivedPrompt] in
      let all = state.replay.prompts.values.sorted { ($0.dueAt, $0.id) > ($1.dueAt, $1.id) }
      return all.compactMap { prompt -> ArchivedPrompt? in
        let alarm = state.known[prompt.id.alarm]
        let isDue = prompt.dueAt <= state.now.wall
        let hasState =
          switch filter.state {
          case .open: prompt.state.isOpen
          case .current: prompt.state.isOpen && isDue
          case .upcoming, .planned: prompt.state.isOpen && !isDue
          case .past, .closed: !prompt.state.isOpen
          case .complete, .completed: prompt.outcomeKind == .completed
          case .incomplete, .missed:
            prompt.state.isOpen ? isDue : [.missed, .declined].contains(prompt.outcomeKind)
          case nil: true
          }
        guard hasState, filter.due?.contains(prompt.dueAt) ?? true,
          filter.alarm.map({ $0 == prompt.id.alarm }) ?? true,
          filter.label.map({ alarm?.label.contains($0) ?? false }) ?? true,
          filter.person.map({ $0 == alarm?.person.text }) ?? true
        else { return nil }
        return ArchivedPrompt(
          prompt: prompt, label: alarm?.label ?? "", instructions: alarm?.instructions ?? "",
          person: alarm?.person.text ?? "",
          image: alarm?.image, isAnnouncement: alarm?.isAnnouncement ?? false)
      }
    }
    let start = filter.before.flatMap { last in found.firstIndex { $0.prompt.id == last } }
    return Array(found.dropFirst(start.map { $0 + 1 } ?? 0).prefix(filter.limit))
  }

  /// Returns a prompt as a real record would return it.
  package func prompt(_ id: PromptID) -> ArchivedPrompt? {
    prompts(PromptFilter(limit: 1_000)).first { $0.prompt.id == id }
  }

  /// A purge of a record with 100 rows. An export contains all rows. The archive of the first n
  /// rows has the name "n".
  package var purges: PurgeActions {
    PurgeActions(
      plan: { _ in
        PlannedPurge(
          throughSequence: 100, throughAt: Instant(milliseconds: 0), going: 90, kept: 10,
          harvestedSequence: 100)
      },
      archive: { _ in AsyncThrowingStream { nil } },
      prepare: { String(repeating: "0", count: 61) + String($0) },
      next: { through, archive in
        let after = self.purged.last?.throughSequence ?? 0
        if after >= through { return nil }
        return Purge(
          throughSequence: min(through, after + 40), throughAt: Instant(milliseconds: 0),
          firstAt: nil, firstOffsetSeconds: 0, kept: 4, keptDigest: "00", archiveSHA256: archive)
      }, reclaimSpace: {}, done: { self.purged.reversed() })
  }

  /// The purges, in the order of their time.
  package var purged: [Purge] {
    state.withLock { $0.records }.compactMap {
      if case .purged(let purge) = $0.event { purge } else { nil }
    }
  }

  package func fillDisk(_ isFull: Bool) { state.withLock { $0.isDiskFull = isFull } }
}

/// An engine and its request handler with fake ports.
package struct ServedHome {
  package let fakes: FakePorts
  package let engine: EngineActor
  package let handler: RequestHandler

  /// - Parameter now: the time at which the home starts. If it is nil, the home starts at the usual
  ///   time of the fake clock.
  package init(
    limits: HomeLimits = .standard, environment: Environment = FakePorts.environment,
    now: Instant? = nil
  ) async {
    let fakes = FakePorts(environment: environment)
    if let now { fakes.state.withLock { $0.now.wall = now } }
    self.fakes = fakes
    let home = HomeState(
      snapshot: HomeSnapshot(), limits: limits, environment: environment)
    engine = EngineActor(EngineCore(home: home, ports: fakes.ports))
    handler = Self.handler(engine, fakes, fakes.archive) { _ in }
    await engine.start(Start(version: "test"))
  }

  private static func handler(
    _ engine: EngineActor, _ fakes: FakePorts, _ archive: Archive,
    _ change: @escaping @Sendable (inout MachineReport) -> Void
  ) -> RequestHandler {
    RequestHandler(
      engine: engine, archive: archive, sound: fakes.sound, recordings: fakes.recordings,
      pictures: fakes.pictures, ports: fakes.ports, version: "test",
      newAlarmID: {
        fakes.state.withLock {
          $0.alarms += 1
          return AlarmID("alarm\($0.alarms)")
        }
      },
      machine: { _ in
        var report = MachineReport(
          stateDirectory: "state", freeBytes: 1 << 30, totalBytes: 1 << 31, isSpeechInstalled: true,
          missingRecordings: [])
        report.work = fakes.state.withLock { $0.work }
        change(&report)
        return report
      }, userName: { $0 == "uid:0" ? "root" : nil })
  }

  /// Returns a second handler of the same home. The second handler can have a different record or a
  /// different report about the machine than the first handler.
  package func handler(
    archive change: (inout Archive) -> Void = { _ in },
    machine: @escaping @Sendable (inout MachineReport) -> Void = { _ in }
  ) -> RequestHandler {
    var archive = fakes.archive
    change(&archive)
    return Self.handler(engine, fakes, archive, machine)
  }

  /// Returns the id of the waiting prompt with the earliest due time. If no prompt waits, returns
  /// `current`.
  package func waiting() async -> String {
    await engine.read { home, _ in
      home.waitingPrompts.min { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }?.id.description ?? "current"
    }
  }

  /// Sends a request to the request handler.
  ///
  /// - Parameter other: a different handler of the home; nil for the usual handler.
  /// - Returns: the HTTP status, and the JSON document of the response.
  package func ask(
    _ operation: Route.Operation, _ parameters: [String: String] = [:], body: String = "",
    headers: [String: String] = [:], query: [String: String] = [:], role: Role = .caretaker,
    only: PersonID? = nil, user: String = "uid:1000", at other: RequestHandler? = nil
  ) async throws -> (status: Int, document: JSON) {
    var request = APIRequest(
      operation: operation, actor: Actor(role: role, id: user, source: "socket"),
      parameters: parameters, query: query, headers: headers, body: Array(body.utf8))
    request.only = only
    let response = await (other ?? handler).answer(request)
    guard case .bytes(let bytes) = response.body else { return (response.status, .null) }
    // A recording or a picture is not a JSON document.
    return (response.status, (try? JSON(parsing: bytes)) ?? .null)
  }
}

extension Prompt {
  fileprivate var outcomeKind: Outcome.Kind? {
    if case .closed(let outcome, _, _) = state { outcome.kind } else { nil }
  }
}
