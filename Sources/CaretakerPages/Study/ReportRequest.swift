/// A report about a study, or one of its tables.
public struct ReportRequest: Sendable, Hashable {
  /// The file that the person wants.
  public enum File: String, Sendable, CaseIterable {
    /// The page of charts.
    case page = "report.html"
    /// The numbers of prompts and people.
    case summary = "summary.csv"
    /// The differences between the phases or the arms.
    case estimates = "estimates.csv"
  }

  public var file: File
  /// The export profile: the rule for personal data.
  public var profile: String
  /// The id of the study; nil if the report contains all prompts.
  public var study: String?

  public init(file: File, profile: String, study: String?) {
    (self.file, self.profile, self.study) = (file, profile, study)
  }

  /// - Returns: nil if the form has no button for a report.
  init?(_ form: FormFields) {
    guard let file = File(rawValue: form.text(PageContext.buttonField)) else { return nil }
    self.file = file
    profile = ExportChoice.profile(form)
    study = form["report_study"].flatMap { $0.isEmpty ? nil : $0 }
  }

  var contentType: String {
    switch file {
    case .page: "text/html; charset=utf-8"
    case .summary, .estimates: "text/csv; charset=utf-8"
    }
  }
}
