import Glibc
import Testing

@testable import Processes

@Suite struct `A child process` {
  /// Runs a shell script with `spawn` to its end. Returns its standard output and its exit status.
  private func shell(
    _ script: String, environment: [String: String]? = nil
  ) throws -> (output: String, status: Int32) {
    let pair = try #require(DescriptorPair.make())
    let null = ChildProcess.openNull()
    defer {
      close(pair.reading)
      close(null)
    }
    let pid = try ChildProcess.spawn(
      "/bin/sh", arguments: ["-c", script], environment: environment,
      descriptors: [(0, null), (1, pair.writing), (2, null)])
    close(pair.writing)
    var output: [UInt8] = []
    while true {
      switch readAvailable(pair.reading) {
      case .bytes(let bytes): output += bytes
      case .nothingYet: continue
      case .end: return (String(decoding: output, as: UTF8.self), ChildProcess.wait(pid))
      }
    }
  }

  @Test func `gets the given arguments and variables, and no others`() throws {
    let ended = try shell(
      "echo \"$0 $A\"; env | grep -c B=", environment: ["A": "x\u{0}y", "PATH": "/usr/bin:/bin"])
    #expect(ended.output == "/bin/sh xy\n0\n" && ChildProcess.exitCode(status: ended.status) == 1)
  }

  @Test func `that has ended keeps its exit status until it is read`() throws {
    let null = ChildProcess.openNull()
    defer { close(null) }
    let pid = try ChildProcess.spawn(
      "/bin/sh", arguments: ["-c", "read line; exit 3"], environment: nil,
      descriptors: [(0, null), (1, null), (2, null)])
    while !ChildProcess.hasEnded(pid) { usleep(1_000) }
    #expect(ChildProcess.hasEnded(pid))
    #expect(ChildProcess.exitCode(status: ChildProcess.wait(pid)) == 3)
  }

  @Test func `that runs has not ended`() throws {
    let null = ChildProcess.openNull()
    defer { close(null) }
    let pid = try ChildProcess.spawn(
      "/bin/sleep", arguments: ["60"], environment: nil,
      descriptors: [(0, null), (1, null), (2, null)])
    #expect(!ChildProcess.hasEnded(pid))
    kill(-pid, SIGKILL)
    #expect(ChildProcess.exitCode(status: ChildProcess.wait(pid)) == 128 + SIGKILL)
  }

  @Test func `that is not a child never counts as a success`() {
    #expect(ChildProcess.reap(getpid()) == -1)
    #expect(ChildProcess.wait(getpid()) == -1)
  }

  @Test func `gets only the named descriptors`() throws {
    // A child process would inherit this descriptor, because it is not close-on-exec. Some
    // libraries open such descriptors.
    let open = dup(0)
    defer { close(open) }
    let listing = "ls /proc/self/fd"
    // The command `ls` opens the directory with descriptor 3.
    #expect(try shell(listing).output == "0\n1\n2\n3\n")
    let own = try ChildProcess.run(["sh", "-c", listing])
    #expect(String(decoding: own.output, as: UTF8.self) == "0\n1\n2\n3\n")
  }

  @Test func `leads its own process group, and one in the foreground stays in ours`() throws {
    let group = "cut -d ' ' -f 5 /proc/$$/stat; echo $$"
    let apart = try shell(group).output.split(whereSeparator: \.isWhitespace)
    #expect(apart.count == 2 && apart.first == apart.last)
    let ended = try ChildProcess.run(["sh", "-c", group])
    let together = String(decoding: ended.output, as: UTF8.self).split(separator: "\n")
    #expect(together.first.map(String.init) == "\(getpgrp())")
  }

  @Test func `has the default action for SIGPIPE, even if this process ignores it`() throws {
    let former = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, former) }
    let ignored = "grep SigIgn /proc/self/status"
    for said in [
      try shell(ignored).output,
      String(decoding: try ChildProcess.run(["sh", "-c", ignored]).output, as: UTF8.self),
    ] {
      let mask = try #require(UInt64(said.dropFirst(7).filter(\.isHexDigit), radix: 16))
      #expect(mask & (1 << UInt64(SIGPIPE - 1)) == 0, "\(said)")
    }
  }

  @Test func `in the foreground is found on the PATH, and gets our descriptors by number`() throws {
    let pair = try #require(DescriptorPair.make())
    defer { close(pair.reading) }
    let pid = try ChildProcess.spawnInForeground(
      ["sh", "-c", "echo three >&3; exit 3"], descriptors: [(3, pair.writing)])
    close(pair.writing)
    #expect(ChildProcess.exitCode(status: ChildProcess.wait(pid)) == 3)
    guard case .bytes(let bytes) = readAvailable(pair.reading) else {
      Issue.record("the child wrote nothing to descriptor 3")
      return
    }
    #expect(bytes == Array("three\n".utf8))
  }

  @Test func `that does not exist is reported with the reason`() {
    let none = "/nowhere/prompter-none"
    for isOnPath in [false, true] {
      do throws(SpawnFailure) {
        if isOnPath {
          _ = try ChildProcess.run([none])
        } else {
          _ = try ChildProcess.spawn(none, arguments: [], environment: nil, descriptors: [])
        }
        Issue.record("it was started")
      } catch {
        #expect(error.code == ENOENT)
        #expect(error.description == "cannot start \(none): No such file or directory")
      }
    }
  }

  @Test func `ends with an exit code, or with 128 plus a signal`() throws {
    for (script, code, words) in [
      ("exit 0", 0, "exit status 0"), ("exit 7", 7, "exit status 7"),
      ("kill -9 $$", 137, "signal 9 (Killed)"),
    ] as [(String, Int32, String)] {
      let status = try ChildProcess.run(["sh", "-c", script]).status
      #expect(ChildProcess.exitCode(status: status) == code)
      #expect(ChildProcess.describe(status: status) == words)
    }
  }
}
