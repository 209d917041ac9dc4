import CivilTime
import StudyExport

/// The study and the study day of the prompts of one home.
struct PromptStudies {
  private let history: StudyHistory
  private var days = StudyDays()

  init(_ home: HomeTables, _ zones: ExportZones) {
    history = home.tables.history
    for row in home.tables.participants {
      guard let person = row.person else { continue }
      let begin = CivilDateTime(localSeconds: row.localBeginSeconds(zones))
      days.add(person, study: row.study, from: begin.date.dayNumber)
    }
  }

  /// Returns the study in which the person was enrolled at the due time of a prompt. An export of a
  /// home finds the study by the same rule.
  ///
  /// - Parameter recorded: the study to which the home belongs in the archive. The function returns
  ///   this study if the archive has no enrolment of the person.
  func study(of person: String, at due: Instant, recorded: String) -> String {
    history.study(of: person, at: due, recorded: recorded)
  }

  /// Returns the study day of the due time of a prompt; nil if the person was not enrolled in the
  /// study.
  func day(of person: String, study: String, at due: Instant, offsetSeconds: Int64) -> Int? {
    let local = CivilDateTime(localSeconds: due.seconds + offsetSeconds)
    return days.day(of: person, study: study, due: local.date.dayNumber)
  }
}
