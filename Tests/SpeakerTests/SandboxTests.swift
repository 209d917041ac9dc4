import FoundationEssentials
import Glibc
import SoundProtocol
import TestRandom
import Testing

@testable import Speaker

/// Tests that a decoder cannot do a forbidden action. A hostile file may control the decoder.
@Suite struct Sandbox {
  let fixture = try! SpeakerFixture()

  /// The forbidden actions. CSandbox/attempts.c contains the code for each name.
  static let crimes = [
    "kill", "kill-all", "tkill", "tgkill", "tgkill-high", "sigqueue", "tgsigqueue", "pidfd",
    "owner",
    "read-memory", "write-memory", "ptrace", "priority", "scheduler", "affinity", "compare",
    "group",
    "fork", "fork3", "thread", "namespace", "exec", "execveat", "memfd", "bpf", "io-uring", "perf",
    "userfaultfd", "keys", "socket", "unix-socket", "make-directory", "link", "unlink", "mode",
    "code", "code-later",
  ]

  @Test(arguments: crimes)
  func `a system call that no decoder needs kills it at once`(_ attempt: String) throws {
    let run = try SpeakerFixture.run(["confined", "--try", attempt])
    #expect(run.status & 0x7f == SIGSYS, "\(run)")
  }

  @Test(arguments: ["open", "open-proc", "write-file", "make-file", "ioctl", "prlimit"])
  func `a system call that libraries try is refused`(_ attempt: String) throws {
    #expect(
      try SpeakerFixture.run(["confined", "--try", attempt]).said.contains("refused: Permission"))
  }

  @Test func `memory is limited to 128 MiB`() throws {
    #expect(
      try SpeakerFixture.run(["confined", "--try", "memory"]).said.contains("refused: Cannot"))
  }

  @Test func `a decoder can still signal itself, as abort does`() throws {
    #expect(try SpeakerFixture.run(["confined", "--try", "signal-self"]).said.contains("allowed"))
  }

  @Test func `a decoder can ask the kernel for the time, as some machines need`() throws {
    #expect(try SpeakerFixture.run(["confined", "--try", "clock"]).said.contains("allowed"))
  }

  @Test func `the decoder of other formats is in the same sandbox`() throws {
    let program = SpeakerFixture.player.replacing("prompter-sound", with: "prompter-formats")
    for attempt in ["kill", "exec", "fork", "thread", "socket", "unix-socket", "code", "link"] {
      let run = try SpeakerFixture.run(["confined", "--try", attempt], program: program)
      #expect(run.status & 0x7f == SIGSYS, "\(attempt): \(run)")
    }
    for attempt in ["open", "write-file", "memory"] {
      let run = try SpeakerFixture.run(["confined", "--try", attempt], program: program)
      #expect(run.said.contains("refused: "), "\(attempt): \(run)")
    }
  }

  @Test func `processor time is limited to 4 s`() throws {
    let start = seconds()
    let run = try SpeakerFixture.run(["confined", "--try", "time"])
    #expect(run.status & 0x7f == SIGKILL)
    #expect(seconds() - start > 3)
  }

  @Test func `the largest accepted recording stays within the limits of time and memory`()
    async throws
  {
    // The file contains one minute of sound at the highest sample rate, as FLAC. No other accepted
    // file takes more time to decode.
    let second = wav((0..<192_000).map { Int16(8_000 * sin(Double($0) * 0.03)) }, rate: 192_000)
    // In the header of a WAV file, the size 0 means that the sound extends to the end of the file.
    let header = second[..<40] + [0, 0, 0, 0]
    let file = fixture.path("long.wav")
    let long = header + [[UInt8]](repeating: Array(second[44...]), count: 60).joined()
    try Data(long).write(to: URL(filePath: file))
    let flac = fixture.path("long.flac")
    let run = try SpeakerFixture.run(
      ["-s", "--ignore-chunk-sizes", "-o", flac, file], program: "/usr/bin/flac")
    try #require(run.status == 0, "\(run)")
    let upload = [UInt8](try Data(contentsOf: URL(filePath: flac)))
    let tone = try await ToneDecoder(executable: SpeakerFixture.player, boundMilliseconds: 60_000)
      .decode(upload)
    #expect(tone.durationMilliseconds == 60_000)
  }

  /// Decodes damaged files of every format. PROMPTER_SEED sets the seed, and PROMPTER_FUZZ_RUNS
  /// sets the number of files. If a check fails, the test prints the seed.
  @Test func `damaged files of every format give a tone or a sentence, in time`() async throws {
    let runs = getenv("PROMPTER_FUZZ_RUNS").flatMap { Int(String(cString: $0)) } ?? 40
    let seed = getenv("PROMPTER_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    var random = Lottery(seed: seed)
    let decoder = ToneDecoder(executable: SpeakerFixture.player)
    var seeds = try ["flac", "ogg", "opus", "mp3"].map {
      [UInt8](try Data(contentsOf: URL(filePath: SpeakerFixture.fixtures + "/warble.\($0)")))
    }
    seeds.append(wav(sine(hertz: 440, milliseconds: 700, amplitude: 0.3)))
    for run in 0..<runs {
      let upload = random.mutate(seeds[run % seeds.count])
      do throws(ToneRefusal) {
        let tone = try await decoder.decode(upload)
        #expect(tone.truePeakDecibels <= -1.4)
      } catch {
        // If a signal ends the decoder, the daemon refuses the file. But no damaged file should
        // crash the decoder.
        #expect(!error.sentence.contains("signal"), "seed \(seed), run \(run): \(error)")
      }
    }
  }
}

/// Damages files. The same seed gives the same damage on every machine.
private struct Lottery {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      // Half of the changes are in the first 256 bytes, because these bytes contain the numbers
      // that a decoder uses.
      let reach = Bool.random(using: &random) ? min(256, result.count) : result.count
      guard reach > 8 else { return result }
      let at = Int.random(in: 0..<reach - 4, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: result[at] = UInt8.random(in: 0...255, using: &random)
      case 1: result.replaceSubrange(at..<at + 4, with: [0xff, 0xff, 0xff, 0x7f])
      case 2: result.replaceSubrange(at..<at + 4, with: [0, 0, 0, 0])
      case 3: result.removeSubrange(at...)
      default: result.insert(contentsOf: result[at..<at + 4], at: at)
      }
    }
    return result
  }
}
