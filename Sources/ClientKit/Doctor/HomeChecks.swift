import API
import CivilTime
import JSONValue
import Sentences

/// Checks the status of the daemon (`/v1/status`) for problems that can affect the next alarm.
package struct HomeChecks {
  package let status: JSON
  /// The time of this machine. The checks compare this time with the time of the home.
  package let now: Instant

  package init(status: JSON, now: Instant) {
    self.status = status
    self.now = now
  }

  package var findings: [Finding] {
    [role, clock, ourClock, zone, tzdata].compactMap { $0 } + speaker + recordings
      + [speech].compactMap { $0 } + languages + [formats, disk, record, alarms].compactMap { $0 }
      + pauses + rest
  }

  /// Returns the name of the user. If the daemon does not know the name, the function returns the
  /// id of the user.
  package static func userName(_ you: JSON) -> String { you["name"]?.string ?? you.text("id") }

  private var role: Finding? {
    guard let you = status["you"] else { return nil }
    return Finding(
      "role", .well, "the daemon treats you (\(Self.userName(you))) as \(Self.role(you))")
  }

  /// Returns the roles of the user in words. If the user is a patient, the text also says whether
  /// the user sees the data of one person or of all people.
  ///
  /// Examples of the text: `caretaker, researcher` and `patient, sees only what belongs to "anna"`.
  package static func role(_ you: JSON) -> String {
    let role =
      you["roles"]?.array.map { $0.compactMap(\.string).joined(separator: ", ") }
      ?? you.text("role")
    if let person = you["person"]?.string {
      return "\(role), sees only what belongs to \"\(person)\""
    }
    return role == "patient" ? "\(role), sees what belongs to every person in the home" : role
  }

  // MARK: Time

  private var clock: Finding {
    let fix = "timedatectl set-ntp true; then look at: timedatectl timesync-status"
    switch status["clock"]?.text("state") {
    case "synced": return Finding("clock", .well, "set by a time source")
    case "unset":
      return Finding(
        "clock", .silent,
        "not trusted: it is earlier than the last recorded event, or much later; alarms ring by "
          + "the time that has passed since that event", fix: "set the clock, or " + fix)
    default:
      return Finding(
        "clock", .warning, "no time source sets it: alarms may ring early or late", fix: fix)
    }
  }

  /// The finding about the difference between the clock of this machine and the clock of the home.
  /// The value is nil if the difference is at most a minute. People who compare the two clocks by
  /// telephone do not notice such a small difference.
  private var ourClock: Finding? {
    guard let text = status["clock"]?["utc"]?.string, let home = try? Instant(parsing: text) else {
      return nil
    }
    let seconds = abs(home.milliseconds(since: now)) / 1_000
    guard seconds > 60 else { return nil }
    return Finding(
      "clock", .warning,
      "the clocks of the home and of this machine differ by \(TextFormat.span(seconds))",
      fix: "find out which clock is wrong: date --utc")
  }

  private var zone: Finding {
    let name = status.text("zone")
    if name == "UTC" || name == "Etc/UTC" {
      return Finding(
        "zone", .warning, "the home zone is UTC, which is probably wrong",
        fix:
          "set zone = \"Europe/Berlin\" in the configuration, or: timedatectl set-timezone "
          + "Europe/Berlin"
      )
    }
    return Finding("zone", .well, name)
  }

  /// The finding about the age of the zone rules.
  ///
  /// The version of tzdata begins with a year. If this year is at least two years before the
  /// present year, the finding is a warning, because zone changes after this year are missing in
  /// the rules.
  private var tzdata: Finding {
    let version = status.text("tzdata")
    let fix = "apt-get install --only-upgrade tzdata"
    guard let year = Int(version.prefix(4)) else {
      return Finding("tzdata", .warning, "the version of the zone rules is unknown", fix: fix)
    }
    let today = Zone.utc.civil(at: now).dateTime.date.year
    if today - year >= 2 {
      return Finding("tzdata", .warning, "the zone rules are old: \(version)", fix: fix)
    }
    return Finding("tzdata", .well, version)
  }

  // MARK: Sound

  private var speaker: [Finding] {
    let speaker = status["speaker"] ?? .null
    let fix =
      "list the devices: aplay -L; name one in the configuration: devices = [\"plughw:0,0\"]"
    var findings: [Finding] = []
    switch speaker["usable"]?.bool {
    case true?:
      let device = speaker["device"]?.string.map { "\($0) works" } ?? "works"
      findings.append(Finding("speaker", .well, device))
    case false?:
      let trouble = speaker["trouble"]?.string ?? "no device can be opened"
      findings.append(Finding("speaker", .silent, trouble, fix: fix))
    case nil:
      findings.append(Finding("speaker", .warning, "not tested yet", fix: "try again in a minute"))
    }
    for device in speaker.list("devices") {
      let name = device.text("name")
      if device["usable"]?.bool == false, speaker["usable"]?.bool == true {
        findings.append(Finding("speaker", .note, "\(name): \(device.text("trouble"))", fix: fix))
      }
      if let level = device["level_percent"]?.integer {
        let rings = device["ring_level_percent"]?.integer
        let calibrated = device["calibrated_percent"]?.integer
        let muted = device["muted"]?.bool == true ? ", muted" : ""
        let made =
          calibrated.map { ", calibrated to \($0) % for a ring" }
          ?? rings.map { ", set to \($0) % for a ring" } ?? "; a ring sets the level and unmutes it"
        findings.append(
          Finding("level", rings == 0 ? .silent : .well, "\(name) at \(level) %\(muted)\(made)"))
        if calibrated == nil {
          findings.append(
            Finding(
              "level", .note, "the level of \(name) is not calibrated",
              fix: "prompter doctor --calibrate"))
        }
      }
    }
    return findings
  }

  private var recordings: [Finding] {
    (status["machine"]?.list("missing_recordings") ?? []).compactMap(\.string).map { name in
      Finding(
        "voice", .warning, "the recording \"\(name)\" is missing: another sound plays instead",
        fix: "prompter tone add \(TextFormat.shellQuoted(name)) FILE --replace")
    }
  }

  private var speech: Finding? {
    guard let speech = status["machine"]?["speech"]?.bool else { return nil }
    return speech
      ? Finding("speech", .well, "espeak-ng speaks the words of alarms without a recording")
      : Finding(
        "speech", .warning, "espeak-ng is not installed: alarms without a recording have no words",
        fix: "apt-get install espeak-ng")
  }

  /// The findings about the languages of people. There is a finding for each language without a
  /// voice, and for each language in which Prompter has no sentences.
  private var languages: [Finding] {
    status.list("languages").flatMap { row -> [Finding] in
      let (person, language) = (TextFormat.oneLine(row.text("person")), row.text("language"))
      let (sentences, home) = (row.text("sentences"), status.text("language"))
      var findings: [Finding] = []
      if row["voice"]?.bool == false {
        let other = language == home ? "a sound plays instead" : "the voice \"\(home)\" speaks them"
        findings.append(
          Finding(
            "language", .warning,
            "no voice speaks \"\(language)\", the language of \(person): for words without a "
              + "recording, \(other)",
            fix: "record the words: prompter tone add NAME FILE; or choose a language with a "
              + "voice: espeak-ng --voices; prompter people change \(person) --language TAG"))
      }
      guard Language(tag: language) == nil, let own = Language(tag: sentences) else {
        return findings
      }
      return findings + [
        Finding(
          "language", .note,
          "Prompter has no sentences in \"\(language)\", the language of \(person): its own words, "
            + "for example the time before an early reminder, are \(own.englishName), with the "
            + "voice \"\(sentences)\"")
      ]
    }
  }

  private var formats: Finding? {
    guard let formats = status["machine"]?["formats"]?.bool else { return nil }
    return formats
      ? Finding("formats", .well, "recordings of telephones and browsers can be stored")
      : Finding(
        "formats", .note,
        "prompter-formats is not installed: recordings of telephones and browsers are refused",
        fix: "apt-get install prompter-formats")
  }

  // MARK: The record

  private var disk: Finding? {
    guard let machine = status["machine"], let free = machine["free_bytes"]?.integer else {
      return nil
    }
    let place = machine.text("state_directory")
    let text = "\(free >> 20) MiB free for \(place)"
    let fix = "free some space: journalctl --vacuum-size=50M; apt-get clean; du -xh \(place)"
    if free < 8 << 20 { return Finding("disk", .problem, text, fix: fix) }
    return free < 64 << 20
      ? Finding("disk", .warning, text, fix: fix) : Finding("disk", .well, text)
  }

  private var record: Finding {
    let record = status["record"] ?? .null
    let events =
      record["events"] == nil
      ? "can be written" : TextFormat.counted(record.count("events"), "event")
    if record["writable"]?.bool == false {
      return Finding(
        "record", .problem,
        "cannot be written: alarms ring, but changes are refused, and answers are not stored yet",
        fix: "check the disk, and read: journalctl -u prompterd")
    }
    return Finding("record", .well, "\(events); to check all of them: prompter verify")
  }

  private var alarms: Finding {
    let count = status.count("alarms")
    if count == 0 {
      return Finding(
        "alarms", .note, "none is set",
        fix: "prompter add \"Take your pills\" --schedule \"every day 08:00\"")
    }
    let next = status["next_utc"]?.string.map { ", the next \(TextFormat.distance($0, from: now))" }
    return Finding("alarms", .well, "\(count) set\(next ?? ", but none is due again")")
  }

  /// The findings about paused people and paused alarms. If a person is paused without an end, the
  /// finding is a warning, because no alarm of this person rings until somebody ends the pause.
  private var pauses: [Finding] {
    status.list("paused").map { pause in
      let person = TextFormat.oneLine(pause.text("person"))
      guard let label = pause["label"]?.string else {
        return Finding(
          "pauses", PauseText.isWithoutEnd(pause) ? .warning : .note,
          "\(person) is paused \(PauseText.words(pause)): no alarm of \(person) rings",
          fix: "to end the pause: prompter resume --person \(person)")
      }
      return Finding(
        "pauses", .note,
        "\"\(TextFormat.oneLine(label))\" of \(person) is paused \(PauseText.words(pause))",
        fix: "to end the pause: prompter resume \(pause.text("alarm_id"))")
    }
  }

  /// The findings about problems in the status of the daemon that the other checks do not cover.
  private var rest: [Finding] {
    status.list("problems").compactMap { problem in
      guard let kind = StatusProblem.Kind(rawValue: problem.text("kind")) else {
        return Finding("home", .warning, problem.text("detail"), fix: Self.journal)
      }
      return Self.advice(on: kind).map {
        Finding($0.check, Finding.Grade(kind), problem.text("detail"), fix: $0.fix)
      }
    }
  }

  private static let journal = "read: journalctl -u prompterd"

  /// Returns the name of the check, and the action for the user. The result is nil if a different
  /// check already reports this kind of problem.
  private static func advice(on kind: StatusProblem.Kind) -> (check: String, fix: String)? {
    switch kind {
    case .recordNotWritable, .speakerUnusable, .clockUnsynced, .diskLow, .recordingsMissing: nil
    case .personUnknown:
      (
        "patients",
        "add the person: prompter people add, or correct [patients] in the configuration"
      )
    case .contactUnknown:
      (
        "contacts",
        "add it under [contacts] in the configuration and reload it, or choose another contact: "
          + "prompter edit ALARM --tell, prompter people change PERSON --inactivity-tell, "
          + "prompter supply change SUPPLY --tell"
      )
    case .hourFull:
      (
        "limits",
        "spread the alarms over the day, give them fewer rings or longer pauses, or raise the "
          + "limit: prompter people change PERSON --rings-per-hour N"
      )
    case .supplyLow:
      ("supplies", "fill it and record this: prompter supply refill NAME +AMOUNT")
    case .holidaysEnd:
      ("holidays", "get a newer calendar file: prompter holidays import FILE.ics --replace")
    case .contactUnusable:
      ("contacts", "correct its command in the configuration, or make it executable: chmod +x")
    case .configuration:
      (
        "configuration",
        "correct the file, check it with: prompterd --check-config --config FILE, and then: "
          + "systemctl reload prompterd"
      )
    case .recordDamaged, .recordNotice, .diskFull, .soundReplaced, .levelNotReached:
      ("home", journal)
    }
  }
}

extension Finding.Grade {
  /// Creates the severity of a kind of problem that the status of the daemon contains.
  ///
  /// `prompter status` and `prompter doctor` both use this function.
  package init(_ kind: StatusProblem.Kind?) {
    switch kind {
    case .speakerUnusable: self = .silent
    case .recordNotWritable, .recordDamaged, .diskFull, .configuration: self = .problem
    default: self = .warning
    }
  }
}
