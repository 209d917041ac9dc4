import API
import Alarms
import ArgumentParser
import CivilTime
import ClientKit
import JSONValue

/// `prompter preview`: shows when an alarm would ring.
///
/// To compute a preview, the daemon uses the stored people, the other alarms and the last
/// completions. If this program cannot reach the daemon, this program computes the times itself,
/// with the same code as the daemon.
struct Preview: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show when an alarm would ring, without setting it. Works without the daemon.",
    discussion: """
      Give --schedule, --rule, or --alarm with a file that contains the body of a \
      request. The home adds what it knows: its people, its other alarms and the last completions. If the home \
      cannot be reached, the command uses the zone of this machine and says so.
      Times are RFC 3339 (2026-12-01T08:00:00Z), or local to the zone (2026-12-01T08:00, 2026-12-01).

      Example: prompter preview --rule "FREQ=DAILY;BYHOUR=8;BYMINUTE=0" --start 2026-12-01T08:00 --count 3
      """)

  @Option(
    help: ArgumentHelp("Preview this schedule, such as \"every day 08:00\".", valueName: "phrase"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "Preview this rule of RFC 5545, such as FREQ=DAILY;BYHOUR=8.", valueName: "rule"))
  var rule: String?

  @Option(help: ArgumentHelp("Start the rule at this local time (DTSTART).", valueName: "time"))
  var start: String?

  @Option(
    help: ArgumentHelp("Preview the alarm in this file, as JSON for the API.", valueName: "file"))
  var alarm: String?

  @Option(help: ArgumentHelp("Show times from this time on, included.", valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Show times after this time (default: now, or the rule's start).", valueName: "time"))
  var after: String?

  @Option(
    help: ArgumentHelp(
      "Show times until this time, included; a date means the whole day.", valueName: "time"))
  var to: String?

  @Option(help: ArgumentHelp("Show at most this many times (default: 10).", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp("Warn about times in these quiet hours.", valueName: "21:00-07:00"))
  var quietHours: String?

  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if [schedule, rule, alarm].compactMap({ $0 }).count != 1 {
      throw ValidationError("Give exactly one of --schedule, --rule and --alarm.")
    }
    if start != nil, rule == nil { throw ValidationError("--start needs --rule.") }
    if from != nil, after != nil { throw ValidationError("Use --from or --after, not both.") }
    if let count, !(1...100_000).contains(count) {
      throw ValidationError("--count must be from 1 to 100000.")
    }
  }

  func run() throws {
    do {
      let body = try body()
      let home = homeZone()
      if home == nil, !connection.json {
        Terminal.printError(
          "prompter: the home cannot be reached; the times are computed on this machine")
      }
      let zone = try zone(body["zone"]?.string, home: home ?? SystemZones.home())
      let range = try range(zone)
      let document = try askHome(body, range) ?? computeHere(body, range, zone)
      if connection.json { return Terminal.print(json: document) }
      Terminal.print(AlarmText.preview(document) + "\n" + AlarmText.report(document))
    } catch let refusal as Refusal {
      throw Failure.refused(refusal.description)
    }
  }

  /// Asks the home for the preview, and returns it. The result is nil if this program cannot reach
  /// the home, if this user has no permission, or if the preview is longer than the home allows.
  private func askHome(_ body: JSON, _ range: PreviewRange) throws -> JSON? {
    guard range.count <= PreviewRange.most, case .members(let members) = body else { return nil }
    let request = Request(.preview).with(
      members.map { ($0.name, $0.value) } + [
        ("after", .string(range.after.description)),
        ("to", range.to.map { .string($0.description) }),
        ("count", .integer(Int64(range.count))),
        ("warn_hours", range.quietHours.map { .string($0.text) }),
      ])
    do {
      let reply = try connection.client.exchange(request)
      return reply.status == 403 ? nil : try reply.accepted().document()
    } catch Failure.unreachable {
      return nil
    }
  }

  /// Computes the preview on this machine, without a connection to the home. The function ignores
  /// the names of the person, the tones and the contacts, because only the home can check these
  /// names.
  private func computeHere(_ body: JSON, _ range: PreviewRange, _ zone: Zone) throws -> JSON {
    var form = try AlarmForm(body: Array(body.description.utf8))
    (form.person, form.tone, form.notifySteps) = (nil, nil, nil)
    form.steps = form.steps.map {
      $0.map { step in
        var step = step
        step.tone = nil
        return step
      }
    }
    let preview = try previewed(
      form, range, now: TextFormat.now(), beside: nil,
      in: Environment(homeZone: zone, tzdataVersion: "system") { SystemZones.zone($0) })
    return JSON.preview(preview, zone: zone)
  }

  /// Returns the alarm as a request body.
  private func body() throws -> JSON {
    var members: [(String, JSON?)] = []
    if let alarm {
      guard case .members(let given) = try JSON(parsing: Files.read(alarm, atMost: 1 << 16)) else {
        throw Failure.badUsage("cannot read \(alarm): it must contain a JSON object")
      }
      members = given.map { ($0.name, $0.value) }
    } else if let rule {
      let start = start.map { "DTSTART:\($0) " } ?? ""
      members = [("schedule", .string(start + "RRULE:" + Self.bare(rule)))]
    } else {
      members = [("schedule", schedule.map { .string($0) })]
    }
    for (name, value) in options.members where name != "image" {
      guard let value else { continue }
      members.removeAll { $0.0 == name }
      members.append((name, value))
    }
    return JSON.object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  private static func bare(_ rule: String) -> String {
    rule.uppercased().hasPrefix("RRULE:") ? String(rule.dropFirst(6)) : rule
  }

  private func zone(_ name: String?, home: Zone) throws -> Zone {
    guard let name, name != Alarm.floating else { return home }
    guard let zone = SystemZones.zone(name) else {
      throw Failure.refused(
        "zone: this system does not know the zone \"\(name)\"; use a name such as Europe/Berlin")
    }
    return zone
  }

  /// Returns the zone of the home; nil if this program cannot reach the daemon.
  private func homeZone() -> Zone? {
    // Ignore an error, because this command also works without the daemon. The output of the
    // command names the time zone that the command used.
    let status = try? connection.client.send(Request(.status)).document()
    return status?["zone"]?.string.flatMap(SystemZones.zone)
  }

  private func range(_ zone: Zone) throws -> PreviewRange {
    var bound = TextFormat.now()
    if let after {
      bound = try instant(after, "--after", zone)
    } else if let from = from ?? start {
      bound = try instant(from, from == self.from ? "--from" : "--start", zone)
        .adding(milliseconds: -1)
    }
    return PreviewRange(
      after: bound, to: try to.map { try end($0, zone) }, count: count ?? 10,
      quietHours: try quietHours.map(Self.quietHours))
  }

  private static func quietHours(_ text: String) throws -> QuietHours {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    do {
      guard ends.count == 2 else { throw Failure.badUsage("") }
      return QuietHours(
        from: try ClockTime(parsing: String(ends[0])), to: try ClockTime(parsing: String(ends[1])))
    } catch {
      throw Failure.badUsage(
        "--quiet-hours: \"\(text)\" is not a range of hours; write it like 21:00-07:00")
    }
  }

  /// Reads the value of the option `--to`, and returns the last instant of the preview. If the
  /// value is a date, the preview includes this whole day.
  private func end(_ text: String, _ zone: Zone) throws -> Instant {
    guard let date = try? CivilDate(parsing: text) else { return try instant(text, "--to", zone) }
    let next = CivilDateTime(date: date.adding(days: 1), time: .midnight)
    return zone.resolve(next).instant.adding(milliseconds: -1)
  }

  /// Reads an instant, a local time or a date. For a date, the result is the first instant of the
  /// day.
  private func instant(_ text: String, _ option: String, _ zone: Zone) throws -> Instant {
    if let instant = try? Instant(parsing: text) { return instant }
    if let local = try? CivilDateTime(parsing: text) { return zone.resolve(local).instant }
    if let date = try? CivilDate(parsing: text) {
      return zone.resolve(CivilDateTime(date: date, time: .midnight)).instant
    }
    throw Failure.badUsage(
      "\(option): \"\(text)\" is not a time; write it like 2026-12-01T08:00 or "
        + "2026-12-01T07:00:00Z")
  }
}
