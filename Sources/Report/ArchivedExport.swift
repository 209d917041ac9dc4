import JSONValue
import StudyExport

/// A reader of an export in an archive. The reader reads the archive in pieces, and stores nothing
/// on a disk.
///
/// ```swift
/// var export = ArchivedExport()
/// try export.read(bytes)
/// let (study, source) = try export.finish()
/// ```
public struct ArchivedExport {
  private var archive = TarReader()
  private var study = Study()
  /// The name of the present file.
  private var name = ""
  /// The reader of the present file; nil if the report does not need this file.
  private var table: CSVTableReader?
  private var manifest: [UInt8] = []

  private static let manifestName = "MANIFEST.json"
  /// The maximum size of a manifest in bytes.
  private static let manifestLimitBytes = 1 << 20

  public init() {}

  /// Reads the next bytes of the archive.
  public mutating func read(_ bytes: [UInt8]) throws(ExportReadError) {
    // The closure below changes `self` while the reader of the archive runs. During this time,
    // Swift does not permit that the reader is a part of `self`. Therefore the function moves the
    // reader into a local variable.
    var reader = TarReader()
    swap(&reader, &archive)
    do {
      try reader.read(bytes) { try take($0) }
    } catch {
      throw ExportReadError(description: "cannot read the export: \(error)")
    }
    archive = reader
  }

  private mutating func take(_ part: TarReader.Part) throws {
    switch part {
    case .file(let name, let size):
      self.name = name
      table = Study.files.contains(name) ? CSVTableReader() : nil
      guard name != Self.manifestName || size <= Self.manifestLimitBytes else {
        throw ExportReadError(description: "\(name) has \(size) bytes")
      }
    case .content(let bytes):
      if name == Self.manifestName { manifest += bytes }
      guard var table else { return }
      try table.feed(Array(bytes)) { study.add($0, of: name) }
      self.table = table
    case .end: table = nil
    }
  }

  /// Returns the rows of the export, and a sentence about the part of the record that the export
  /// contains.
  ///
  /// - Throws: `ExportReadError` if the archive is not complete, or if its manifest is missing or
  ///   damaged.
  public func finish() throws(ExportReadError) -> (study: Study, source: String) {
    do throws(TarError) {
      try archive.finish()
    } catch {
      throw ExportReadError(description: "cannot read the export: \(error)")
    }
    guard let manifest = try? JSON(parsing: manifest), let profile = manifest["profile"]?.string
    else {
      throw ExportReadError(
        description: "cannot read the export: \(Self.manifestName) is missing or damaged")
    }
    let head = manifest["head"]
    return (
      study,
      ExportSource.sentence(
        event: head?["seq"]?.integer.map { String($0) }, code: head?["code"]?.string,
        profile: profile)
    )
  }
}

/// The reason why the report cannot read an export.
public struct ExportReadError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String
}

/// Writes the sentences of a report about the export from which the report was made.
public enum ExportSource {
  /// The part of the record that an export contains, in words.
  ///
  /// - Parameters:
  ///   - event: the sequence number of the newest event; nil for an export with the profile
  ///     `safe_harbor`.
  ///   - code: the head code of this event.
  public static func sentence(event: String?, code: String?, profile: String) -> String {
    guard let event, let code else { return "an export with the profile \(profile)" }
    return "the record up to event \(event), head \(code), profile \(profile)"
  }

  /// The first sentences of the page of a report.
  public static func introduction(_ source: String, _ study: Study) -> String {
    "Source: \(source). \(study.selection)"
  }
}
