import Alarms
import Glibc
import Logbook
import Testing

@testable import Simulation

/// The record on a real disk, behind the same door as the one in memory.
final class DiskRecord: RecordStore {
  let logbook: Logbook
  private let directory: String

  init() throws {
    var template = Array("/tmp/simulation-XXXXXX".utf8CString)
    directory = String(cString: try #require(mkdtemp(&template)))
    logbook = try Logbook(directory: directory)
  }

  deinit {
    for name in ["record.sqlite", "record.sqlite-wal", "record.sqlite-shm"] {
      unlink("\(directory)/\(name)")
    }
    rmdir(directory)
  }

  func record(_ records: [Record], _ changes: HomeChanges) throws {
    try logbook.record(records, changes)
  }

  func restore() throws -> HomeSnapshot { try logbook.restore() }
}

@Suite struct DiskTests {
  @Test(arguments: 1...3)
  func `on the real record no promise is broken, and its chain holds`(seed: Int) throws {
    let store = try DiskRecord()
    let campaign = try home(years: 0.04)
    let result = campaign.run(seed: UInt64(seed), store: store)
    #expect(result.violation == nil)
    let proof = try store.logbook.verify()
    #expect(proof.isOK, "\(proof.problem ?? "")")
    #expect(proof.events == Int64(result.facts))
  }
}
