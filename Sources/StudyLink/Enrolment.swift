import ArchiveProtocol
import FileSystem
import Glibc
import JSONValue

/// The files of the link: the home's key, the enrolment and the status.
public struct LinkFiles: Sendable, Hashable {
  public let directory: String

  public init(directory: String) { self.directory = directory }

  public var certificate: String { "\(directory)/home.crt" }
  public var key: String { "\(directory)/home.key" }
  public var enrolment: String { "\(directory)/enrolment.json" }
  public var status: String { "\(directory)/status.json" }
  /// The path of an empty file that exists while the link is paused.
  public var paused: String { "\(directory)/paused" }

  public var isPaused: Bool { access(paused, F_OK) == 0 }

  /// Writes a file, and returns after the file is on the disk. Every user of the device may read
  /// the status. Only the owner may read the other files.
  func write(_ document: JSON, to path: String) throws(LinkError) {
    do throws(SystemError) {
      try DurableFile.write(Array("\(document)\n".utf8), to: path, temporary: "\(path).new")
      if path == status { chmod(path, 0o644) }
    } catch {
      throw LinkError("cannot write \(path): \(error)")
    }
  }

  /// - Returns: the content of the file; nil if the file does not exist.
  func read(_ path: String) throws(LinkError) -> JSON? {
    let bytes: [UInt8]
    do throws(FileReadError) {
      bytes = try readFile(atPath: path, limit: 65_536)
    } catch .system(let error) where error.code == ENOENT {
      return nil
    } catch {
      throw LinkError("cannot read \(path): \(error)")
    }
    guard let document = try? JSON(parsing: bytes) else {
      throw LinkError("cannot read \(path): it is not JSON")
    }
    return document
  }
}

/// An error with one sentence for an administrator. The sentence says what the program could not
/// do, and why.
public struct LinkError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// The enrolment of this home at an archive.
public struct LinkEnrolment: Sendable, Hashable {
  /// The address of the archive, for example `https://archive.study.example`.
  public var url: String
  /// The SHA-256 of the archive's public key: the text `sha256//`, and then the hash in Base64.
  public var pin: String
  public var home: String
  public var site: String
  public var study: String
  public var stream: String

  public init(url: String, pin: String, reply: EnrolmentReply) {
    (self.url, self.pin) = (url, pin)
    (home, site, study, stream) = (reply.home, reply.site, reply.study, reply.stream)
  }

  init?(_ json: JSON) {
    guard let url = json["url"]?.string, let pin = json["pin"]?.string,
      let home = json["home"]?.string, let site = json["site"]?.string,
      let study = json["study"]?.string, let stream = json["stream"]?.string
    else { return nil }
    (self.url, self.pin, self.home) = (url, pin, home)
    (self.site, self.study, self.stream) = (site, study, stream)
  }

  var json: JSON {
    JSON.object([
      ("url", .string(url)), ("pin", .string(pin)), ("home", .string(home)),
      ("site", .string(site)), ("study", .string(study)), ("stream", .string(stream)),
    ])
  }
}

extension LinkFiles {
  /// Reads the enrolment. The result is nil if this home is not enrolled.
  public func readEnrolment() throws(LinkError) -> LinkEnrolment? {
    guard let document = try read(enrolment) else { return nil }
    guard let found = LinkEnrolment(document) else {
      throw LinkError("cannot read \(enrolment): a member is missing")
    }
    return found
  }

  /// Reads the enrolment, for a program that can work only if this home is enrolled.
  ///
  /// - Throws: an error if this home is not enrolled.
  public func readCurrentEnrolment() throws(LinkError) -> LinkEnrolment {
    if let found = try readEnrolment() { return found }
    throw LinkError(
      "this home is not enrolled at an archive; use \"prompter-link enrol\" with the invitation of "
        + "the study")
  }

  /// Stores a new enrolment. The function writes the status before the enrolment. Reason: as soon
  /// as the status file exists, the daemon refuses a purge of rows that no backup of the archive
  /// contains. This protection must begin before the link can send rows.
  public func begin(_ found: LinkEnrolment) throws(LinkError) {
    try write(LinkStatus(found).json, to: status)
    try write(found)
  }

  func write(_ found: LinkEnrolment) throws(LinkError) {
    try write(found.json, to: enrolment)
  }
}
