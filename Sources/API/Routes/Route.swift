import Alarms

/// One route of the API: path, method, roles, request, limits and response.
public struct Route: Sendable, Hashable {
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// The HTTP methods that a route with this method accepts. A GET route also accepts HEAD.
    public var accepted: [String] { self == .get ? [rawValue, Route.headMethod] : [rawValue] }
  }

  /// The operation of a route. The cases are grouped by resource, in the order of the table of
  /// routes.
  public enum Operation: String, Sendable, CaseIterable {
    case status = "status"
    case openAPI = "openAPI"
    case metrics = "metrics"
    case progress = "progress"
    case day = "day"
    case summary = "summary"
    case events = "events"
    case showSpeaker = "showSpeaker"
    case checkSpeaker = "checkSpeaker"
    case testRing = "testRing"
    case setLevel = "setLevel"
    case say = "say"

    case listAlarms = "listAlarms"
    case addAlarm = "addAlarm"
    case showAlarm = "showAlarm"
    case editAlarm = "editAlarm"
    case removeAlarm = "removeAlarm"
    case alarmVersions = "alarmVersions"
    case preview = "preview"
    case agenda = "agenda"
    case whyAlarm = "whyAlarm"

    case listPrompts = "listPrompts"
    case showPrompt = "showPrompt"
    case whyPrompt = "whyPrompt"
    case acknowledge = "acknowledge"
    case complete = "complete"
    case delay = "delay"
    case decline = "decline"
    case cancel = "cancel"
    case present = "present"
    case sayAgain = "sayAgain"
    case undo = "undo"
    case listResponses = "listResponses"
    case respond = "respond"

    case listTones = "listTones"
    case addTone = "addTone"
    case removeTone = "removeTone"
    case renameTone = "renameTone"
    case playTone = "playTone"
    case toneSound = "toneSound"

    case listImages = "listImages"
    case addImage = "addImage"
    case showImage = "showImage"
    case showThumbnail = "showThumbnail"
    case removeImage = "removeImage"

    case listHolidays = "listHolidays"
    case showHolidays = "showHolidays"
    case importHolidays = "importHolidays"
    case removeHolidays = "removeHolidays"

    case listPeople = "listPeople"
    case addPerson = "addPerson"
    case showPerson = "showPerson"
    case changePerson = "changePerson"
    case removePerson = "removePerson"
    case pausePerson = "pausePerson"
    case resumePerson = "resumePerson"
    case pauseEverybody = "pauseEverybody"
    case resumeEverybody = "resumeEverybody"
    case ownData = "ownData"

    case listContacts = "listContacts"
    case testContact = "testContact"

    case call = "call"
    case listMessages = "listMessages"

    case listSupplies = "listSupplies"
    case addSupply = "addSupply"
    case changeSupply = "changeSupply"
    case removeSupply = "removeSupply"
    case refillSupply = "refillSupply"
    case countSupply = "countSupply"

    case listPhases = "listPhases"
    case setPhase = "setPhase"
    case endPhase = "endPhase"
    case listParticipants = "listParticipants"
    case enrol = "enrol"
    case withdraw = "withdraw"
    case erase = "erase"
    case rekey = "rekey"
    case unblind = "unblind"
    case noteStudy = "noteStudy"
    case crossover = "crossover"
    case series = "series"
    case importDiary = "importDiary"

    case log = "log"
    case export = "export"
    case verify = "verify"
    case planPurge = "planPurge"
    case archive = "archive"
    case purge = "purge"
    case backup = "backup"
    case retire = "retire"

    /// True if a person needs this operation to see or answer a prompt.
    ///
    /// The HTTP server reserves connections for requests with these operations, so that other
    /// connections cannot prevent an answer to a prompt.
    public var isForAnswering: Bool {
      switch self {
      case .listPrompts, .showPrompt, .listResponses, .respond, .acknowledge, .complete, .delay,
        .decline, .cancel, .undo:
        true
      default: false
      }
    }
  }

  public var operation: Operation
  public var method: Method
  /// The path, such as `/v1/prompts/{id}/complete`. A segment in braces is a parameter.
  public var path: String
  /// The segments of the path. To find the route of a request, the router compares the segments
  /// with the path of the request.
  let segments: [Substring]
  public var roles: Set<Role>
  /// The permitted query parameters. If a request contains any other parameter, the server refuses
  /// the request and names this parameter.
  public var query: [Parameter]
  /// The content of the request body; nil if the request has no body.
  public var takes: Content?
  /// The maximum size of the request body, in bytes.
  public var bodyLimit: Int
  /// The HTTP status of a successful response.
  public var status: Int
  /// The content of a successful response.
  public var answers: Content
  /// True if the resource has versions. In this case, a response contains an `ETag`, and a request
  /// that changes the resource can contain `If-Match`.
  public var isVersioned: Bool
  /// The description of the route in the documentation, in one sentence.
  public var summary: String

  init(
    _ operation: Operation, _ method: Method, _ path: String, _ roles: Set<Role>,
    query: [Parameter] = [], takes: Content? = nil, bodyLimit: Int = Route.smallBody,
    status: Int = 200, answers: Content, isVersioned: Bool = false, _ summary: String
  ) {
    self.operation = operation
    self.method = method
    self.path = path
    segments = path.split(separator: "/", omittingEmptySubsequences: false)
    self.roles = roles.union([.admin])
    self.query = query
    self.takes = takes
    self.bodyLimit = bodyLimit
    self.status = status
    self.answers = answers
    self.isVersioned = isVersioned
    self.summary = summary
  }

  /// The maximum size of the body of an ordinary request: 64 KiB. Even the largest JSON object of
  /// an alarm is smaller than this limit.
  public static let smallBody = 64 * 1024
  /// The maximum size of the body of an upload: 10 MiB. One minute of uncompressed stereo sound
  /// fits into 10 MiB.
  public static let uploadBody = 10 * 1024 * 1024

  /// The maximum size of the body of a diary import: 2 MiB. The server refuses a longer diary.
  public static let diaryBody = 2 * 1024 * 1024

  /// The maximum number of times in an hour that one user may request to hear the words of a prompt
  /// again. Each of these requests adds a row to the record.
  public static let againPerHour = 60

  static let everyone: Set<Role> = [.patient, .caretaker, .researcher, .monitor]
  static let home: Set<Role> = [.patient, .caretaker]
  static let readers: Set<Role> = [.patient, .caretaker, .researcher]

  /// The parameters of the path: the segments in braces.
  var named: [Parameter] {
    let current =
      operation == .undo
      ? "the prompt with the newest answer"
      : "the prompt that calls: the prompt that sounds now, or that is silent between two of its "
        + "rings. If no prompt calls, `current` is one of the open prompts whose rings are over: "
        + "the prompt that sounded last"
    let summary =
      path.hasPrefix("/v1/prompts/")
      ? "The `id` of a prompt, or `current`. `current` is \(current)." : ""
    return segments.filter { $0.hasPrefix("{") }.map {
      Parameter(String($0.dropFirst().dropLast()), .text, summary)
    }
  }

  /// The roles that can answer a prompt.
  public static let answeringRoles: Set<Role> = home.union([.admin])

  /// True if a request to the route can change data. Such a route accepts an `Idempotency-Key`.
  public var isChange: Bool { method != .get }
}

/// A parameter of the path, the query or the header.
public struct Parameter: Sendable, Hashable {
  public var name: String
  public var shape: JSONSchema
  public var summary: String

  init(_ name: String, _ shape: JSONSchema, _ summary: String) {
    self.name = name
    self.shape = shape
    self.summary = summary
  }

  static let after = Parameter(
    "after", .text,
    "The `next_after` of the previous page. Absent: the response contains the first page.")

  static let person = Parameter("person", .text, "Only data of this person.")

  /// The query parameter `limit`.
  ///
  /// - Parameter most: the maximum number of rows on a page.
  static func limit(_ most: Int64) -> Parameter {
    Parameter("limit", .integer(1...most), "Maximum number of list entries in the response.")
  }
}
