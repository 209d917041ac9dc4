import ClientKit
import JSONValue
import MessageDigest
import Report
import StudyExport

/// The manifest of an export or of a pool of exports, and the files that it lists.
struct ExportManifest {
  let directory: String
  let files: [(name: String, sha256: String)]
  /// A text that describes the source of the data, without the export profile. The value is nil for
  /// an export of a home, and not nil for a pool and for an export of an archive.
  private let poolSource: String?
  /// The sequence number and the hash of the newest event in the export. The value is nil for a
  /// pool and for an export with the profile `safe_harbor`, because their manifests do not contain
  /// these two values.
  let head: String?
  /// The head code of the newest event in the export.
  let code: String?
  let profile: String
  let layout: String
  /// The SHA-256 of the manifest, in lower-case hex.
  let sha256: String
  /// The names of the files that are in the directory, but that the manifest does not list.
  let added: [String]

  /// The maximum size of a manifest in bytes. The manifest of an archive contains about 1 KB for
  /// each home.
  private static let limitBytes = 32 << 20

  /// Reads the file `MANIFEST.json`.
  ///
  /// - Throws: `Failure.badUsage` if the file cannot be read or is not a manifest.
  init(directory: String) throws {
    let path = "\(directory)/MANIFEST.json"
    let bytes = try Files.read(path, atMost: Self.limitBytes)
    guard let manifest = try? JSON(parsing: bytes), manifest["files"] != nil else {
      throw Failure.badUsage("cannot read \(path): it is not a manifest of an export")
    }
    self.directory = directory
    if let sequence = manifest["head"]?["seq"]?.integer,
      let hash = manifest["head"]?["hash"]?.string
    {
      head = "\(sequence)-\(hash)"
    } else {
      head = nil
    }
    code = manifest["head"]?["code"]?.string
    poolSource =
      switch manifest["kind"]?.string {
      case "pool": Self.pool(manifest)
      case "archive": Self.archive(manifest)
      default: nil
      }
    profile = manifest.text("profile")
    layout = manifest["layout"]?.string ?? ExportLayout.frictionless.rawValue
    files = try manifest.list("files").map { file in
      let (name, sha256) = (file.text("name"), file.text("sha256"))
      guard !name.isEmpty, !name.utf8.contains(where: "/\\\n\0".utf8.contains),
        sha256.utf8.count == 64
      else {
        throw Failure.badUsage(
          "cannot read \(path): \"\(name)\" is not the name and digest of an exported file")
      }
      return (name, sha256)
    }
    sha256 = SHA256Digest.hex(bytes)
    let known = Set(files.map(\.name) + ["MANIFEST.json"])
    added = try Files.names(in: directory).filter { !known.contains($0) }.sorted()
  }

  private static func pool(_ manifest: JSON) -> String {
    let homes = manifest.list("homes")
    let sites = Set(homes.map { $0.text("site") }).subtracting([""])
    return "the exports of \(TextFormat.counted(homes.count, "home"))"
      + (sites.isEmpty ? "" : " of \(TextFormat.counted(sites.count, "site"))")
      + ", pooled at \(manifest.text("made_utc"))"
  }

  /// Returns a text that describes an export of prompter-archive. The text contains the number of
  /// homes whose rows are missing and the number of streams with a fault, so that a reader of a
  /// report sees them.
  private static func archive(_ manifest: JSON) -> String {
    let homes = TextFormat.counted(manifest.list("homes").count, "home")
    var missing = manifest.list("missing").count
    if case .members(let counts)? = manifest["missing_homes"] {
      missing += counts.compactMap { $0.value.integer.map { Int($0) } }.reduce(0, +)
    }
    let verified = manifest["verified"]
    let faults = verified?["fault_count"]?.integer ?? Int64(verified?.list("faults").count ?? 0)
    let time = manifest["made_utc"]?.string.map { ", exported at \($0)" } ?? ""
    return "the archive of \(homes)\(time), rows of \(TextFormat.counted(missing, "home")) missing"
      + (faults > 0 ? ", \(TextFormat.counted(Int(faults), "stream")) with a fault" : "")
  }

  /// Throws if this is a pool or an export of an archive, because some commands can use only the
  /// export of a home.
  ///
  /// - Parameter purpose: the action of the caller, as a verb for the error message.
  func requireExport(_ purpose: String) throws {
    guard poolSource != nil else { return }
    throw Failure.badUsage(
      "cannot \(purpose) \(directory): it contains several homes, and no device has its record; use the "
        + "exports of the homes")
  }

  /// Checks that the record contains an event about this export.
  ///
  /// A person who changes a file of the export can also change the digest of this file in the
  /// manifest. But this person cannot change the digest of the manifest, because the record
  /// contains it.
  ///
  /// - Throws: `Failure.refused` if the record contains no export with this manifest.
  func checkRecorded(_ verdict: JSON) throws {
    guard verdict["export_seq"]?.integer == nil else { return }
    throw Failure.refused(
      "cannot verify \(directory): the record contains no export with this MANIFEST.json. Either the "
        + "file was changed after the export, or the export is from another device.")
  }

  private static func digest(ofFile path: String) throws -> String {
    var digest = SHA256Digest()
    try Files.stream(path) { digest.update($0) }
    return hexadecimal(digest.finish())
  }

  /// A text that describes the part of the record in the export.
  var source: String {
    if let poolSource { return "\(poolSource), profile \(profile)" }
    return ExportSource.sentence(
      event: head.map { String($0.prefix { $0 != "-" }) }, code: code, profile: profile)
  }

  /// Checks the digest of every file that the manifest lists.
  ///
  /// - Parameter purpose: the action of the caller, as a verb for the error message.
  /// - Throws: `Failure.refused` with the names of the changed or missing files.
  func check(_ purpose: String = "verify") throws {
    // If a file is missing or cannot be read, treat the file as changed.
    let wrong = files.filter { (try? Self.digest(ofFile: "\(directory)/\($0.name)")) != $0.sha256 }
      .map(\.name)
    guard wrong.isEmpty else {
      throw Failure.refused(
        "cannot \(purpose) \(directory): changed or missing since the export: "
          + wrong.joined(separator: ", "))
    }
  }
}
