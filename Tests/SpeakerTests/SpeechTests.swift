import FoundationEssentials
import Glibc
import Processes
import TestRandom
import Testing

@testable import Speaker

/// Tests that a speech program cannot do a forbidden action. A hostile text may control the
/// program.
@Suite struct SpeechSandboxTests {
  let fixture = try! SpeakerFixture()

  private func compiled(_ name: String, with library: String) throws -> String {
    let program = fixture.path(name)
    let sources = SpeakerFixture.fixtures + "/../../../Sources/C/CSandbox"
    let run = try SpeakerFixture.run(
      [
        "-O1", "-I", sources, "-I", sources + "/include", "-o", program,
        "\(SpeakerFixture.fixtures)/\(name).c", "\(sources)/\(library).c",
      ], program: "/usr/bin/cc")
    try #require(run.status == 0, "\(run)")
    return program
  }

  /// Compiles a speech program for the test. The argument for the language contains the names of
  /// actions. The program tries each action and prints the results.
  private func attempts() throws -> String {
    try compiled("attempting-voice", with: "attempts")
  }

  private func attempt(_ what: String, _ program: String) throws -> (status: Int32, said: String) {
    try SpeakerFixture.run([
      "speak", "--program", program, "--language", what, "--words-per-minute", "140",
    ])
  }

  @Test func `a speech program reads programs and voices, and does nothing else`() throws {
    let program = try attempts()
    // The speech program may start one thread, because espeak-ng needs one.
    let forbidden =
      Sandbox.crimes.filter { $0 != "thread" } + [
        "open", "open-proc", "write-file", "make-file", "ioctl", "prlimit", "memory",
      ]
    let run = try attempt(forbidden.joined(separator: ","), program)
    let lines = run.said.split(separator: "\n")
    #expect(lines.count == forbidden.count, "\(run)")
    for (what, line) in zip(forbidden, lines) {
      #expect(line.hasPrefix("\(what): refused"), "\(line)")
    }
    #expect(
      try attempt("clock,signal-self", program).said == "clock: allowed\nsignal-self: allowed\n")
    #expect(try attempt("abort", program).status & 0x7f == SIGABRT)
  }

  @Test(arguments: [ENOSYS, EPERM, EOPNOTSUPP])
  func `without Landlock it reads files, and still does nothing else`(_ code: Int32) throws {
    let without = try compiled("without-landlock", with: "filter")
    let forbidden =
      Sandbox.crimes.filter { $0 != "thread" } + ["write-file", "make-file", "ioctl", "memory"]
    let run = try SpeakerFixture.run(
      [
        "\(code)", SpeakerFixture.player, "speak", "--program", try attempts(), "--language",
        (["open"] + forbidden).joined(separator: ","), "--words-per-minute", "140",
      ], program: without)
    let lines = run.said.split(separator: "\n")
    #expect(lines.first == "open: allowed")
    for (what, line) in zip(forbidden, lines.dropFirst()) {
      #expect(line.hasPrefix("\(what): refused"), "\(line)")
    }
    #expect(lines.count == forbidden.count + 1, "\(run)")
  }

  @Test func `if Landlock fails for another reason, nothing is spoken`() throws {
    let run = try SpeakerFixture.run(
      [
        "\(EIO)", SpeakerFixture.player, "speak", "--program", try attempts(), "--language",
        "clock",
        "--words-per-minute", "140",
      ], program: try compiled("without-landlock", with: "filter"))
    #expect(run.status == 0x300 && run.said.contains("in a sandbox: "), "\(run)")
  }

  @Test func `it writes to no file, not even to one that it was given`() throws {
    let program = try attempts()
    let file = fixture.path("given")
    let run = try SpeakerFixture.run(
      [
        "-c",
        "'\(SpeakerFixture.player)' speak --program \(program) --language clock --words-per-minute 1 >\(file)",
      ], program: "/bin/sh")
    #expect(run.status != 0)
    #expect(try Data(contentsOf: URL(filePath: file)).isEmpty)
  }

  @Test func `it inherits no descriptor`() throws {
    let stray = fcntl(open("/etc/passwd", O_RDONLY | O_CLOEXEC), F_DUPFD, 40)
    defer { close(stray) }
    let run = try attempt("descriptors", try attempts())
    #expect(run.said == "descriptors: 0 1 2\n", "\(run)")
  }
}

