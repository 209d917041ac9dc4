import ArchiveProtocol
import Compression
import JSONValue

/// Sends all requests of a contact to the archive over one connection.
public struct ArchiveClient {
  /// The reply of the archive to a batch, or to a request for the head.
  enum Answer: Sendable, Hashable {
    /// The archive has stored all rows up to the head in `StreamStatus`.
    case stored(StreamStatus)
    /// The batch begins after a row that the archive does not have. The link must continue from the
    /// head in `StreamStatus`.
    case goOn(StreamStatus)
    /// The record of the home no longer continues the stream. From now on, the link must send its
    /// rows to the new stream `stream`.
    case fork(stream: String)
    /// The archive no longer accepts rows from this home, for example because the home was
    /// withdrawn.
    case closed(String)
    /// The archive refuses the batch. It would refuse the same batch again.
    case refused(String)
    /// The archive did not answer, or it asked the link to try again later. `retryAfter` is the
    /// time to wait, in seconds.
    case later(String, retryAfter: Int64?)
  }

  let url: String
  let identity: TLSIdentity
  private let connection = HTTPConnection()

  public init(url: String, identity: TLSIdentity) {
    (self.url, self.identity) = (url, identity)
  }

  /// Enrols this home with the enrolment code of the study.
  public func enrol(code: String) throws(LinkError) -> EnrolmentReply {
    var call = HTTPCall(method: "POST", url: "\(url)/v1/enrol", identity: identity)
    call.headers = [("Content-Type", "application/json")]
    call.body = Array(JSON.object([("code", .string(code))]).description.utf8)
    let reply: HTTPCall.Reply
    do {
      reply = try call.reply(over: connection)
    } catch {
      throw LinkError("cannot reach \(url): \(error)")
    }
    guard reply.status == 201, let document = try? JSON(parsing: reply.body),
      let enrolment = EnrolmentReply(document)
    else { throw LinkError("the archive refused the code: \(Self.detail(reply))") }
    return enrolment
  }

  func head(_ stream: String) -> Answer {
    answer(HTTPCall(url: "\(url)/v1/streams/\(stream)/head", identity: identity))
  }

  /// - Parameter homeHead: the number of the newest row of the home.
  func append(_ batch: Batch, to stream: String, homeHead: Int64) -> Answer {
    var call = HTTPCall(
      method: "POST", url: "\(url)/v1/streams/\(stream)/append", identity: identity)
    call.headers = [
      (ArchiveField.after, batch.after.description), (ArchiveField.homeHead, String(homeHead)),
      ("Content-Type", "application/x-ndjson"),
    ]
    call.body = batch.body
    if !batch.body.isEmpty {
      call.headers.append(("Content-Encoding", "gzip"))
      call.body = GZip.compress(batch.body)
    }
    return answer(call)
  }

  private func answer(_ call: HTTPCall) -> Answer {
    let reply: HTTPCall.Reply
    do {
      reply = try call.reply(over: connection)
    } catch {
      return .later("cannot reach \(url): \(error)", retryAfter: nil)
    }
    return Self.answer(reply)
  }

  static func answer(_ reply: HTTPCall.Reply) -> Answer {
    let document = (try? JSON(parsing: reply.body)) ?? .null
    switch (reply.status, StreamStatus(document)) {
    case (200, let status?): return .stored(status)
    case (409, let status?): return .goOn(status)
    case (423, _):
      return document["stream"]?.string.map { .fork(stream: $0) }
        ?? .refused("the archive found a fork and named no new stream")
    case (404, _), (410, _): return .closed(detail(reply))
    case (429, _), (500..., _):
      return .later(
        "the archive cannot answer now: \(detail(reply))", retryAfter: reply.retryAfter)
    default: return .refused("the archive refused the rows: \(detail(reply))")
    }
  }

  private static func detail(_ reply: HTTPCall.Reply) -> String {
    (try? JSON(parsing: reply.body))?["detail"]?.string ?? "status \(reply.status)"
  }
}
