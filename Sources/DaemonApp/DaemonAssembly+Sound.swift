import API
import Alarms
import RequestHandlers
import SoundProtocol
import Speaker

extension DaemonAssembly {
  /// The functions that the request handler calls to speak, to test the sound devices, to read
  /// recordings and to play the reward.
  func soundActions(_ speaker: SpeakerSupervisor) -> SoundActions {
    let (speechPrefetch, speakerTests, tones) = (speechPrefetch, speakerTests, tones)
    return SoundActions(
      speak: { words in
        do {
          try await speechPrefetch.speak(words)
          return nil
        } catch {
          return "\(error)"
        }
      },
      testRing: { sha256, trial in
        let sound: SoundSegment =
          if let sha256 {
            .recording(paths: [tones.placeOf(sha256: sha256)], otherwise: .normal)
          } else {
            .builtin(.normal)
          }
        let heard = await speakerTests.play(
          [.builtin(.chime), .silence(milliseconds: 500), sound], on: speaker, device: trial.device,
          levelPercent: trial.percent)
        return TestRing(
          device: heard.device, milliseconds: heard.framesPlayed / 48,
          isStopped: heard.isStopped, level: heard.level.map(SoundLevel.init),
          trouble: heard.trouble)
      },
      check: { languages in
        await speakerTests.check(on: speaker)
        await speechPrefetch.tryVoices(of: languages)
      },
      recording: { tones.bytes(sha256: $0) },
      isRewarding: settings.reward,
      reward: { Task { await speakerTests.play([.builtin(.reward)], on: speaker) } })
  }
}
