import API
import Alarms
import CivilTime
import Engine
import Synchronization

// What one prompt takes again and again: each time is a row of the record, so each has an end. What ends a
// ring, such as "done", is never refused for that.
extension RequestHandler {
  /// How often one prompt takes "on my way", and how often its answers are taken back.
  static let mostRepeats = 20

  /// Refuses what was done to a prompt so often already.
  ///
  /// - Parameter type: of the event that each time made.
  func refuseRepeated(_ id: PromptID, _ type: String) async throws {
    let count = try archive.story(id).count { $0.event.type == type }
    guard count >= Self.mostRepeats else { return }
    throw Refusal(
      .limit,
      type == "correction"
        ? "cannot undo: answers to this prompt were taken back \(Self.mostRepeats) times, which is the "
          + "limit; answer it once more, or ask a caretaker"
        : "cannot acknowledge: this prompt was acknowledged \(Self.mostRepeats) times, which is the "
          + "limit; complete, delay or decline it")
  }

  func refuseRepeatedUndo(_ id: PromptID?, _ request: APIRequest) async throws {
    let now = ports.now().wall
    let only = request.only
    let named = await engine.read { home, _ in id ?? home.undoable(at: now, of: only)?.id }
    if let named { try await refuseRepeated(named, "correction") }
  }

  /// Refuses a photo that is not the sender's to show: one that another person's client uploaded, or that
  /// shows a task of another person. It answers as for a picture that does not exist.
  func requireOwn(_ photo: String, of id: PromptID?, _ request: APIRequest) async throws {
    guard request.only != nil else { return }
    let picture = await engine.read { home, _ in home.pictures[photo] }
    guard let picture, try await maySee(picture, request) else {
      throw Picture.unknown(field: "photo", photo)
    }
  }
}

/// How often a user may ask for what writes a row of the record each time.
final class Rate: Sendable {
  private let most: Int
  private let windowNanoseconds: Int64
  private let asked: Mutex<[String: [Int64]]> = Mutex([:])

  /// - Parameters:
  ///   - most: so often in each window.
  ///   - windowSeconds: how long a window is.
  init(most: Int, windowSeconds: Int64) {
    self.most = most
    windowNanoseconds = windowSeconds * 1_000_000_000
  }

  /// Counts a request.
  ///
  /// - Parameter bootNanoseconds: now, by the boot clock.
  /// - Returns: false if the user asked too often already.
  func takes(_ user: String, at bootNanoseconds: Int64) -> Bool {
    asked.withLock { asked in
      let since = bootNanoseconds - windowNanoseconds
      asked = asked.compactMapValues { times in
        let recent = times.filter { $0 > since }
        return recent.isEmpty ? nil : recent
      }
      guard asked[user, default: []].count < most else { return false }
      asked[user, default: []].append(bootNanoseconds)
      return true
    }
  }
}
