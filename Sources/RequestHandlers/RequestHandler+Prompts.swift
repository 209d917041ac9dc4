import API
import Alarms
import CivilTime
import Engine
import JSONValue
import Synchronization

/// The handlers of `/v1/prompts`.
extension RequestHandler {
  func prompts(_ request: APIRequest) async throws -> APIResponse {
    let limit = try request.integer("limit", in: 1...1_000) ?? 100
    var filter = PromptFilter(
      due: try dueTimes(request), person: try request.person(), limit: limit + 1)
    filter.label = request.query["label"]
    filter.alarm = request.query["alarm"].map { AlarmID($0) }
    if let text = request.query["state"] {
      guard let state = PromptFilter.State(rawValue: text) else {
        let known = PromptFilter.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidField, field: "state", "\"\(text)\" is not one of: \(known)")
      }
      filter.state = state
    }
    if let text = request.query["before"] {
      guard let id = PromptID(text) else {
        throw Refusal(.invalidField, field: "before", "\"\(text)\" is not the id of a prompt")
      }
      guard let last = try archive.prompt(id), request.maySee(last.person) else {
        throw Refusal(
          .invalidField, field: "before", "there is no prompt \"\(text)\"; start at the first page")
      }
      filter.before = id
    }
    let known = try archive.prompts(filter)
    if known.isEmpty { try await requireKnown(request.query["person"]) }
    let found = known.prefix(limit)
    let (now, environment) = (ports.now(), ports.environment())
    var document = await engine.read { home, _ in
      let photos = home.photos
      return JSON.object([
        (
          "prompts",
          .array(
            found.map {
              .prompt($0, photos: photos, home.guide(to: $0.prompt, at: now, environment))
            })
        ), ("waiting", .integer(Int64(home.waitingCount(of: request.only)))),
        ("calling", home.callingDocument(of: request.only)),
      ])
    }
    if known.count > limit, let last = found.last {
      document.set("next_before", .string(last.prompt.id.description))
    }
    return .json(document)
  }

  /// Returns the range of due times that a query selects; nil if the query does not select dates.
  /// The range consists of whole days in the home zone.
  private func dueTimes(_ request: APIRequest) throws(Refusal) -> Range<Instant>? {
    let zone = ports.environment().homeZone
    if let date = try request.date("date") {
      guard request.query["from"] == nil, request.query["to"] == nil else {
        throw Refusal(.invalidField, field: "date", "use either date, or from and to")
      }
      return zone.day(date)
    }
    return try request.days(in: zone)
  }

  func showPrompt(_ request: APIRequest) async throws -> APIResponse {
    let (_, found) = try await archivedPrompt(request)
    let (now, environment) = (ports.now(), ports.environment())
    return .json(
      await engine.read { home, _ in
        .prompt(found, photos: home.photos, home.guide(to: found.prompt, at: now, environment))
      })
  }

  /// Finds the prompt of a request in the record. If the request contains no prompt id, the result
  /// is the calling prompt.
  ///
  /// If the sender has no permission to see the prompt, the response is the same as for a prompt
  /// that does not exist.
  func archivedPrompt(_ request: APIRequest) async throws -> (PromptID, ArchivedPrompt) {
    var named = try request.promptID()
    if named == nil { named = try await calling(request.only) }
    guard let id = named, let found = try archive.prompt(id), request.maySee(found.person) else {
      let name = request.parameters["id"] ?? ""
      throw Refusal(
        .notFound, "there is no prompt \"\(name)\"" + (try named.flatMap(whenPurged) ?? ""))
    }
    return (id, found)
  }

  private func calling(_ person: PersonID?) async throws(Refusal) -> PromptID {
    let now = ports.now().wall
    return try await engine.read { home, _ in
      Result { () throws(Refusal) in try home.calling(of: person, at: now) }
    }.get()
  }

  /// Returns the end of an error message about a prompt that is not in the record. This text says
  /// that perhaps a purge has removed the prompt. The result is nil if no purge can have removed
  /// the prompt. This is the case if there was no purge, or if the scheduled day of the prompt is
  /// after the day of the newest purged event.
  private func whenPurged(_ id: PromptID) throws -> String? {
    guard let purged = try archive.study.purge.done().first else { return nil }
    let zone = ports.environment().homeZone
    let day = zone.civil(at: purged.throughAt).dateTime.date
    guard id.nominal.date <= day else { return nil }
    return "; prompts that ended by \(day) were purged and are in the archive of that purge"
  }

  /// Returns the id of the prompt that the request answers. If the request contains no prompt id,
  /// the result is nil, and the request answers the prompt that calls.
  func answerable(_ request: APIRequest) async throws -> PromptID? {
    let id = try request.promptID()
    if id != nil, request.only != nil { _ = try await archivedPrompt(request) }
    return id
  }

  func takeAnswer(_ request: APIRequest) async throws -> APIResponse {
    let photo = request.operation == .complete ? try request.photo() : nil
    let id = try await answerable(request)
    if let photo { try await requireOwn(photo, of: id, request) }
    if request.operation == .acknowledge {
      var named = id
      if named == nil { named = try await calling(request.only) }
      if let named { try await refuseRepeated(named, "acknowledged") }
    }
    let answer = try photo == nil ? Answer(request.operation, body: request.body) : .complete
    let now = ports.now().wall
    let response = try await carryOutAnswer(
      { home throws(Refusal) in
        let id = try home.calling(id, of: request.only, at: now)
        if let photo { return .completeShowing(id, photo: photo) }
        return .answer(id, answer)
      }, by: request.actor, photo: photo, isCompletion: request.operation == .complete)
    if request.actor.role == .patient { callerStats.answered(at: ports.now().wall) }
    return response
  }

  func undo(_ request: APIRequest) async throws -> APIResponse {
    let id = try await answerable(request)
    try request.requireNoFields()
    try await refuseRepeatedUndo(id, request)
    // If the prompt ended long ago, the engine no longer keeps it, but the record still contains
    // it.
    if let id, let found = try archive.prompt(id) {
      let (isKnown, version) = await engine.read { home, _ in
        (home.isKnown(id), home.alarm(id.alarm)?.version)
      }
      if !isKnown, let refusal = found.prompt.undoRefusal(at: ports.now().wall, version: version) {
        throw refusal
      }
    }
    let now = ports.now().wall
    return try await carryOutAnswer(
      { home throws(Refusal) in .undo(try home.lastAnswered(id, of: request.only, at: now)) },
      by: request.actor)
  }

  private func carryOutAnswer(
    _ decide: @escaping @Sendable (HomeState) throws(Refusal) -> Command, by actor: Actor,
    photo: String? = nil, isCompletion: Bool = false
  ) async throws(Refusal) -> APIResponse {
    let owner = Mutex<PersonID?>(nil)
    let response = try await carryOut(decide, by: actor) { reply, home in
      guard case .answered(let result) = reply else {
        preconditionFailure("the engine returned no answered prompt")
      }
      let alarm = home.alarm(result.prompt.id.alarm)
      // An announcement is not a task, so the completion of an announcement earns no reward.
      if let alarm, !alarm.isAnnouncement { owner.withLock { $0 = alarm.person } }
      var photos = home.photos[result.prompt.id] ?? []
      if let photo, !photos.contains(photo) { photos.append(photo) }
      var document = answered(result, of: alarm, in: home, photos: photos)
      document.addStillOpen(home.stillOpen(after: result.prompt.id))
      return .json(document)
    }
    if isCompletion, let owner = owner.withLock({ $0 }) { await reward(owner) }
    return response
  }

  /// - Parameter alarm: the alarm of the prompt; nil if the alarm was removed and is not known.
  func answered(
    _ result: AnsweredPrompt, of alarm: Alarm?, in home: HomeState, photos: [String] = []
  ) -> JSON {
    var document = JSON.prompt(
      result.prompt, PromptTexts(alarm, photos: photos),
      home.guide(to: result.prompt, at: ports.now(), ports.environment()))
    document.set("rings", .stopped(result.stopped))
    if !result.supplies.isEmpty { document.set("supplies", .left(result.supplies)) }
    return document
  }
}

extension HomeState {
  /// The photos of completed tasks. The key of the dictionary is the id of the prompt.
  var photos: [PromptID: [String]] {
    var found: [PromptID: [String]] = [:]
    for picture in pictures.values.sorted(by: { $0.sha256 < $1.sha256 }) {
      if let prompt = picture.prompt { found[prompt, default: []].append(picture.sha256) }
    }
    return found
  }
}

extension JSON {
  /// Adds the labels of the person's other tasks that still need an answer, if there are such
  /// tasks.
  mutating func addStillOpen(_ tasks: [Alarm]) {
    if !tasks.isEmpty { set("still_open", .array(tasks.map { .string($0.label) })) }
  }

  fileprivate static func prompt(
    _ found: ArchivedPrompt, photos: [PromptID: [String]], _ guide: PromptGuide
  ) -> JSON {
    let texts = PromptTexts(
      label: found.label, instructions: found.instructions, person: found.person,
      image: found.image, photos: photos[found.prompt.id] ?? [])
    var document = JSON.prompt(found.prompt, texts, guide)
    if found.isAnnouncement { document.set("announcement", .bool(true)) }
    return document
  }
}
