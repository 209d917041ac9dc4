import API
import ArgumentParser
import ClientKit
import FileSystem
import Glibc
import JSONValue

/// `prompter image`: manages pictures.
struct ImageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Store, list, fetch and remove pictures that explain a task or show it finished.",
    discussion: """
      Examples:
        prompter add "Take your pills" --schedule "every day 08:00" --image box.jpg
        prompter done --photo table.jpg
        prompter image list
      """,
    subcommands: [ImageAdd.self, ImageList.self, ImageGet.self, ImageRemove.self])
}

/// `prompter image add`: stores a picture.
struct ImageAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract:
      "Check a picture (JPEG, PNG, WebP, HEIC or AVIF) and store it without its place and time.",
    discussion: "Example: prompter image add pill-box.jpg")

  @Argument(help: "The picture file.", completion: .file())
  var file: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Images.upload(file)) { reply in
      let image = try reply.document()["image"] ?? .null
      return "Stored as \(image.text("id").prefix(12)): \(Images.size(image))."
    }
  }
}

/// `prompter image list`: lists the stored pictures.
struct ImageList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stored pictures.",
    discussion: "Example: prompter image list")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listImages)) { reply in
      let images = try reply.document().list("images")
      if images.isEmpty { return "No picture is stored." }
      var table = Table("PICTURE", "SIZE", "PHOTO OF")
      for image in images {
        table.add(
          .init(String(image.text("id").prefix(12))), .init(Images.size(image)),
          .init(image.text("prompt_id"), .faint))
      }
      return table.text
    }
  }
}

/// `prompter image get`: saves a stored picture as a file.
struct ImageGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Fetch a picture into a file.",
    discussion: "Example: prompter image get 3f2a90c1d4e5 photo.jpg")

  @Argument(help: "The picture's id, or its first digits.")
  var image: String

  @Argument(help: "The new file; - for standard output.", completion: .file())
  var file: String

  @Flag(help: "Fetch the thumbnail, at most 256 pixels wide and high.")
  var thumbnail = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let id = try Images.id(image, connection)
    let reply = try connection.client.send(
      Request(thumbnail ? .showThumbnail : .showImage, ["id": id]))
    if file == "-" {
      guard isatty(1) == 0 else {
        throw Failure.badUsage(
          "cannot print a picture on a terminal: the terminal would read the bytes as commands; "
            + "give a file name, or use a pipe")
      }
      return Terminal.write(reply.body)
    }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure.badUsage("cannot create \(file): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do throws(SystemError) {
      try writeAll(reply.body[...], to: descriptor)
    } catch {
      throw Failure.badUsage("cannot write \(file): \(error)")
    }
  }
}

/// `prompter image remove`: removes a picture that no alarm shows.
struct ImageRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a picture that no alarm shows, from the disk too.",
    discussion: "Example: prompter image remove 3f2a90c1d4e5")

  @Argument(help: "The picture's id, or its first digits.")
  var image: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.removeImage, ["id": try Images.id(image, connection)])
    try connection.carryOut(request) { _ in "Removed." }
  }
}

/// Finds a picture by its file, or by the first digits of its id.
enum Images {
  private static let idDigits = 64
  private static let fewestDigits = 6

  /// Returns the request that stores a picture file in the home.
  ///
  /// - Throws: `Failure.badUsage` if the file cannot be read.
  static func upload(_ file: String) throws -> Request {
    var request = Request(.addImage)
    request.headers.append(("Content-Type", "application/octet-stream"))
    request.body = try Files.read(file, atMost: Route.uploadBody)
    return request
  }

  /// Returns the id of a picture. If `name` is the path of a file, the function first stores this
  /// file in the home.
  static func stored(_ name: String, _ connection: ConnectionOptions) throws -> String {
    if access(name, F_OK) != 0 { return try id(name, connection) }
    if connection.queue {
      throw Failure.badUsage(
        "--queue: a picture file cannot be queued; store it with \"prompter image add\" and give "
          + "its id")
    }
    let reply = try connection.client.send(upload(name))
    return try reply.document()["image"]?.text("id") ?? ""
  }

  /// Finds a stored picture, and returns its complete id.
  ///
  /// - Parameter name: the complete id, or its first digits (at least `fewestDigits` digits).
  static func id(_ name: String, _ connection: ConnectionOptions) throws -> String {
    let isHexadecimal = name.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    guard isHexadecimal, (fewestDigits...idDigits).contains(name.utf8.count) else {
      throw Failure.badUsage(
        "\"\(name)\" is not a file and not the id of a picture; give at least \(fewestDigits) "
          + "hexadecimal digits of an id")
    }
    if name.utf8.count == idDigits { return name }
    let images = try connection.client.send(Request(.listImages)).document().list("images")
    let found = images.map { $0.text("id") }.filter { $0.hasPrefix(name) }
    guard let only = found.first, found.count == 1 else {
      throw Failure.refused(
        found.isEmpty
          ? "there is no picture \"\(name)\""
          : "the ids of several pictures begin with \"\(name)\"; give more digits")
    }
    return only
  }

  static func size(_ image: JSON) -> String {
    let kibibytes = (image.count("bytes") + 1023) / 1024
    let kind = image.text("media_type") == "image/png" ? "PNG" : "JPEG"
    return "\(image.count("width")) × \(image.count("height")), \(kind), \(kibibytes) KiB"
  }
}
