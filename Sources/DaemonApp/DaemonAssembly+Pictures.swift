import Alarms
import Images
import Logbook
import MessageDigest
import RequestHandlers

extension DaemonAssembly {
  /// Returns the functions that the request handler calls for pictures.
  func imageActions() -> ImageActions {
    let (store, decoder) = (pictures, ImageDecoder(executable: imageHelper))
    return ImageActions(
      store: { upload, admit throws(Refusal) in
        do {
          let decoded = try await decoder.decode(upload)
          let digest = SHA256Digest.hex(decoded.bytes)
          let picture = Picture(
            sha256: digest, mediaType: decoded.mediaType, width: decoded.width,
            height: decoded.height, bytes: decoded.bytes.count + decoded.thumbnail.count)
          try await admit(picture)
          try store.storeHeld(decoded, sha256: digest)
          return picture
        } catch let refusal as Refusal {
          throw refusal
        } catch let refusal as ImageRefusal {
          throw Refusal(.badImage, "cannot use this picture: \(refusal)")
        } catch {
          throw Refusal(.storage, "\(error)")
        }
      },
      settle: { store.settle(sha256: $0.sha256) },
      bytes: { store.bytes(sha256: $0.sha256, isThumbnail: $1) },
      erase: { try store.erase(sha256: $0.sha256) })
  }
}
