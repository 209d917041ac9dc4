import Alarms
import EventCoding

/// The routes for the pictures of alarms and for the photos of completed tasks.
extension Route {
  static let imageRoutes: [Route] = [
    Route(
      .listImages, .get, "/v1/images", [.caretaker], query: [.limit(1_000), .after],
      answers: .json(.imageList), "The stored pictures."),
    Route(
      .addImage, .post, "/v1/images", home,
      takes: .bytes([
        "image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/avif",
        "application/octet-stream",
      ]),
      bodyLimit: Route.uploadBody, status: 201, answers: .json(.imageShown),
      "Checks a picture, encodes it again without the metadata of the camera, and stores it."),
    Route(
      .showImage, .get, "/v1/images/{id}", home, answers: .bytes(["image/jpeg", "image/png"]),
      "The picture file."),
    Route(
      .showThumbnail, .get, "/v1/images/{id}/thumbnail", home, answers: .bytes(["image/jpeg"]),
      "A small version of the picture, at most 256 pixels wide and high."),
    Route(
      .removeImage, .delete, "/v1/images/{id}", [.caretaker], answers: .json(.imageShown),
      "Removes a picture and deletes its files. If an alarm shows the picture, the daemon refuses "
        + "the request."),
  ]
}

extension JSONSchema {
  /// The digest of a stored picture.
  static let imageID = JSONSchema.format("picture id, 64 hexadecimal digits")

  static let image = JSONSchema.named(
    "Image",
    .object([
      .always("id", .imageID), .always("media_type", .word(["image/jpeg", "image/png"])),
      .always("width", .count, "Width in pixels."), .always("height", .count, "Height in pixels."),
      .always("bytes", .count, "Size in bytes, including the thumbnail."),
      .always(
        "prompt_id", .optional(.promptID), "The prompt whose completed task the picture shows."),
    ]))
  static let imageShown = JSONSchema.named("ImageShown", .object([.always("image", .image)]))
  static let imageList = JSONSchema.named(
    "ImageList",
    .object([
      .always("images", .list(.image)),
      .nextPage,
    ]))

  static let completeForm = JSONSchema.named(
    "CompleteForm",
    .object([
      .maybe(
        "photo", .imageID,
        "A stored picture that shows the completed task. For 60 seconds after the answer \"done\", a "
          + "second request can add the photo.")
    ]))
}

extension APIRequest {
  /// The digest of the photo of the completed task; nil if the body names no photo.
  public func photo() throws(Refusal) -> String? {
    var fields = try FieldReader(body: body)
    let photo = try fields.string("photo")
    try fields.finish()
    return photo
  }
}
