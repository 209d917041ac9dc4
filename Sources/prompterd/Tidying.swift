import Alarms
import Engine
import Images
import Logging
import Platform
import ServiceLifecycle
import Speaker

/// Deletes files that nothing needs, at each start and once a day: recordings, pictures and spoken words.
///
/// A crash between a file and its row leaves a file without a row, and so does a ring that still needed a
/// recording when another one took its place.
struct Tidying: Service {
  let engine: EngineActor
  let tones: ToneStore
  let pictures: ImageStore
  let narration: SpeechPrefetch
  let logger: Logger
  /// Whether nothing is wrong with the record. A damaged one, or one that was recovered from a copy, may not
  /// know every file that is ours; then all of them stay.
  let isRecordWhole: @Sendable () -> Bool

  /// In milliseconds.
  private static let pause = 86_400_000
  /// Words are spoken before the alarm that says them is set. In seconds.
  private static let spokenStaySeconds = 3_600

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat { await tidy() } while await hasSlept(milliseconds: Self.pause)
    }
  }

  /// Deletes what nothing needs. Nothing happens to the home meanwhile, so that no file loses or gains its
  /// row between the look and the deletion; what is being stored is held.
  private func tidy() async {
    guard isRecordWhole() else { return }
    let result = await engine.read { home, isWritable -> Result<Int, any Error> in
      // What waits to be written is not in the record yet.
      guard isWritable else { return .success(0) }
      return Result {
        let needed = home.neededRecordings
        let recordings = try tones.deleteAll { !needed.contains($0) }
        return try recordings + pictures.sweep(keeping: Set(home.pictures.keys))
      }
    }
    do {
      let deleted = try result.get()
      if deleted > 0 { logger.info("\(deleted) files that nothing needed were deleted") }
      let words = await engine.read { home, _ in home.unrecordedWords }
      try narration.forgetAll(but: words, olderThan: Self.spokenStaySeconds)
    } catch {
      logger.warning("cannot delete files that nothing needs: \(error)")
    }
  }
}
