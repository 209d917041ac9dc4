import FoundationEssentials
import Glibc
import SoundProtocol
import Speaker
import Testing

/// Tests players that hang, crash or report wrong values. A shell script takes the place of the
/// player.
///
/// The scripts contain messages in the format of a real player. If the format changes, a test
/// fails.
extension Sounding {
  @Suite struct UnfaithfulPlayers {
    let fixture = try! SpeakerFixture()

    /// Writes a script, and returns its path. At each start, the script adds a line to the file
    /// `starts`.
    private func player(_ body: String) throws -> String {
      try fixture.script(
        """
        cd '\(fixture.directory)'; echo start >> starts; N=$(wc -l < starts)
        say() { printf '%s\\n' "$1"; }
        say '{"event":"ready"}'
        \(body)
        """)
    }

    private var starts: Int {
      guard let data = try? Data(contentsOf: URL(filePath: fixture.path("starts"))) else {
        return 0
      }
      return data.count { $0 == UInt8(ascii: "\n") }
    }

    /// The messages of a player that plays the ring "ring" completely. The ring takes 100 ms.
    private static let faithful = """
      read line; say '{"event":"accepted","id":"ring","frames":4800}'
      say '{"event":"opening","device":"a"}'
      say '{"event":"started","id":"ring","device":"a"}'
      say '{"event":"ended","id":"ring","device":"a","frames":4800,"xruns":0,"stopped":false}'
      read line
      """

    /// Plays a ring. The first player misbehaves, and the second player works.
    private func recovery(from body: String, devices: [String] = ["a"]) async throws -> (
      events: [SpeakerEvent], seconds: Double
    ) {
      let script = try player("if [ $N = 1 ]; then\n\(body)\nfi\n" + Self.faithful)
      let speaker = fixture.supervisor(devices: devices, executable: script)
      let start = seconds()
      speaker.play(.of(.builtin(.normal)))
      let end = try await fixture.events.first { $0.isEnd(of: "ring") }
      speaker.shutdown()
      #expect(
        end.event
          == .ended(id: "ring", device: "a", framesPlayed: 4_800, xruns: 0, stopped: false))
      #expect(fixture.events.ends(of: "ring") == 1)
      #expect(fixture.events.all.count { $0.isRestart } == 1)
      #expect(starts == 2)
      return (fixture.events.all, end.time - start)
    }

    @Test func `a player that never answers is replaced within 5 s, and the ring is retried`()
      async throws
    {
      #expect(try await recovery(from: "exec sleep 60").seconds < 5)
    }

