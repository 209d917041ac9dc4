import Images
import Logbook
import MessageDigest
import Speaker

/// Compares the stored recordings and pictures with the record.
///
/// The record contains the digest of each file. If a program other than Prompter replaced a file, a
/// ring would play a wrong sound, or a screen would show a wrong picture.
struct StoredFileCheck {
  let logbook: Logbook
  let tones: ToneStore
  let pictures: ImageStore

  /// Adds a fault about the first wrong file to a verification that found no fault in the record.
  func completing(_ verification: Verification) throws -> Verification {
    guard verification.isOK else { return verification }
    var verification = verification
    verification.finding = try problem().map { .init(problem: $0) }
    return verification
  }

  /// Returns a sentence about the first file that is missing or was changed; nil if all files are
  /// correct.
  private func problem() throws -> String? {
    for tone in try logbook.storedTones() {
      if let fault = fault(tones.bytes(sha256: tone.sha256), tone.sha256) {
        return "the recording \"\(tone.name)\" \(fault)"
      }
    }
    for sha256 in try logbook.storedPictures() {
      if let fault = fault(pictures.bytes(sha256: sha256, isThumbnail: false), sha256) {
        return "the picture \(sha256.prefix(12)) \(fault)"
      }
    }
    return nil
  }

  private func fault(_ bytes: [UInt8]?, _ sha256: String) -> String? {
    guard let bytes else { return "is missing or cannot be read" }
    return SHA256Digest.hex(bytes) == sha256 ? nil : "was changed after it was stored"
  }
}
