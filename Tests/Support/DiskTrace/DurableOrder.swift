extension DiskTrace {
  /// The steps at which a power failure can lose a file. At such a step, both the old and the new
  /// version of the file can be lost.
  ///
  /// A disk can change the order of two operations, unless an `fsync` is between them. All earlier
  /// operations must therefore be on the disk before an operation removes or replaces a file. After
  /// the last operation, all operations must be on the disk. There are two exceptions. First, a
  /// power failure may undo the removal of a file, but only until the next file is replaced.
  /// Second, a power failure may lose a new file that is removed again.
  public var unsafeSteps: [String] {
    var disk = Disk(known: existing)
    for call in calls { disk.apply(call) }
    let left = disk.pending(exceptRemovals: true)
    if !left.isEmpty { disk.found.append("the end, before fsync of \(left)") }
    return disk.found
  }

  /// The paths of the `fsync` calls that are not needed for safety.
  ///
  /// A test expects that this list is empty. Then each `fsync` call is needed, and the test fails
  /// if somebody removes an `fsync` call.
  public var unneededSyncs: [String] {
    calls.indices.compactMap { index in
      guard case .sync(let path) = calls[index] else { return nil }
      var rest = self
      rest.calls.remove(at: index)
      return rest.unsafeSteps == unsafeSteps ? path : nil
    }
  }
}

/// The operations that a power failure can still undo.
private struct Disk {
  /// All files and directories that exist at this step.
  var known: Set<String>
  var found: [String] = []
  private var unsyncedFiles: Set<String> = []
  /// For each directory, the files with a new name and the removed files.
  private var added: [String: Set<String>] = [:]
  private var removed: [String: Set<String>] = [:]

  init(known: Set<String>) { self.known = known }

  mutating func apply(_ call: DiskTrace.Call) {
    switch call {
    case .create(let path): add(path)
    case .write(let path):
      if !known.contains(path) { add(path) }
      unsyncedFiles.insert(path)
    case .sync(let path):
      unsyncedFiles.remove(path)
      added[path] = nil
      removed[path] = nil
    case .link(_, let path): add(path)
    case .rename(let from, let to):
      // A power failure may undo the old name of the file. It must not undo the new name.
      forget(from)
      let isWritten = unsyncedFiles.remove(from) != nil
      let left = pending(exceptRemovals: false) + (isWritten ? [from] : [])
      if !left.isEmpty { found.append("rename to \(to), before fsync of \(left)") }
      add(to)
    case .unlink(let path):
      let isDurable = known.contains(path) && !(added[folder(path)]?.contains(path) ?? false)
      unsyncedFiles.remove(path)
      forget(path)
      guard isDurable else { return }
      let left = pending(exceptRemovals: true)
      if !left.isEmpty { found.append("unlink of \(path), before fsync of \(left)") }
      removed[folder(path), default: []].insert(path)
    }
  }

  /// Returns the files and directories that still need an `fsync`.
  func pending(exceptRemovals: Bool) -> [String] {
    let changed = Set(added.keys).union(exceptRemovals ? [] : Set(removed.keys))
    return (unsyncedFiles.union(changed)).sorted()
  }

  private mutating func add(_ path: String) {
    known.insert(path)
    added[folder(path), default: []].insert(path)
  }

  private mutating func forget(_ path: String) {
    known.remove(path)
    added[folder(path)]?.remove(path)
    if added[folder(path)]?.isEmpty ?? false { added[folder(path)] = nil }
  }

  private func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
