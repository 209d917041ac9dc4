import API
import CivilTime
import JSONValue
import Sentences
import StudyExport

/// What a page gets: the request, the home, and the words of the language.
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

  /// A sentence as HTML.
  func say(_ sentence: CaretakerSentence) -> String { escape(plain(sentence)) }

  /// A sentence as plain text.
  func plain(_ sentence: CaretakerSentence) -> String { sentence.text(in: language) }

  /// The text of a person or of the daemon as HTML.
  func escape(_ text: String) -> String { HTMLText.escaped(text) }

  /// A sentence of the daemon, which is in English.
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
  ///   - members: the members of the body; a member with the value nil is not sent.
  ///   - form: the form, which contains the idempotency key.
  ///   - version: the version from which the form was made; nil if any version will do.
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

  /// A form. It works without a script.
  ///
  /// - Parameters:
  ///   - action: the address that gets the form.
  ///   - hidden: more fields that nobody sees.
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

  /// The name of the field with the idempotency key.
  static let keyField = "key"

  /// The idempotency key of a form, with the name of the button, so that each button of one form has
  /// a key of its own; nil if the form has no usable key.
  static func key(_ form: FormFields) -> String? {
    let (key, button) = (form.text(keyField), form.text(buttonField))
    let whole = button.isEmpty ? key : "\(key)-\(button)"
    guard key.utf8.count >= 16, whole.utf8.count <= 64,
      whole.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return whole
  }

  /// The name of a submit button, if a form has several.
  static let buttonField = "button"

  /// A submit button.
  ///
  /// - Parameters:
  ///   - value: what the form says if this button was pressed.
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

  /// A sentence at the top of a page about the change before. A screen reader reads it aloud.
  func notice(_ html: String, isRefusal: Bool = false) -> String {
    let role = isRefusal ? "alert" : "status"
    return "<p class=\"notice\(isRefusal ? " refused" : "")\" role=\"\(role)\">\(html)</p>\n"
  }
}

extension CaretakerSentence {
  /// The sentence in a language.
  public func text(in language: Language) -> String {
    switch language {
    case .english: en
    case .german: de
    case .vietnamese: vi
    }
  }
}
