import ArchiveProtocol
import CivilTime
import StudyExport
import Testing

@testable import StudyArchive

/// Tests that the participants of a home come from its present record. This must also be true after
/// forks.
@Suite struct `The participants of a home` {
  private func stream(
    _ number: Int, _ rows: ClosedRange<Int64>?, home: String = "h", parent: Int? = nil,
    fork: Int64? = nil
  ) -> ArchivedStream {
    func head(_ sequence: Int64) -> ArchiveHead {
      ArchiveHead(sequence: sequence, hash: ArchiveHead.genesis.hash)
    }
    return ArchivedStream(
      number: "\(number)", stream: "s-\(number)", home: home, study: "S", site: "A",
      parent: parent.map { "s-\($0)" }, parentSequence: fork, successor: nil,
      start: head((rows?.lowerBound ?? 1) - 1), head: rows.map { head($0.upperBound) })
  }

  /// Returns one character for each of the rows 1 to 9: the number of the stream from which the
  /// present record takes this row, or `-` if no stream contains the row.
  private func drawn(_ streams: [ArchivedStream]) -> String {
    let present = PresentRecord(streams)
    return (1...9).map { sequence in
      let found = streams.filter { stream in
        guard let head = stream.head, stream.start.sequence < sequence, sequence <= head.sequence
        else { return false }
        return present.contains(Int64(sequence), of: stream)
      }
      return found.isEmpty ? "-" : found.map(\.number).joined()
    }.joined()
  }

  @Test func `after a fork, the newer stream and the rows before it count`() {
    #expect(drawn([stream(1, 1...9)]) == "111111111")
    // After the fork, the home sent its whole record again.
    #expect(drawn([stream(1, 1...9), stream(2, 1...8, parent: 1, fork: 4)]) == "22222222-")
    // Before the fork, the home had purged the rows up to row 3.
    #expect(drawn([stream(1, 1...9), stream(2, 4...8, parent: 1, fork: 4)]) == "11122222-")
    // The home has not yet sent all rows again.
    #expect(drawn([stream(1, 1...9), stream(2, 1...2, parent: 1, fork: 4)]) == "2211-----")
    #expect(drawn([stream(1, 1...9), stream(2, nil, parent: 1, fork: 4)]) == "1111-----")
    // There are two forks. The second fork is at row 5, and the first fork is at row 6.
    let forks = [
      stream(1, 1...9), stream(2, 3...8, parent: 1, fork: 6), stream(3, 5...7, parent: 2, fork: 5),
    ]
    #expect(drawn(forks) == "1122333--")
    // The archive does not know the row at which stream 2 leaves stream 1.
    #expect(drawn([stream(1, 1...9), stream(2, 4...8, parent: 1)]) == "---22222-")
  }

  @Test func `a home that enrolled again keeps its record until it sends it again`() {
    #expect(drawn([stream(1, 1...5), stream(2, nil)]) == "11111----")
    #expect(drawn([stream(1, 1...5), stream(2, 1...3)]) == "222------")
    #expect(drawn([stream(1, 1...5), stream(2, 1...3, home: "other")]) == "12121211----")
    let streams = [stream(1, 3...5), stream(2, 7...8, parent: 1, fork: 4)]
    #expect(PresentRecord(streams).start(of: "h") == 2)
    #expect(PresentRecord(streams).start(of: "x") == nil)
  }

  private func values(
    _ sequence: Int64, _ type: String, _ payload: String, person: String? = "P-1", wall: Int64 = 0,
    isSealed: Bool = false
  ) -> [String?] {
    var values = [String?](repeating: nil, count: RowColumn.all.count + 1)
    func set(_ name: String, _ value: String?) {
      values[RowColumn.all.firstIndex { $0.name == name } ?? 0] = value
    }
    set("seq", "\(sequence)")
    set("type", type)
    set("study_id", "one")
    set("person", person)
    set("device", "D-\(sequence)")
    set("wall_utc_ms", "\(wall)")
    set("tz_name", "Etc/UTC")
    set("utc_offset_s", "0")
    set("payload", payload)
    values[values.count - 1] = isSealed ? "t" : "f"
    return values
  }

