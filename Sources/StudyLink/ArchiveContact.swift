import ArchiveProtocol
import Glibc
import JSONValue
import LinkTimer

/// One contact with the archive. The contact sends the rows of this home that the archive does not
/// have.
///
/// The link stores no queue of unsent rows, because it can read all rows from the record of the
/// daemon. The link also does not have to remember how many rows it has sent, because the archive
/// reports its head. Therefore no row is lost if the link, the daemon or the archive restarts.
public final class ArchiveContact {
  private let files: LinkFiles
  private let daemon: DaemonRows
  private let report: (String) -> Void
  private var enrolment: LinkEnrolment
  private var status: LinkStatus
  /// True if the previous contact succeeded. In this case, `status.head` is probably still the head
  /// of the archive.
  private let knowsHead: Bool

  /// - Parameter report: a function that writes a line to the journal.
  /// - Throws: an error if this home is not enrolled.
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
    /// The contact failed. The link tries again soon.
    case failed(String, retryAfter: Int64?)
    /// The contact failed, and a second attempt soon after it would fail for the same reason. The
    /// link waits for the regular time of the next contact.
    case refused(String)
    /// An administrator paused the link.
    case paused
  }

  /// Sends the rows that the archive does not have, and writes the result and the head of the
  /// archive into the status file.
  ///
  /// - Parameters:
  ///   - failures: the number of failed contacts since the last successful contact, without this
  ///     contact.
  ///   - alive: a function that is called after each request, so that the caller can show that the
  ///     program still makes progress.
  /// - Returns: the time at which the next contact begins.
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
  /// If the previous contact succeeded, the link already knows the head of the archive. The link
  /// then sends the rows after this head without a request for the head, so one request is enough
  /// instead of two. If the head of the archive has changed since the previous contact, the archive
  /// refuses the batch and reports its present head.
  ///
  /// If the archive already has all rows of the home, the link sends the newest row of the home
  /// again. The archive compares this row with its own row of the same number. The rows differ if,
  /// for example, the home was restored from a backup and then wrote different rows.
  func contact(_ alive: () -> Void) -> Result {
    if files.isPaused { return .paused }
    var archive = client
    var answer = knowsHead ? nil : archive.head(enrolment.stream)
    var hasAppended = false
    // The number of successive replies `goOn`. After several of these replies, it is clear that the
    // home does not have the rows that the archive needs next.
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
        let isBehind = homeHead <= head
        if hasAppended && isBehind { return .done }
        let lines = try daemon.after(
          isBehind ? max(homeHead - 1, 0) : head, study: enrolment.study)
        // Send the batch even if it contains no rows, because the request shows the archive that
        // the home is running.
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

  /// Sends the next rows to a different stream, which the archive opened after a fork.
  ///
  /// The archive has no row of the new stream yet. Therefore the function removes both heads from
  /// the status before it stores the new stream. Otherwise, a purge could rely on the `safeHead` of
  /// the old stream.
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

  /// Writes the status. If the contact failed, the function writes the reason to the journal,
  /// unless the previous contact failed for the same reason.
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
    // If somebody has removed the enrolment during the contact, do not write the status again.
    if access(files.enrolment, F_OK) != 0 { return }
    do throws(LinkError) {
      try files.write(status.json, to: files.status)
    } catch {
      // If the disk is full, the link cannot write the status. The link still sends the rows,
      // because the archive is on a different computer.
      report(error.description)
    }
  }
}
