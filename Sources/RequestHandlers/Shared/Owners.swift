import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// A home as somebody sees it who sees one person's things only.
extension HomeState {
  /// The open prompts of a person; everybody's for nil.
  func openPrompts(of person: PersonID?) -> [Prompt] {
    openPrompts.filter { person == nil || alarm($0.id.alarm)?.person == person }
  }

  /// How many prompts of a person wait for an answer; of everybody for nil.
  func waitingCount(of person: PersonID?) -> Int {
    guard let person else { return waitingPromptCount }
    return waitingPrompts.count { alarm($0.id.alarm)?.person == person }
  }

  /// What is said of the prompt that calls a person, or anybody for nil; null where none does.
  func callingDocument(of person: PersonID?) -> JSON {
    guard let prompt = callingPrompt(of: person), let alarm = alarm(prompt.id.alarm) else {
      return .null
    }
    return .calling(prompt, of: alarm)
  }

  /// The prompt that is meant by an answer: the named one, else the one that calls; nil for the one that
  /// calls in the whole home.
  func calling(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    return try calling(of: person, at: now)
  }

  /// The prompt that is meant by taking an answer back: the named one, else the last that was answered; nil
  /// for the last of the whole home.
  func lastAnswered(
    _ id: PromptID?, of person: PersonID?, at now: Instant
  ) throws(Refusal) -> PromptID? {
    guard id == nil, let person else { return id }
    guard let last = undoable(at: now, of: person) else { throw Prompt.nothingToUndo }
    return last.id
  }
}

extension HomeState {
  /// The recordings that a person's alarms speak with, and the person's own; all of them for nil.
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

  /// What stood in during the rings of one person; during all rings for nil. A test ring is nobody's.
  func fallbacks(of person: PersonID?) -> [SpeakerHealth.Fallback] {
    guard let person else { return speaker.fallbacks }
    return speaker.fallbacks.filter { fallback in
      fallback.prompt.flatMap { alarm($0.alarm)?.person } == person
    }
  }

  /// Whether the prompt that sounds belongs to a person; true for nil.
  func isSoundingSeen(by person: PersonID?) -> Bool {
    guard let person else { return true }
    return sounding.flatMap { alarm($0.alarm)?.person } == person
  }
}

extension RequestHandler {
  /// Whether the sender may see a picture: one that the person's alarms show, one that shows a task of the
  /// person done, or one that the sender uploaded and that shows nothing yet.
  func maySee(_ picture: Picture, _ request: APIRequest) async throws -> Bool {
    guard let only = request.only else { return true }
    if let prompt = picture.prompt { return try archive.prompt(prompt)?.person == only.text }
    let uploader = request.actor.id
    return await engine.read { home, _ in
      home.shows(picture.sha256, to: only) || home.hasUploaded(picture.sha256, uploader)
    }
  }

  /// Refuses to say that there is nothing where nobody goes by the name that was asked for. Somebody who was
  /// erased goes by a code, and is known by what is found of them.
  func requireKnown(_ person: String?) async throws(Refusal) {
    guard let person, person != PersonID.patient.text else { return }
    let names = await engine.read { home, _ in home.people.values.map(\.id.text) }
    if names.contains(person) { return }
    throw Refusal(
      .invalidField, field: "person", "there is nobody called \"\(person)\" in this home")
  }
}
