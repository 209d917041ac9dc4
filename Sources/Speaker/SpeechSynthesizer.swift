import FileSystem
import Glibc
import Processes

/// Speaks words that nobody recorded.
///
/// espeak-ng reads the words, and the decoder brings the sound to the same loudness as a recording.
/// The sound is stored under a digest of the words and the language. A ring never waits for this:
/// it uses stored sounds. espeak-ng runs as a program and not as a library, because it can then
/// hang or crash alone, and because of its licence.
public struct SpeechSynthesizer: Sendable {
  /// Words a minute: slower than espeak-ng's default of 175, for people who need more time.
  static let wordsPerMinute = 140
  /// Time limit in milliseconds. espeak-ng needs a hundredth of it, but a busy machine may need
  /// more.
  ///
  /// No ring waits for it.
  static let boundMilliseconds: Int64 = 20_000
  /// Maximum size of the stored speech, in bytes; the least recently used files are deleted first.
  static let keptBytes = 200 << 20
  /// Size of a WAV file without sound.
  private static let headerBytes = 44

  private let program: String?
  private let helper: String
  private let kept: ToneStore
  private let directory: String
  private let decoder: ToneDecoder
  private let digest: @Sendable ([UInt8]) -> String

  /// - Parameters:
  ///   - program: path of espeak-ng; nil for no speech.
  ///   - helper: path of `prompter-sound`, which runs espeak-ng in a sandbox.
  ///   - directory: exists, and belongs only to the daemon.
  ///   - digest: SHA-256 in hexadecimal.
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

  /// Whether a text can be the name of a language: it becomes an argument of a program.
  public static func isLanguage(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    return isPlain && (2...20).contains(text.utf8.count) && !text.hasPrefix("-")
  }

  /// The file of these words; nil if they were not spoken yet.
  public func path(_ words: String, language: String) -> String? {
    guard let path = kept.path(sha256: key(words, language)) else { return nil }
    // The modification time records the use, so that used files stay longest.
    utimes(path, nil)
    return path
  }

  /// Has words spoken and stored, unless they are already stored.
  ///
  /// - Throws: `refused` with a sentence for the caretaker; `notInstalled` if there is no voice;
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
      // If espeak-ng ended by a signal, it crashed, and its output cannot be trusted.
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

  private func voice(_ program: String, _ language: String) -> Helper {
    Helper(
      executable: helper,
      // The words go through standard input, not as an argument: every user can read the process
      // list.
      arguments: [
        "speak", "--program", program, "--language", language, "--words-per-minute",
        "\(Self.wordsPerMinute)", "--report-fd", "3", "--parent", "\(getpid())",
      ],
      name: "the voice", boundMilliseconds: Self.boundMilliseconds,
      largestOutput: ToneDecoder.largestUploadBytes)
  }

  /// Deletes all spoken words except these, each in its language.
  ///
  /// - Parameter seconds: words that were spoken or used within this time stay.
  public func forgetAll(
    but spoken: [(words: String, language: String)], olderThan seconds: Int = 0
  ) throws(FileStoreError) {
    let wanted = Set(spoken.map { key($0.words, $0.language) })
    try kept.deleteAll(olderThan: seconds) { !wanted.contains($0) }
  }

  private func key(_ words: String, _ language: String) -> String {
    digest(Array("\(language)\n\(Self.wordsPerMinute)\n\(SpeakableText.of(words))".utf8))
  }

  /// Corrects the lengths in the header: espeak-ng writes to a pipe, so it states 2 GiB.
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

/// The reason why words were not spoken.
public enum SpeechFailure: Error, Sendable, CustomStringConvertible {
  /// espeak-ng is not installed, or must not be used.
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
