import Alarms
import ClientKit
import FileSystem
import Glibc
import JSONValue
import MessageDigest
import Report
import StudyExport

/// An export that becomes a part of a pool. It contains the manifest, and the small files that the
/// rules for pools need.
struct PoolSource {
  let manifest: ExportManifest
  private(set) var export: PooledExport

  /// The file names of the tables that a pool joins.
  static let tables = ExportLayout.frictionless.tables.map { "\($0.name).csv" }
    .filter { $0 != "codebook.csv" }

  init(_ place: PoolPlace) throws {
    let manifest = try ExportManifest(directory: place.directory)
    try manifest.requireExport("pool")
    guard manifest.layout == ExportLayout.frictionless.rawValue else {
      throw Failure.badUsage(
        "cannot pool \(place.directory): it has the layout \(manifest.layout); export again without "
          + "--layout")
    }
    self.manifest = manifest
    export = PooledExport(
      site: place.site, home: place.home, directory: place.directory, profile: manifest.profile,
      headCode: manifest.code, manifestSHA256: manifest.sha256)
    for file in Self.tables where manifest.files.contains(where: { $0.name == file }) {
      export.headers[file] = try Self.beginning(of: path(file)).map(\.text)
    }
    export.device = try device()
    var reader = CSVTableReader()
    try Files.stream(path("participants.csv")) { bytes in
      do throws(Refusal) {
        try reader.feed(bytes) { export.add(participant: $0) }
      } catch {
        throw Failure.badUsage("cannot read \(path("participants.csv")): \(error.detail)")
      }
    }
  }

  func path(_ file: String) -> String { "\(export.directory)/\(file)" }

  /// Reads the pseudonym of the device from the first event of the export.
  private func device() throws -> String {
    let names = try Self.beginning(of: path("events.csv"))
    let row = try Self.beginning(of: path("events.csv"), row: 1)
    guard let place = names.firstIndex(where: { $0.text == "device" }), place < row.count else {
      return ""
    }
    return row[place].text
  }

  /// An error that stops the reader of a file after the needed rows.
  private struct Enough: Error {}

  /// Returns the cells of the row with the index `row`. The result is empty if the file has fewer
  /// rows.
  private static func beginning(of path: String, row: Int = 0) throws -> [CSV.Cell] {
    var text: [UInt8] = []
    do {
      try Files.stream(path) { bytes in
        text += bytes
        if text.count > 1 << 16 { throw Enough() }
      }
    } catch is Enough {
      text = Array(text[...(text.lastIndex(of: UInt8(ascii: "\n")) ?? 0)])
    }
    do throws(Refusal) {
      let rows = try CSV.rows(text)
      return row < rows.count ? rows[row] : []
    } catch {
      throw Failure.badUsage("cannot read \(path): \(error.detail)")
    }
  }
}

/// Writes a pool into a directory. The directory gets its name only after it is complete.
struct PoolWriter {
  private let sources: [PoolSource]
  private let directory: String
  private let partial: String
  private let place: OpenDirectory

  /// - Throws: `Failure.badUsage` if the directory is not empty or cannot be created.
  init(into directory: String, _ sources: [PoolSource]) throws {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.directory = path
    self.sources = sources
    partial = "\(path).partial-\(getpid())"
    if let entries = try? fileNames(in: path), !entries.isEmpty {
      throw Failure.badUsage("cannot pool into \(path): the directory is not empty")
    }
    // The exports can contain names, so only the user of this command can read the pool.
    guard mkdir(partial, 0o700) == 0 else {
      throw Failure.badUsage("cannot pool into \(path): \(String(cString: strerror(errno)))")
    }
    do {
      place = try OpenDirectory(partial)
    } catch {
      throw Failure.badUsage("cannot pool into \(path): \(error)")
    }
  }

  /// Removes the files that this writer has already written.
  func discard() { removeTree(partial) }

