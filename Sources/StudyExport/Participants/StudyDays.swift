/// The study days of the people in one home: day 1 is the first day of an enrolment.
///
/// A day is a number of days since any fixed day, for example `CivilDate.dayNumber`.
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

  /// The first days of the enrolments.
  private var begins: [Enrolment: [Int]] = [:]

  public init() {}

  /// Adds an enrolment.
  ///
  /// - Parameter day: the local day on which the enrolment begins.
  public mutating func add(_ person: String, study: String, from day: Int) {
    begins[Enrolment(person: person, study: study), default: []].append(day)
  }

  /// The study day of a prompt: 1 on the first day of the newest enrolment that began before; nil if
  /// the person was not enrolled in this study.
  ///
  /// - Parameter due: the local day of the due time.
  public func day(of person: String, study: String, due: Int) -> Int? {
    let begun = begins[Enrolment(person: person, study: study), default: []].filter { $0 <= due }
    return begun.max().map { due - $0 + 1 }
  }
}
