import ClientKit
import EventCoding
import JSONValue
import MessageDigest

/// The archive file of `prompter log purge`. The file contains rows of a record. The format is in
/// docs/reference/LOG.md.
///
/// A user can verify the file without the record or any other file. The hash of each row covers the
/// columns of the row and the hash of the previous row. Each row also contains a digest of its
/// texts, so the user can verify the texts too.
struct ArchiveFile {
  /// The head code of the row before the first row of the file.
  let after: HeadCode
  /// The head code of the last row of the file.
  let through: HeadCode
  let rows: Int64
  /// The digest of the whole file, in hexadecimal digits.
  let sha256: String

  /// Reads and verifies a file.
  ///
  /// - Parameter head: the head code of a row that the file must contain; nil if the file does not
  ///   have to contain a particular row.
  /// - Throws: `Failure.refused` if a line is wrong or missing, or if the file does not contain the
  ///   row of `head`. If a line is wrong, the error contains the number of the first wrong line.
  init(_ path: String, holding head: HeadCode? = nil) throws {
    var proof = ArchiveProof(path, head: head)
    var digest = SHA256Digest()
    var rest: [UInt8] = []
    try Files.stream(path) { piece in
      digest.update(piece)
      rest += piece
      let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in lines.dropLast() { try proof.add(Array(line)) }
      rest = Array(lines.last ?? [])
    }
    guard rest.isEmpty else { throw proof.failure("the line is cut off") }
    (after, through) = try proof.ends()
    rows = through.sequence - after.sequence
    sha256 = hexadecimal(digest.finish())
  }
}

/// Verifies the hash chain of the file, line after line.
private struct ArchiveProof {
  private let path: String
  private let head: HeadCode?
  private var line = 0
  private var isHeadThere = false
  private var after: (sequence: Int64, hash: String)?
  private var end: (sequence: Int64, hash: String)?
  private var last: (sequence: Int64, hash: String) = (0, "")

  init(_ path: String, head: HeadCode?) {
    self.path = path
    self.head = head
  }

  func failure(_ why: String) -> Failure {
    .refused("cannot verify the archive \(path): line \(line): \(why)")
  }

  mutating func add(_ bytes: [UInt8]) throws {
    line += 1
    guard let document = try? JSON(parsing: bytes) else {
      throw failure("the line is not valid JSON")
    }
    if line == 1 { return try begin(document) }
    guard let sequence = document["seq"]?.integer, let hash = document["hash"]?.string,
      sequence == last.sequence + 1, document["prev_hash"]?.string == last.hash
    else { throw failure("the event does not follow the event of the line before") }
    guard Self.hash(document) == hash else { throw failure("the event was changed") }
    try checkWords(document)
    if let head, head.sequence == sequence {
      guard head.matches(hash: hash) else {
        throw failure("event \(sequence) does not match the given head")
      }
      isHeadThere = true
    }
    last = (sequence, hash)
  }

  private mutating func begin(_ document: JSON) throws {
    guard document["format"]?.string == "prompter-archive",
      let from = document["after_seq"]?.integer, let before = document["after_hash"]?.string,
      let to = document["through_seq"]?.integer, let hash = document["through_hash"]?.string
    else { throw failure("the file is not an archive of this program") }
    guard document["version"]?.integer == 1 else {
      throw failure("a newer version of this program wrote it")
    }
    (after, end, last) = ((from, before), (to, hash), (from, before))
  }

  private func checkWords(_ document: JSON) throws {
    guard let salt = document["salt"]?.string, let body = document["body"]?.string else { return }
    let digest = bytes(hexadecimal: salt).map { SHA256Digest.hex($0 + Array(body.utf8)) }
    guard let digest, digest == document["payload_digest"]?.string else {
      throw failure("the text of the event was changed")
    }
  }

  /// Computes the hash of a row, with the same algorithm as `EventRow`.
  ///
  /// The hash covers the length and the bytes of each column except the hash itself. For a column
  /// that is null, the hash covers the character `-` instead of the length and the bytes.
  private static func hash(_ document: JSON) -> String {
    guard case .members(let members) = document else { return "" }
    var digest = SHA256Digest()
    for member in members.prefix(while: { $0.name != "hash" }) {
      switch member.value {
      case .string(let text): digest.update(Array("\(text.utf8.count):\(text);".utf8))
      case .integer(let value): digest.update(Array("\("\(value)".utf8.count):\(value);".utf8))
      default: digest.update(Array("-;".utf8))
      }
    }
    return hexadecimal(digest.finish())
  }

  /// Returns two head codes: the code of the row before the file's first row, and the code of the
  /// file's last row.
  ///
  /// - Throws: `Failure.refused` if the file is incomplete, or if the user gave a head and the file
  ///   does not contain this head.
  func ends() throws -> (after: HeadCode, through: HeadCode) {
    guard let after, let end, last.sequence == end.sequence, last.hash == end.hash else {
      throw failure("the file ends too early")
    }
    if let head, !isHeadThere {
      throw Failure.refused(
        "cannot verify event \(head.sequence): the archive \(path) contains events "
          + "\(after.sequence + 1) to \(end.sequence)")
    }
    return (
      HeadCode(sequence: after.sequence, hash: after.hash),
      HeadCode(sequence: end.sequence, hash: end.hash)
    )
  }
}
