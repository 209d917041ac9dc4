import API
import Alarms
import CivilTime
import Engine
import Fakes
import Foundation
import Glibc
import JSONValue
import RequestHandlers
import Synchronization
import Testing

/// Compares all responses to lists of requests with golden files.
///
/// Each file of `Tests/Fixtures/requests` is a list of requests. Each line has one of these forms:
///
/// - `# words`: a comment
/// - `== words`: a new home, on Friday 2027-01-15 at 09:00 in Berlin
/// - `+90`: 90 seconds pass, and the engine handles everything that is due
/// - `ring`: the speaker reports the beginning and the end of all rings that it has not reported
///   yet
/// - `notified` or `not notified`: the command of each contact ends without an error, or with an
///   error
/// - `speaker` and one of `lost`, `back`, `fallback` or `low`: the speaker reports a change
/// - `unsynced`: the clock loses its time source
/// - `exports work`: from now on, exports and backups succeed
/// - `zones lost`: the machine knows no zone any more, except the home zone of the home
/// - `disk full` or `disk free`: the record cannot be written, or can be written again
/// - `files lost`: the files of all recordings and pictures are missing
/// - `lines`: imports a diary file; `|` separates the lines of the file. `older lines` also accepts
///   entries that were corrected later.
/// - `role[/person] METHOD path [name: value]… [body]`: a request. If the line contains a person,
///   the user may see only this person. A header field needs a colon after its name and contains no
///   space in its value.
///
/// If a response changes on purpose, run `make golden`, which writes the golden files again. Then
/// read what changed in the golden files.
@Suite struct `The responses to requests` {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(arguments: ["alarms", "prompts", "people", "study", "home", "days", "faults"])
  func `are as in the golden file`(name: String) async throws {
    let script = try String(
      contentsOf: Self.tests.appending(path: "Fixtures/requests/\(name).txt"), encoding: .utf8)
    var text = ""
    var transcript = try await Transcript()
    for line in script.split(separator: "\n").map(String.init) {
      text += line.hasPrefix("#") || line.hasPrefix("==") ? "\n\(line)\n" : "\n> \(line)\n"
      text += try await transcript.play(line)
    }
    let golden = Self.tests.appending(path: "Golden/requests/\(name).txt")
    if getenv("PROMPTER_WRITE_GOLDEN") != nil { try Data(text.utf8).write(to: golden) }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    let pairs = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    let difference = pairs.first { $0 != $1 }.map { "\($0)\ninstead of\n\($1)" }
    #expect(text == expected, "\(difference ?? "one of the texts is longer")")
  }
}

/// A home that carries out lines of a list and prints responses.
private struct Transcript {
  private var home: ServedHome
  private let zones: KnownZones
  private var reportedRings = 0
  private var reportedNotifications = 0
  private var shownEvents = 0

  /// Whether the machine knows its zones. The line `zones lost` makes the value false.
  private final class KnownZones: Sendable {
    let areKnown = Mutex(true)
  }

  init() async throws {
    zones = KnownZones()
    home = try await Self.newHome(zones)
  }

  private static func newHome(_ zones: KnownZones) async throws -> ServedHome {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    let berlin = try Zone(name: "Europe/Berlin", tzif: Array(file))
    var environment = Environment(homeZone: berlin, tzdataVersion: "test") { name in
      guard zones.areKnown.withLock({ $0 }) else { return nil }
      return ["Europe/Berlin": berlin, "UTC": Zone.utc][name]
    }
    environment.contacts = ["anna", "bob"]
    environment.callContacts = ["bob"]
    return await ServedHome(environment: environment)
  }

  mutating func play(_ line: String) async throws -> String {
    if line.hasPrefix("#") { return "" }
    if line.hasPrefix("==") {
      self = try await Transcript()
      return ""
    }
    for (word, query) in [("lines ", ""), ("older lines ", "?older=yes")]
    where line.hasPrefix(word) {
      let file = String(line.dropFirst(word.count)).replacing("|", with: "\n") + "\n"
      return try await request("researcher POST /v1/study/diary\(query)", body: file) + newEvents()
    }
    if await happens(line) { return newEvents() }
    return try await request(line) + newEvents()
  }

