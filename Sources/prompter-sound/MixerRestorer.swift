import FoundationEssentials
@preconcurrency import Glibc
import Sandbox
import SoundProtocol
import Synchronization

/// Sets the level of a sound card for a ring, and restores the earlier level after the ring.
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

  /// - Parameter directory: the directory for the file with the levels that the sound card had
  ///   before a ring. The directory must exist.
  init(directory: String) { self.directory = directory }

  /// If the previous player crashed during a ring, restores the levels that the sound card had
  /// before this ring. The previous player has written these levels to the file.
  ///
  /// A separate thread restores the levels, because the mixer can hang. A ring must not wait for
  /// the mixer.
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
  /// - Returns: nil if the card has no mixer, or if the thread of `restoreFromCrash` still
  ///   restores levels.
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
    // Before the change, save the earlier values to the file. After the change, also save the new
    // values. If the player crashes after the change, the file already contains the earlier
    // values. If the file cannot be written, the function changes nothing.
    guard save(Found(control: control, elements: found)) else { return before }
    let set = mixer.set(percent: max(0, min(100, percent)), on: found)
    _ = save(Found(control: control, elements: set))
    return before.map {
      CardLevel(
        foundPercent: $0.foundPercent, wasMuted: $0.wasMuted,
        setPercent: mixer.level()?.foundPercent)
    }
  }

  /// Restores the earlier levels of the sound card from `file`, and deletes this file. If the file
  /// does not exist, the function does nothing.
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

  /// If the thread of `restoreFromCrash` still restores levels, waits at most 0.3 s for this
  /// thread. The player calls this function before it exits.
  func finishRestoring() { _ = isFree() }

  /// If the thread of `restoreFromCrash` still restores levels, waits at most 0.3 s for this
  /// thread. Returns false if the thread still restores levels after this time.
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
      // The program does not sync the file to the disk. After a power failure, the file is useless,
      // because the sound card starts with its own stored state.
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
