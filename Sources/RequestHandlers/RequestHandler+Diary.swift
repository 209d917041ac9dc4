import API
import Alarms
import Engine
import JSONValue
import StudyExport

// The handler of `/v1/study/diary`: imports diary entries that a care partner wrote in a program
// other than Prompter.
extension RequestHandler {
  /// Imports diary entries. The function checks all entries before it records the first entry.
  ///
  /// An entry that is already in the record is not recorded again. Therefore, a user can import the
  /// same file twice, and can add entries to the file between the two imports. An entry is about a
  /// day or about a prompt of a person. If the record contains an entry with different values about
  /// the same day or prompt, the imported entry corrects the recorded entry. If the imported entry
  /// equals a recorded entry that a later entry corrected, the imported entry comes from an older
  /// file. The function records such an entry only if the request demands it.
  func importDiary(_ request: APIRequest) async throws -> APIResponse {
    let read = try DiaryEntry.read(csv: request.body)
    let takesOlder = request.query["older"] == "yes"
    let environment = ports.environment()
    let now = ports.now().wall
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { home throws(Refusal) in
      let known: [DiaryEntry.Key: [RecordedDiaryEntry]]
      var prompts: [PromptID: (prompt: Prompt, person: PersonID)] = [:]
      do {
        known = try Dictionary(grouping: archive.study.diary(), by: \.entry.key)
        for row in read {
          guard case .prompt(let id) = row.entry.subject, let found = try archive.prompt(id) else {
            continue
          }
          prompts[id] = (found.prompt, PersonID(found.person))
        }
      } catch {
        throw Refusal(.storage, "cannot read the record: \(error)")
      }
      let check = DiaryCheck(
        home: home, environment: environment, now: now, prompts: prompts)
      var seen: [DiaryEntry.Key: Int] = [:]
      var new: [DiaryEntry] = []
      var older = 0
      for row in read {
        var entry = row.entry
        entry.person = try check.person(of: row)
        try check.check(row, of: entry.person)
        // One row can contain the id of a person, and a second row the code of the same person.
        if let line = seen.updateValue(row.subject.line, forKey: entry.key) {
          throw row.subject.refusal("line \(line) already has an entry about it")
        }
        let versions = known[entry.key] ?? []
        if let newest = versions.last {
          if newest.says(entry) { continue }
          if !takesOlder, versions.contains(where: { $0.says(entry) }) {
            older += 1
            continue
          }
          entry.number = newest.entry.number + 1
        }
        new.append(entry)
      }
      return .importDiary(
        new,
        about: prompts.values.map(\.prompt).filter { home.prompt($0.id) == nil }.sorted {
          $0.id < $1.id
        }, unchanged: read.count - new.count - older, older: older)
    }
    return try await carryOut(decide, by: request.actor) { reply, _ in
      guard case .imported(let new, let corrected, let unchanged, let older) = reply else {
        preconditionFailure("the engine returned no result of the import")
      }
      return .json(
        .object([
          ("new", .integer(Int64(new))), ("corrected", .integer(Int64(corrected))),
          ("unchanged", .integer(Int64(unchanged))), ("older", .integer(Int64(older))),
        ]))
    }
  }
}