  /// Carries out a line that is not a request.
  ///
  /// - Returns: false if the line is a request.
  private mutating func happens(_ line: String) async -> Bool {
    let engine = home.engine
    switch line {
    case "ring": await ring()
    case "notified": await report(.notified)
    case "not notified": await report(.failed(reason: "exit status 1", isLast: true))
    case "speaker lost": await engine.handle(.unusable(reason: "no sound card"))
    case "speaker back": await engine.handle(.usable(device: "card0"))
    case "speaker fallback":
      let prompt = home.fakes.state.withLock { $0.played.last?.prompt }
      await engine.handle(.fallback(prompt, from: "sound.wav", to: "bell", reason: "it is damaged"))
      await engine.handle(.fallback(nil, from: "voice", to: "chime", reason: "it is damaged"))
    case "speaker low":
      let level = SoundLevel(foundPercent: 20, wasMuted: true, setPercent: 54)
      await engine.handle(
        .tested([
          DeviceTest(device: "card0", trouble: nil, level: level),
          DeviceTest(device: "card1", trouble: "it is busy"),
        ]))
    case "unsynced": home.fakes.state.withLock { $0.now.clockState = .unsynced }
    case "zones lost": zones.areKnown.withLock { $0 = false }
    case "disk full": home.fakes.fillDisk(true)
    case "disk free": home.fakes.fillDisk(false)
    case "files lost":
      home.fakes.state.withLock { ($0.recordings, $0.pictures) = ([:], [:]) }
    case "exports work": home.fakes.state.withLock { $0.isExporting = true }
    default:
      guard line.hasPrefix("+"), let seconds = Int64(line.dropFirst()) else { return false }
      home.fakes.pass(seconds: seconds)
      await engine.wake()
    }
    return true
  }

  private mutating func report(_ result: NotifyResult.Result) async {
    let orders = home.fakes.state.withLock { $0.notifications }
    for order in orders.dropFirst(reportedNotifications) {
      await home.engine.handle(
        NotifyResult(
          subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
          reason: order.reason, result: result))
    }
    reportedNotifications = orders.count
  }

  /// Returns the types of the events since the previous line.
  private mutating func newEvents() -> String {
    let types = home.fakes.types
    defer { shownEvents = types.count }
    let new = types.dropFirst(shownEvents)
    return new.isEmpty ? "" : "recorded: \(new.joined(separator: ", "))\n"
  }

  private mutating func ring() async {
    let orders = home.fakes.state.withLock { $0.played }
    for order in orders.dropFirst(reportedRings) {
      await home.engine.handle(.started(order.prompt, ring: order.ring, device: "card0"))
      home.fakes.pass(seconds: 1)
      await home.engine.handle(
        .ended(
          order.prompt, ring: order.ring, device: "card0", frames: 480, xruns: 0, stopped: false))
    }
    reportedRings = orders.count
  }

  private func request(_ line: String, body: String? = nil) async throws -> String {
    var words = line.split(separator: " ", maxSplits: 3).map(String.init)
    try #require(words.count >= 3, "\(line)")
    let user = words[0].split(separator: "/").map(String.init)
    var rest = words.count > 3 ? words.removeLast() : ""
    var headers: [String: String] = [:]
    while let match = rest.prefixMatch(of: /([a-z-]+): (\S+) ?/) {
      headers[String(match.1)] = String(match.2)
      rest = String(rest[match.range.upperBound...])
    }
    let target = words[2].split(separator: "?", maxSplits: 1).map(String.init)
    guard case .found(let route, let parameters) = Route.match(method: words[1], path: target[0])
    else { throw Unknown(line: line) }
    var query: [String: String] = [:]
    for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      query[parts[0]] = percentDecoded(parts.count > 1 ? parts[1] : "")
    }
    let role = try #require(Role(rawValue: user[0]), "\(line)")
    var request = APIRequest(
      operation: route.operation,
      actor: Actor(role: role, id: role == .patient ? "uid:1" : "uid:1000", source: "socket"),
      parameters: parameters, query: query, headers: headers, body: Array((body ?? rest).utf8))
    request.only = user.count > 1 ? PersonID(user[1]) : nil
    request.isHeadOnly = words[1] == Route.headMethod
    return try await text(home.handler.answer(request))
  }

  private struct Unknown: Error { var line: String }

  /// Returns the status, the header fields and the body of a response. Each member of the body has
  /// its own line. Each element of a list in a member also has its own line.
  private func text(_ response: APIResponse) async throws -> String {
    var text = "\(response.status)\n"
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
      text += "\(name): \(value)\n"
    }
    var bytes: [UInt8] = []
    switch response.body {
    case .bytes(let whole): bytes = whole
    case .stream(let chunks): for try await chunk in chunks { bytes += chunk }
    }
    guard let json = try? JSON(parsing: bytes), case .members(let members) = json else {
      return text + String(decoding: bytes, as: UTF8.self) + "\n"
    }
    for member in members {
      if let rows = member.value.array, !rows.isEmpty {
        text += "\(member.name):\n" + rows.map { "  \($0)\n" }.joined()
      } else {
        text += "\(member.name): \(member.value)\n"
      }
    }
    return text
  }
}