    @Test func `a player that hangs while opening is replaced, and its device is tried last`()
      async throws
    {
      let found = try await recovery(
        from: """
          read line; say '{"event":"accepted","id":"ring","frames":4800}'
          say '{"event":"opening","device":"b"}'; exec sleep 60
          """, devices: ["b", "a"])
      #expect(found.seconds < 5)
      let reason = "no sound from b in time"
      #expect(
        found.events.contains(.fallback(id: "ring", from: "b", to: "a", reason: reason)))
    }

    @Test func `a player that hangs in the middle is replaced within 5 s`() async throws {
      let found = try await recovery(
        from: """
          read line; say '{"event":"accepted","id":"ring","frames":96000}'
          say '{"event":"started","id":"ring","device":"a"}'
          say '{"event":"progress","id":"ring","frames":9600}'; exec sleep 60
          """)
      #expect(found.seconds < 5)
      #expect(
        found.events.count { if case .started = $0 { true } else { false } } == 1)
    }

    @Test func `a player that repeats the same progress hangs`() async throws {
      let found = try await recovery(
        from: """
          read line; say '{"event":"accepted","id":"ring","frames":96000}'
          say '{"event":"started","id":"ring","device":"a"}'
          while :; do say '{"event":"progress","id":"ring","frames":9600}'; sleep 0.2; done
          """)
      #expect(found.seconds < 5)
    }

    @Test func `a player that crashes is replaced at once, and the log says how it ended`()
      async throws
    {
      let found = try await recovery(from: "read line; kill -SEGV $$")
      #expect(found.seconds < 2)
      #expect(
        found.events.contains { event in
          if case .playerRestarted(let reason) = event {
            reason.contains("signal 11")
          } else {
            false
          }
        })
    }

    @Test(arguments: [
      // The player played no frames.
      ("96000", #""frames":0,"xruns":0,"stopped":false"#),
      // The player played too few frames.
      ("96000", #""frames":95999,"xruns":0,"stopped":false"#),
      // The player played more frames than the ring contains.
      ("96000", #""frames":96001,"xruns":0,"stopped":false"#),
      // The player reports two seconds of sound immediately after the start.
      ("96000", #""frames":96000,"xruns":0,"stopped":false"#),
      // The player reports that the ring was stopped, but nobody stopped the ring.
      ("96000", #""frames":4800,"xruns":0,"stopped":true"#),
      // The ring contains no sound.
      ("0", #""frames":0,"xruns":0,"stopped":false"#),
    ])
    func `a player that reports impossible frames is replaced`(_ total: String, _ claim: String)
      async throws
    {
      _ = try await recovery(
        from: """
          read line; say '{"event":"accepted","id":"ring","frames":\(total)}'
          say '{"event":"started","id":"ring","device":"a"}'
          say '{"event":"ended","id":"ring","device":"a",\(claim)}'; exec sleep 60
          """)
    }

    @Test func `a player that sends malformed messages is replaced`() async throws {
      _ = try await recovery(from: "read line; say 'Segmentation fault'; exec sleep 60")
    }

    @Test func `a ring is retried once, then it has failed, and the next one is played`()
      async throws
    {
      let script = try player("read line; exit 3")
      let speaker = fixture.supervisor(devices: ["a"], executable: script)
      speaker.play(.of(.builtin(.normal), id: "one"))
      speaker.play(.of(.builtin(.normal), id: "two"))
      for id in ["one", "two"] {
        guard case .failed(id, let reason) = try await fixture.events.end(of: id) else {
          Issue.record("\(fixture.events.all)")
          return
        }
        #expect(reason.contains("exit status 3"))
      }
      #expect(starts == 4 || starts == 5)
      speaker.shutdown()
      #expect(fixture.events.ends(of: "one") == 1 && fixture.events.ends(of: "two") == 1)
    }

    @Test func `a player that does not stop is killed within 300 ms`() async throws {
      let script = try player(
        """
        read line; say '{"event":"accepted","id":"ring","frames":96000}'
        say '{"event":"started","id":"ring","device":"a"}'
        say '{"event":"progress","id":"ring","frames":9600}'; echo $$ > pid; exec sleep 60
        """)
      let speaker = fixture.supervisor(devices: ["a"], executable: script)
      speaker.play(.of(.builtin(.normal)))
      try await fixture.events.started("ring")
      let asked = seconds()
      speaker.stop(id: "ring")
      let end = try await fixture.events.first { $0.isEnd(of: "ring") }
      #expect(end.time - asked < 0.3)
      guard case .ended("ring", "a", 9_600, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
    }

    @Test func `a program that cannot be started fails every ring and is not restarted in a loop`()
      async throws
    {
      let speaker = fixture.supervisor(devices: ["a"], executable: "/nowhere/prompter-sound")
      speaker.play(.of(.builtin(.normal)))
      guard case .failed(_, let reason) = try await fixture.events.end(of: "ring") else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(reason == "cannot start /nowhere/prompter-sound: No such file or directory")
      #expect(fixture.events.all.contains { if case .unusable = $0 { true } else { false } })
      #expect(fixture.events.all.count { $0.isRestart } < 8)
    }

    @Test func `the standard error of the player is logged line by line`() async throws {
      let script = try player("echo 'one' >&2; echo 'two' >&2; exec 2>&-; read line")
      let speaker = fixture.supervisor(devices: ["a"], executable: script)
      speaker.play(.of(.builtin(.normal)))
      try await fixture.events.end(of: "ring")
      #expect(fixture.events.logged.prefix(2) == ["one", "two"])
    }
  }
}
