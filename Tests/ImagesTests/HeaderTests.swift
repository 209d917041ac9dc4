import Foundation
import Glibc
import Testing

@testable import Images

/// Tests that the daemon compares the report of the picture decoder with the picture. If the report
/// does not agree with the bytes of the picture, the daemon refuses the picture.
@Suite struct ImageHeaderTests {
  private func decoded(_ name: String) async throws -> DecodedImage {
    try await ImageDecoder(executable: ImageFixture.program).decode(ImageFixture.fixture(name))
  }

  /// Runs a decoder that an attacker controls. This decoder returns the given picture, thumbnail
  /// and report.
  private func answer(_ picture: [UInt8], _ thumbnail: [UInt8], _ report: String) async
    -> Result<DecodedImage, ImageRefusal>
  {
    let directory = FileManager.default.temporaryDirectory.path
    var template = Array("\(directory)/claims-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      return .failure(ImageRefusal(kind: "test", description: "mkdtemp"))
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      try Data(picture + thumbnail).write(to: URL(filePath: "\(path)/out"))
      try Data(report.utf8).write(to: URL(filePath: "\(path)/report"))
      let script = "#!/bin/sh\ncat >/dev/null; cat '\(path)/out'; cat '\(path)/report' >&3\n"
      try Data(script.utf8).write(to: URL(filePath: "\(path)/decoder"))
      chmod("\(path)/decoder", 0o700)
      return .success(try await ImageDecoder(executable: "\(path)/decoder").decode([1]))
    } catch let refusal as ImageRefusal {
      return .failure(refusal)
    } catch {
      return .failure(ImageRefusal(kind: "test", description: "\(error)"))
    }
  }

  private func report(_ type: String, _ width: Int, _ height: Int, _ bytes: Int) -> String {
    #"{"media_type":"\#(type)","width":\#(width),"height":\#(height),"bytes":\#(bytes)}"#
  }

  private func isRefused(_ result: Result<DecodedImage, ImageRefusal>) -> Bool {
    if case .failure(let refusal) = result {
      return refusal.kind == "decoderFailed"
        && refusal.description == "the picture decoder's report does not fit its picture"
    }
    return false
  }

  @Test func `a claim of the decoder is accepted only if the bytes confirm it`() async throws {
    for name in ["quarters.jpg", "quarters.png", "glass.webp"] {
      let real = try await decoded(name)
      let (file, small) = (real.bytes, real.thumbnail)
      func tried(_ file: [UInt8], _ small: [UInt8], _ report: String) async -> Bool {
        isRefused(await answer(file, small, report))
      }
      let claim = report(real.mediaType, real.width, real.height, file.count)
      guard case .success(let again) = await answer(file, small, claim) else {
        Issue.record("\(name) is refused")
        continue
      }
      #expect(again == real)
      let other = real.mediaType == "image/png" ? "image/jpeg" : "image/png"
      let lies = [
        report(other, real.width, real.height, file.count),
        report("text/html", real.width, real.height, file.count),
        report(real.mediaType, real.width + 1, real.height, file.count),
        report(real.mediaType, real.width, 0, file.count),
        report(real.mediaType, real.width, real.height, file.count - 1),
        report(real.mediaType, real.width, real.height, 9_999_999),
        report(real.mediaType, real.width, real.height, -1),
      ]
      for lie in lies { #expect(await tried(file, small, lie), "\(name): \(lie)") }
      let page = Array("<script>alert(1)</script>".utf8)
      let longer = file + page
      let whole = report(real.mediaType, real.width, real.height, longer.count)
      #expect(await tried(longer, small, whole), "\(name): something after the end")
      #expect(await tried(file, small + page, claim), "\(name): after the thumbnail's end")
      #expect(await tried(file, page, claim), "\(name): a thumbnail that is none")
      #expect(await tried(file, [UInt8](file), claim) == (real.mediaType == "image/png"))
      let pageReport = report(real.mediaType, real.width, real.height, page.count)
      #expect(await tried(page, small, pageReport), "\(name): a page")
      let half = Array(file.prefix(file.count / 2))
      let halfReport = report(real.mediaType, real.width, real.height, half.count)
      #expect(await tried(half, small, halfReport), "\(name): a half")
    }
  }

  @Test func `metadata in the output of the decoder is refused`() async throws {
    let png = try await decoded("quarters.png")
    // The text chunk is in front of the last chunk of the PNG. Its checksum is wrong, but the
    // daemon does not check this checksum.
    let text: [UInt8] = [0, 0, 0, 3] + Array("tEXta\0b".utf8) + [0, 0, 0, 0]
    let withText = Array(png.bytes.dropLast(12)) + text + png.bytes.suffix(12)
    #expect(ImageHeader(png.bytes[...]) != nil && ImageHeader(withText[...]) == nil)
    let jpeg = try await decoded("quarters.jpg")
    let exif: [UInt8] = [0xff, 0xe1, 0, 8] + Array("Exif\0\0".utf8)
    let withExif = Array(jpeg.bytes.prefix(2)) + exif + jpeg.bytes.dropFirst(2)
    #expect(ImageHeader(jpeg.bytes[...]) != nil && ImageHeader(withExif[...]) == nil)
    // The reader refuses a picture that is cut off at any place, and does not read beyond its end.
    for length in stride(from: 0, to: jpeg.bytes.count, by: 7) {
      #expect(ImageHeader(jpeg.bytes.prefix(length)) == nil)
    }
    for length in stride(from: 0, to: png.bytes.count, by: 7) {
      #expect(ImageHeader(png.bytes.prefix(length)) == nil)
    }
  }

  @Test func `the words of a refusal are one short line, and its kind is a known one`() async {
    let long = String(repeating: "x", count: 5_000)
    let result = await answer(
      [1], [1], #"{"refused":"<b>","sentence":"a\nb\u001b[31m \#(long)"}"#)
    guard case .failure(let refusal) = result else {
      Issue.record("it is a picture")
      return
    }
    #expect(refusal.kind == "decoderFailed")
    #expect(refusal.description.count <= 300 && refusal.description.hasPrefix("a b 31m x"))
  }
}
