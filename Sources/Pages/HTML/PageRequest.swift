import JSONValue

/// A request of a browser to the page server.
public struct PageRequest: Sendable {
  public var method: String
  public var target: String
  /// The header fields. The names are in lower case.
  public var headers: [(name: String, value: String)]

  public init(method: String, target: String, headers: [(name: String, value: String)]) {
    (self.method, self.target, self.headers) = (method, target, headers)
  }

  /// What the page server does with a request.
  public enum Action: Sendable, Hashable {
    case page
    case file(ScreenFile)
    case live
    /// - Parameter id: the id of a picture, 64 hexadecimal digits.
    case picture(id: String)
    case answer
    /// A touch on a question screen, or the answer "yes" or "no" to a message.
    case question
    /// A photo of a finished task.
    case photo(promptID: String)
    /// A report that the page has painted a task.
    case seen
    /// A report that the page has painted a frame.
    case alive
    /// - Parameter token: the token with which a browser asks for access.
    case giveAccess(token: String)
    case refuse(status: Int, why: String)
  }

  /// The maximum size of the body of an answer, in bytes.
  static let bodyLimit = 4_096
  /// The maximum size of a photo, in bytes. A photo from the page usually has about 300 kB.
  static let photoLimit = 4 << 20

  /// Decides what to do with the request.
  ///
  /// In the same browser, a page of another site can send requests to this address, for example
  /// through a host name that leads to this machine (DNS rebinding). Therefore each request must
  /// name the address of the page server, and each answer must come from a page of the page server.
  public func action(hosts: [String]) -> Action {
    if let refusal = refusalOfHost(hosts) { return refusal }
    let change = Self.changes[target]
    let isChange = change != nil
    guard method == (isChange ? "POST" : "GET") else {
      return .refuse(status: 405, why: "this method is not allowed here")
    }
    if let refusal = refusalOfSite(hosts, isChange: isChange) { return refusal }
    if let change {
      if case .photo = change { return photo }
      guard value("content-type") == "application/json" else {
        return .refuse(status: 415, why: "an answer is JSON")
      }
      return change
    }
    return Self.document(target)
  }

  private static let changes: [String: Action] = [
    "/answer": .answer, "/question": .question, "/seen": .seen, "/alive": .alive,
    // The header fields of the request contain the id of the prompt.
    "/photo": .photo(promptID: ""),
  ]

  private var photo: Action {
    guard value("content-type") == "image/jpeg", let prompt = value("prompter-prompt") else {
      return .refuse(status: 415, why: "a photo is a JPEG file with the id of its prompt")
    }
    return .photo(promptID: prompt)
  }

  private static func document(_ target: String) -> Action {
    if target == "/" { return .page }
    if target == "/live" { return .live }
    if let file = ScreenFile(rawValue: String(target.dropFirst())), target.hasPrefix("/") {
      return .file(file)
    }
    let start = "/picture/"
    let id = String(target.dropFirst(start.count))
    let isID = id.utf8.count == 64 && id.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    if target.hasPrefix(start), isID { return .picture(id: id) }
    return .refuse(status: 404, why: "there is no such page")
  }

  /// Returns the value of a header field; nil if the field is missing or occurs several times.
  public func value(_ name: String) -> String? {
    let found = headers.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  /// Returns the header fields that every response contains.
  ///
  /// - Parameter hasCamera: true if the page may use the camera.
  public static func security(hasCamera: Bool) -> [(name: String, value: String)] {
    guard hasCamera else { return security }
    return security.map { field in
      (field.name, field.value.replacing("camera=()", with: "camera=(self)"))
    }
  }

  /// The header fields that every response contains if the screen has no camera.
  public static let security: [(name: String, value: String)] = [
    (
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types prompter"
    ),
    ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"), ("cache-control", "no-store"),
    (
      "permissions-policy",
      "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=()"
    ),
  ]
}

extension PageRequest.Action {
  /// The maximum size of the body of the request, in bytes.
  public var bodyLimit: Int {
    if case .photo = self { PageRequest.photoLimit } else { PageRequest.bodyLimit }
  }
}

/// The report of the page that it has painted a task.
public struct SeenForm: Sendable, Hashable {
  public var promptID: String

  /// Reads the body of the report; nil if the body has a wrong format.
  public init?(body: [UInt8]) {
    guard let prompt = (try? JSON(parsing: body))?["prompt"]?.string else { return nil }
    promptID = prompt
  }
}

/// An answer from the page.
public struct AnswerForm: Sendable, Hashable {
  public var promptID: String
  public var answer: ScreenAnswer
  /// The idempotency key. If the page sends an answer again, it sends the same key.
  public var key: String

  /// Reads the body of an answer; nil if the body has a wrong format.
  public init?(body: [UInt8]) {
    guard let document = try? JSON(parsing: body), let prompt = document["prompt"]?.string,
      let answer = document["answer"]?.string.flatMap(ScreenAnswer.init(rawValue:)),
      let key = Self.key(document)
    else { return nil }
    (promptID, self.answer, self.key) = (prompt, answer, key)
  }

  /// Reads the idempotency key from a body that the page sent; nil if the key has a wrong format.
  static func key(_ document: JSON) -> String? {
    guard let key = document["key"]?.string, (16...64).contains(key.utf8.count),
      key.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) })
    else { return nil }
    return key
  }
}
