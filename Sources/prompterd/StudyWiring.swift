import Daemon
import Logbook
import Speaker

extension Wiring {
  /// What a study asks of the record.
  func studyArchive() -> StudyArchive {
    let (logbook, tones, narration) = (logbook, tones, narration)
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
      },
      diary: { try logbook.diary() },
      sweep: { words in
        let removed = try logbook.removedTones()
        try tones.deleteAll { removed.contains($0) }
        try narration.forgetAll(but: words)
      })
  }
}
