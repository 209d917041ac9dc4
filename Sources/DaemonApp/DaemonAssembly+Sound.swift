import API
import Alarms
import RequestHandlers
import SoundProtocol
import Speaker

extension DaemonAssembly {
  /// Returns the sound of a ring. The voices of the sound are the recordings and the stored speech.
  /// The preferred voice is the first.
  static func sound(
    of order: PlayOrder, _ tones: ToneStore, _ speech: SpeechPrefetch
  ) -> RingSound {
    func voices(_ recordings: [String], _ words: SpokenWords?) -> [String] {
      let spoken = words.flatMap { speech.path($0) }
      if spoken == nil, recordings.isEmpty, let words { speech.prepare(words) }
      return recordings.map(tones.placeOf) + (spoken.map { [$0] } ?? [])
    }
    return RingSound(
      order, voices: voices(order.tones, order.words),
      lead: order.lead.flatMap { speech.path($0) },
      others: order.others.map { voices($0.tones, $0.words) })
  }

  /// Returns the functions that the request handler calls to speak, to test the sound devices, to
  /// read recordings and to play the reward.
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
        return TestRing(heard)
      },
      rehearse: { order, trial in
        let sound = Self.sound(of: order, tones, speechPrefetch)
        let heard = await speakerTests.play(
          sound.segments, on: speaker, device: trial.device, levelPercent: trial.percent,
          gainDecibels: sound.gainDecibels, fadeInMilliseconds: sound.fadeInMilliseconds)
        return TestRing(heard)
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

extension TestRing {
  /// Converts the result of a speaker test.
  fileprivate init(_ heard: SpeakerTest) {
    self.init(
      device: heard.device, milliseconds: heard.framesPlayed / 48, isStopped: heard.isStopped,
      level: heard.level.map(SoundLevel.init), trouble: heard.trouble)
  }
}
