import ArchiveProtocol
import Glibc
import JSONValue

/// Sends the record of this home to the archive.
///
/// The link has no queue and no position of its own: the record of the daemon is the queue, and the
/// head of the archive is the position. Therefore a restart of any part loses nothing.
public final class LinkService {
  private let files: LinkFiles
  private let daemon: DaemonRows
  private let wakesAtOnce: Bool
  private let report: (String) -> Void
  private var enrolment: LinkEnrolment
  private var status: LinkStatus
  private var failures = 0
  /// True if the last contact of this process ended well. Then `status.head` is probably still the
  /// head of the archive.
  private var knowsHead = false
  private var hasReportedWrite = false
  private var sessions = TLSSessions()

  /// - Parameters:
  ///   - wakesAtOnce: true to contact the archive soon after each new event.
  ///   - report: writes a line to the journal.
  /// - Throws: if this home is not enrolled.
  public init(
    files: LinkFiles, daemon: DaemonRows, wakesAtOnce: Bool, report: @escaping (String) -> Void
  ) throws(LinkError) {
    guard let enrolment = try files.readEnrolment() else {
      throw LinkError(
        "this home is not enrolled at an archive; use \"prompter-link enrol\" with the invitation "
          + "of the study")
    }
    (self.files, self.daemon, self.enrolment) = (files, daemon, enrolment)
    (self.wakesAtOnce, self.report) = (wakesAtOnce, report)
    status = LinkStatus(enrolment)
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

  /// Contacts the archive again and again. The function never returns.
  ///
  /// - Parameter alive: called regularly, at least every 10 seconds while the link waits.
  public func run(alive: () -> Void) throws(LinkError) -> Never {
    let wake = wakesAtOnce ? WakeUp(daemon) : nil
    while true {
      try readEnrolmentAgain()
      let result = contact(alive)
      knowsHead = result == .done && status.head != nil
      note(result)
      let now = Int64(time(nil))
      let regular = LinkTiming.nextContact(after: now, stream: enrolment.stream) - now
      if case .failed(_, let retryAfter) = result {
        failures += 1
        let pause = LinkTiming.pause(
          failures: failures, retryAfter: retryAfter, random: .random(in: 0...1))
        // New events do not shorten the pause that the archive needs.
        wait(retryAfter == nil ? min(regular, pause) : pause, nil, alive)
      } else {
        failures = 0
        wait(regular, wake, alive)
      }
    }
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
        certificate: files.certificate, key: files.key, pin: enrolment.pin), sessions: sessions)
  }

  /// Takes the enrolment that an administrator made or removed since the last contact.
  private func readEnrolmentAgain() throws(LinkError) {
    guard let found = try files.readEnrolment() else {
      throw LinkError("this home is no longer enrolled at an archive")
    }
    if found == enrolment { return }
    (enrolment, status, knowsHead) = (found, LinkStatus(found), false)
    // An old session would show the archive the old certificate of this home.
    sessions = TLSSessions()
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

  /// Writes the status, and reports a new reason once.
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
      hasReportedWrite = false
    } catch {
      // A full disk does not stop the rows: the archive is elsewhere.
      if !hasReportedWrite { report(error.description) }
      hasReportedWrite = true
    }
  }

  /// Waits for some seconds of the monotonic clock. The wall clock can be set back by years.
  private func wait(_ seconds: Int64, _ wake: WakeUp?, _ alive: () -> Void) {
    let wasPaused = files.isPaused
    let until = Self.monotonicSeconds + seconds
    while true {
      alive()
      let rest = until - Self.monotonicSeconds
      // A pause or its end takes effect at the next of these steps.
      if rest <= 0 || files.isPaused != wasPaused { return }
      let step = min(rest, 10)
      if let wake {
        if wake.wait(seconds: step) {
          // Events that belong together travel together.
          sleep(UInt32(min(rest, LinkTiming.wakeSeconds - 5)))
          return
        }
      } else {
        sleep(UInt32(step))
      }
    }
  }

  /// The seconds since the start of the machine, with the time in standby.
  private static var monotonicSeconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Int64(now.tv_sec)
  }
}
