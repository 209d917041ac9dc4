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
      let result = contact(alive)
      try note(result)
      let now = Int64(time(nil))
      var until = LinkTiming.nextContact(after: now, stream: enrolment.stream)
      if case .failed(_, let retryAfter) = result {
        failures += 1
        until = min(
          until,
          now
            + LinkTiming.pause(
              failures: failures, retryAfter: retryAfter, random: .random(in: 0...1)))
      } else {
        failures = 0
      }
      wait(until, wake, alive)
    }
  }

  /// Sends all rows that the archive does not have.
  func contact(_ alive: () -> Void) -> Result {
    if files.isPaused { return .paused }
    var archive = client
    var answer = archive.head(enrolment.stream)
    var hasAppended = false
    // After "go on", the archive names its own head. Several in a row mean that both never agree.
    var refusals = 0
    while true {
      alive()
      switch answer {
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
        enrolment.stream = stream
        do throws(LinkError) {
          try files.write(enrolment)
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
        let isBehind = homeHead < head
        if hasAppended && homeHead <= head { return .done }
        let lines = try daemon.after(
          isBehind ? max(homeHead - 1, 0) : head, study: enrolment.study)
        // A batch without rows is a sign of life.
        let batch = try Batch(lines, after: status.head)
        answer = archive.append(batch, to: enrolment.stream, homeHead: homeHead)
        if case .stored = answer { (hasAppended, refusals) = (true, 0) }
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

  private func take(_ stored: StreamStatus) {
    (status.head, status.safeHead) = (stored.head, stored.safeHead)
    status.contactSeconds = Int64(time(nil))
  }

  /// Writes the status, and reports a new reason once.
  private func note(_ result: Result) throws(LinkError) {
    let before = status.detail
    switch result {
    case .done: (status.state, status.detail) = (.collecting, nil)
    case .failed(let detail, _): (status.state, status.detail) = (.waiting, detail)
    case .refused(let detail): (status.state, status.detail) = (.refused, detail)
    case .paused: (status.state, status.detail) = (.paused, nil)
    }
    if let detail = status.detail, detail != before { report(detail) }
    if before != nil, status.detail == nil { report("the archive has all rows again") }
    try files.write(status.json, to: files.status)
  }

  private func wait(_ until: Int64, _ wake: WakeUp?, _ alive: () -> Void) {
    let wasPaused = files.isPaused
    while true {
      alive()
      let rest = until - Int64(time(nil))
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
}