  /// Writes all files, and gives the directory its final name.
  func write(version: String, madeAt: String) throws -> [ExportedFile] {
    let first = sources[0]
    let pool = PoolDescription(sources.map(\.export), version: version, madeAt: madeAt)
    var files: [ExportedFile] = []
    for table in PoolSource.tables where first.export.headers[table] != nil {
      files.append(try write(table))
    }
    files.append(
      try write("codebook.csv", pool.codebook(try checked("codebook.csv", of: first))))
    for script in AnalysisScripts.all {
      files.append(try write(script.name, Array(script.text.utf8)))
    }
    guard let descriptor = try? JSON(parsing: try checked("datapackage.json", of: first)) else {
      throw Failure.badUsage(
        "cannot read \(first.path("datapackage.json")): it is not a data package")
    }
    files.append(
      try write("datapackage.json", Array("\(pool.dataPackage(descriptor, files))\n".utf8)))
    files.append(try write("MANIFEST.json", Array("\(pool.manifest(files))\n".utf8)))
    guard rename(partial, directory) == 0 else {
      throw Failure.badUsage(
        "cannot pool into \(directory): \(String(cString: strerror(errno)))")
    }
    return files
  }

  /// Writes one table with the rows of all homes.
  private func write(_ table: String) throws -> ExportedFile {
    var output = PoolOutput(try place.makeFile(table))
    try output.write(PooledTable.header(table, of: sources[0].export))
    var rows = 0
    var prompts: Set<String> = []
    for source in sources {
      var pooled = PooledTable(source.export, file: table)
      var digest = SHA256Digest()
      try Files.stream(source.path(table)) { bytes in
        digest.update(bytes)
        var part: [UInt8] = []
        part.reserveCapacity(bytes.count * 2)
        pooled.feed(bytes, into: &part)
        try output.write(part)
      }
      try check(hexadecimal(digest.finish()), of: table, in: source)
      guard !pooled.isCut else {
        throw Failure.badUsage("cannot read \(source.path(table)): the last row has no end")
      }
      for prompt in pooled.promptIDs where !prompts.insert(prompt).inserted {
        throw Failure.refused(
          "cannot pool the exports: the prompt \(prompt) of \(source.export.directory) is also in another "
            + "export")
      }
      rows += pooled.rows
    }
    return try output.finish(table, rows: rows)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> ExportedFile {
    var output = PoolOutput(try place.makeFile(name))
    try output.write(bytes)
    return try output.finish(name, rows: nil)
  }

  /// Reads a small file of an export, compares the digest of the file with the manifest, and
  /// returns the bytes.
  private func checked(_ name: String, of source: PoolSource) throws -> [UInt8] {
    let bytes = try Files.read(source.path(name), atMost: 8 << 20)
    try check(SHA256Digest.hex(bytes), of: name, in: source)
    return bytes
  }

  private func check(_ sha256: String, of name: String, in source: PoolSource) throws {
    guard source.manifest.files.contains(where: { $0.name == name && $0.sha256 == sha256 }) else {
      throw Failure.refused(
        "cannot pool \(source.export.directory): changed since the export, or not in MANIFEST.json: "
          + name)
    }
  }
}

/// A file of the pool that the program is writing now.
private struct PoolOutput: ~Copyable {
  private let file: NewFile
  private var digest = SHA256Digest()
  private var bytes = 0

  init(_ file: NewFile) { self.file = file }

  mutating func write(_ part: [UInt8]) throws {
    digest.update(part)
    bytes += part.count
    do {
      try file.write(part[...])
    } catch {
      throw Failure.badUsage("cannot write the pool: \(error)")
    }
  }

  consuming func finish(_ name: String, rows: Int?) throws -> ExportedFile {
    do {
      try file.flush()
    } catch {
      throw Failure.badUsage("cannot write the pool: \(error)")
    }
    return ExportedFile(name: name, sha256: hexadecimal(digest.finish()), bytes: bytes, rows: rows)
  }
}
