import Glibc
import JSONValue

/// Reads the record of the home from the daemon.
public struct DaemonRows: Sendable {
  let socket: String

  public init(socket: String) { self.socket = socket }

  /// Reads at most 1,000 rows after a sequence number. Each element of the result is one row, as a
  /// line without the line feed.
  func after(_ sequence: Int64, study: String) throws(LinkError) -> [ArraySlice<UInt8>] {
    let body = try get("/v1/log?after=\(sequence)&limit=1000&study=\(study)", limit: 64 << 20)
    return body.split(separator: UInt8(ascii: "\n"))
  }

  /// Reads the number of the newest row of the home.
  func head() throws(LinkError) -> Int64 {
    let document = try? JSON(parsing: try get("/v1/status", limit: 1 << 20))
    guard let events = document?["record"]?["events"]?.integer else {
      throw LinkError("cannot read the status of the daemon: the number of events is missing")
    }
    return events
  }

  private func get(_ path: String, limit: Int) throws(LinkError) -> [UInt8] {
    var call = HTTPCall(url: "http://prompter\(path)", socket: socket)
    call.replyLimit = limit
    let reply: HTTPCall.Reply
    do {
      reply = try call.reply()
    } catch {
      throw LinkError("cannot reach the daemon at \(socket): \(error)")
    }
    guard reply.status == 200 else {
      let detail = (try? JSON(parsing: reply.body))?["detail"]?.string
      throw LinkError(
        "the daemon refused \(path.prefix { $0 != "?" }): \(detail ?? "status \(reply.status)")")
    }
    return reply.body
  }
}
