import API
import Alarms
import JSONValue
import StudyExport

// The handler of `/v1/study/diary`: diary entries that a care partner wrote in another program.
extension RequestHandler {
  /// Imports diary entries: checks all entries, and then records them.
  ///
  /// An entry that is already in the record is not recorded again. Therefore a user can import the
  /// same file twice, or again after adding entries to the file. An entry is about a day or about a
  /// prompt of a person. If the record contains an entry about the same day or prompt, but the
  /// values are different, the imported entry corrects the recorded entry.
  func importDiary(_ request: APIRequest) async throws -> APIResponse {
    let read = try DiaryEntry.read(csv: request.body)
    for (entry, cell) in read {
      guard case .prompt(let id) = entry.subject else { continue }
      guard let found = try archive.prompt(id) else {
        throw cell.refusal("there is no such prompt")
      }
      if found.person != entry.person.text, entry.person != .patient {
        throw cell.refusal("the prompt belongs to another person")
      }
    }
    let owners = try owners(read.map(\.entry))
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { home throws(Refusal) in
      let known: [DiaryEntry.Key: DiaryEntry]
      var over: [Prompt] = []
      do {
        known = try Dictionary(uniqueKeysWithValues: archive.study.diary().map { ($0.key, $0) })
        for (entry, _) in read {
          guard case .prompt(let id) = entry.subject, home.prompt(id) == nil else { continue }
          if let found = try archive.prompt(id) { over.append(found.prompt) }
        }
      } catch {
        throw Refusal(.storage, "cannot read the record: \(error)")
      }
      var new: [DiaryEntry] = []
      for (index, (entry, cell)) in read.enumerated() {
        var entry = entry
        entry.person = owners[index]
        if home.people[entry.person]?.person == nil {
          throw cell.refusal("there is no person \"\(entry.person)\"")
        }
        if let old = known[entry.key] {
          entry.number = old.number
          if entry == old { continue }
          entry.number += 1
        }
        new.append(entry)
      }
      return .importDiary(new, about: over, unchanged: read.count - new.count)
    }
    return try await carryOut(decide, by: request.actor) { reply, _ in
      guard case .imported(let new, let corrected, let unchanged) = reply else {
        preconditionFailure("the engine returned no result of the import")
      }
      return .json(
        .object([
          ("new", .integer(Int64(new))), ("corrected", .integer(Int64(corrected))),
          ("unchanged", .integer(Int64(unchanged))),
        ]))
    }
  }

  /// The person of each entry.
  ///
  /// If an entry is about a prompt, the function uses the person of the prompt's alarm, and ignores
  /// the person in the entry.
  private func owners(_ entries: [DiaryEntry]) throws -> [PersonID] {
    try entries.map { entry in
      guard case .prompt(let id) = entry.subject, let found = try archive.prompt(id) else {
        return entry.person
      }
      return PersonID(found.person)
    }
  }
}
