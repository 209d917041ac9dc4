import API
import CivilTime
import JSONValue

/// A preview of a form: the answer of the daemon before the form is saved.
struct AlarmPreview: Sendable {
  private let context: PageContext
  private let result: Result<JSON, HomeRefusal>
  /// The refusal of the preview; nil if the daemon understood the form.
  var refusal: HomeRefusal? { if case .failure(let refusal) = result { refusal } else { nil } }

  /// The number of rings that the preview lists.
  private static let count: Int64 = 5

  /// Asks the daemon for the preview. The request changes nothing at home.
  init(_ form: AlarmForm, _ context: PageContext) throws(HomeTrouble) {
    self.context = context
    let members = form.newMembers + [("count", .integer(Self.count))]
    result = try context.ask(.preview, members)
  }

  /// The HTML of the preview.
  var html: String {
    switch result {
    case .failure(let refusal):
      return "<p class=\"error\">\(context.english(refusal.detail))</p>\n"
    case .success(let preview):
      let rings = (preview["occurrences"]?.array ?? []).compactMap { ring in
        ring["local"]?.string.flatMap { try? CivilDateTime(parsing: $0) }
      }
      let list = rings.map { "<li>\(context.escape(context.moment($0)))</li>\n" }.joined()
      let warnings = (preview["warnings"]?.array ?? []).compactMap { $0["text"]?.string }.map {
        "<li class=\"warning\">\(context.english($0))</li>\n"
      }.joined()
      let understood = preview["explanation"]?.string ?? ""
      return """
        <p>\(context.say(.understoodAs)) \(context.english(understood))</p>
        \(list.isEmpty ? "<p>\(context.say(.noNextRing))</p>" : "<ul class=\"rings\">\n\(list)</ul>")
        \(warnings.isEmpty ? "" : "<ul class=\"warnings\">\n\(warnings)</ul>\n")
        """
    }
  }
}

extension PageContext {
  /// Sends a request with a body that changes nothing at home.
  func ask(
    _ operation: Route.Operation, _ members: [(String, JSON?)]
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal> {
    try change(operation, [:], members, form: FormFields())
  }
}
