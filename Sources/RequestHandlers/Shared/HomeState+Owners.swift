import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// Queries of the state for a user who may see only one person.
extension HomeState {
  /// Returns the open prompts of a person, or of all people if `person` is nil.
  func openPrompts(of person: PersonID?) -> [Prompt] {
    openPrompts.filter { person == nil || alarm($0.id.alarm)?.person == person }
  }

  /// Returns the number of prompts of a person that wait for an answer. If `person` is nil, the
  /// function counts the prompts of all people.
  func waitingCount(of person: PersonID?) -> Int {
    guard let person else { return waitingPromptCount }
    return waitingPrompts.count { alarm($0.id.alarm)?.person == person }
  }

  /// Returns the JSON document about the calling prompt of a person, or of any person if `person`
  /// is nil. If no prompt calls, the result is the JSON value null.
  func callingDocument(of person: PersonID?) -> JSON {
    guard let prompt = callingPrompt(of: person), let alarm = alarm(prompt.id.alarm) else {
      return .null
    }
    return .calling(prompt, of: alarm)
  }

  /// Finds the prompt that a request answers. If the request contains no prompt id, this is the
  /// calling prompt.
  ///
  /// If the request contains no prompt id and the user may see all people, the result is nil. In
  /// this case, the engine finds the calling prompt.
  func calling(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    return try calling(of: person, at: now)
  }

  /// Finds the prompt to which a request for an undo applies.
  ///
  /// If the request contains a prompt id, the result is this prompt. If the request contains no
  /// prompt id and the user may see only one person, the result is this person's prompt with the
  /// newest answer.
  ///
  /// If the request contains no prompt id and the user may see all people, the result is nil. In
  /// this case, the engine chooses the prompt when it handles the undo.
  func lastAnswered(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    guard let last = undoable(at: now, of: person) else { throw Prompt.nothingToUndo }
    return last.id
  }
}

extension HomeState {
  /// Returns the tones of a person's alarms, and the tone that is set for the person. If `person`
  /// is nil, the function returns all tones.
  func tones(of person: PersonID?) -> [Tone] {
    guard let person else { return Array(tones.values) }
    var names = Set(alarms.lazy.filter { $0.person == person }.flatMap(\.tones))
    if let own = people[person]?.person?.tone { names.insert(own) }
    return names.compactMap { tones[$0] }
  }

  /// Returns the fallbacks during the rings of one person. If `person` is nil, the result contains
  /// the fallbacks during all rings.
  ///
  /// A test ring has no person, so the result contains fallbacks of test rings only if `person` is
  /// nil.
  func fallbacks(of person: PersonID?) -> [SpeakerHealth.Fallback] {
    guard let person else { return speaker.fallbacks }
    return speaker.fallbacks.filter { fallback in
      fallback.prompt.flatMap { alarm($0.alarm)?.person } == person
    }
  }

  /// Returns true if the sounding prompt is a prompt of the person, or if `person` is nil.
  func isSoundingSeen(by person: PersonID?) -> Bool {
    guard let person else { return true }
    return sounding.flatMap { alarm($0.alarm)?.person } == person
  }
}

extension RequestHandler {
  /// Returns true if the sender may see a picture.
  ///
  /// If the sender may see only one person, the sender may see three kinds of pictures:
  ///
  /// - pictures that the person's alarms show, and the person's reward picture
  /// - photos of the person's completed tasks
  /// - pictures that the sender uploaded, except photos of completed tasks
  func maySee(_ picture: Picture, _ request: APIRequest) async throws -> Bool {
    guard let only = request.only else { return true }
    if let prompt = picture.prompt { return try archive.prompt(prompt)?.person == only.text }
    let uploader = request.actor.id
    return await engine.read { home, _ in
      home.shows(picture.sha256, to: only) || home.hasUploaded(picture.sha256, uploader)
    }
  }

  /// Refuses a query about an unknown person. Otherwise, the client would get an empty result for a
  /// misspelled name.
  ///
  /// The handlers call this function only if a query found no data. If the identity of a person was
  /// erased, a query by the person's pseudonym can still find data. The daemon does not refuse this
  /// query.
  func requireKnown(_ person: String?) async throws(Refusal) {
    guard let person, person != PersonID.patient.text else { return }
    let refusal = await engine.read { home, _ in
      home.people[PersonID(person)] == nil ? home.unknownPerson(person) : nil
    }
    if let refusal { throw Refusal(.invalidField, field: "person", refusal) }
  }
}
