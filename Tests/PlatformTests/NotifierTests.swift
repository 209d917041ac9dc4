import Alarms
import CivilTime
import Foundation
import Synchronization
import Testing

@testable import Platform

/// A directory with the command of a contact and with the output of this command.
private final class NotifierFixture: Sendable {
  let directory = FileManager.default.temporaryDirectory.appending(
    path: "prompter-notifier-\(UUID().uuidString.prefix(8))")
  let reports = Mutex<[NotifyResult]>([])

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var said: String {
    (try? String(contentsOf: directory.appending(path: "said"), encoding: .utf8)) ?? ""
  }

  func notifier(_ script: String, timeout: Int = 30, pauses: [Int] = [0, 0]) -> Notifier {
    let said = directory.appending(path: "said").path(percentEncoded: false)
    let contact = Contact(
      command: ["/bin/sh", "-c", script, "sh", said], timeoutSeconds: timeout)
    return Notifier(
      contacts: ["anna": contact], pausesSeconds: pauses,
      report: { report in self.reports.withLock { $0.append(report) } })
  }

  static func order(_ contact: String = "anna", label: String = "Pills") -> ContactNotification {
    ContactNotification(
      subject: .prompt(PromptID(alarm: AlarmID("alarm1"), nominalKey: 42)), position: 0,
      contact: contact,
      label: label, person: .patient, personName: "Hilde",
      text: "Hilde has not answered \"\(label)\", due at 08:00.", reason: .noAnswer)
  }

  /// Waits for this number of reports. The time limit is long enough for a busy machine.
  func reports(_ count: Int) async throws -> [NotifyResult] {
    for _ in 0..<600 {
      let found = reports.withLock { $0 }
      if found.count >= count { return found }
      try await Task.sleep(for: .milliseconds(50))
    }
    return reports.withLock { $0 }
  }
}

@Test
func `a command gets the contact, the subject and the reason, and nothing else of the daemon`()
  async throws
{
  let fixture = try NotifierFixture()
  let notifier = fixture.notifier("env > \"$1\"")
  notifier.notify(NotifierFixture.order(label: "Take \"these\" $(pills)\nnow"))
  let report = try #require(try await fixture.reports(1).first)
  #expect(report.result == .notified)
  #expect(report.attempt == 1)
  let said = fixture.said
  #expect(said.contains("PROMPTER_LABEL=Take \"these\" $(pills) now\n"))
  #expect(said.contains("PROMPTER_REASON=no_answer\n"))
  #expect(said.contains("PROMPTER_CONTACT=anna\n"))
  #expect(said.contains("PROMPTER_PROMPT_ID=alarm1@"))
  #expect(!said.contains("HOME="))
}

@Test func `a command that fails is retried the configured number of times`() async throws {
  let fixture = try NotifierFixture()
  let notifier = fixture.notifier("echo try $PROMPTER_ATTEMPT >> \"$1\"; exit 3")
  notifier.notify(NotifierFixture.order())
  let reports = try await fixture.reports(3)
  #expect(reports.map(\.attempt) == [1, 2, 3])
  let reason = "its command ended with status 3"
  #expect(
    reports.map(\.result) == [
      .failed(reason: reason, isLast: false), .failed(reason: reason, isLast: false),
      .failed(reason: reason, isLast: true),
    ])
  #expect(fixture.said == "try 1\ntry 2\ntry 3\n")
}

@Test func `a command that hangs is killed with everything that it started`() async throws {
  let fixture = try NotifierFixture()
  let notifier = fixture.notifier(
    "sleep 300 & echo $! >> \"$1\"; wait", timeout: 1, pauses: [])
  notifier.notify(NotifierFixture.order())
  let report = try #require(try await fixture.reports(1).first)
  #expect(
    report.result == .failed(reason: "its command was killed: it ran longer than 1 s", isLast: true)
  )
  let child = try #require(Int32(fixture.said.trimmingCharacters(in: .whitespacesAndNewlines)))
  // When the command is killed, the child process gets a new parent, and this parent reaps the
  // child process. Until then, the child process is a zombie for a moment.
  var isGone = false
  for _ in 0..<100 where !isGone {
    let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    isGone = stat.map { $0.contains(") Z ") } ?? true
    if !isGone { try await Task.sleep(for: .milliseconds(50)) }
  }
  #expect(isGone)
}

/// Returns true if a process does not exist. Also returns true for a zombie that its new parent
/// will reap.
private func isGone(_ pid: String) -> Bool {
  let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
  return stat.map { $0.contains(") Z ") } ?? true
}

