import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers of `/v1/study`, and of the responses to questions.
extension RequestHandler {
  func study(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .listResponses: try await listResponses(request)
    case .respond: try await respond(to: request)
    case .listPhases: try await listPhases(request)
    case .setPhase: try await setPhase(request)
    case .endPhase: try await endPhase(request)
    case .listParticipants: await participants()
    case .enrol: try await enrol(request)
    case .withdraw: try await withdraw(request)
    case .crossover: try await crossover(request)
    case .series: try await series(request)
    case .erase: try await erase(request)
    case .rekey: try await rekey(request)
    case .unblind: try await unblind(request)
    case .noteStudy: try await note(request)
    case .importDiary: try await importDiary(request)
    default: preconditionFailure("\(request.operation) is not an operation of a study")
    }
  }

  private func participants() async -> APIResponse {
    participants(await engine.read { home, _ in Array(home.people.values) })
  }

  private func participants(_ states: [PersonState]) -> APIResponse {
    let (now, environment) = (ports.now().wall, ports.environment())
    let all = states.sorted { $0.id.text < $1.id.text }.flatMap {
      JSON.participants($0, now: now, zone: environment.zone(of: $0))
    }
    return .json(.object([("participants", .array(all))]))
  }

  private func enrol(_ request: APIRequest) async throws -> APIResponse {
    let (typed, form) = try EnrolmentForm.read(body: request.body)
    if form.armCode != nil, request.actor.role != .admin {
      throw Refusal(
        .forbidden, field: "arm_code",
        "cannot blind an arm as \(request.actor.role.rawValue): only an administrator can give the code "
          + "of an arm, because the sender of this request knows the arm")
    }
    return try await participant(.enrol(await known(typed), form), request, status: 201)
  }

  private func unblind(_ request: APIRequest) async throws -> APIResponse {
    let study = try EnrolmentForm.readUnblinding(body: request.body)
    return try await carryOut(.unblind(study: study), by: request.actor) { _, home in
      participants(
        home.people.values.map { state in
          var state = state
          state.unblind(study)
          return state
        })
    }
  }

  private func note(_ request: APIRequest) async throws -> APIResponse {
    let (typed, note) = try StudyNote.read(body: request.body)
    let person = await known(typed)
    return try await carryOut(.noteStudy(person, note), by: request.actor) { _, _ in
      .json(
        .object([
          ("person", .string(person.text)), ("kind", .string(note.kind.rawValue)),
          ("serious", .bool(note.isSerious)),
        ]), status: 201)
    }
  }

  private func withdraw(_ request: APIRequest) async throws -> APIResponse {
    let (typed, withdrawal, erases) = try EnrolmentForm.readWithdrawal(body: request.body)
    if erases, request.actor.role != .admin {
      throw Refusal(
        .forbidden, field: "erase",
        "only an administrator can erase; withdraw the person without it, and ask an administrator to "
          + "erase")
    }
    let person = await known(typed)
    let words = erases ? WordsErased(pictures: try archive.study.pictures(.words(person))) : nil
    let removed = await pictures(words)
    let response = try await participant(
      .withdraw(person, withdrawal, erasing: words), request, status: 200)
    if erases { try await sweep(removed) }
    return response
  }

  private func participant(
    _ command: Command, _ request: APIRequest, status: Int
  ) async throws -> APIResponse {
    return try await carryOut(command, by: request.actor) { reply, _ in
      guard case .person(let state, _) = reply else {
        preconditionFailure("the engine returned no person")
      }
      let documents = JSON.participants(
        state, now: ports.now().wall, zone: ports.environment().zone(of: state))
      return .json(.object([("participants", .array(documents))]), status: status)
    }
  }

  private func crossover(_ request: APIRequest) async throws -> APIResponse {
    let (typed, form) = try CrossoverForm.read(body: request.body)
    return try await phases(.crossover(await known(typed), form), request, status: 201)
  }

  private func erase(_ request: APIRequest) async throws -> APIResponse {
    let erasure = try Erasure.read(body: request.body)
    if case .alarm(let id) = erasure, try archive.versions(id).isEmpty {
      throw Refusal(.notFound, "there is no alarm \"\(id)\"")
    }
    let words = WordsErased(pictures: try archive.study.pictures(erasure))
    let removed = await pictures(words)
    let response = try await carryOut(.erase(erasure, words), by: request.actor) { _, home in
      .json(.erased(erasure, stillSet: home.alarms.count { $0.person == erasure.person }))
    }
    try await sweep(removed)
    return response
  }

  private func pictures(_ words: WordsErased?) async -> [Picture] {
    guard let words else { return [] }
    return await engine.read { home, _ in words.pictures.compactMap { home.pictures[$0] } }
  }

  /// Deletes the files of the pictures in `removed`, and the recordings that the home no longer
  /// uses.
  private func sweep(_ removed: [Picture]) async throws {
    try await erase(removed)
    let (now, environment) = (ports.now(), ports.environment())
    let words = await engine.read { home, _ in home.wantedWords(at: now, in: environment) }
    try archive.study.sweep(words)
    try forget("the words are erased from the record")
  }

  private func rekey(_ request: APIRequest) async throws -> APIResponse {
    try FieldReader(body: request.body).finish()
    // Refuse a rekey while the home sends its record to the archive of a study. The archive could
    // not verify rows with new pseudonyms, and already contains the pseudonyms from before the
    // rekey.
    if let link = machine([]).archiveLink {
      throw Refusal(
        .conflict,
        "cannot change the pseudonyms: the study \"\(link.study)\" collects the record of this home, and "
          + "its archive has the present pseudonyms; leave the study with \"prompter-link revoke\" first"
      )
    }
    let response = try await carryOut(.rekey, by: request.actor) { _, _ in
      .json(.object([("rekeyed", .bool(true))]))
    }
    try forget("the record has new pseudonyms, and the old key is erased from it")
    return response
  }

  /// Removes the erased data from the second copy of the record. The response says "erased" only
  /// after this removal.
  ///
  /// - Parameter done: a clause for the text of the refusal. The clause says which part of the work
  ///   is already done.
  private func forget(_ done: String) throws(Refusal) {
    do {
      try archive.study.forget()
    } catch {
      throw Refusal(
        .storage,
        "\(done), but not yet from its second copy: \(error); the daemon tries again with the next "
          + "copy")
    }
  }

  // MARK: Responses to questions

  func respond(to request: APIRequest) async throws -> APIResponse {
    let (forms, completes) = try ResponseForm.read(body: request.body)
    let named = try await answerable(request)
    let now = ports.now().wall
    // If the record is not writable, let the engine try again to write the backlog. The end of this
    // prompt can be an event in the backlog, and `past` reads only the record.
    if await !engine.read({ _, isRecordWritable in isRecordWritable }) { await engine.wake() }
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { home throws(Refusal) in
      let id = try home.calling(named, of: request.only, at: now)
      var over: PastPrompt?
      if let id, home.prompt(id) == nil { over = try past(id) }
      return .respond(id, forms, completes: completes, past: over)
    }
    let response = try await carryOut(decide, by: request.actor) { reply, home in
      guard case .answered(let result) = reply else {
        preconditionFailure("the engine returned no answered prompt")
      }
      let alarm = home.alarm(result.prompt.id.alarm)
      var document: JSON = self.answered(
        result, of: alarm, in: home, photos: home.photos[result.prompt.id] ?? [])
      if !result.prompt.state.isOpen {
        document.addStillOpen(home.stillOpen(after: result.prompt.id))
      }
      return APIResponse.json(document)
    }
    if request.actor.role == .patient { callerStats.answered(at: ports.now().wall) }
    return response
  }

  /// Returns a closed prompt and its alarm version; nil if no closed prompt has this id.
  private func past(_ id: PromptID) throws(Refusal) -> PastPrompt? {
    do {
      guard let found = try archive.prompt(id) else { return nil }
      let version = try archive.versions(id.alarm).last {
        $0.alarm.version == found.prompt.alarmVersion
      }
      return version.map { PastPrompt(prompt: found.prompt, alarm: $0.alarm) }
    } catch {
      throw Refusal(.storage, "cannot read the record: \(error)")
    }
  }

  func listResponses(_ request: APIRequest) async throws -> APIResponse {
    let (id, found) = try await archivedPrompt(request)
    let alarm = try archive.versions(id.alarm).last {
      $0.alarm.version == found.prompt.alarmVersion
    }
    let responses = try archive.study.responses(ResponseQuery(prompt: id))
    var newest: [String: Int64] = [:]
    for one in responses { newest[one.response.question] = one.sequence }
    let documents = responses.map { one in
      JSON.object([
        ("seq", .integer(one.sequence)), ("question", .string(one.response.question)),
        ("number", .integer(Int64(one.response.number))),
        ("current", .bool(newest[one.response.question] == one.sequence)),
        ("value", .value(one.response.value)), ("unit", .optional(one.response.unit)),
        ("by", .string(one.role.rawValue)), ("utc", .string(one.at.description)),
      ])
    }
    return .json(
      .object([
        ("questions", .questions(alarm?.alarm.checkIn)),
        ("answers_required", .bool(alarm?.alarm.checkIn?.holdsCompletion ?? false)),
        ("responses", .array(documents)),
      ]))
  }

  private func series(_ request: APIRequest) async throws -> APIResponse {
    guard let question = request.query["question"] else {
      throw Refusal(.invalidField, field: "question", "it is missing; name a question")
    }
    let person = await known(request.query["person"]).text
    let points = try request.integer("points", in: 1...2_000) ?? 200
    let found = try archive.study.responses(
      ResponseQuery(
        person: PersonID(person), question: question,
        given: try request.days(in: ports.environment().homeZone)))
    // If a person corrected a response, the series shows the new value at the time of the first
    // response. Therefore, a correction does not move a value to a different day.
    var places: [PromptID: Int] = [:]
    var answers: [(at: Instant, value: Double)] = []
    for one in found {
      guard let value = one.response.value.level else { continue }
      if let place = places[one.prompt] {
        answers[place].value = value
      } else {
        places[one.prompt] = answers.count
        answers.append((one.at, value))
      }
    }
    answers.sort { $0.at < $1.at }
    let series = Series(answers, limit: points)
    return .json(
      .object([
        ("person", .string(person)), ("question", .string(question)),
        ("unit", .optional(found.last?.response.unit)),
        ("answers", .integer(Int64(series.count))), ("points", .series(series)),
      ]))
  }
}
