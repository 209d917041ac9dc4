import FoundationEssentials
import Sandbox

/// The command `prompter-image decode`, which decodes one upload from standard input.
///
/// The command writes two pictures to standard output: the decoded picture, and directly after it
/// the thumbnail. If the upload is not a usable picture, the command refuses the upload and writes
/// no picture. In both cases, the command also writes a report about the picture or about the
/// refusal. The report is one line of JSON, on standard error or on the descriptor of
/// `--report-fd`.
enum ImageDecoding {
  static let largestUpload = 10 << 20
  /// The maximum width and height of a stored picture, in pixels.
  static let largestSide = 2_048
  static let thumbnailSide = 256
  /// The limit of the address space of this process, in bytes. For a picture of 52 megapixels, the
  /// decoder needs 210 MB for a PNG, 160 MB for a progressive JPEG, and 300 MB for an HEIC that
  /// libheif rotates.
  ///
  /// The scaler of libwebp reduces the decoded picture row by row, so the scaler needs little
  /// additional memory.
  static let addressSpaceBytes: UInt64 = 384 << 20
  static let processorSeconds: UInt32 = 10

  private struct Report: Encodable {
    var mediaType: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var refused: String?
    var sentence: String?

    enum CodingKeys: String, CodingKey {
      case mediaType = "media_type"
      case width, height, bytes, refused, sentence
    }
  }

  /// Returns the exit status: 0 if the program decoded the upload, 1 if the program refused the
  /// upload, 3 if the program could not write the output.
  static func run(reportDescriptor: Int32) -> Int32 {
    do {
      try SandboxedProgram.enter(
        addressSpaceBytes: addressSpaceBytes, processorSeconds: processorSeconds)
      let upload = try SandboxedProgram.readUpload(atMost: largestUpload)
      let kind = try Kind(upload)
      let picture = try kind.decode(upload).turned(Orientation.of(upload, kind))
      let file = try picture.hasAlpha || kind == .png ? PNG.encode(picture) : JPEG.encode(picture)
      let thumbnail = try JPEG.encode(Scaling.thumbnail(of: picture, side: thumbnailSide))
      let report = Report(
        mediaType: picture.hasAlpha || kind == .png ? "image/png" : "image/jpeg",
        width: picture.width, height: picture.height, bytes: file.count)
      let isWritten = writeAll(1, file + thumbnail)
      return isWritten && send(report, to: reportDescriptor) ? 0 : 3
    } catch {
      let refusal = DecodeRefusal(error)
      let report = Report(refused: refusal.kind, sentence: refusal.sentence)
      return send(report, to: reportDescriptor) ? 1 : 3
    }
  }

  private static func send(_ report: Report, to descriptor: Int32) -> Bool {
    do {
      return writeAll(descriptor, [UInt8](try JSONEncoder().encode(report)) + [10])
    } catch {
      printError("cannot write the report: \(error)")
      return false
    }
  }
}

/// The reason why the program refuses an upload. A text explains the reason to a caretaker.
enum DecodeRefusal: Error {
  case notAPicture
  case video
  case animation
  case unsupported(String)
  case tooMuchMemory
  case empty
  case tooManyPixels(width: Int, height: Int, most: Int, side: Int)
  case tooLarge
  case damaged(String)
  case decoderFailed(String)

  init(_ error: any Error) {
    switch error {
    case let refusal as DecodeRefusal: self = refusal
    case SandboxedProgram.Failure.tooLarge: self = .tooLarge
    case SandboxedProgram.Failure.cannotEnter(let why):
      self = .decoderFailed("cannot start the sandbox of the decoder: \(why)")
    default: self = .decoderFailed("\(error)")
    }
  }

  /// The code by which programs recognise the reason. The code of a reason never changes.
  var kind: String {
    switch self {
    case .notAPicture, .video, .animation, .empty, .unsupported: "notAPicture"
    case .tooManyPixels, .tooMuchMemory, .tooLarge: "tooLarge"
    case .damaged: "damaged"
    case .decoderFailed: "decoderFailed"
    }
  }

  var sentence: String {
    switch self {
    case .notAPicture: "the file is not a picture; use JPEG, PNG, WebP, HEIC or AVIF"
    case .video: "the file is a video or a recording; use a picture"
    case .unsupported(let why): "the picture cannot be decoded: \(why); save it as JPEG"
    case .tooMuchMemory:
      "the decoder needs more than \(ImageDecoding.addressSpaceBytes >> 20) MiB of memory for the "
        + "picture; make the picture smaller"
    case .animation: "the file is an animation; use a still picture"
    case .empty: "the file is empty"
    case .tooManyPixels(let width, let height, let most, let side):
      "the picture has \(width) × \(height) pixels; the maximum is \(most / 1_000_000) megapixels "
        + "and \(side) pixels on a side"
    case .tooLarge: "the file is larger than \(ImageDecoding.largestUpload >> 20) MiB"
    case .damaged(let why): "the file is damaged: \(why)"
    case .decoderFailed(let why): why
    }
  }
}
