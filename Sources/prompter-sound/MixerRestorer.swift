import FoundationEssentials
@preconcurrency import Glibc
import Sandbox
import SoundProtocol
import Synchronization

/// Sets the level of a sound card for a ring, and restores the previous level after the ring.
///
/// Before the player changes a sound card, it writes the present volumes and mute switches of the
/// card to a file. If the player crashes during a ring, the next player restores these values when
/// it starts.
final class MixerRestorer: Sendable {
  private struct Found: Codable {
    var control: String
    var elements: [MixerElement]
  }

  private let directory: String
  private let isRestoring = Atomic(false)
  private var file: String { directory + "/mixer.json" }

  /// - Parameter directory: the directory of the file with the saved levels of the sound card. The
  ///   directory must exist.
  init(directory: String) { self.directory = directory }

  /// If the previous player crashed during a ring, restores the levels that the sound card had
  /// before this ring. The previous player saved these levels in the file.
  ///
  /// A separate thread restores the levels, because the mixer can hang, and a ring must not wait
  /// for the mixer.
  func restoreFromCrash() {
    guard access(file, F_OK) == 0 else { return }
    isRestoring.store(true, ordering: .releasing)
    var thread = pthread_t()
    let keeper = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        // The argument is never nil, because `pthread_create` passes the pointer
        // `keeper.toOpaque()` to this closure.
        let keeper = Unmanaged<MixerRestorer>.fromOpaque(argument!).takeRetainedValue()
        keeper.restore()
        keeper.isRestoring.store(false, ordering: .releasing)
        return nil
      }, keeper.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      keeper.release()
      isRestoring.store(false, ordering: .releasing)
      printError("cannot restore the mixer now: \(String(cString: strerror(code)))")
    }
  }

  /// Unmutes the sound card of a sound device, and sets the level of the sound card.
  ///
  /// - Parameter percent: percent of the range of each control, 0 … 100.
  /// - Returns: nil if the card has no mixer, or if the thread of `restoreFromCrash` is still
  ///   restoring levels.
  func raise(forDevice name: String, percent: Int) -> CardLevel? {
    guard isFree() else {
      printError("cannot set the mixer: an earlier restore has not ended")
      return nil
    }
    restore()
    let control = Mixer.control(ofDevice: name)
    guard let mixer = Mixer(control: control) else { return nil }
    let found = mixer.read()
    guard !found.isEmpty else { return nil }
    let before = mixer.level()
    // Save the old values to the file before the change, so that the file contains them if the
    // player crashes after the change. Save the new values after the change. If the old values
    // cannot be saved, the function changes nothing.
    guard save(Found(control: control, elements: found)) else { return before }
    let set = mixer.set(percent: max(0, min(100, percent)), on: found)
    _ = save(Found(control: control, elements: set))
    return before.map {
      CardLevel(
        foundPercent: $0.foundPercent, wasMuted: $0.wasMuted,
        setPercent: mixer.level()?.foundPercent)
    }
  }

  /// Restores the levels that `file` contains, and deletes `file`. If `file` does not exist, the
  /// function does nothing.
  func restore() {
    guard access(file, F_OK) == 0 else { return }
    do {
      let found = try JSONDecoder().decode(
        Found.self, from: Data(contentsOf: URL(filePath: file)))
      Mixer(control: found.control)?.restore(found.elements)
    } catch {
      printError("cannot restore the mixer from \(file): \(error)")
    }
    if unlink(file) != 0 {
      printError("cannot remove \(file): \(String(cString: strerror(errno)))")
    }
  }

  /// Waits until the thread of `restoreFromCrash` has restored the levels, but at most 0.3 s. The
  /// player calls this function before it exits.
  func finishRestoring() { _ = isFree() }

  /// Waits until the thread of `restoreFromCrash` has restored the levels, but at most 0.3 s.
  /// Returns false if the thread is still restoring levels after this time.
  private func isFree() -> Bool {
    for _ in 0..<60 {
      if !isRestoring.load(ordering: .acquiring) { return true }
      usleep(5_000)
    }
    return false
  }

  private func save(_ found: Found) -> Bool {
    do {
      let bytes = [UInt8](try JSONEncoder().encode(found))
      let temporary = file + ".new"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        printError("cannot write \(temporary): \(String(cString: strerror(errno)))")
        return false
      }
      // The program does not sync the file to the disk. After a power failure, nobody needs the
      // file, because the sound card then starts with the settings that the system has stored for
      // it.
      let isWritten = writeAll(descriptor, bytes)
      guard close(descriptor) == 0, isWritten, rename(temporary, file) == 0 else {
        printError("cannot write \(file): \(String(cString: strerror(errno)))")
        return false
      }
      return true
    } catch {
      printError("cannot save the mixer: \(error)")
      return false
    }
  }
}
