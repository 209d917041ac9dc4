import Alarms
import Engine
import Images
import Logging
import Platform
import ServiceLifecycle
import Speaker

/// Deletes unused files at each start and once a day. The files are recordings, pictures and stored
/// speech.
///
/// A file can be unused for two reasons. First, the daemon writes a file before it writes the row
/// about the file. If the daemon crashes between these two writes, no row refers to the file.
/// Second, if a caretaker replaces a recording while a ring plays this recording, the daemon does
/// not delete the old file at once.
struct UnusedFileRemoval: Service {
  let engine: EngineActor
  let tones: ToneStore
  let pictures: ImageStore
  let speechPrefetch: SpeechPrefetch
  let logger: Logger
  /// Returns the words that future rings will speak. The removal keeps the stored speech of these
  /// words.
  let wantedWords: @Sendable (HomeState) -> Set<SpokenWords>
  /// Returns true if the record is not damaged and was not recovered from a damaged file.
  ///
  /// After damage or a recovery, rows about files that the home still uses can be missing.
  /// Therefore, the daemon then removes no file.
  let isRecordWhole: @Sendable () -> Bool

  /// The time between two removals of unused files, in milliseconds.
  private static let pause = 86_400_000
  /// The minimum time for which the daemon keeps new speech files, in seconds. The daemon produces
  /// the speech before it saves the alarm. Until the daemon has saved the alarm, no alarm uses the
  /// file.
  private static let spokenStaySeconds = 3_600

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat { await removeUnusedFiles() } while await hasSlept(milliseconds: Self.pause)
    }
  }

  /// Deletes the unused files.
  ///
  /// The engine processes no input between the check and the end of the deletion. Therefore, no
  /// code can add or remove the row of a file during the deletion. The store protects each file
  /// that is being stored.
  private func removeUnusedFiles() async {
    guard isRecordWhole() else { return }
    let result = await engine.read { home, isWritable -> Result<Int, any Error> in
      // If the record is not writable, the events in the backlog are not in the record yet. These
      // events can refer to files, so delete no file.
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