/// Commands that leave another process running when they end. Each command writes the id of this
/// process.
private let leavers = [
  "setsid sleep 1000 & echo $! >> \"$1\"",
  "(setsid sh -c 'echo $$ >> \"$0\"; exec sleep 1000' \"$1\" &) ; sleep 0.2",
  "setsid setsid sh -c '(echo $$; trap \"\" TERM HUP INT; sleep 1000) >> \"$0\" &' \"$1\"; sleep 0.2",
  "env -i /usr/bin/setsid /bin/sleep 1000 </dev/null & echo $! >> \"$1\"; sleep 0.1; kill -STOP $!",
]

@Test(arguments: leavers)
func `everything that a command leaves behind is killed when it ends`(script: String) async throws {
  let fixture = try NotifierFixture()
  fixture.notifier(script).notify(NotifierFixture.order())
  let report = try #require(try await fixture.reports(1).first)
  #expect(report.result == .notified)
  let left = fixture.said.split(separator: "\n").map(String.init)
  #expect(left.count == 1)
  for pid in left { #expect(isGone(pid), "\(pid) still runs") }
}

@Test(arguments: leavers)
func `everything that a command leaves behind is killed when its time is over`(
  script: String
) async throws {
  let fixture = try NotifierFixture()
  fixture.notifier(script + "; sleep 1000", timeout: 1, pauses: [])
    .notify(NotifierFixture.order())
  let report = try #require(try await fixture.reports(1).first)
  let reason = "its command was killed: it ran longer than 1 s"
  #expect(report.result == .failed(reason: reason, isLast: true))
  let left = fixture.said.split(separator: "\n").map(String.init)
  #expect(left.count == 1)
  for pid in left { #expect(isGone(pid), "\(pid) still runs") }
}

@Test func `when the daemon ends, the running commands and their processes end`() async throws {
  let fixture = try NotifierFixture()
  let notifier = fixture.notifier("setsid sleep 1000 & echo $! $$ >> \"$1\"; wait", pauses: [])
  notifier.notify(NotifierFixture.order())
  for _ in 0..<200 where fixture.said.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
  let pids = fixture.said.split { $0 == " " || $0 == "\n" }.map(String.init)
  #expect(pids.count == 2 && !pids.contains(where: isGone))
  notifier.shutDown()
  for _ in 0..<100 where !pids.allSatisfy(isGone) { try await Task.sleep(for: .milliseconds(50)) }
  #expect(pids.allSatisfy(isGone))
}

@Test func `the end of a command by a signal is reported, and the command has its own group`()
  async throws
{
  let fixture = try NotifierFixture()
  fixture.notifier("trap '' TERM; kill -TERM 0; sleep 0.1; kill -USR1 $$", pauses: [])
    .notify(NotifierFixture.order())
  let report = try #require(try await fixture.reports(1).first)
  #expect(
    report.result == .failed(reason: "its command was ended by signal 10", isLast: true))
}

@Test func `after an answer the command is not started again`() async throws {
  let fixture = try NotifierFixture()
  // The command runs until the test has sent the answer. Therefore, a slow test machine does not
  // change the result.
  let notifier = fixture.notifier(
    "echo try >> \"$1\"; while ! test -e \"$1.answered\"; do sleep 0.05; done; exit 1",
    pauses: [0, 0])
  notifier.notify(NotifierFixture.order())
  notifier.stop(NotifierFixture.order().subject)
  let answered = fixture.directory.appending(path: "said.answered")
  try Data().write(to: answered)
  let reports = try await fixture.reports(1)
  #expect(
    reports.map(\.result) == [.failed(reason: "its command ended with status 1", isLast: true)])
}

@Test func `an unknown contact and a missing program are reported as failures`()
  async throws
{
  let fixture = try NotifierFixture()
  fixture.notifier("true").notify(NotifierFixture.order("carl"))
  let unknown = try #require(try await fixture.reports(1).first)
  #expect(
    unknown.result
      == .failed(reason: "the configuration has no contact with this name", isLast: true))
  let missing = Notifier(
    contacts: ["anna": Contact(command: ["/nowhere/at/all"], timeoutSeconds: 5)],
    pausesSeconds: [], report: { report in fixture.reports.withLock { $0.append(report) } })
  missing.notify(NotifierFixture.order())
  let failed = try await fixture.reports(2)
  guard case .failed(let reason, true)? = failed.last?.result else {
    Issue.record("\(failed)")
    return
  }
  #expect(reason.contains("No such file"))
}
