import Alarms
import Daemon

extension Edges {
  /// A speaker that plays everything and a voice that is not there.
  var sound: SoundDesk {
    SoundDesk(
      speak: { _ in "there is no voice" },
      testRing: { _, _ in
        TestRing(
          device: "paper", milliseconds: 1_000, isStopped: false,
          level: SoundLevel(foundPercent: 10, wasMuted: true, setPercent: 80), trouble: nil)
      }, check: {}, recording: { _ in nil })
  }
}
