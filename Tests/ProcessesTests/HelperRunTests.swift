import Synchronization
import Testing

@testable import Processes

@Suite struct `A helper` {
  private func run(
    _ script: String, input: [UInt8] = [], milliseconds: Int64 = 20_000,
    largestOutput: Int = 1 << 20
  ) async -> Result<HelperOutput, HelperFailure> {
    let helper = Helper(
      executable: "/bin/sh", arguments: ["-c", script], name: "the helper",
      boundMilliseconds: milliseconds, largestOutput: largestOutput)
    return await HelperRun.perform(helper, input: input)
  }

  @Test func `gets its input, and returns its output, its report and its end`() async throws {
    let input = [UInt8](repeating: 7, count: 300_000)
    let output = try await run("cat; echo report >&3; exit 3", input: input).get()
    #expect(output.bytes == input && output.report == Array("report\n".utf8))
    #expect(output.exit == "exit status 3")
  }

  @Test func `may leave its input unread`() async throws {
    let input = [UInt8](repeating: 7, count: 3_000_000)
    #expect(try await run("exec 0<&-; echo a", input: input).get().bytes == Array("a\n".utf8))
  }

  @Test func `is killed after its time`() async {
    let result = await run("exec sleep 60", milliseconds: 100)
    #expect(result == .failure(HelperFailure("the helper took too long")))
  }

  @Test(arguments: ["exec cat /dev/zero", "exec cat /dev/zero >&3"])
  func `is killed if it returns too much`(script: String) async {
    let result = await run(script, largestOutput: 1_000)
    #expect(result == .failure(HelperFailure("the helper returned too much data")))
  }

  @Test func `that does not exist is a failure with the reason`() async {
    let helper = Helper(
      executable: "/nowhere/none", arguments: [], name: "the helper", boundMilliseconds: 1_000,
      largestOutput: 1)
    let result = await HelperRun.perform(helper, input: [])
    #expect(
      result == .failure(HelperFailure("cannot start /nowhere/none: No such file or directory")))
  }

  @Test func `says what it claims in one plain line`() {
    #expect(PlainLine.sentence("a\nb\u{1B}[31m c") == "a b 31m c")
    #expect(PlainLine.sentence(String(repeating: "x", count: 5_000)).count == 300)
    #expect(PlainLine.of(" [a\u{202E}]\u{7} b ") == "a b")
  }
}

@Suite struct `The turns of decoders` {
  private final class Running: Sendable {
    let counts = Mutex((now: 0, most: 0, done: 0))
  }

  @Test func `are two at a time, and all others wait in order`() async {
    let turns = DecoderTurns()
    let running = Running()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await turns.take()
          running.counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
          await Task.yield()
          running.counts.withLock {
            $0.now -= 1
            $0.done += 1
          }
          turns.giveBack()
        }
      }
    }
    running.counts.withLock {
      #expect($0.now == 0 && $0.done == 50)
      #expect((1...DecoderTurns.most).contains($0.most))
    }
    // All tasks gave their turns back. Two turns are free again.
    await turns.take()
    await turns.take()
  }
}
