import API
import Alarms
import CLinux
import CivilTime
import Engine
import EventCoding
import Glibc
import HTTPServer
import Images
import Logbook
import Logging
import MessageDigest
import Platform
import Processes
import RequestHandlers
import ServiceLifecycle
import SoundProtocol
import Speaker
import Systemd
import UnixSignals

/// Creates and connects the modules, and runs the daemon.
package struct DaemonAssembly {
  private let logger: Logger
  private let journal: Journal?
  private let manager = ServiceManager()
  private let directory: StateDirectory
  let zones: HomeZones
  private let zoneWatch: FileWatch
  private let soundCards: FileWatch
  private let timer: WallTimer
  private let broadcaster = LogBroadcaster()
  let logbook: Logbook
  private let maintenance: RecordMaintenance
  private let summaries = AsyncStream.makeStream(of: SummaryRequest.self)
  /// True if the record has no damage. If the record is damaged, rows about files that the home
  /// still uses can be missing. Such a file seems unused. Therefore, if the value is false, the
  /// daemon does not delete files that seem unused.
  private let isRecordWhole: Bool
  let tones: ToneStore
  let pictures: ImageStore
  private let storedFiles: StoredFileCheck
  private let serverSocket: ListeningSocket
  private let source: SettingsSource
  let settings: Settings
  /// Problems of the configuration file.
  private let settingsProblems: [String]
  let helper: String
  private let relay: String?
  let imageHelper: String
  let formatsHelper: String
  let speechPrefetch: SpeechPrefetch
  let speakerTests = SpeakerTests()

  package init(state: String, socket: String, source: SettingsSource, relay: String?) throws {
    self.relay = relay
    journal = Journal()
    logger = Logger.daemon(journal)
    let inherited = manager.inheritedSockets()
    directory = try StateDirectory(path: state)
    let found = try source.readOrRecall()
    for warning in found.warnings { logger.warning("\(warning)") }
    self.source = source
    settings = found.settings
    settingsProblems = found.problems
    zones = try HomeZones(files: .system, setting: settings.zone)
    zoneWatch = try FileWatch(.contents, of: ["/usr/share/zoneinfo", "/etc"])
    soundCards = try FileWatch(.devices, of: ["/dev/snd"])
    // The systemd watchdog requires a report within a time limit. The timer fires twice within this
    // time limit, so each report is in time.
    timer = try WallTimer(pulseMicroseconds: manager.watchdogMicroseconds.map { $0 / 2 })
    let reserve = DiskReserve(directory: directory.path)
    let opened = try Logbook.opening(
      directory: directory.path, refuge: getenv("RUNTIME_DIRECTORY").map { String(cString: $0) },
      now: SystemClock().now().wall.milliseconds)
    logbook = opened.logbook
    isRecordWhole = opened.notices.isEmpty
    tones = ToneStore(directory: directory.subdirectory("tones"))
    pictures = ImageStore(directory: directory.subdirectory("images"))
    storedFiles = StoredFileCheck(logbook: logbook, tones: tones, pictures: pictures)
    maintenance = RecordMaintenance(
      opened, files: storedFiles, directory: directory.path, reserve: reserve, manager: manager,
      logger: logger)
    serverSocket =
      if let control = inherited.first {
        try ListeningSocket(inherited: control.descriptor)
      } else {
        try ListeningSocket.bind(path: socket, mode: 0o660)
      }
    helper = try siblingProgram("prompter-sound")
    imageHelper = try siblingProgram("prompter-image")
    formatsHelper = try siblingProgram("prompter-formats")
    let synthesizer = SpeechSynthesizer(
      program: settings.speech ? "/usr/bin/espeak-ng" : nil, helper: helper,
      directory: directory.subdirectory("speech"), decoder: ToneDecoder(executable: helper),
      digest: { SHA256Digest.hex($0) })
    speechPrefetch = SpeechPrefetch(
      synthesizer: synthesizer, language: settings.language, logger: logger)
  }

  package func run() async throws {
    let (reports, reporter) = AsyncStream.makeStream(of: SoundReport.self)
    let (logger, speakerTests) = (logger, speakerTests)
    let speaker = SpeakerSupervisor(
      executable: helper, devices: settings.devices,
      mixer: MixerPolicy(levelPercent: settings.level, stateDirectory: directory.path),
      onLog: { logger.info("prompter-sound: \($0)") },
      onEvent: { event in
        speakerTests.handle(event)
        if let report = SoundReport(event) { reporter.yield(report) }
      })
    let (notifications, notifyResults) = AsyncStream.makeStream(of: NotifyResult.self)
    let notifier = Notifier(
      contacts: settings.contacts, pausesSeconds: Notifier.standardPauses, relay: relay,
      report: { notifyResults.yield($0) })
    let ports = ports(speaker, notifier)
    let engine = try await openEngine(ports, speaker)
    let reloader = SettingsReloader(
      source: source, settings: settings, problems: settingsProblems, zones: zones,
      speaker: speaker, notifier: notifier, engine: engine, logger: logger)
    let handler = RequestHandler(
      engine: engine, archive: archive(directory: directory.emptySubdirectory("exports")),
      sound: soundActions(speaker), recordings: recordingActions(), pictures: imageActions(),
      ports: ports, version: Release.version, newAlarmID: randomAlarmID,
      machine: machine(notifier, reloader), userName: userName)
    let denialAudit = DenialAudit(engine: engine, logger: logger)
    let server = Server(
      socket: serverSocket, identities: { reloader.identities }, limits: .standard, logger: logger,
      handle: { await handler.answer($0) },
      onDenied: { denialAudit.note(uid: $0, method: $1, path: $2) })
    speaker.start()
    speaker.selfTest()
    await engine.start(Start(version: Release.version))
    announceReady(await engine.read { home, _ in home.alarms.count })
    await prepareWords(engine, ports)
    var configuration = ServiceGroupConfiguration(
      services: [
        server, denialAudit, TimerService(ticks: timer.ticks, engine: engine),
        SoundReportService(reports: reports, engine: engine, speakerTests: speakerTests),
        NotifyReportService(notifications: notifications, engine: engine),
        SummaryService(
          requests: summaries.stream, handler: handler, engine: engine, logger: logger),
        WatchdogService(pulses: timer.pulses, manager: manager, engine: engine),
        SelfTestService(speaker: speaker, changes: soundCards.changes), reloader,
        ZoneWatchService(changes: zoneWatch.changes, zones: zones, engine: engine), speechPrefetch,
        maintenance,
        unusedFileRemoval(engine, ports),
        // Services stop in the reverse order of this list: event streams before the server.
        EventStreamShutdown(broadcaster: broadcaster),
      ],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: configuration).run()
    manager.stopping()
    await engine.stop(reason: "asked to stop")
    notifier.shutDown()
    speaker.shutdown()
    try logbook.close()
    journal?.flush()
  }

  /// Creates the engine with the state of the home. No other code may keep a reference to this
  /// state. With a second reference, the first change of the state would copy the whole state.
  private func openEngine(_ ports: Ports, _ speaker: SpeakerSupervisor) async throws -> EngineActor
  {
    let engine = EngineActor(
      EngineCore(
        home: HomeState(
          snapshot: try maintenance.takeSnapshot(), limits: settings.limits,
          environment: ports.environment()),
        ports: ports))
    let levels = await engine.read { home, _ in home.levels }
    for (device, percent) in levels { speaker.setLevel(percent: percent, device: device) }
    return engine
  }

  private func unusedFileRemoval(_ engine: EngineActor, _ ports: Ports) -> UnusedFileRemoval {
    let (maintenance, path) = (maintenance, directory.path)
    let wasWhole = isRecordWhole
    return UnusedFileRemoval(
      engine: engine, tones: tones, pictures: pictures, speechPrefetch: speechPrefetch,
      logger: logger, wantedWords: { $0.wantedWords(at: ports.now(), in: ports.environment()) },
      isRecordWhole: {
        wasWhole && !maintenance.isDamaged && Logbook.damagedRecords(in: path).isEmpty
      })
  }

  private func prepareWords(_ engine: EngineActor, _ ports: Ports) async {
    let (now, environment) = (ports.now(), ports.environment())
    for words in await engine.read({ home, _ in home.wantedWords(at: now, in: environment) }) {
      speechPrefetch.prepare(words)
    }
  }

  private func announceReady(_ alarms: Int) {
    logger.info("ready: \(alarms) alarms armed, home zone \(zones.environment.homeZone.name)")
    // The restore of the state used much memory. Return this memory to the operating system.
    prompter_return_memory()
    manager.ready(status: "\(alarms) alarms armed")
  }

  private func ports(_ speaker: SpeakerSupervisor, _ notifier: Notifier) -> Ports {
    let (clock, logger, logbook, tones, timer) = (SystemClock(), logger, logbook, tones, timer)
    let (zones, speechPrefetch, speakerTests, broadcaster) = (
      zones, speechPrefetch, speakerTests, broadcaster
    )
    let (journal, maintenance) = (journal, maintenance)
    let (state, language, mergesRings) = (
      directory.path, settings.language, settings.mergesRings
    )
    var ports = Ports(
      now: { clock.now() },
      environment: {
        var environment = zones.environment
        environment.contacts = notifier.contacts
        environment.language = language
        environment.mergesRings = mergesRings
        environment.summaries = notifier.summaries
        environment.callContacts = notifier.callContacts
        return environment
      },
      record: {
        try maintenance.record($0, $1)
        broadcaster.post(logbook.head.sequence)
        journal?.write($0)
      },
      play: { order in
        speakerTests.stopForRing(on: speaker)
        speaker.play(Self.sound(of: order, tones, speechPrefetch))
      },
      stop: { speaker.stop(id: RingSound.id(prompt: $0, ring: $1)) },
      rehearse: { speechPrefetch.prepare($0) },
      setLevel: { speaker.setLevel(percent: $1, device: $0) },
      notify: { notifier.notify($0) }, cancelNotification: { notifier.stop($0) },
      wake: { timer.arm($0) }, freeBytes: { DiskSpace(under: state)?.freeBytes },
      log: { line in
        switch line.level {
        case .info: logger.info("\(line.text)")
        case .warning: logger.warning("\(line.text)")
        case .error: logger.error("\(line.text)")
        }
      })
    let summaries = summaries.continuation
    ports.writeSummary = { summaries.yield(SummaryRequest(contact: $0, day: $1)) }
    ports.wakeDevice = { timer.armDevice($0) }
    ports.lowSpaceReason = { maintenance.lowSpaceReason }
    return ports
  }

  private func machine(
    _ notifier: Notifier, _ reloader: SettingsReloader
  ) -> @Sendable ([Tone]) -> MachineReport {
    let (directory, tones, maintenance, file) = (directory.path, tones, maintenance, source.file)
    let (logbook, isSpeechAllowed, formats) = (logbook, settings.speech, formatsHelper)
    let (speechPrefetch, linkStatus) = (speechPrefetch, settings.linkStatus)
    return { known in
      let disk = DiskSpace(under: directory)
      var report = MachineReport(
        stateDirectory: directory, freeBytes: disk?.freeBytes, totalBytes: disk?.totalBytes,
        isSpeechInstalled: isInstalled("espeak-ng"),
        missingRecordings: known.filter { tones.path(sha256: $0.sha256) == nil }.map(\.name))
      report.notices =
        maintenance.notices + reloader.problems.map { StatusProblem(.configuration, $0) }
      report.contactTroubles = notifier.troubles
      report.voices = speechPrefetch.voices
      report.isFormatsInstalled = access(formats, X_OK) == 0
      report.isSpeaking = report.isSpeechInstalled && isSpeechAllowed
      report.configuration = file
      report.configuredPeople = reloader.identities.configuredPeople
      report.work = logbook.progress.underWay
      report.archiveLink = archiveLink(linkStatus)
      return report
    }
  }

  private func archive(directory: String) -> Archive {
    let (logbook, broadcaster, clock, zones) = (logbook, broadcaster, SystemClock(), zones)
    let (state, storedFiles) = (self.directory.path, storedFiles)
    return Archive(
      prompts: { filter in
        try logbook.prompts(PromptQuery(filter, now: clock.now().wall)).map(ArchivedPrompt.init)
      },
      prompt: { try logbook.prompt($0).map(ArchivedPrompt.init) },
      events: { try logbook.listedEvents(after: $0, limit: $1).map(\.json) },
      verify: { try storedFiles.completing(logbook.verify(anchor: $0, manifest: $1)).json },
      export: { profile, layout in
        let export = try await logbook.exportArchive(
          profile: profile, layout: layout, workDirectory: directory, zone: zones.environment.zone)
        return ExportStream(export)
      },
      ownData: { person, pictures in
        try await ownData(of: person, pictures, workDirectory: directory)
      },
      backup: {
        let backup = try await logbook.backup(
          state: state, workDirectory: directory, version: Release.version)
        return BackupStream(
          chunks: backup.chunks, head: backup.head.hash, bytes: backup.bytes)
      },
      retire: {
        try RetiredMarker.mark(state: state, head: logbook.head.hash)
        // The daemon sends the reply before it ends. When the daemon starts the next time, it finds
        // the marker file of a retired device.
        Task {
          _ = await hasSlept(milliseconds: 500)
          kill(getpid(), SIGTERM)
        }
      },
      head: { logbook.head },
      idempotencyRecords: IdempotencyStore(
        find: { try logbook.idempotencyRecord(actor: $0, key: $1) }, keep: { try logbook.keep($0) },
        digest: { SHA256Digest.hex($0) }),
      versions: { id in
        try logbook.alarmHistory(id).map {
          ArchivedVersion(alarm: $0.alarm, actor: $0.actor, at: $0.at)
        }
      },
      cancelled: { try logbook.cancelledAlarms(limit: $0) },
      history: { try logbook.history(of: $0) },
      interruptions: { try logbook.interruptions(during: $0) },
      removal: { try logbook.removal(of: $0) }, outcomes: { try logbook.outcomes() },
      contactResults: {
        try logbook.contactResults().mapValues {
          ContactResult(reachedAt: $0.reachedAt, failedAt: $0.failedAt, failure: $0.failure)
        }
      },
      messages: { try logbook.messages(of: $0, limit: $1).map(ArchivedMessage.init) },
      lastAnswer: { try logbook.lastPatientAnswer() },
      newEvents: { await broadcaster.waitForEvents(after: $0) }, study: studyArchive(state: state))
  }
}

/// Returns the path of a program that is in the same directory as this program.
func siblingProgram(_ name: String) throws(HostError) -> String {
  guard let path = SiblingProgram.path(name) else {
    throw HostError.system("find this program", errno)
  }
  return path
}

private func randomAlarmID() -> AlarmID {
  let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
  // The id has 60 random bits. Therefore two equal ids become likely only after about 1,000,000,000
  // alarms in one home.
  return AlarmID(String((0..<12).compactMap { _ in letters.randomElement() }))
}
