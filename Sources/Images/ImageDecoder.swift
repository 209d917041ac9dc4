import FoundationEssentials
import Glibc
import Processes

/// A picture in a form that every client can show. The decoder has decoded the picture, turned the
/// picture upright, and encoded the picture again.
public struct DecodedImage: Sendable, Hashable {
  /// The picture as JPEG or PNG without metadata, at most 2,048 pixels wide and high.
  public var bytes: [UInt8]
  /// The thumbnail as JPEG, at most 256 pixels wide and high.
  public var thumbnail: [UInt8]
  /// The media type of the picture: `image/jpeg` or `image/png`.
  public var mediaType: String
  /// The width of the picture in pixels.
  public var width: Int
  public var height: Int
}

/// The reason why an upload is not a usable picture, with a sentence for a caretaker.
public struct ImageRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the reason: `notAPicture`, `tooLarge`, `damaged` or `decoderFailed`. The names of
  /// the reasons never change.
  public var kind: String
  public var description: String
}

/// Decodes uploads. Each upload has its own short-lived process `prompter-image decode`.
///
/// The process decodes untrusted bytes outside the daemon and in a sandbox.
public struct ImageDecoder: Sendable {
  /// The maximum time from the start to the end of a decoder process, in milliseconds. The process
  /// also limits its own processor time.
  private static let boundMilliseconds: Int64 = 20_000
  /// The maximum size of the output of a decoder process, in bytes.
  ///
  /// If a PNG contains 2,048 × 2,048 random pixels with transparency, its size is slightly more
  /// than 16 MiB.
  static let largestOutput = 18 << 20

  private let executable: String

  /// - Parameter executable: the path of `prompter-image`.
  public init(executable: String) { self.executable = executable }

  private struct Report: Decodable {
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

  /// Decodes and checks one upload (JPEG, PNG, WebP, HEIC or AVIF), and encodes the picture again.
  public func decode(_ upload: [UInt8]) async throws(ImageRefusal) -> DecodedImage {
    let helper = Helper(
      executable: executable, arguments: ["decode", "--report-fd", "3", "--parent", "\(getpid())"],
      name: "the picture decoder", boundMilliseconds: Self.boundMilliseconds,
      largestOutput: Self.largestOutput)
    await DecoderTurns.shared.take()
    defer { DecoderTurns.shared.giveBack() }
    let output: HelperOutput
    switch await HelperRun.perform(helper, input: upload) {
    case .success(let found): output = found
    case .failure(let trouble):
      throw ImageRefusal(kind: "decoderFailed", description: trouble.sentence)
    }
    return try Self.picture(output)
  }

  private static func picture(_ output: HelperOutput) throws(ImageRefusal) -> DecodedImage {
    guard let report = try? JSONDecoder().decode(Report.self, from: Data(output.report)) else {
      throw ImageRefusal(
        kind: "decoderFailed",
        description: "the picture decoder failed: \(output.exit); make the picture smaller, or "
          + "save it as JPEG")
    }
    if let refused = report.refused {
      let kind = refusals.contains(refused) ? refused : "decoderFailed"
      throw ImageRefusal(kind: kind, description: PlainLine.sentence(report.sentence ?? refused))
    }
    guard let mediaType = report.mediaType, let width = report.width, let height = report.height,
      let bytes = report.bytes, (1..<output.bytes.count).contains(bytes),
      let picture = ImageHeader(output.bytes[..<bytes]),
      picture == ImageHeader(mediaType, width, height), picture.fits(largestSide),
      let thumbnail = ImageHeader(output.bytes[bytes...]), thumbnail.kind == .jpeg,
      thumbnail.fits(thumbnailSide)
    else {
      throw ImageRefusal(
        kind: "decoderFailed",
        description: "the picture decoder's report does not fit its picture")
    }
    return DecodedImage(
      bytes: Array(output.bytes[..<bytes]), thumbnail: Array(output.bytes[bytes...]),
      mediaType: mediaType, width: width, height: height)
  }

  /// The kinds of refusal that the daemon accepts from a decoder. The daemon replaces any other
  /// kind by `decoderFailed`.
  private static let refusals: Set<String> = [
    "notAPicture", "tooLarge", "damaged", "decoderFailed",
  ]
  /// The maximum width and height in pixels. prompter-image makes a larger picture smaller.
  private static let largestSide = 2_048
  private static let thumbnailSide = 256
}
