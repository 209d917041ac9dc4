import API
import CivilTime
import JSONValue
import Sentences
import StudyExport

/// The values that a page needs: the request, the home, and the words of the language.
public struct PageContext: Sendable {
  public var visit: Visit
  public var home: any CaretakerHome
  public var household: Household
  public var language: Language

  public init(
    visit: Visit, home: any CaretakerHome, household: Household, language: Language
  ) {
    (self.visit, self.home) = (visit, home)
    (self.household, self.language) = (household, language)
  }

  // MARK: Words

  /// Returns a sentence in the language of the page, as HTML.
  func say(_ sentence: CaretakerSentence) -> String { escape(plain(sentence)) }

  /// Returns a sentence in the language of the page, as plain text.
  func plain(_ sentence: CaretakerSentence) -> String { sentence.text(in: language) }

  /// Escapes a text that a person or the daemon wrote, so that it can be a part of the HTML.
  func escape(_ text: String) -> String { HTMLText.escaped(text) }

  /// Returns a sentence of the daemon as HTML, marked as English.
  func english(_ text: String) -> String {
    language == .english ? escape(text) : "<span lang=\"en\">\(escape(text))</span>"
  }

  // MARK: The daemon

  /// Reads a JSON document from the daemon.
  func read(
    _ operation: Route.Operation, _ parameters: [String: String] = [:],
    query: [String: String] = [:]
  ) throws(HomeTrouble) -> JSON {
    let reply = try home.send(HomeRequest(operation, parameters, query: query))
    guard reply.isAccepted else { throw .refused(HomeRefusal(reply)) }
    return try Self.document(reply)
  }

  /// Sends a change to the daemon.
  ///
  /// - Parameters:
  ///   - members: the members of the body. The request does not contain members with the value nil.
  ///   - form: the form, which contains the idempotency key.
  ///   - version: the version of the object from which the form was made; nil if the change applies
  ///     to every version.
  /// - Returns: the refusal of the daemon, or its reply.
  func change(
    _ operation: Route.Operation, _ parameters: [String: String] = [:],
    _ members: [(String, JSON?)] = [], form: FormFields, version: Int? = nil
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal> {
    let given = members.compactMap { name, value in value.map { (name, $0) } }
    let reply = try home.send(
      HomeRequest(
        operation, parameters, body: .json(.object(given)), key: Self.key(form) ?? home.newKey(),
        version: version))
    return reply.isAccepted ? .success(try Self.document(reply)) : .failure(HomeRefusal(reply))
  }

  static func document(_ reply: HomeReply) throws(HomeTrouble) -> JSON {
    if reply.body.isEmpty { return .null }
    guard let document = try? JSON(parsing: reply.body) else { throw .unreadable(field: "body") }
    return document
  }

  // MARK: Forms

  /// Returns a form that works without a script.
  ///
  /// - Parameters:
  ///   - action: the address to which the browser sends the form.
  ///   - hidden: additional hidden fields.
  ///   - isUpload: true if the form has a field for a file.
  ///   - content: the HTML of the controls.
  func form(
    _ action: String, hidden: [(String, String)] = [], isUpload: Bool = false, _ content: String
  ) -> String {
    let fields = ([(Self.keyField, home.newKey())] + hidden).map {
      "<input type=\"hidden\" name=\"\(escape($0.0))\" value=\"\(escape($0.1))\">"
    }.joined()
    let coding = isUpload ? " enctype=\"multipart/form-data\"" : ""
    return
      "<form method=\"post\" action=\"\(escape(action))\"\(coding)>\(fields)\n\(content)</form>\n"
  }

  /// The name of the form field that contains the idempotency key.
  static let keyField = "key"

  /// Returns the idempotency key of a form, followed by the name of the pressed button. Therefore,
  /// each button of a form has a different key. The result is nil if the form has no usable key.
  static func key(_ form: FormFields) -> String? {
    let (key, button) = (form.text(keyField), form.text(buttonField))
    let whole = button.isEmpty ? key : "\(key)-\(button)"
    guard key.utf8.count >= 16, whole.utf8.count <= 64,
      whole.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return whole
  }

  /// The name of the submit buttons of a form with several buttons.
  static let buttonField = "button"

  /// Returns a submit button.
  ///
  /// - Parameters:
  ///   - value: the value in the form if the person pressed this button.
  ///   - about: the words for a screen reader; nil if the word of the button is enough.
  func button(
    _ value: String, _ word: CaretakerSentence, about: CaretakerSentence? = nil,
    isMain: Bool = false
  ) -> String {
    let label = about.map { " aria-label=\"\(say($0))\"" } ?? ""
    let style = isMain ? " class=\"main\"" : ""
    return "<button name=\"\(Self.buttonField)\" value=\"\(escape(value))\"\(style)\(label)>"
      + "\(say(word))</button>\n"
  }

  /// Returns a notice for the top of a page: the result of the change that the person has just
  /// sent. A screen reader reads this notice aloud.
  func notice(_ html: String, isRefusal: Bool = false) -> String {
    let role = isRefusal ? "alert" : "status"
    return "<p class=\"notice\(isRefusal ? " refused" : "")\" role=\"\(role)\">\(html)</p>\n"
  }
}

extension CaretakerSentence {
  /// Returns the sentence in a language.
  public func text(in language: Language) -> String {
    switch language {
    case .english: en
    case .german: de
    case .vietnamese: vi
    }
  }
}
