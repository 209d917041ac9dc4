import Alarms
import RequestHandlers
import Synchronization

extension FakePorts {
  /// A speaker that plays every ring, and that cannot speak texts.
  package var sound: SoundActions {
    SoundActions(
      speak: { _ in "there is no voice" },
      testRing: { _, _ in
        TestRing(
          device: "card0", milliseconds: 1_000, isStopped: false,
          level: SoundLevel(foundPercent: 10, wasMuted: true, setPercent: 80), trouble: nil)
      },
      rehearse: { order, _ in
        self.state.withLock { $0.rehearsed.append(order) }
        return TestRing(
          device: "card0", milliseconds: 2_000, isStopped: false, level: nil, trouble: nil)
      }, check: { _ in }, recording: { sha256 in self.state.withLock { $0.recordings[sha256] } },
      isRewarding: true, reward: { self.state.withLock { $0.rewards += 1 } })
  }

  /// A picture decoder that returns each upload unchanged.
  package var pictures: ImageActions {
    ImageActions(
      store: { upload, admit throws(Refusal) in
        if upload.isEmpty { throw Refusal(.badImage, "it is empty") }
        let name = String(repeating: "a", count: 62) + String(upload.count + 10)
        let picture = Picture(
          sha256: name, mediaType: "image/jpeg", width: 4, height: 3, bytes: upload.count)
        try await admit(picture)
        self.state.withLock { $0.pictures[name] = upload }
        return picture
      }, settle: { _ in },
      bytes: { picture, _ in self.state.withLock { $0.pictures[picture.sha256] } },
      erase: { picture in self.state.withLock { $0.pictures[picture.sha256] = nil } })
  }

  /// A sound decoder that returns each upload unchanged. A recording with n bytes has a length of n
  /// milliseconds.
  package var recordings: RecordingActions {
    RecordingActions(
      store: { name, upload, admit throws(Refusal) in
        if upload.isEmpty { throw Refusal(.badTone, "it is empty") }
        let tone = Tone(
          name: name, sha256: String(decoding: upload, as: UTF8.self),
          durationMilliseconds: upload.count, loudnessLUFS: -16)
        try await admit(tone)
        self.state.withLock { $0.recordings[tone.sha256] = upload }
        return tone
      }, settle: { _ in },
      drop: { sha256 in self.state.withLock { $0.recordings[sha256] = nil } })
  }
}
