import API
import Alarms
import CivilTime
import ClientKit
import Glibc
import JSONValue
import Pages
import Sentences
import Synchronization

/// A set of prompts that several threads can use. If the set is full, it forgets the oldest
/// prompts.
private final class PromptSet: Sendable {
  private let ids = Mutex([String]())

  func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }

  func insert(_ id: String) { ids.withLock { $0 = $0.suffix(200) + [id] } }
}

/// Sends the requests of the screen to the daemon.
package struct DaemonHome: ScreenHome {
  var client: Client
  /// The id of the person from the command line; nil if the command line names no person.
  var person: String?
  /// The language from the command line; nil if the screen uses the language of the person.
  var language: Language?
  /// The prompts that have no questions. A prompt without questions never gets questions later, so
  /// these prompts need no further request.
  private let withoutQuestions = PromptSet()
  /// True if the page may use the camera of the device.
  var hasCamera: Bool

  /// True if a caretaker has opened the screen. In this case, the screen shows the name of the
  /// person.
  var isForCaretaker: Bool

  package init(
    client: Client, person: String?, language: Language?, isForCaretaker: Bool,
    hasCamera: Bool = false
  ) {
    (self.client, self.person, self.language) = (client, person, language)
    (self.isForCaretaker, self.hasCamera) = (isForCaretaker, hasCamera)
  }

  /// The pauses before the second and the third try, in microseconds.
  private static let pauses: [UInt32] = [100_000, 300_000]
  /// The HTTP status codes of a daemon that cannot carry out a request now.
  private static let busy: Set<Int> = [429, 503]

  /// Reads the data that the screen shows. If only a few prompts have changed, the function reads
  /// only these prompts.
  ///
  /// - Throws: `Failure`; or `ReadingError` if a reply has a wrong format.
  package func reading(_ change: HomeChange, since last: HomeReading?) throws -> HomeReading {
    let status = try ask(.status)
    let zone = try self.zone(status.text("zone"))
    guard let now = try? Instant(parsing: status["clock"]?.text("utc") ?? "") else {
      throw ReadingError(field: "utc")
    }
    let person = try chosenPerson(status)
    let id = person.text("id")
    let today = zone.civil(at: now).dateTime.date
    let known = last.flatMap { last in
      if case .prompts(let changed) = change { (last.prompts, changed) } else { nil }
    }
    let prompts =
      try known == nil ? promptList(person: id, today: today) : callingPrompt(person: id)
    var reading = try HomeReading(
      status: status, person: person, prompts: prompts,
      progress: ask(.progress, query: [("person", id)]), zone: zone,
      personZone: self.zone(person.text("zone")))
    if let (prompts, changed) = known {
      reading.prompts = prompts
      for id in changed.sorted() { reading.replace(id, by: try promptIfAny(id, of: person)) }
    }
    for prompt in reading.promptsWithPossibleQuestions {
      if withoutQuestions.contains(prompt.id) { continue }
      let checkIn = try CheckInReading(ask(.listResponses, ["id": prompt.id]))
      if checkIn.hasQuestions {
        reading.checkIns[prompt.id] = checkIn
      } else {
        withoutQuestions.insert(prompt.id)
      }
    }
    // A user can have both roles, caretaker and patient. A screen that a caretaker has opened never
    // counts as a patient's screen.
    if isForCaretaker { reading.isPatient = false }
    return reading
  }

  private func zone(_ name: String) throws -> Zone {
    guard let zone = SystemZones.zone(name) else {
      throw Failure.badUsage("cannot show the time: this machine has no zone \"\(name)\"")
    }
    return zone
  }

  package func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    try client.followEvents(begin: begin, take: take)
  }

  private func chosenPerson(_ status: JSON) throws -> JSON {
    if let id = person ?? status["you"]?["person"]?.string {
      guard let person = try ask(.showPerson, ["id": id])["person"] else {
        throw ReadingError(field: "person")
      }
      return person
    }
    let people = try ask(.listPeople, query: [("limit", "2")]).list("people")
    guard people.count == 1, let only = people.first else {
      throw Failure.badUsage(
        people.isEmpty
          ? "cannot show a screen: the home has no people; add one with \"prompter people add\""
          : "cannot choose the person: the home has several people; name one with --person")
    }
    return only
  }

  func ask(
    _ operation: Route.Operation, _ parameters: [String: String] = [:],
    query: [(String, String?)] = []
  ) throws -> JSON {
    var request = Request(operation, parameters, query: query)
    request.timeoutSeconds = 10
    return try patiently { try client.send(request).document() }
  }

  /// Repeats a request if the daemon refuses it or does not reply.
  ///
  /// The daemon refuses a connection if its user already has too many connections, for example
  /// because several screens read at the same moment.
  func patiently<Value>(_ work: () throws -> Value) throws -> Value {
    for pause in Self.pauses {
      do {
        return try work()
      } catch is Failure {
        usleep(pause)
      }
    }
    return try work()
  }

  /// Sends an answer to the daemon, with the idempotency key of the page.
  func give(_ form: AnswerForm) throws -> AnswerReply {
    var request = Request(operation(form.answer), ["id": form.promptID])
    request.headers = [("Idempotency-Key", form.key)]
    return try reply(to: request)
  }

  package func send(_ answers: QuestionAnswers) throws -> AnswerReply {
    // If the person skipped every question, send nothing to the daemon.
    if answers.values.isEmpty { return AnswerReply(status: 204) }
    var request = Request(.respond, ["id": answers.promptID])
    request.headers = [("Idempotency-Key", answers.key)]
    return try reply(to: request, answers.members)
  }

  /// Tells the daemon that the page has painted a task.
  ///
  /// - Returns: the HTTP status code of the reply.
  func report(seen form: SeenForm) throws -> Int {
    try reply(to: Request(.present, ["id": form.promptID])).status
  }

  private func reply(
    to request: Request, _ members: [(String, JSON?)] = []
  ) throws -> AnswerReply {
    var request = request
    request.headers.removeAll { $0.name == "Prompter-Client" }
    request.headers.append(("Prompter-Client", "screen"))
    request.timeoutSeconds = 10
    let ready = request.with(members)
    var reply = try client.exchange(ready)
    // The idempotency key makes a repeated request harmless.
    for pause in Self.pauses where Self.busy.contains(reply.status) {
      usleep(pause)
      reply = try client.exchange(ready)
    }
    if Self.busy.contains(reply.status) { return AnswerReply(status: 503) }
    if (200..<300).contains(reply.status) { return AnswerReply(status: reply.status) }
    // If the reply contains no document, the person gets a general sentence.
    let problem = try? JSON(parsing: reply.body)
    return AnswerReply(
      status: reply.status,
      refusal: RefusedAnswer.sentence(
        kind: problem?["kind"]?.string, field: problem?["field"]?.string))
  }

  private func operation(_ answer: ScreenAnswer) -> Route.Operation {
    switch answer {
    case .complete: .complete
    case .acknowledge: .acknowledge
    case .delay: .delay
    case .undo: .undo
    case .again: .sayAgain
    }
  }

  /// Stores a photo, and attaches it to a task that the person completed a moment ago.
  ///
  /// - Returns: the HTTP status code of the last reply.
  func add(photo: [UInt8], to promptID: String) throws -> Int {
    var upload = Request(.addImage)
    upload.headers.append(("Content-Type", "image/jpeg"))
    upload.timeoutSeconds = 20
    upload.body = photo
    let reply = try client.exchange(upload)
    guard reply.status == 201 else { return reply.status }
    guard let id = try reply.document()["image"]?["id"]?.string else {
      throw ReadingError(field: "image")
    }
    return try self.reply(to: Request(.complete, ["id": promptID]), [("photo", .string(id))]).status
  }

  /// Returns the bytes of a picture.
  func picture(id: String) throws -> [UInt8] {
    try patiently { try client.send(Request(.showImage, ["id": id])).body }
  }

  /// Returns an HTML writer with the language of the sentences, and with the language of the labels
  /// if it is different.
  package func html(for reading: HomeReading?) -> ScreenHTML {
    let tags = reading?.languages ?? []
    let language = language ?? Language.first(of: tags).language
    let spoken = tags.first.flatMap(Language.init(tag:))
    var html = ScreenHTML(
      language: language, labelLanguage: spoken == language ? nil : tags.first,
      hasCamera: hasCamera)
    if isForCaretaker { html.personName = reading?.personName }
    return html
  }
}
