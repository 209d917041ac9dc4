import Alarms
import Engine
import Images
import Logging
import Platform
import ServiceLifecycle
import Speaker

/// Deletes unused files at each start and once a day. The files are recordings, pictures and spoken
/// words.
///
/// A crash between the write of a file and the write of its row leaves a file without a row. If a
/// caretaker replaces a recording while a ring plays this recording, the file of the old recording
/// also remains on the disk.
struct UnusedFileRemoval: Service {
  let engine: EngineActor
  let tones: ToneStore
  let pictures: ImageStore
  let speechPrefetch: SpeechPrefetch
  let logger: Logger
  /// The words whose stored speech is needed for future rings.
  let wantedWords: @Sendable (HomeState) -> Set<SpokenWords>
  /// True if the record is undamaged.
  ///
  /// If the record is damaged or was recovered from the replica, rows about files that the home
  /// uses can be missing. Therefore, after damage or a recovery the daemon removes no file.
  let isRecordWhole: @Sendable () -> Bool

  /// The time between two runs, in milliseconds.
  private static let pause = 86_400_000
  /// The minimum time for which the daemon keeps new speech files, in seconds. The daemon produces
  /// the speech before it saves the alarm. Until then, no alarm uses the file.
  private static let spokenStaySeconds = 3_600

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat { await removeUnusedFiles() } while await hasSlept(milliseconds: Self.pause)
    }
  }

  /// Deletes the unused files.
  ///
  /// The engine processes no input between the check and the end of the deletion. Therefore no
  /// other code can add or remove the row of a file during the deletion. The store protects each
  /// file that is being stored.
  private func removeUnusedFiles() async {
    guard isRecordWhole() else { return }
    let result = await engine.read { home, isWritable -> Result<Int, any Error> in
      // The record does not contain the events in the backlog yet.
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
      let words = await engine.read { home, _ in wantedWords(home) }
      try speechPrefetch.forgetAll(but: words, olderThan: Self.spokenStaySeconds)
    } catch {
      logger.warning("cannot delete unused files: \(error)")
    }
  }
}
