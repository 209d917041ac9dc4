import Alarms
import JSONValue

// The stored form of a picture. The media type and the size are payload: the hash chain covers
// them. The digest of the picture is content: Prompter can erase it. If Prompter could not erase
// the digest, anyone with a copy of the picture could prove that this home used the picture.
extension StoredEvent {
  mutating func setPicture(_ event: Event) {
    switch event {
    case .imageAdded(let picture), .imageRemoved(let picture):
      payload = .object([
        ("media_type", .string(picture.mediaType)), ("width", .integer(Int64(picture.width))),
        ("height", .integer(Int64(picture.height))), ("bytes", .integer(Int64(picture.bytes))),
      ])
      content = .object([("sha256", .string(picture.sha256))])
    case .photographed(_, let sha256):
      content = .object([("sha256", .string(sha256))])
    default: break
    }
  }

  func pictureEvent() throws(EventCodingError) -> Event {
    if type == "photo_added" {
      return .photographed(try require(promptID, "prompt_id"), sha256: text("sha256"))
    }
    let picture = Picture(
      sha256: text("sha256"), mediaType: try members.string("media_type"),
      width: try members.int("width"), height: try members.int("height"),
      bytes: try members.int("bytes"))
    return type == "image_added" ? .imageAdded(picture) : .imageRemoved(picture)
  }
}

extension JSON {
  /// The JSON form of a stored picture.
  public static func picture(_ picture: Picture) -> JSON {
    .object([
      ("id", .string(picture.sha256)), ("media_type", .string(picture.mediaType)),
      ("width", .integer(Int64(picture.width))), ("height", .integer(Int64(picture.height))),
      ("bytes", .integer(Int64(picture.bytes))),
      ("prompt_id", .optional(picture.prompt?.description)),
    ])
  }
}
