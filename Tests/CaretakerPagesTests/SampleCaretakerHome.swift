import API
import CivilTime
import Foundation
import JSONValue
import Sentences
import Synchronization

@testable import CaretakerPages

/// A sample home without a daemon. The present time is 08:01 UTC on Thursday 26 November 2026.
final class SampleCaretakerHome: CaretakerHome {
  private struct State {
    var requests: [HomeRequest] = []
    var replies: [Route.Operation: HomeReply] = [:]
    var keys = 0
    var findings: [HomeFinding] = []
    var calendars: [CalendarRequest] = []
    var report: Result<JSON, HomeRefusal> = .success(.object([]))
    var reportRequests: [ReportRequest] = []
    var studyReport: Result<[UInt8], HomeRefusal> = .success([])
    var phoneRequests: [PhoneRequest] = []
    /// The list of phones; nil if the page server cannot reach prompter-web.
    var phones: HomeReply?
    /// The reply to a request that changes the phones.
    var phoneChange = HomeReply(status: 200, body: Array("{}".utf8))
  }

  private let state = Mutex(State())

  init() {
    give(
      .status,
      """
      {"clock": {"utc": "2026-11-26T08:01:00.000Z"}, "zone": "UTC", "problems": []}
      """)
    give(.listPeople, #"{"people": [{"id": "anna", "name": "Anna"}]}"#)
    give(.day, #"{"tasks": []}"#)
    give(.listPrompts, #"{"prompts": []}"#)
    give(.listSupplies, #"{"supplies": []}"#)
  }

  /// Sets the replies of the home: a supply that is low, and a supply that no alarm uses.
  func giveSupplies() {
    give(
      .listSupplies,
      """
      {"supplies": [
        {"id": "s1", "name": "Donepezil", "unit": "tablets", "left": 6, "low": true,
         "lasts_days": 3, "used_by": [{"alarm_id": "k3v9", "label": "Take the pills"}]},
        {"id": "s2", "name": "Blue <box>", "unit": "", "left": 28, "low": false,
         "lasts_days": null, "used_by": []}]}
      """)
  }

  func give(_ operation: Route.Operation, _ body: String, status: Int = 200) {
    state.withLock { $0.replies[operation] = HomeReply(status: status, body: Array(body.utf8)) }
  }

  /// Removes the reply to an operation. After this, the home does not answer the operation.
  func lose(_ operation: Route.Operation) { state.withLock { $0.replies[operation] = nil } }

  var requests: [HomeRequest] { state.withLock { $0.requests } }

  func send(_ request: HomeRequest) throws(HomeTrouble) -> HomeReply {
    let reply = state.withLock { state in
      state.requests.append(request)
      return state.replies[request.operation]
    }
    guard let reply else { throw .unreachable("cannot reach the daemon: it is a test") }
    return reply
  }

  func newKey() -> String {
    state.withLock { state in
      state.keys += 1
      return "0123456789abcde\(state.keys)"
    }
  }

  func zone(_ name: String) -> Zone? { name == "UTC" ? .utc : nil }

  func find(_ findings: [HomeFinding]) { state.withLock { $0.findings = findings } }

  func findings(_ status: JSON) -> [HomeFinding] { state.withLock { $0.findings } }

  func giveCalendar(_ report: Result<JSON, HomeRefusal>) { state.withLock { $0.report = report } }

  /// The calendar files that the pages sent.
  var calendars: [CalendarRequest] { state.withLock { $0.calendars } }

  func importCalendar(
    _ request: CalendarRequest
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal> {
    state.withLock { state in
      state.calendars.append(request)
      return state.report
    }
  }

  // MARK: Reports

  func giveReport(_ report: Result<[UInt8], HomeRefusal>) {
    state.withLock { $0.studyReport = report }
  }

  var reportRequests: [ReportRequest] { state.withLock { $0.reportRequests } }

  func report(_ request: ReportRequest) throws(HomeTrouble) -> Result<[UInt8], HomeRefusal> {
    state.withLock { state in
      state.reportRequests.append(request)
      return state.studyReport
    }
  }

  // MARK: Phones

  func givePhones(_ body: String) {
    state.withLock { $0.phones = HomeReply(status: 200, body: Array(body.utf8)) }
  }

  func giveCode(_ body: String) {
    state.withLock { $0.phoneChange = HomeReply(status: 201, body: Array(body.utf8)) }
  }

  func refusePhones(_ body: String, status: Int) {
    state.withLock { $0.phoneChange = HomeReply(status: status, body: Array(body.utf8)) }
  }

  var phoneRequests: [PhoneRequest] { state.withLock { $0.phoneRequests } }

  func phones(_ request: PhoneRequest) throws(HomeTrouble) -> HomeReply {
    let reply = state.withLock { state in
      state.phoneRequests.append(request)
      return request == .list ? state.phones : state.phoneChange
    }
    guard let reply else { throw .unreachable("cannot reach prompter-web: it is a test") }
    return reply
  }

  // MARK: Requests

  /// Sends a request for a page. Returns the HTTP status, the text and the `Location` of the reply.
  func page(
    _ path: [String] = [], query: [(String, String)] = [], form: [(String, String)]? = nil,
    language: Language = .english
  ) -> (status: Int, html: String, location: String?) {
    let visit = Visit(path: path, query: FormFields(query), version: 7)
    let reply = CaretakerSite(language: language).reply(
      to: visit, form: form.map { FormFields($0) }, home: self)
    return (reply.status, String(decoding: reply.bytes, as: UTF8.self), reply.location)
  }
}

/// Returns a task of a day in the JSON format of the daemon.
func dayTask(
  _ label: String, _ time: String, _ state: String, prompt: String? = nil,
  changed: String? = nil, notified: String = ""
) -> String {
  """
  {"prompt_id": \(prompt.map { "\"\($0)\"" } ?? "null"), "label": \(JSON.string(label)),
   "person": "anna", "name": "Anna", "local": "2026-11-26T\(time):00", "state": "\(state)",
   "outcome": null,
   "changed_local": \(changed.map { "\"2026-11-26T\($0):00\"" } ?? "null"),
   "notified": [\(notified)]}
  """
}
