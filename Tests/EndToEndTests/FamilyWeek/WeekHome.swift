import API
import Alarms
import CivilTime
import ClientKit
import Engine
import Fakes
import Foundation
import HTTPServer
import Logging
import RequestHandlers
import ServiceLifecycle
import Synchronization
import Testing

/// A home with a clock that the test sets.
///
/// The home has a real HTTP server for the command line. The player plays each ring for six
/// seconds. Each contact receives each message at once. The home writes everything that the people
/// type, hear and receive into its transcript, in the order of time.
final class WeekHome {
  static let zone = SystemZones.zone("Europe/Berlin") ?? .utc
  /// The duration of each ring in milliseconds.
  private static let ringMilliseconds: Int64 = 6_000

  /// The lines that the home has written so far.
  private(set) var transcript: [String] = []
  private let home: ServedHome
  private let directory: URL
  private var handled = (plays: 0, stops: 0, notifications: 0, summaries: 0)
  private var sounding: (order: PlayOrder, endsAt: Instant)?

  /// Starts the home, runs `work`, and stops the home.
  ///
  /// - Parameters:
  ///   - start: the local time at which the daemon starts.
  ///   - summaries: the contacts, and the time of day at which each contact gets the summary.
  static func with(
    start: CivilDateTime, summaries: [String: ClockTime],
    _ work: (WeekHome) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "prompter-week-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var environment = Environment(homeZone: zone, tzdataVersion: "test") { SystemZones.zone($0) }
    environment.contacts = Set(summaries.keys)
    environment.summaries = summaries
    environment.callContacts = Set(summaries.keys)
    let served = await ServedHome(
      environment: environment, now: zone.resolve(start).instant)
    let silent = Logger(label: "week", factory: { _ in SwiftLogNoOpLogHandler() })
    let servers = try ["anna", "hilde", "otto"].map { name in
      let isCaretaker = name == "anna"
      return Server(
        socket: try ListeningSocket.bind(path: socket(of: name, in: directory), mode: 0o600),
        identities: Identities(
          admins: isCaretaker ? [geteuid()] : [], users: [:], groups: [:],
          people: isCaretaker ? [:] : [geteuid(): name], alwaysAdmin: []),
        limits: .standard, logger: silent,
        handle: { request in
          // The record names the person of the script, not the user who runs the test.
          var request = request
          request.actor.id = name
          return await served.handler.answer(request)
        },
        onDenied: { _, _, _ in })
    }
    let group = ServiceGroup(services: servers, logger: silent)
    let running = Task { try await group.run() }
    do {
      try await work(WeekHome(served, directory))
    } catch {
      await group.triggerGracefulShutdown()
      _ = await running.result
      throw error
    }
    await group.triggerGracefulShutdown()
    try await running.value
  }

  private init(_ home: ServedHome, _ directory: URL) {
    self.home = home
    self.directory = directory
  }

  func write(_ line: String) { transcript.append(line) }

  /// Lets time pass until a local time.
  ///
  /// The function handles everything that is due until then. At the end, the clock shows this
  /// local time.
  func pass(until end: CivilDateTime) async throws {
    let end = Self.zone.resolve(end).instant
    try await settle()
    while let next = [nextWake, sounding?.endsAt].compactMap({ $0 }).min(), next <= end {
      set(max(next, now))
      try await finishSound()
      await home.engine.wake()
      try await settle()
    }
    set(end)
  }

  /// Runs a command, and adds its output to the transcript.
  func perform(_ act: WeekScript.Act) async throws {
    try await pass(until: act.at)
    write(act.line)
    let finished = try await Running(
      Programs.path("prompter"),
      ["--socket", Self.socket(of: act.who, in: directory)] + act.words.map(Self.path),
      in: directory,
      environment: [
        "LD_PRELOAD": Programs.path("libFixedClock.so"),
        "FIXED_CLOCK": "\(now.milliseconds / 1_000)", "TZ": "Europe/Berlin", "COLUMNS": "100",
        "HOME": directory.path(percentEncoded: false),
      ]
    ).finished()
    for line in (finished.output + finished.complaint).split(separator: "\n") {
      write("  " + line)
    }
    if finished.code != 0 { write("  (exit code \(finished.code))") }
    await home.engine.wake()
    try await settle()
  }

