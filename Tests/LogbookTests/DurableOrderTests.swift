import DiskTrace
import FileSystem
import Glibc
import Testing

@testable import Logbook

@Suite struct `The order in which a new record reaches the disk` {
  let directory = TemporaryDirectory()
  private var companions: [String] { RecordBackup.companions.map { directory.record + $0 } }

  init() {
    for path in [directory.record] + companions { writeFile([1, 2, 3], to: path) }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    try writeAll(bytes[...], to: file)
  }

  @Test func `is safe if the power fails during a replacement`() throws {
    let trace = try DiskTrace(of: directory.path) {
      let replacement = try AtomicReplace(of: directory.path)
      try write([4, 5, 6], to: "\(replacement.workDirectory)/record.sqlite")
      try replacement.commit(aside: "old")
    }
    #expect(trace.unsafeSteps == [])
    #expect(trace.unneededSyncs == [])
    #expect(TemporaryDirectory.list(directory.path) == ["old", "record.sqlite"])
    // An empty trace would also pass the checks above. Therefore, the test looks for calls of the
    // replacement in the trace.
    for companion in companions { #expect(trace.calls.contains(.unlink(companion))) }
    let work = "\(directory.path)/replacing"
    #expect(trace.calls.contains(.rename("\(work)/promise.new", "\(work)/promise")))
    #expect(trace.calls.contains(.rename("\(work)/record.sqlite", directory.record)))
  }

  @Test func `is safe if the power fails again while a replacement is completed`() throws {
    struct Interrupted: Error {}
    for last in ["unlink -wal", "unlink -shm", "rename", "clear"] {
      let replacement = try AtomicReplace(of: directory.path)
      try write([4, 5, 6], to: "\(replacement.workDirectory)/record.sqlite")
      for path in companions { writeFile([1, 2, 3], to: path) }
      #expect(throws: Interrupted.self) {
        try replacement.commit(aside: "old") { if $0 == last { throw Interrupted() } }
      }
      let trace = try DiskTrace(of: directory.path) { try AtomicReplace.resume(directory.path) }
      #expect(trace.unsafeSteps == [], "\(last)")
      #expect(TemporaryDirectory.list(directory.path) == ["old", "record.sqlite"])
    }
  }
}
