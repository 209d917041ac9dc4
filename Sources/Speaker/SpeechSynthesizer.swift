import FileSystem
import Glibc
import Processes

/// Produces speech for texts without a recording.
///
/// espeak-ng speaks the words, and the decoder normalises the speech. Therefore, speech and
/// recordings are equally loud. The file name of the stored speech is a digest of the words and the
/// language. A ring uses only stored speech and never waits for espeak-ng. espeak-ng runs as a
/// separate program and not as a library, for two reasons. First, a hang or crash of a separate
/// program cannot stop the daemon. Second, the licence of espeak-ng differs from the licence of
/// Prompter.
public struct SpeechSynthesizer: Sendable {
  /// The speed of the speech in words per minute. The default speed of espeak-ng is 175 words per
  /// minute, which is too fast for many older people.
  static let wordsPerMinute = 140
  /// The time limit for espeak-ng in milliseconds. espeak-ng usually takes a hundredth of this
  /// time, but it can take longer on a busy machine.
  ///
  /// No ring waits for espeak-ng.
  static let boundMilliseconds: Int64 = 20_000
  /// The maximum size of the stored speech in bytes. If the stored speech exceeds this size, the
  /// synthesizer deletes the least recently used files.
  static let keptBytes = 200 << 20
  /// The size of a WAV file without samples, in bytes.
  private static let headerBytes = 44

  private let program: String?
  private let helper: String
  private let kept: ToneStore
  private let directory: String
  private let decoder: ToneDecoder
  private let digest: @Sendable ([UInt8]) -> String

  /// - Parameters:
  ///   - program: the path of espeak-ng; nil if the home uses no speech.
  ///   - helper: the path of `prompter-sound`, which runs espeak-ng in a sandbox.
  ///   - directory: an existing directory that belongs only to the daemon.
  ///   - digest: a function that returns the SHA-256 of bytes in hexadecimal.
  public init(
    program: String?, helper: String, directory: String, decoder: ToneDecoder,
    digest: @escaping @Sendable ([UInt8]) -> String
  ) {
    self.program = program
    self.helper = helper
    self.directory = directory
    self.decoder = decoder
    self.digest = digest
    kept = ToneStore(directory: directory)
  }

  /// Returns true if a text has the form of a language code, for example `en-gb`. The text becomes
  /// an argument of a program. Without this check, the program could interpret the text as an
  /// option or as a path.
  public static func isLanguage(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    return isPlain && (2...20).contains(text.utf8.count) && !text.hasPrefix("-")
  }

  /// Returns the path of the stored speech for `words`; nil if the speech was not produced yet.
  public func path(_ words: String, language: String) -> String? {
    guard let path = kept.path(sha256: key(words, language)) else { return nil }
    // Because the speech is used now, set the modification time of its file to the present time. If
    // all files together become too large, the synthesizer deletes the files with the earliest
    // modification times first.
    utimes(path, nil)
    return path
  }

  /// Produces and stores the speech for `words`. If the speech is already stored, the function does
  /// nothing.
  ///
  /// - Throws: `refused` with a sentence for the caretaker; `notInstalled` if espeak-ng is missing;
  ///   `notStored` if the sound could not be stored.
  public func speak(_ words: String, language: String) async throws(SpeechFailure) {
    if path(words, language: language) != nil { return }
    guard let program, access(program, X_OK) == 0 else { throw .notInstalled }
    let speakable = SpeakableText.of(words)
    do {
      guard !speakable.isEmpty else {
        throw ToneRefusal.failed("they contain nothing that can be spoken")
      }
      guard speakable.utf8.count <= SpeakableText.mostBytes else {
        throw ToneRefusal.failed("they are longer than \(SpeakableText.mostBytes) bytes")
      }
      let spoken = try await HelperRun.perform(
        voice(program, language), input: Array(speakable.utf8)
      ).mapError { ToneRefusal.failed($0.sentence) }.get()
      guard spoken.bytes.count > Self.headerBytes else {
        let reason = String(decoding: spoken.report, as: UTF8.self).prefix { $0 != "\n" }
        throw ToneRefusal.failed(
          "espeak-ng produced no sound in \"\(language)\": \(reason.isEmpty ? spoken.exit : String(reason))"
        )
      }
      // If espeak-ng crashed or failed, its output can be incomplete. Therefore the daemon does not
      // use the output.
      guard spoken.exit == "exit status 0" else {
        throw ToneRefusal.failed("espeak-ng failed in \"\(language)\": \(spoken.exit)")
      }
      let tone = try await decoder.decode(Self.withTrueLength(spoken.bytes))
      try kept.store(tone.wav, sha256: key(words, language))
    } catch let refusal as ToneRefusal {
      throw .refused(refusal)
    } catch {
      throw .notStored("\(error)")
    }
    forgetOldest()
  }

