import ArchiveProtocol
import JSONValue
import MessageDigest
import TestRandom
import Testing

struct BatchReaderTests {
  private let chain = Chain().adding(4).sealing { $0 == 3 }

  private func failure(_ body: String) -> BatchReader.Failure? {
    do throws(BatchReader.Failure) {
      _ = try BatchReader.rows(Array(body.utf8))
      return nil
    } catch {
      return error
    }
  }

  private func text(_ rows: [ArchiveRow]) -> String {
    String(decoding: BatchReader.body(rows), as: UTF8.self)
  }

  @Test func `rows travel unchanged`() throws {
    #expect(try BatchReader.rows(BatchReader.body(chain.rows)) == chain.rows)
    #expect(try BatchReader.rows([]) == [])
  }

  @Test func `a row of the log gets the payload that was hashed`() throws {
    guard case .plain(let first) = chain.rows[0] else { preconditionFailure() }
    var listed = first.json
    listed.set("payload", .object([("history", .string("a")), ("é", .string("\n"))]))
    let row = try PlainRow(listed: listed)
    #expect(row == first)
    #expect(row.computedHash(digest: SHA256Digest.hex) == first.hash)
  }

  @Test func `the encoding is the one of the documentation`() {
    let cells: [RowCell] = [.integer(1204), .null, .text("patient"), .integer(-3), .text("é")]
    let bytes = RowEncoding.bytes(cells[...])
    #expect(String(decoding: bytes, as: UTF8.self) == "4:1204;-;7:patient;2:-3;2:é;")
  }

  @Test func `each column must be in its place and have its type`() throws {
    guard case .plain(let first) = chain.rows[0], case .members(let members) = first.json else {
      preconditionFailure()
    }
    for (index, column) in RowColumn.all.enumerated() {
      func read(_ change: (inout [JSON.Member]) -> Void) -> BatchReader.Failure? {
        var changed = members
        change(&changed)
        return failure("\(JSON.members(changed))\n")
      }
      func expected(_ reason: RowError.Reason) -> BatchReader.Failure {
        .row(RowError(line: 1, member: column.name, reason: reason))
      }
      #expect(read { $0.remove(at: index) } == expected(.missing))
      #expect(read { $0[index].value = .bool(true) } == expected(.notCell))
      #expect(read { $0[index].value = .number(1.5) } == expected(.notCell))
      let null = read { $0[index].value = .null }
      #expect(null == (column.isOptional ? nil : expected(.null)))
      let text = read { $0[index].value = .string("a\0b") }
      switch column.kind {
      case .integer: #expect(text == expected(.notInteger))
      case .hash: #expect(text == expected(.notHash))
      case .text: #expect(text == expected(.nullCharacter))
      }
      if column.kind != .integer {
        #expect(read { $0[index].value = .integer(1) } == expected(.notText))
      }
    }
  }

  @Test func `members that a row must not have are refused by name`() {
    guard case .plain(let first) = chain.rows[0] else { preconditionFailure() }
    var document = first.json
    document.set("body", .string("words"))
    #expect(
      failure("\(document)\n") == .row(RowError(line: 1, member: "body", reason: .unknown)))
  }

  @Test(arguments: [
    ("\n", nil, RowError.Reason.notJSON), ("[]\n", nil, .notObject), ("{}", nil, .noLineEnd),
    ("{}\n", "seq", .missing), ("{\"seq\": 1}\n", nil, .notJSON),
    ("{\"seq\":1,\"seq\":2}\n", "seq", .notJSON),
  ])
  func `a line that is not a row is refused`(
    body: String, member: String?, reason: RowError.Reason
  ) {
    #expect(failure(body) == .row(RowError(line: 1, member: member, reason: reason)))
  }

  @Test func `an error names its line`() {
    let refusal = failure(text(chain.rows) + "{}\n")
    #expect(refusal == .row(RowError(line: 5, member: "seq", reason: .missing)))
    guard case .row(let error) = refusal else { return }
    #expect(
      "\(error)" == "cannot read line 5: the member \"seq\" is missing, or is not in its place")
  }

  @Test func `a sealed row must have a number and two hashes`() {
    let good = text([chain.rows[2]])
    #expect(failure(good) == nil)
    for (old, new, member, reason) in [
      ("\"seq\":3", "\"seq\":0", "seq", RowError.Reason.notPositive),
      ("\"seq\":3", "\"seq\":\"3\"", "seq", .notInteger),
      (chain.rows[2].hash, "aa", "hash", .notHash),
      (chain.rows[1].hash, chain.rows[1].hash.uppercased() + "A", "prev_hash", .notHash),
    ] {
      #expect(
        failure(good.replacing(old, with: new))
          == .row(RowError(line: 1, member: member, reason: reason)))
    }
  }

  @Test func `a batch has at most 1,000 rows and 1 MiB`() throws {
    let sealed = text([chain.rows[2]])
    let most = String(repeating: sealed, count: ArchiveLimits.rows)
    #expect(try BatchReader.rows(Array(most.utf8)).count == ArchiveLimits.rows)
    #expect(failure(most + sealed) == .tooManyRows)
    #expect(failure(String(repeating: " ", count: ArchiveLimits.bytes + 1)) == .tooManyBytes)
  }

  /// Tests a batch that is cut off after each of its bytes, and 3,000 damaged batches. The reader
  /// must refuse a batch, or must return rows that it can write and read again.
  @Test func `damaged batches are refused or read`() {
    let body = text(chain.rows)
    var random = SeededGenerator(seed: 11)
    let cut = (0..<body.utf8.count).map { Array(body.utf8.prefix($0)) }
    let damaged = (0..<3_000).map { _ in random.damaged(body, inserting: "{}[]\":,\\u0e-1\n") }
    var read = 0
    for bytes in cut + damaged {
      guard let rows = try? BatchReader.rows(bytes) else { continue }
      read += 1
      #expect((try? BatchReader.rows(BatchReader.body(rows))) == rows)
    }
    #expect(read > 4)
  }
}
