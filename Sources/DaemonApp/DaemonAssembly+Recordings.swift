import Alarms
import MessageDigest
import RequestHandlers
import Speaker

extension DaemonAssembly {
  /// Returns the functions that the request handler calls for recordings.
  func recordingActions() -> RecordingActions {
    let (store, decoder) = (tones, ToneDecoder(executable: helper, formats: formatsHelper))
    return RecordingActions(
      store: { name, upload, admit throws(Refusal) in
        do {
          let decoded = try await decoder.decode(upload)
          let digest = SHA256Digest.hex(decoded.wav)
          let tone = Tone(
            name: name, sha256: digest, durationMilliseconds: decoded.durationMilliseconds,
            loudnessLUFS: decoded.loudnessLUFS)
          try await admit(tone)
          try store.storeHeld(decoded.wav, sha256: digest)
          return tone
        } catch let refusal as Refusal {
          throw refusal
        } catch let refusal as ToneRefusal {
          throw Refusal(.badTone, "cannot use this recording: \(refusal)")
        } catch {
          throw Refusal(.storage, "\(error)")
        }
      },
      settle: { store.settle(sha256: $0) }, drop: { try store.delete(sha256: $0) })
  }
}