  /// Returns true if espeak-ng has a voice for a language; nil if espeak-ng is missing or did not
  /// answer.
  ///
  /// If espeak-ng has no voice for a language, it ends with an error and produces no sound.
  public func hasVoice(_ language: String) async -> Bool? {
    guard Self.isLanguage(language), let program, access(program, X_OK) == 0 else { return nil }
    let reply = await HelperRun.perform(voice(program, language), input: Array("1".utf8))
    guard case .success(let spoken) = reply else { return nil }
    return spoken.exit == "exit status 0" && spoken.bytes.count > Self.headerBytes
  }

  private func voice(_ program: String, _ language: String) -> Helper {
    Helper(
      executable: helper,
      // Every user can read the arguments of a process in the process list. Therefore, the
      // arguments do not contain the words. The program reads the words from standard input.
      arguments: [
        "speak", "--program", program, "--language", language, "--words-per-minute",
        "\(Self.wordsPerMinute)", "--report-fd", "3", "--parent", "\(getpid())",
      ],
      name: "the voice", boundMilliseconds: Self.boundMilliseconds,
      largestOutput: ToneDecoder.largestUploadBytes)
  }

  /// Deletes all stored speech, except the speech for the words in `spoken`.
  ///
  /// - Parameter seconds: the function also keeps speech that was produced or used in the last
  ///   `seconds` seconds.
  public func forgetAll(
    but spoken: [(words: String, language: String)], olderThan seconds: Int = 0
  ) throws(FileStoreError) {
    let wanted = Set(spoken.map { key($0.words, $0.language) })
    try kept.deleteAll(olderThan: seconds) { !wanted.contains($0) }
  }

  private func key(_ words: String, _ language: String) -> String {
    digest(Array("\(language)\n\(Self.wordsPerMinute)\n\(SpeakableText.of(words))".utf8))
  }

  /// Corrects the lengths in the WAV header. espeak-ng writes the header to a pipe before the
  /// length of the sound is known, so the header contains a length of 2 GiB.
  private static func withTrueLength(_ wav: [UInt8]) -> [UInt8] {
    var wav = wav
    for (offset, length) in [(4, wav.count - 8), (40, wav.count - headerBytes)] {
      for byte in 0..<4 { wav[offset + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte)) }
    }
    return wav
  }

  private func forgetOldest() {
    var files: [(path: String, bytes: Int, used: Int)] = []
    for name in (try? fileNames(in: directory)) ?? [] {
      var status = stat()
      guard name.hasSuffix(".wav"), stat("\(directory)/\(name)", &status) == 0 else { continue }
      files.append(("\(directory)/\(name)", Int(status.st_size), Int(status.st_mtim.tv_sec)))
    }
    var total = files.reduce(0) { $0 + $1.bytes }
    for file in files.sorted(by: { $0.used < $1.used }) where total > Self.keptBytes {
      if unlink(file.path) == 0 { total -= file.bytes }
    }
  }
}

/// The reason why no speech was produced.
public enum SpeechFailure: Error, Sendable, CustomStringConvertible {
  /// espeak-ng is not installed, or the daemon has no permission to run it.
  case notInstalled
  case refused(ToneRefusal)
  case notStored(String)

  public var description: String {
    switch self {
    case .notInstalled: "cannot speak words: espeak-ng is not installed"
    case .refused(let refusal): "cannot speak these words: \(refusal)"
    case .notStored(let reason): reason
    }
  }
}
