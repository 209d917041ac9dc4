import API
import Alarms
import CivilTime
import EventCoding
import JSONValue
import RequestHandlers
import StudyExport
import Synchronization

/// The queries of the record. The fake record computes the answers from its events.
extension FakePorts {
  private var history: [HistoryEvent] {
    state.withLock { $0.records }.enumerated().map {
      HistoryEvent(sequence: Int64($0 + 1), event: $1.event, actor: $1.actor, at: $1.reading.wall)
    }
  }

  /// Returns the events of a prompt.
  package func history(_ id: PromptID) -> [HistoryEvent] {
    history.filter { $0.event.promptID == id }
  }

  /// Returns the versions of an alarm. The oldest version is first.
  package func versions(_ id: AlarmID) -> [ArchivedVersion] {
    history.compactMap { one in
      switch one.event {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        alarm.id == id ? ArchivedVersion(alarm: alarm, actor: one.actor, at: one.at) : nil
      default: nil
      }
    }
  }

  /// Returns the event that removed an alarm.
  func removal(_ id: AlarmID) -> HistoryEvent? {
    history.last {
      if case .alarmDeleted(id, _) = $0.event { true } else { false }
    }
  }

  /// Returns the responses in the order in which they were given.
  func responses(_ query: ResponseQuery) -> [GivenResponse] {
    history.compactMap { one in
      guard case .response(let id, let response) = one.event else { return nil }
      let person = state.withLock { $0.known[id.alarm]?.person }
      guard query.prompt ?? id == id, query.question ?? response.question == response.question,
        query.person == nil || query.person == person, query.given?.contains(one.at) ?? true
      else { return nil }
      return GivenResponse(
        sequence: one.sequence, prompt: id, response: response, role: one.actor.role, at: one.at)
    }
  }

  /// Returns the diary entries.
  func diary() -> [RecordedDiaryEntry] {
    history.compactMap {
      guard case .diary(let entry) = $0.event else { return nil }
      return RecordedDiaryEntry(entry: entry, isNoteErased: false)
    }
  }

  /// Returns the messages and calls. The newest is first.
  func messages(_ person: PersonID?, _ limit: Int) -> [ArchivedMessage] {
    let known = state.withLock { $0.known }
    let all = history.reversed().compactMap { one -> ArchivedMessage? in
      switch one.event {
      case .alarmCreated(let alarm) where alarm.isAnnouncement:
        guard
          let prompt = prompts(PromptFilter(limit: 1_000)).first(where: {
            $0.prompt.id.alarm == alarm.id
          })?.prompt
        else { return nil }
        let answers = responses(ResponseQuery(prompt: prompt.id))
        let answer: Bool? = answers.last.flatMap {
          if case .flag(let flag) = $0.response.value { flag } else { nil }
        }
        return ArchivedMessage(
          at: one.at, person: alarm.person, sender: one.actor.id,
          subject: .announcement(
            text: known[alarm.id]?.label ?? "", alarm.message, prompt, answer: answer))
      case .call(let caller, let number, .asked):
        let results = history.compactMap { later -> CallRequest.State? in
          guard case .call(_, number, let change) = later.event else { return nil }
          switch change {
          case .told(let contact): return .told(contact: contact)
          case .failed(let why): return .failed(why)
          default: return nil
          }
        }
        return ArchivedMessage(
          at: one.at, person: caller, sender: one.actor.id,
          subject: .call(number: number, results.last ?? .waiting))
      default: return nil
      }
    }
    return Array(all.filter { person == nil || person == $0.person }.prefix(limit))
  }

  /// Returns for each contact the newest results of notifications about prompts.
  func contactResults() -> [String: ContactResult] {
    history.reduce(into: [:]) { results, one in
      switch one.event {
      case .notified(_, _, let contact, _): results[contact, default: .init()].reachedAt = one.at
      case .notificationFailed(_, _, let contact, _, _, let reason):
        results[contact, default: .init()].failedAt = one.at
        results[contact, default: .init()].failure = reason
      default: break
      }
    }
  }

  /// Returns how many prompts ended with each outcome.
  func outcomes() -> [OutcomeCount] {
    let ended = prompts(PromptFilter(limit: 1_000)).compactMap { found -> Outcome? in
      if case .closed(let outcome, _, _) = found.prompt.state { outcome } else { nil }
    }
    return Outcome.allCases.map { outcome in (outcome, ended.count { $0 == outcome }) }
      .filter { $0.count > 0 }
  }

  /// Returns an export whose only content is the names of the profile and the layout.
  func export(_ profile: ExportProfile, _ layout: ExportLayout) throws -> ExportStream {
    guard state.withLock({ $0.isExporting }) else { throw DiskFull() }
    let sequence = Int64(state.withLock { $0.records.count })
    let text = "\(profile.rawValue) \(layout.rawValue)"
    return ExportStream(
      chunks: AsyncThrowingStream {
        $0.yield(Array(text.utf8))
        $0.finish()
      }, throughSequence: sequence, sha256: "5a5a", bytes: text.utf8.count,
      firstBadSequence: sequence > 20 ? 7 : nil)
  }

  /// The queries of the record.
  var archive: Archive {
    Archive(
      prompts: { self.prompts($0) }, prompt: { self.prompt($0) },
      events: { after, limit in
        let count = Int64(self.types.count)
        return (after..<max(after, min(count, after + Int64(limit)))).map {
          .object([("seq", .integer($0 + 1)), ("type", .string(self.types[Int($0)]))])
        }
      },
      verify: { head, manifest in
        .object([("head", .optional(head?.description)), ("manifest", .optional(manifest))])
      },
      export: { try self.export($0, $1) },
      ownData: { _, _ in
        ExportStream(
          chunks: AsyncThrowingStream { nil }, throughSequence: 1, sha256: "00", bytes: 0,
          firstBadSequence: nil)
      },
      backup: {
        let stream = try self.export(.identified, .frictionless)
        return BackupStream(chunks: stream.chunks, head: "head", bytes: stream.bytes)
      },
      retire: { if !self.state.withLock({ $0.isExporting }) { throw FakePorts.DiskFull() } },
      head: { (Int64(self.types.count), "head\(self.types.count)") },
      idempotencyRecords: IdempotencyStore(
        find: { actor, key in
          self.state.withLock { state in
            state.idempotencyRecords.last { $0.actor == actor && $0.key == key }
          }
        },
        keep: { idempotencyRecord in
          self.state.withLock { $0.idempotencyRecords.append(idempotencyRecord) }
        },
        digest: { String(decoding: $0, as: UTF8.self) }),
      versions: { self.versions($0) }, cancelled: { _ in [] }, history: { self.history($0) },
      interruptions: { _ in [] },
      removal: { self.removal($0) },
      outcomes: { self.outcomes() }, contactResults: { self.contactResults() },
      messages: { self.messages($0, $1) }, lastAnswer: { nil },
      newEvents: { _ in nil },
      study: StudyArchive(
        responses: { self.responses($0) }, diary: { self.diary() }, pictures: { _ in [] },
        sweep: { _ in },
        forget: {},
        purge: self.purges, rows: { _, _, _ in [] }, code: \.text)
    )
  }
}
