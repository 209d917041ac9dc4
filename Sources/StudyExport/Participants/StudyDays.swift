/// The study days of the people in one home. Study day 1 is the first day of an enrolment.
///
/// The functions use numbers of days since a fixed day, for example `CivilDate.dayNumber`.
public struct StudyDays: Sendable {
  private struct Enrolment: Hashable {
    var person: String
    var study: String
  }

  /// The meaning of the column `study_day`, for a codebook.
  public static let meaning =
    "Day of the due time, counted from the enrolment of the person in the study of the prompt: 1 on "
    + "the first day"
  public static let emptyWhen = "the person was not enrolled in this study"

  /// For each person and study, the first days of the enrolments.
  private var begins: [Enrolment: [Int]] = [:]

  public init() {}

  /// Adds an enrolment.
  ///
  /// - Parameter day: the local day on which the enrolment begins.
  public mutating func add(_ person: String, study: String, from day: Int) {
    begins[Enrolment(person: person, study: study), default: []].append(day)
  }

  /// The study day of a prompt. The function uses the newest enrolment that began on or before the
  /// day `due`; the first day of this enrolment is study day 1. The result is nil if no enrolment
  /// in this study had begun.
  ///
  /// - Parameter due: the local day of the due time.
  public func day(of person: String, study: String, due: Int) -> Int? {
    let begun = begins[Enrolment(person: person, study: study), default: []].filter { $0 <= due }
    return begun.max().map { due - $0 + 1 }
  }
}
