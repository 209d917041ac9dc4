import Glibc
import Testing

@testable import LinkTimer

@Suite struct `The next contact` {
  @Test(arguments: [
    ("next 812 0", NextContact(seconds: 812, failures: 0)),
    ("next 0 12", NextContact(seconds: 0, failures: 12)),
  ]) func `is a line that can be read again`(line: String, next: NextContact) {
    #expect(NextContact(line: line) == next && next.description == line)
  }

  @Test(arguments: [
    "", "next", "next 1", "next 1 2 3", "next  1 2", "next 1 2 ", "next -1 0", "next 1 -1",
    "next 1.5 0",
    "NEXT 1 0", "next x 0", "next 99999999999999999999 0", "alive",
  ]) func `is not read from another line`(line: String) {
    #expect(NextContact(line: line) == nil)
  }

  @Test func `comes at the regular time after a good contact`() {
    let next = NextContact.regular(now: 1_800_000_000, stream: "a")
    #expect(
      1_800_000_000 + next.seconds == LinkTiming.nextContact(after: 1_800_000_000, stream: "a"))
    #expect(next.failures == 0)
  }

  @Test func `comes at the regular time after a failure, if the pause would be longer`() {
    let regular = NextContact.regular(now: 1_800_000_000, stream: "a").seconds
    func next(_ failures: Int, _ retryAfter: Int64?, _ random: Double) -> NextContact {
      .afterFailure(
        failures, retryAfter: retryAfter, now: 1_800_000_000, stream: "a", random: random)
    }
    #expect(next(1, nil, 1) == NextContact(seconds: 5, failures: 1))
    #expect(next(30, nil, 1) == NextContact(seconds: regular, failures: 30))
    #expect(regular < 900)
    // If the archive asked for a pause, the next contact does not begin earlier.
    #expect(next(2, 900, 0) == NextContact(seconds: 900, failures: 2))
  }
}

@Suite struct `The process of a contact` {
  private func exited(_ code: CInt) -> CInt { code << 8 }

  @Test func `names the next contact in its last line`() {
    let next = NextContact(seconds: 9, failures: 0)
    #expect(ContactTimer.result(lastLine: "next 9 0", status: exited(0)) == .ended(next))
  }

  @Test func `ends the timer if no contact is possible`() {
    #expect(
      ContactTimer.result(lastLine: "next 9 0", status: exited(1)) == .impossible)
  }

  @Test(arguments: [
    ("alive", 0, "without the time"), ("", 0, "without the time"), ("next 9 0", 2, "exit status 2"),
    ("next 9 0", 64, "exit status 64"),
  ]) func `counts as lost after any other end`(line: String, code: CInt, reason: String) {
    guard case .lost(let detail) = ContactTimer.result(lastLine: line, status: exited(code)) else {
      Issue.record("the contact is not lost")
      return
    }
    #expect(detail.contains(reason))
  }

  @Test func `counts as lost after a signal`() {
    guard case .lost(let detail) = ContactTimer.result(lastLine: "next 9 0", status: SIGKILL) else {
      Issue.record("the contact is not lost")
      return
    }
    #expect(detail.contains("signal 9"))
  }

  @Test(arguments: [
    ("", ""), ("alive\nnext 1 0\n", "next 1 0"), ("next 1 0", "next 1 0"), ("alive\n\n", ""),
    ("alive\nalive\n", "alive"),
    (String(repeating: "alive\n", count: 900) + "next 2 3\n", "next 2 3"),
  ]) func `says something, and the last line counts`(output: String, last: String) throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    let bytes = Array(output.utf8)
    try #require(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    defer { close(ends[0]) }
    var signs = 0
    #expect(ContactTimer.read(ends[0], silenceLimit: 60) { signs += 1 } == last)
    #expect(signs > 0)
  }

  @Test func `is given up if it says nothing`() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(ContactTimer.read(ends[0], silenceLimit: 1) {} == nil)
  }

  @Test func `counts as lost if the program cannot start`() {
    let timer = ContactTimer(
      program: "/nonexistent/prompter-link", socket: "/none", directory: "/none", wakesAtOnce: false
    ) { _ in }
    guard case .lost(let detail) = timer.contact(0, {}) else {
      Issue.record("the contact is not lost")
      return
    }
    #expect(detail.contains("cannot start /nonexistent/prompter-link"))
  }
}
