import FoundationEssentials
import Glibc
import SoundProtocol
import Testing

@testable import Speaker

/// Tests that a decoder under the control of an attacker does no harm. A shell script replaces the
/// decoder.
@Suite struct FaultyDecoder {
  let fixture = try! SpeakerFixture()
  let upload = wav(sine(hertz: 440, milliseconds: 600, amplitude: 0.3))

  private func sentence(_ script: String, bound: Int64 = 4_000) async throws -> String? {
    let decoder = ToneDecoder(
      executable: try fixture.script(script), boundMilliseconds: bound)
    do throws(ToneRefusal) {
      _ = try await decoder.decode(upload)
      return nil
    } catch {
      #expect(error.kind == .decoderFailed)
      return error.sentence
    }
  }

  @Test func `a decoder that hangs is killed in time, with or without reading its input`()
    async throws
  {
    for script in ["exec sleep 60", "cat >/dev/null; exec sleep 60"] {
      let start = seconds()
      let found = try await sentence(script, bound: 300)
      #expect(found == "the sound decoder took too long")
      // The limit of the decoder is 0.3 s, and the script hangs for 60 s. The check uses 40 s,
      // because a busy test machine can be much slower than 0.3 s.
      #expect(seconds() - start < 40)
    }
  }

  @Test func `the error for a decoder that crashes says how it ended`() async throws {
    #expect(try await sentence("kill -SEGV $$")?.contains("signal 11") == true)
    #expect(try await sentence("exit 7")?.contains("exit status 7") == true)
  }

  @Test func `a decoder with endless output is cut off`() async throws {
    let found = try await sentence("exec cat /dev/zero")
    #expect(found == "the sound decoder returned too much data")
  }

  @Test func `a report that does not fit the sound is refused`() async throws {
    let report =
      #"{"duration_ms":5000,"loudness_lufs":-16,"true_peak_db":-2,"format":"WAV"}"#
    let found = try await sentence("cat >/dev/null; echo short; echo '\(report)' >&3")
    #expect(found?.hasPrefix("the sound decoder's report does not fit its sound") == true)
    #expect(try await sentence("echo nonsense >&3")?.contains("exit status 0") == true)
  }

  @Test func `at most two decoders run at a time, and every upload is decoded`() async throws {
    let folder = fixture.directory
    let script = try fixture.script(
      "cd '\(folder)'; : > run.$$; ls run.* | wc -l >> counts; sleep 0.1; rm run.$$; exit 7")
    let decoder = ToneDecoder(executable: script)
    let upload = upload
    let refusals = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { (try? await decoder.decode(upload)) == nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(refusals == 8)
    let counts = String(
      decoding: try Data(contentsOf: URL(filePath: fixture.path("counts"))), as: UTF8.self
    ).split(separator: "\n").compactMap { Int($0) }
    #expect(counts.count == 8)
    #expect(counts.allSatisfy { $0 <= 2 }, "\(counts)")
  }

  @Test func `a missing decoder is named`() async throws {
    let decoder = ToneDecoder(executable: "/nowhere/prompter-sound")
    await #expect(
      throws: ToneRefusal(
        .decoderFailed, "cannot start /nowhere/prompter-sound: No such file or directory")
    ) { try await decoder.decode(upload) }
  }
}
