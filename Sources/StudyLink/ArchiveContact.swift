import ArchiveProtocol
import Glibc
import JSONValue
import LinkTimer

/// One contact with the archive: sends the rows of this home that the archive does not have.
///
/// The link has no queue and no position of its own: the record of the daemon is the queue, and the
/// head of the archive is the position. Therefore a restart of any part loses nothing.
public final class ArchiveContact {
  private let files: LinkFiles
  private let daemon: DaemonRows
  private let report: (String) -> Void
  private var enrolment: LinkEnrolment
  private var status: LinkStatus
  /// True if the last contact ended well. Then `status.head` is probably still the head of the archive.
  private let knowsHead: Bool

  /// - Parameter report: writes a line to the journal.
  /// - Throws: if this home is not enrolled.
  public init(
    files: LinkFiles, daemon: DaemonRows, report: @escaping (String) -> Void
  ) throws(LinkError) {
    let enrolment = try files.readCurrentEnrolment()
    (self.files, self.daemon, self.enrolment, self.report) = (files, daemon, enrolment, report)
    status = files.readStatus(of: enrolment)
    knowsHead = status.state == .collecting && status.head != nil
  }

  /// The result of a contact.
  enum Result: Sendable, Hashable {
    /// The archive has all rows of the home.
    case done
    /// Try again soon.
    case failed(String, retryAfter: Int64?)
    /// Trying again soon changes nothing.
    case refused(String)
    /// An administrator paused the link.
    case paused
  }

  /// Sends the rows, and writes what the archive has into the status.
  ///
  /// - Parameters:
  ///   - failures: the number of contacts before this one that failed, since the last good one.
  ///   - alive: called after each request.
  /// - Returns: when the next contact begins.
  public func run(failures: Int, alive: () -> Void) -> NextContact {
    let result = contact(alive)
    note(result)
    let now = Int64(time(nil))
    guard case .failed(_, let retryAfter) = result else {
      return .regular(now: now, stream: enrolment.stream)
    }
    return .afterFailure(
      failures + 1, retryAfter: retryAfter, now: now, stream: enrolment.stream,
      random: .random(in: 0...1))
  }

  /// Sends all rows that the archive does not have.
  ///
  /// After a contact that ended well, the link sends at once what follows the head of that contact, and
  /// so needs one request instead of two. If the archive has another head now, it refuses the batch and
  /// names its head.
  func contact(_ alive: () -> Void) -> Result {
    if files.isPaused { return .paused }
    var archive = client
    var answer = knowsHead ? nil : archive.head(enrolment.stream)
    var hasAppended = false
    // After "go on", the archive names its own head. Several in a row mean that both never agree.
    var refusals = 0
    while true {
      alive()
      switch answer {
      case nil: break
      case .stored(let stored): take(stored)
      case .goOn(let stored):
        take(stored)
        refusals += 1
        if refusals > 3 {
          return .refused(
            "the archive lacks rows that this home no longer has, so the chain cannot go on")
        }
      case .fork(let stream):
        report("the record no longer continues the stream \(enrolment.stream); a new stream begins")
        do throws(LinkError) {
          try begin(stream)
        } catch {
          return .failed(error.description, retryAfter: nil)
        }
        archive = client
        answer = archive.head(stream)
        continue
      case .closed(let detail), .refused(let detail): return .refused(detail)
      case .later(let detail, let retryAfter): return .failed(detail, retryAfter: retryAfter)
      }
      if files.isPaused { return .paused }
      do {
        let homeHead = try daemon.head()
        status.homeHead = homeHead
        let head = status.head?.sequence ?? 0
        // If this home is older than the archive, the newest row of the home shows whether both agree.
        // A restored home can also have the same number of rows with other content.
        let isBehind = homeHead <= head
        if hasAppended && isBehind { return .done }
        let lines = try daemon.after(
          isBehind ? max(homeHead - 1, 0) : head, study: enrolment.study)
        // A batch without rows is a sign of life.
        let batch = try Batch(lines, after: status.head)
        answer = archive.append(batch, to: enrolment.stream, homeHead: homeHead)
        if case .stored(let stored) = answer {
          guard isBehind || stored.head?.sequence ?? 0 > head else {
            return .refused("the archive accepted the rows, but its head is still row \(head)")
          }
          (hasAppended, refusals) = (true, 0)
        }
      } catch let error as LinkError {
        return .failed(error.description, retryAfter: nil)
      } catch {
        return .refused("cannot read the rows of the daemon: \(error)")
      }
    }
  }

  private var client: ArchiveClient {
    ArchiveClient(
      url: enrolment.url,
      identity: TLSIdentity(
        certificate: files.certificate, key: files.key, pin: enrolment.pin))
  }

  /// Goes on with another stream. The archive has no row of it yet, so the status loses its heads
  /// first: a purge must not rely on the backup of the old stream.
  private func begin(_ stream: String) throws(LinkError) {
    (status.head, status.safeHead) = (nil, nil)
    try files.write(status.json, to: files.status)
    var next = enrolment
    next.stream = stream
    try files.write(next)
    enrolment = next
  }

  private func take(_ stored: StreamStatus) {
    (status.head, status.safeHead) = (stored.head, stored.safeHead)
    status.contactSeconds = Int64(time(nil))
  }

  /// Writes the status. A reason goes to the journal only if the last contact had another reason.
  private func note(_ result: Result) {
    let before = status.detail
    switch result {
    case .done: (status.state, status.detail) = (.collecting, nil)
    case .failed(let detail, _): (status.state, status.detail) = (.waiting, detail)
    case .refused(let detail): (status.state, status.detail) = (.refused, detail)
    case .paused: (status.state, status.detail) = (.paused, nil)
    }
    if let detail = status.detail, detail != before { report(detail) }
    if before != nil, status.detail == nil { report("the archive has all rows again") }
    // After a revocation, no status remains.
    if access(files.enrolment, F_OK) != 0 { return }
    do throws(LinkError) {
      try files.write(status.json, to: files.status)
    } catch {
      // A full disk does not stop the rows: the archive is elsewhere.
      report(error.description)
    }
  }
}
