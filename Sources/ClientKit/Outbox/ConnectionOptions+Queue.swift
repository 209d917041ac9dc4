import API
import Alarms
import CivilTime
import JSONValue

/// The option `--queue`, which stores a change until the home can be reached.
extension ConnectionOptions {
  /// The time after which a queued answer or call expires, in seconds. The value is the default
  /// late window of a prompt.
  ///
  /// After the end of its prompt, an answer is no longer useful for the person.
  private static let answerSeconds: Int64 = 30 * 60

  /// Stores the change in the outbox, delivers the changes in the outbox, and prints the reply to
  /// the change.
  ///
  /// - Throws: `Failure.unreachable` if the change still waits in the outbox; `Failure.refused` if
  ///   the home refused the change.
  package func queue(_ request: Request, describe: (HTTPReply) throws -> String) throws {
    guard request.method != "GET" else {
      throw Failure.badUsage("--queue: only a change can be queued; this command only reads")
    }
    guard !request.target.contains("/current/") else {
      throw Failure.badUsage(
        "--queue: give the id of the prompt, so that a late answer cannot reach another prompt")
    }
    let now = TextFormat.now()
    var request = request
    var end = try Self.makeAbsolute(&request, now)
    if end == nil, request.target.hasPrefix("/v1/prompts/") || request.target == "/v1/calls" {
      end = now.adding(seconds: Self.answerSeconds)
    }
    if let seconds = expires?.seconds {
      end = min(end ?? now.adding(seconds: seconds), now.adding(seconds: seconds))
    }
    let outbox = try Outbox.ofThisUser()
    let kept = try outbox.add {
      QueuedChange(
        number: $0, request, to: address, words: Self.typed, now: now, expiresAt: end)
    }
    var mine: OutboxDelivery.Result?
    for result in try OutboxDelivery(outbox: outbox, now: { TextFormat.now() }).deliver() {
      if result.change.number == kept.number {
        mine = result
      } else if case .waiting = result {
        continue
      } else {
        Terminal.printError("prompter: \(result.sentence)")
      }
    }
    try show(mine, kept, outbox, describe)
  }

  private func show(
    _ result: OutboxDelivery.Result?, _ kept: QueuedChange, _ outbox: Outbox,
    _ describe: (HTTPReply) throws -> String
  ) throws {
    switch result {
    case .delivered(_, let reply)?:
      if json { Terminal.write(json: reply.body) } else { Terminal.print(try describe(reply)) }
    case .refused(let change)?:
      // Remove the change from the outbox, because the user sees the refusal at once.
      try outbox.remove(change.number)
      throw Failure.refused(change.reason ?? "the daemon refused it")
    case .expired(let change)?:
      try outbox.remove(change.number)
      let reason = change.reason ?? "it was not delivered in time"
      throw Failure.refused("the change has expired: \(reason)")
    case .waiting(let change)?:
      if json { Terminal.print(json: .object([("queued", change.json)])) }
      throw Failure.unreachable(
        "kept as number \(change.number), not delivered yet: \(change.reason ?? "no answer"); "
          + "to try again: prompter outbox deliver")
    case nil:
      // After this process stored the change in the outbox, a different `prompter` process
      // delivered the change and printed the reply.
      Terminal.printError("prompter: another prompter process delivered number \(kept.number)")
    }
  }

  /// Replaces a relative schedule by an absolute schedule.
  ///
  /// The change can reach the home much later, but "in 20 minutes" must mean 20 minutes after the
  /// user typed the command. The function adds no zone to the request, because an instant needs no
  /// zone. If the request contains no zone, the home interprets a date with a time of day in the
  /// home zone.
  ///
  /// - Returns: the due time if the alarm is due only once. The result is nil if the alarm is due
  ///   several times, or if only the home knows the zone.
  static func makeAbsolute(_ request: inout Request, _ now: Instant) throws -> Instant? {
    guard var body = try? JSON(parsing: request.body), let phrase = body["schedule"]?.string else {
      return nil
    }
    let named = body["zone"]?.string
    let zone = named.flatMap(SystemZones.zone) ?? SystemZones.home()
    let parsed: SchedulePhrase.Parsed
    do {
      // A phrase such as "30 minutes after breakfast is completed" contains the name of a different
      // alarm. Only the daemon can find an alarm by its name. Therefore, this closure uses the name
      // as the id, without a search.
      parsed = try SchedulePhrase(
        phrase, now: now, zone: zone, findAlarm: { AlarmID($0) },
        findHolidays: { HolidayExclusion(list: $0 ?? "", days: []) }
      ).parsed()
    } catch {
      throw Failure.refused(error.description)
    }
    switch parsed.schedule {
    case .at(let instant):
      body.set("schedule", .string(instant.description))
      request.body = Array(body.description.utf8)
      return instant
    case .once(let local):
      body.set("schedule", .string(parsed.phrase))
      request.body = Array(body.description.utf8)
      return named == nil ? nil : zone.resolve(local).instant
    default: return nil
    }
  }

  /// The command that the user typed, without the option `--queue`.
  private static var typed: String {
    CommandLine.arguments.dropFirst().filter { $0 != "--queue" }
      .map {
        $0.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
            || "-_./:@=+".unicodeScalars.contains($0)
        }
          ? $0 : TextFormat.shellQuoted($0)
      }
      .joined(separator: " ")
  }
}

extension OutboxDelivery.Result {
  package var change: QueuedChange {
    switch self {
    case .delivered(let change, _), .refused(let change), .expired(let change),
      .waiting(let change):
      change
    }
  }

  /// The result of a delivery in one sentence.
  package var sentence: String {
    let name = "number \(change.number), \(TextFormat.oneLine(change.words))"
    let why = change.reason ?? "no answer"
    return switch self {
    case .delivered: "delivered \(name)"
    case .refused: "refused \(name): \(why)"
    case .expired: "expired \(name): \(why)"
    case .waiting: "waiting: \(name): \(why)"
    }
  }
}
