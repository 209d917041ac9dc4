import Alarms
import CivilTime
import EventCoding
import JSONValue
import Logbook
import RequestHandlers

// Converts between the types of the request handler and the types of the record.

extension ArchivedPrompt {
  init(_ row: PromptRow) {
    self.init(
      prompt: row.prompt, label: row.label, instructions: row.instructions,
      person: row.person.text, image: row.image,
      isAnnouncement: row.isAnnouncement)
  }
}

extension ArchivedMessage {
  init(_ row: MessageRow) {
    let subject: Subject =
      switch row.subject {
      case .announcement(let text, let kind, let prompt, let answer):
        .announcement(text: text, kind, prompt, answer: answer)
      case .call(let number, let state): .call(number: number, state)
      }
    self.init(at: row.at, person: row.person, sender: row.sender, subject: subject)
  }
}

extension PromptQuery {
  /// - Parameter now: the present time. A prompt is due if its due time is at or before `now`.
  init(_ filter: PromptFilter, now: Instant) {
    self.init(alarm: filter.alarm, before: filter.before, limit: filter.limit)
    due = filter.due
    person = filter.person.map { PersonID($0) }
    label = filter.label
    tasksOnly = [.current, .incomplete, .missed].contains(filter.state)
    switch filter.state {
    case nil: break
    case .open: state = .open
    case .current:
      state = .open
      dueThrough = now
    case .planned, .upcoming:
      state = .open
      dueAfter = now
    case .closed, .past: state = .closed
    case .complete, .completed: outcomes = [.completed, .completedOutOfWindow]
    case .incomplete:
      dueThrough = now
      outcomes = Set(Outcome.allCases.filter { [.missed, .declined].contains($0.kind) })
      includesOpen = true
    case .missed: outcomes = Set(Outcome.allCases.filter { $0.kind == .missed })
    }
  }
}

extension Verification {
  /// The result of the verification as the JSON document of the API.
  var json: JSON {
    var document = JSON.object([
      ("ok", .bool(isOK)), ("events", .integer(events)), ("head", .string(head)),
      ("code", .string(HeadCode(sequence: events, hash: head).description)),
    ])
    if let sequence = firstBadSequence ?? finding?.sequence {
      document.set("first_bad_seq", .integer(sequence))
    }
    if let problem = problem ?? finding?.problem { document.set("problem", .string(problem)) }
    document.set("elapsed_ms", .integer(watch.elapsedMilliseconds))
    document.set("gaps_ms", .integer(watch.gapMilliseconds))
    document.set("unexplained_ms", .integer(watch.unexplainedMilliseconds))
    if let purged {
      document.set("purged_through_seq", .integer(purged.throughSequence))
      document.set("purged_through_utc", .string("\(purged.throughAt)"))
      document.set("purged_events", .integer(purged.gone))
      document.set("purged_archive_sha256", .string(purged.archiveSHA256))
    }
    if let export { document.set("export_seq", .optional(export.sequence.map { Int($0) })) }
    return document
  }
}
