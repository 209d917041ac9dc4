import Alarms
import Engine
import Images
import Logging
import Platform
import ServiceLifecycle
import Speaker

/// Deletes unused files at each start and once a day: recordings, pictures and spoken words.
///
/// A crash between writing a file and writing its row leaves a file without a row. A recording that
/// was replaced while a ring still needed it is also left over.
struct UnusedFileRemoval: Service {
  let engine: EngineActor
  let tones: ToneStore
  let pictures: ImageStore
  let speechPrefetch: SpeechPrefetch
  let logger: Logger
  /// Whether the record is undamaged.
  ///
  /// A damaged record, or a record that was recovered from the replica, may not know every file of
  /// the home. Then all files stay.
  let isRecordWhole: @Sendable () -> Bool

  /// Time between two runs, in milliseconds.
  private static let pause = 86_400_000
  /// Time for which new spoken words stay, in seconds: they are spoken before their alarm is saved.
  private static let spokenStaySeconds = 3_600

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat { await removeUnusedFiles() } while await hasSlept(milliseconds: Self.pause)
    }
  }

  /// Deletes the unused files.
  ///
  /// The engine processes no input during this, so no file loses or gains its row between the check
  /// and the deletion. Files that are being stored are protected by a hold.
  private func removeUnusedFiles() async {
    guard isRecordWhole() else { return }
    let result = await engine.read { home, isWritable -> Result<Int, any Error> in
      // Events in the backlog are not in the record yet.
      guard isWritable else { return .success(0) }
      return Result {
        let needed = home.neededRecordings
        let recordings = try tones.deleteAll { !needed.contains($0) }
        return try recordings + pictures.sweep(keeping: Set(home.pictures.keys))
      }
    }
    do {
      let deleted = try result.get()
      if deleted > 0 { logger.info("deleted \(deleted) unused files") }
      let words = await engine.read { home, _ in home.unrecordedWords }
      try speechPrefetch.forgetAll(but: words, olderThan: Self.spokenStaySeconds)
    } catch {
      logger.warning("cannot delete unused files: \(error)")
    }
  }
}