  /// Returns the socket of a person. All commands run as the same user, so the socket identifies
  /// the person.
  private static func socket(of person: String, in directory: URL) -> String {
    directory.appending(path: "\(person).sock").path(percentEncoded: false)
  }

  /// Returns the path of a calendar file of the fixtures; returns any other word unchanged.
  private static func path(_ word: String) -> String {
    guard word.hasSuffix(".ics") else { return word }
    return TestHome.fixtures.appending(path: "holidays/\(word)").path(percentEncoded: false)
  }

  private var now: Instant { home.fakes.state.withLock { $0.now.wall } }
  private var nextWake: Instant? { home.fakes.state.withLock { $0.wakeAt } }

  private func set(_ instant: Instant) {
    home.fakes.state.withLock {
      $0.now.bootNanoseconds += instant.milliseconds(since: $0.now.wall) * 1_000_000
      $0.now.wall = instant
    }
  }

  private func finishSound() async throws {
    guard let (order, endsAt) = sounding, endsAt <= now else { return }
    sounding = nil
    await end(order, isStopped: false)
  }

  private func end(_ order: PlayOrder, isStopped: Bool) async {
    await home.engine.handle(
      .ended(
        order.prompt, ring: order.ring, device: "card0", frames: isStopped ? 48_000 : 288_000,
        xruns: 0, stopped: isStopped))
  }

  /// Performs the requested effects until the engine requests no new effects.
  private func settle() async throws {
    while true {
      let (stops, plays, notifications, summaries) = home.fakes.state.withLock {
        (
          Array($0.stopped.dropFirst(handled.stops)), Array($0.played.dropFirst(handled.plays)),
          Array($0.notifications.dropFirst(handled.notifications)),
          Array($0.summaries.dropFirst(handled.summaries))
        )
      }
      if stops.isEmpty, plays.isEmpty, notifications.isEmpty, summaries.isEmpty { return }
      handled.stops += stops.count
      handled.plays += plays.count
      handled.notifications += notifications.count
      handled.summaries += summaries.count
      for prompt in stops {
        guard let sound = sounding, sound.order.prompt == prompt else { continue }
        sounding = nil
        await end(sound.order, isStopped: true)
      }
      for order in plays { await play(order) }
      for message in notifications {
        note("\(message.contact) gets (\(message.reason.rawValue)): \(message.text)")
        await home.engine.handle(
          NotifyResult(
            subject: message.subject, position: message.position, contact: message.contact,
            attempt: 1, reason: message.reason, result: .notified))
      }
      for summary in summaries {
        let text = try await home.handler.summaryText(of: summary.day)
        _ = try await home.engine.execute(
          .sendSummary(contact: summary.contact, summary.day, text: text), by: .daemon("summary"))
      }
    }
  }

  private func play(_ order: PlayOrder) async {
    func words(_ tones: [String], _ words: SpokenWords?) -> String {
      tones.first.map { "the recording \($0)" } ?? words.map { "\"\($0.text)\"" }
        ?? "the built-in tone"
    }
    let sounds =
      (order.lead.map { ["\"\($0.text)\""] } ?? []) + [words(order.tones, order.words)]
      + order.others.map { words($0.tones, $0.words) }
    let loudness = order.gainDecibels == 0 ? "" : ", \(order.gainDecibels) dB"
    note("sounds: " + sounds.joined(separator: ", ") + " (ring \(order.ring)\(loudness))")
    await home.engine.handle(.started(order.prompt, ring: order.ring, device: "card0"))
    sounding = (order, now.adding(milliseconds: Self.ringMilliseconds))
  }

  private func note(_ text: String) {
    write("\(Self.zone.civil(at: now).dateTime.time) \(text)")
  }
}
