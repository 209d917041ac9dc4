import FoundationEssentials
@preconcurrency import Glibc
import Synchronization

/// Sets a card's level for the length of a ring and puts it back, also after a crash: what was found
/// is in a file before anything is changed, and the next player starts by restoring from it.
final class MixerKeeper: Sendable {
  private struct Found: Codable {
    var control: String
    var elements: [MixerElement]
  }

  private let directory: String
  private let percent: Int
  private let isRestoring = Atomic(false)
  private var file: String { directory + "/mixer.json" }

  /// - Parameters:
  ///   - directory: where the file is kept; it must exist.
  ///   - percent: of each control's range, 0 … 100.
  init(directory: String, percent: Int) {
    self.directory = directory
    self.percent = max(0, min(100, percent))
  }

  /// Restores what a player before us left, on a thread of its own: the mixer that hung that player
  /// may hang again, and no ring shall wait for it.
  func restoreFromCrash() {
    guard access(file, F_OK) == 0 else { return }
    isRestoring.store(true, ordering: .releasing)
    var thread = pthread_t()
    let keeper = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        // Non-null: it is the keeper passed below.
        let keeper = Unmanaged<MixerKeeper>.fromOpaque(argument!).takeRetainedValue()
        keeper.restore()
        keeper.isRestoring.store(false, ordering: .releasing)
        return nil
      }, keeper.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      keeper.release()
      isRestoring.store(false, ordering: .releasing)
      complain("cannot restore the mixer now: \(String(cString: strerror(code)))")
    }
  }

  /// Unmutes and sets the level of the card that this device plays on, if it has a mixer.
  func raise(forDevice name: String) {
    guard isFree() else {
      return complain("the mixer is not set: an earlier restore hangs")
    }
    restore()
    let control = Mixer.control(ofDevice: name)
    guard let mixer = Mixer(control: control) else { return }
    let found = mixer.read()
    guard !found.isEmpty else { return }
    // Twice: a crash between the two finds at least what was there. Without any file, no change.
    guard save(Found(control: control, elements: found)) else { return }
    let set = mixer.set(percent: percent, on: found)
    _ = save(Found(control: control, elements: set))
    if set.contains(where: \.wasMutedOrMoved) {
      complain("\(control): \(set.map(\.summary).joined(separator: ", "))")
    }
  }

  /// Puts back what the file says, and forgets it.
  func restore() {
    guard access(file, F_OK) == 0 else { return }
    do {
      let found = try JSONDecoder().decode(
        Found.self, from: Data(contentsOf: URL(filePath: file)))
      Mixer(control: found.control)?.restore(found.elements)
    } catch {
      complain("cannot restore the mixer from \(file): \(error)")
    }
    if unlink(file) != 0 {
      complain("cannot remove \(file): \(String(cString: strerror(errno)))")
    }
  }

  /// Gives the restore from a crash its time before the program ends.
  func finishRestoring() { _ = isFree() }

  /// Waits a little for the restore from a crash.
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
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        complain("cannot write \(temporary): \(String(cString: strerror(errno)))")
        return false
      }
      // No fsync: after a power cut the card starts from its own stored state anyway.
      let isWritten = writeAll(descriptor, bytes)
      guard close(descriptor) == 0, isWritten, rename(temporary, file) == 0 else {
        complain("cannot write \(file): \(String(cString: strerror(errno)))")
        return false
      }
      return true
    } catch {
      complain("cannot save the mixer: \(error)")
      return false
    }
  }
}

extension MixerElement {
  fileprivate var wasMutedOrMoved: Bool {
    channels.contains { $0.foundVolume != $0.setVolume || $0.foundSwitch != $0.setSwitch }
  }

  /// "Master 12 → 80, unmuted"
  fileprivate var summary: String {
    guard let first = channels.first else { return name }
    var text = name
    if let found = first.foundVolume, let set = first.setVolume { text += " \(found) → \(set)" }
    if first.foundSwitch == 0, first.setSwitch == 1 { text += ", unmuted" }
    return text
  }
}
