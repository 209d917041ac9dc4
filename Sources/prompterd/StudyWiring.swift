import Daemon
import Logbook

extension Wiring {
  /// What a study asks of the record.
  func studyArchive() -> StudyArchive {
    let logbook = logbook
    return StudyArchive(
      responses: { filter in
        try logbook.responses(
          ResponseQuery(
            prompt: filter.prompt, person: filter.person, question: filter.question,
            given: filter.given)
        ).map {
          ArchivedResponse(
            sequence: $0.sequence, prompt: $0.prompt, response: $0.response, role: $0.role,
            at: $0.at)
        }
      })
  }
}