/// Tests which descriptors child processes inherit.
@Suite struct Inheritance {
  /// Starts a shell with the given descriptors, and returns the descriptors that are open in the
  /// shell.
  private func open(_ children: [Int32]) throws -> [Int32] {
    let pipe = try #require(DescriptorPair.make())
    defer { close(pipe.reading) }
    let pid = try ChildProcess.spawn(
      "/bin/sh", arguments: ["-c", "ls /proc/$$/fd"], environment: ["PATH": "/usr/bin:/bin"],
      descriptors: children.map { ($0, pipe.writing) })
    close(pipe.writing)
    var said: [UInt8] = []
    while case .bytes(let bytes) = readAvailable(pipe.reading) { said += bytes }
    waitpid(pid, nil, 0)
    return String(decoding: said, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
      .sorted()
  }

  @Test func `a child gets exactly the descriptors that are named`() throws {
    // Some libraries leave descriptors open when a program starts another program. The test opens
    // such files and sockets, with low and high numbers.
    var mismatches: [Int32] = []
    defer { for stray in mismatches { close(stray) } }
    for lowest in [Int32(3), 50, 200, 900] {
      let file = Glibc.open("/etc/passwd", O_RDONLY | O_CLOEXEC)
      mismatches.append(fcntl(file, F_DUPFD, lowest))
      close(file)
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      mismatches.append(fcntl(socket, F_DUPFD, lowest))
      close(socket)
    }
    #expect(mismatches.allSatisfy { fcntl($0, F_GETFD) == 0 }, "a stray is close-on-exec")
    #expect(try open([0, 1, 2]) == [0, 1, 2])
    #expect(try open([0, 1, 2, 3]) == [0, 1, 2, 3])
    #expect(try open([1, 2]) == [1, 2])
    #expect(try open([0, 1, 2, 5]) == [0, 1, 2, 5])
  }
}

/// Tests the changes that Prompter makes to a text before it is spoken.
@Suite struct Speakable {
  @Test(arguments: [
    ("Take the pills", "Take the pills"),
    ("Tabletten — 12:30 Uhr, größer als 3 €!", "Tabletten — 12:30 Uhr, größer als 3 €!"),
    ("薬を飲む", "薬を飲む"), ("عربي", "عربي"),
    ("a\u{1}5pb", "a 5pb"), ("a\r\nb\u{85}c\u{2028}d\u{b}e\u{c}f\tg", "a b c d e f g"),
    ("[[h@'loU]] there", "h@'loU there"), ("[\u{200b}[x]]", "x"), ("［［x", "［［x"),
    ("a\u{202e}b\u{200d}c\u{feff}d\u{ad}e", "abcde"),
    ("a\u{e000}b\u{f0000}c\u{378}d\u{ffff}e", "abcde"),
    ("<speak>hi</speak>", "<speak>hi</speak>"), ("\u{e0041}\u{e0042}", ""), (" \n ", ""),
  ])
  func `a speech program gets text without anything that it would interpret`(
    _ words: String, _ speakable: String
  ) {
    #expect(SpeakableText.of(words) == speakable)
    #expect(SpeakableText.of(speakable) == speakable)
  }

  @Test(.enabled(if: access(SynthesizerTests.voice, X_OK) == 0, "needs espeak-ng"))
  func `markup is read out and not interpreted`() async throws {
    let fixture = try SpeakerFixture()
    let synthesizer = SpeechSynthesizer(
      program: SynthesizerTests.voice, helper: SpeakerFixture.player, directory: fixture.directory,
      decoder: ToneDecoder(executable: SpeakerFixture.player), digest: { "\($0.hashValue)" })
    for words in ["<break time=\"20s\"/>", "break time 20 s"] {
      try await synthesizer.speak(words, language: "en")
      let path = try #require(synthesizer.path(words, language: "en"))
      let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
      #expect(sound.count < 6 * 96_000, "\(words): \(sound.count)")
    }
  }

  /// Speaks random texts in random languages. PROMPTER_SEED sets the seed, and PROMPTER_FUZZ_RUNS
  /// sets the number of texts.
  @Test(.enabled(if: access(SynthesizerTests.voice, X_OK) == 0, "needs espeak-ng"))
  func `any text is spoken or refused with a sentence, in time`() async throws {
    let runs = getenv("PROMPTER_FUZZ_RUNS").flatMap { Int(String(cString: $0)) } ?? 40
    let seed = getenv("PROMPTER_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    var random = SeededGenerator(seed: seed)
    let fixture = try SpeakerFixture()
    let synthesizer = SpeechSynthesizer(
      program: SynthesizerTests.voice, helper: SpeakerFixture.player, directory: fixture.directory,
      decoder: ToneDecoder(executable: SpeakerFixture.player), digest: { "\($0.hashValue)" })
    let languages = ["en", "de", "vi", "ja", "cmn", "ru", "ar", "hi", "fa", "ko", "zz", "en-gb"]
    var crashes = 0
    for run in 0..<runs {
      let words = Self.words(&random)
      let language = try #require(languages.randomElement(using: &random))
      let start = seconds()
      do throws(SpeechFailure) {
        try await synthesizer.speak(words, language: language)
      } catch {
        guard case .refused(let refusal) = error else {
          Issue.record("seed \(seed), run \(run): \(error)")
          continue
        }
        #expect(!refusal.sentence.isEmpty)
        if refusal.sentence.contains("signal") { crashes += 1 }
      }
      #expect(seconds() - start < 60, "seed \(seed), run \(run)")
    }
    print("espeak-ng crashed \(crashes) times in \(runs) texts, seed \(seed)")
  }

  private static func words(_ random: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x7f, 0x20...0x7e, 0xa0...0x5ff, 0x600...0x1fff, 0x2000...0x2fff, 0x3000...0xd7ff,
      0x1f000...0x1ffff, 0xe000...0x10ffff, 0x300...0x36f,
    ]
    var text = String.UnicodeScalarView()
    let length = [3, 40, 200, 1_000].randomElement(using: &random) ?? 3
    while text.count < length {
      let range = ranges.randomElement(using: &random) ?? 0...0x7f
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else {
          continue
        }
        text.append(scalar)
      }
    }
    return String(text)
  }
}
