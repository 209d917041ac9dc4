import FoundationEssentials
import Glibc
import Testing

@testable import Speaker

/// Tests the texts that espeak-ng speaks if no recording exists.
@Suite struct SynthesizerTests {
  static let voice = "/usr/bin/espeak-ng"
  let fixture = try! SpeakerFixture()

  private func synthesizer(_ program: String?) -> SpeechSynthesizer {
    SpeechSynthesizer(
      program: program, helper: SpeakerFixture.player, directory: fixture.directory,
      decoder: ToneDecoder(executable: SpeakerFixture.player), digest: { "\($0.hashValue)" })
  }

  private func failure(_ program: String?, _ language: String = "en") async -> String {
    do {
      try await synthesizer(program).speak("Take the pills", language: language)
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test(.enabled(if: access(SynthesizerTests.voice, X_OK) == 0, "needs espeak-ng"))
  func `words are spoken once in each language, as loud as any recording`() async throws {
    let synthesizer = synthesizer(Self.voice)
    #expect(synthesizer.path("Take the pills", language: "en") == nil)
    try await synthesizer.speak("Take the pills", language: "en")
    try await synthesizer.speak("Take the pills", language: "de")
    let english = try #require(synthesizer.path("Take the pills", language: "en"))
    let german = try #require(synthesizer.path("Take the pills", language: "de"))
    #expect(english != german && synthesizer.path("Take the pill", language: "en") == nil)
    let files = [english, german]
    for file in files {
      let sound = [UInt8](try Data(contentsOf: URL(filePath: file)))
      // The file contains speech of 0.6 s to 3.1 s, at 48 kHz, mono, 16 bit.
      #expect((60_000...300_000).contains(sound.count), "\(file)")
      let again = try await ToneDecoder(executable: SpeakerFixture.player).decode(sound)
      #expect(abs(again.loudnessLUFS + 16) < 0.5)
    }
    // The speech of this text is already stored. The daemon uses the stored speech, and does not
    // start espeak-ng again. This also works if espeak-ng is now missing.
    try await self.synthesizer(nil).speak("Take the pills", language: "en")
  }

  @Test func `without espeak-ng there is a reason, and nothing is stored`() async {
    let missing = "cannot speak words: espeak-ng is not installed"
    #expect(await failure(nil) == missing)
    #expect(await failure("/nowhere/espeak-ng") == missing)
  }

  @Test func `a speech program that fails, hangs, crashes or writes nonsense gives a refusal`()
    async throws
  {
    // In the sandbox, a script can use only the built-in commands of the shell, because it cannot
    // start programs.
    for (script, reason) in [
      ("exit 3", "exit status 3"),
      ("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyy; done", "too much data"),
      ("read words; kill -SEGV $$", "produced no sound"),
    ] {
      let begun = seconds()
      let said = await failure(try fixture.script(script))
      #expect(said.contains(reason), "\(script): \(said)")
      #expect(seconds() - begun < 60)
    }
    // The limit of the processor time stops the program. On a busy machine, the limit of the
    // elapsed time can come first.
    let hung = await failure(try fixture.script("while :; do :; done"))
    #expect(hung.contains("signal 9") || hung.contains("took too long"), "\(hung)")
    let noise = await failure(try fixture.script("printf '%01000d' 0"))
    #expect(noise.contains("cannot speak these words"))
    // The output of a program that crashed is not stored, even if the program wrote a sound before.
    let crash = await failure(try fixture.script("printf '%01000d' 0; exit 139"))
    #expect(crash.contains("espeak-ng failed in \"en\": exit status 139"), "\(crash)")
  }

  @Test func `a speech program that cannot be started gives the reason`() async throws {
    let script = fixture.path("broken")
    try Data("#!/nowhere/sh\n".utf8).write(to: URL(filePath: script))
    chmod(script, 0o700)
    let said = await failure(script)
    #expect(said.contains("in a sandbox: No such file"), "\(said)")
  }

  @Test(arguments: ["", "e", "-v", "en;rm", "en/../..", "../../etc/passwd", "e\u{0}n", "日本語"])
  func `a text that is not a language code is refused`(_ text: String) {
    #expect(!SpeechSynthesizer.isLanguage(text))
  }

  @Test(arguments: ["en", "en-gb", "de", "zh-yue", "es-419"])
  func `a language code is accepted`(_ text: String) {
    #expect(SpeechSynthesizer.isLanguage(text))
  }
}
