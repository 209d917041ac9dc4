import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The home as seen by a user who may see one person.
extension HomeState {
  /// The open prompts of a person; of all people for nil.
  func openPrompts(of person: PersonID?) -> [Prompt] {
    openPrompts.filter { person == nil || alarm($0.id.alarm)?.person == person }
  }

  /// The number of prompts of a person that wait for an answer; of all people for nil.
  func waitingCount(of person: PersonID?) -> Int {
    guard let person else { return waitingPromptCount }
    return waitingPrompts.count { alarm($0.id.alarm)?.person == person }
  }

  /// The prompt that calls a person, or any person for nil; null if none calls.
  func callingDocument(of person: PersonID?) -> JSON {
    guard let prompt = callingPrompt(of: person), let alarm = alarm(prompt.id.alarm) else {
      return .null
    }
    return .calling(prompt, of: alarm)
  }

  /// The prompt that an answer is for: the named prompt, else the one that calls.
  ///
  /// It is nil if no prompt is named and the user may see all people. The engine then finds the
  /// prompt.
  func calling(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    return try calling(of: person, at: now)
  }

  /// The prompt whose answer is undone: the named prompt, else the last answered one.
  ///
  /// It is nil if no prompt is named and the user may see all people. The engine then finds the
  /// prompt.
  func lastAnswered(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    guard let last = undoable(at: now, of: person) else { throw Prompt.nothingToUndo }
    return last.id
  }
}

extension HomeState {
  /// The tones of a person's alarms and the person's own tone; all tones for nil.
  func tones(of person: PersonID?) -> [Tone] {
    guard let person else { return Array(tones.values) }
    var names = Set(alarms.lazy.filter { $0.person == person }.flatMap(\.tones))
    if let own = people[person]?.person?.tone { names.insert(own) }
    return names.compactMap { tones[$0] }
  }

  /// Whether an alarm of this person shows a picture; any alarm for nil.
  func shows(_ sha256: String, to person: PersonID? = nil) -> Bool {
    alarms.contains { $0.image == sha256 && (person == nil || $0.person == person) }
  }

  /// The fallbacks during rings of one person; during all rings for nil. A test ring belongs to no
  /// person.
  func fallbacks(of person: PersonID?) -> [SpeakerHealth.Fallback] {
    guard let person else { return speaker.fallbacks }
    return speaker.fallbacks.filter { fallback in
      fallback.prompt.flatMap { alarm($0.alarm)?.person } == person
    }
  }

  /// Whether the prompt that is sounding belongs to a person; true for nil.
  func isSoundingSeen(by person: PersonID?) -> Bool {
    guard let person else { return true }
    return sounding.flatMap { alarm($0.alarm)?.person } == person
  }
}

extension RequestHandler {
  /// Whether the sender may see a picture.
  ///
  /// A sender who may see one person sees three kinds of pictures:
  ///
  /// - pictures that the person's alarms show
  /// - photos of the person's completed tasks
  /// - pictures that the sender uploaded and that do not show a task yet
  func maySee(_ picture: Picture, _ request: APIRequest) async throws -> Bool {
    guard let only = request.only else { return true }
    if let prompt = picture.prompt { return try archive.prompt(prompt)?.person == only.text }
    let uploader = request.actor.id
    return await engine.read { home, _ in
      home.shows(picture.sha256, to: only) || home.hasUploaded(picture.sha256, uploader)
    }
  }

  /// Refuses a query about an unknown person, instead of an empty result.
  ///
  /// A person whose identity was erased has a code. Their data is found by the code, so the result
  /// is not empty.
  func requireKnown(_ person: String?) async throws(Refusal) {
    guard let person, person != PersonID.patient.text else { return }
    let names = await engine.read { home, _ in home.people.values.map(\.id.text) }
    if names.contains(person) { return }
    throw Refusal(
      .invalidField, field: "person", "there is no person \"\(person)\"")
  }
}