  private let enrolled = #"{"person":"P-1","study":"one","arm":"AB","from_ms":0,"to_ms":null}"#

  @Test func `the rows of a home give its tables`() throws {
    let only = stream(1, 1...9)
    var collector = HomeCollector([only])
    let phases =
      #"{"person":"P-1","phases":[{"kind":"prompted","from_ms":0,"to_ms":null}]}"#
    collector.take(values(4, "phase_changed", phases), of: only)
    collector.take(values(2, "enrolled", enrolled), of: only)
    collector.take(values(3, "enrolled", enrolled, isSealed: true), of: only)
    collector.take(values(5, "gap", #"{"from_ms":1000,"to_ms":3000}"#, person: nil), of: only)
    collector.take(values(8, "heartbeat", "{}", person: nil, wall: 9_000), of: only)
    collector.take(values(7, "heartbeat", "{}", person: nil, wall: 99_000), of: only)
    let home = try #require(collector.homes.first)
    #expect(collector.homes.count == 1 && collector.unreadable.isEmpty)
    #expect(home.device == "D-2")
    #expect(home.tables.participants.map(\.person) == ["P-1"])
    #expect(home.tables.phases.map(\.row.sequence) == [4])
    #expect(home.monitored.milliseconds(from: 0, to: nil) == 7_000)
  }

  @Test func `a purge is a gap only if the archive has no row of it`() throws {
    func monitored(_ rows: ClosedRange<Int64>) throws -> Int64 {
      let only = stream(1, rows)
      var collector = HomeCollector([only])
      let purge = """
        {"through_seq":3,"through_ms":4000,"first_ms":1000,"first_offset_s":0,"closed_before_ms":null,\
        "kept":1,"kept_digest":"x","archive_sha256":"y"}
        """
      collector.take(values(8, "purged", purge, person: nil, wall: 10_000), of: only)
      #expect(collector.unreadable.isEmpty)
      return try #require(collector.homes.first).monitored.milliseconds(from: 0, to: nil)
    }
    #expect(try monitored(1...9) == 10_000)
    #expect(try monitored(3...9) == 10_000)
    #expect(try monitored(4...9) == 7_000)
  }

  @Test func `a row that cannot be read changes no other row`() throws {
    let only = stream(1, 1...9)
    for (type, payload) in [
      ("enrolled", #"{"person":"P-1"}"#), ("enrolled", "x"), ("withdrawn", "{}"), ("purged", "{}"),
      ("gap", "["), ("person_changed", ""),
      ("enrolled", enrolled.replacing("\"from_ms\":0", with: "\"from_ms\":\(Int64.max)")),
      (
        "phase_changed",
        #"{"person":"P-1","phases":[{"kind":"prompted","from_ms":1,"to_ms":-99999999999999999}]}"#
      ),
    ] {
      var collector = HomeCollector([only])
      collector.take(values(2, "enrolled", enrolled), of: only)
      collector.take(values(5, type, payload), of: only)
      collector.take(values(6, type, payload), of: only)
      #expect(collector.unreadableRows == ["s-1": 2], "\(type) \(payload)")
      #expect(collector.unreadable.count == 1)
      #expect(
        collector.unreadable.first?.hasPrefix("h (A), row 5: cannot read") == true,
        "\(collector.unreadable)")
      #expect(collector.homes.first?.tables.participants.count == 1)
    }
    var far = HomeCollector([only])
    far.take(values(5, "withdrawn", #"{"person":"P-1"}"#, wall: .max), of: only)
    far.take(
      values(6, "gap", #"{"from_ms":-9223372036854775808,"to_ms":9223372036854775807}"#), of: only)
    #expect(far.unreadableRows == ["s-1": 1])
    #expect(far.homes.first?.monitored.milliseconds(from: 0, to: nil) == 0)
  }
}
