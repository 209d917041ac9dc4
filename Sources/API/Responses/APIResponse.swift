import Alarms
import JSONValue

/// The response to a request.
public struct APIResponse: Sendable {
  public enum Body: Sendable {
    case bytes([UInt8])
    /// The chunks of the body. The server sends each chunk as soon as the stream supplies it.
    ///
    /// If the stream throws an error, the body is incomplete. In this case, the server closes the
    /// connection, so that the client notices the error.
    case stream(AsyncThrowingStream<[UInt8], any Error>)
  }

  public var status: Int
  public var contentType: String
  public var headers: [String: String]
  public var body: Body

  public init(
    status: Int, contentType: String, headers: [String: String] = [:], body: Body
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
  }

  /// Returns a response whose body is a JSON document.
  public static func json(
    _ value: JSON, status: Int = 200, headers: [String: String] = [:]
  ) -> APIResponse {
    APIResponse(
      status: status, contentType: "application/json", headers: headers,
      body: .bytes(Array((value.description + "\n").utf8)))
  }

  /// Returns the response for a refusal: a problem document (RFC 9457) with a stable `kind`.
  public static func problem(_ refusal: Refusal, headers: [String: String] = [:]) -> APIResponse {
    var document = JSON.object([
      ("type", .string("about:blank")), ("status", .integer(Int64(refusal.kind.status))),
      ("kind", .string(refusal.kind.rawValue)), ("title", .string(refusal.kind.title)),
      ("detail", .string(refusal.description)),
    ])
    if let field = refusal.field { document.set("field", .string(field)) }
    if let version = refusal.version { document.set("version", .integer(Int64(version))) }
    var headers = headers
    if let version = refusal.version { headers["etag"] = "\"\(version)\"" }
    var response = json(document, status: refusal.kind.status, headers: headers)
    response.contentType = "application/problem+json"
    return response
  }
}

extension Refusal.Kind {
  /// The HTTP status for this kind of refusal.
  public var status: Int {
    switch self {
    case .malformed: 400
    case .forbidden: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .conflict, .duplicate, .inUse, .keyReused, .tooLate, .nothingToUndo, .alreadyCorrected,
      .superseded, .endsPrompt, .speakerBusy, .promptOver, .notDue, .delayLimit,
      .acknowledgeLimit, .questionsOpen:
      409
    case .versionConflict: 412
    case .tooLarge: 413
    case .expectationFailed: 417
    case .invalidField, .unknownField, .badTone, .badImage: 422
    case .limit: 429
    case .storage, .unrecorded: 503
    }
  }

  /// The meaning of this kind of refusal, in a few words.
  public var title: String {
    switch self {
    case .malformed: "The request cannot be read"
    case .forbidden: "The user does not have the right for this request"
    case .notFound: "The object does not exist"
    case .methodNotAllowed: "The path does not accept this method"
    case .conflict: "The request conflicts with the current state"
    case .duplicate: "The person already has an alarm with the same label and schedule"
    case .versionConflict: "The version is not current"
    case .inUse: "The object is still in use"
    case .tooLate: "The answer can no longer be undone"
    case .nothingToUndo: "There is no answer to undo"
    case .alreadyCorrected: "The answer was already undone"
    case .superseded: "The alarm was changed or removed after the answer"
    case .speakerBusy: "The speaker plays a sound"
    case .endsPrompt: "The change would end an open prompt, and the alarm would never ring again"
    case .promptOver: "The prompt has already ended"
    case .notDue: "The prompt is not due now"
    case .delayLimit: "The alarm permits no further \"later\""
    case .acknowledgeLimit: "The alarm permits no further \"on my way\""
    case .questionsOpen: "Questions of the alarm are not answered yet"
    case .tooLarge: "The request is too large"
    case .expectationFailed: "The server does not know the expectation"
    case .invalidField: "A field is not valid"
    case .unknownField: "A field is unknown"
    case .badTone: "The recording cannot be used"
    case .keyReused: "The key was used for another request"
    case .badImage: "The picture cannot be used"
    case .limit: "A limit is reached"
    case .storage: "The daemon cannot read or write its data"
    case .unrecorded: "The answer took effect but is not recorded yet"
    }
  }
}
