@preconcurrency import Glibc
import Sandbox
import SoundProcessing
import SoundProtocol

/// The command `prompter-sound tones --write DIR`, which writes each built-in tone to a canonical
/// WAV file.
///
/// The bytes of a file are the same in every run.
enum ToneWriter {
  /// Returns the exit status: 0 if all files were written, 1 if the command failed.
  static func run(directory: String) -> Int32 {
    for tone in BuiltinTone.allCases {
      let path = "\(directory)/\(tone.rawValue).wav"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        printError("cannot write \(path): \(String(cString: strerror(errno)))")
        return 1
      }
      let isWritten = writeAll(descriptor, CanonicalWAV.encode(tone.samples()))
      guard close(descriptor) == 0, isWritten else {
        printError("cannot write \(path): \(String(cString: strerror(errno)))")
        return 1
      }
      // The loudness meter needs at least 400 ms of sound, and a tone can be shorter. Therefore
      // the program adds silence before and after the tone, as in a ring.
      let silence = [Float](repeating: 0, count: 5_760)
      let sound = silence + tone.samples().map { Float($0) / 32_768 } + silence
      let loudness = Loudness(of: sound[...], peak: .betweenSamples)
      print(
        "\(path): \(tone.samples().count / 48) ms, \(oneDecimal(loudness.lufs)) LUFS, true peak "
          + "\(oneDecimal(loudness.peakDecibels)) dB")
    }
    return 0
  }
}
