import API
import JSONValue

/// Stores a picture for an alarm, or removes the picture from the alarm.
struct AlarmPicture: Sendable {
  /// The name of the form field that contains the file.
  static let field = "picture"

  var id: String
  var form: FormFields
  var context: PageContext

  func reply() throws(HomeTrouble) -> PageReply {
    switch form.text(PageContext.buttonField) {
    case "picture": return try store()
    case "no_picture": return try change(to: "", saved: "no_picture")
    default: return .missing
    }
  }

  private func store() throws(HomeTrouble) -> PageReply {
    guard let file = form.files.first(where: { $0.field == Self.field }), !file.bytes.isEmpty
    else {
      var page = AlarmHTML(context, try context.alarm(id))
      page.isPictureMissing = true
      return .content(page.content)
    }
    // The daemon recognises the format by the bytes of the file, not by the content type.
    let stored = try context.upload(
      .addImage, [:], query: [:], type: "application/octet-stream", file.bytes, form: form)
    switch stored {
    case .success(let reply):
      guard let image = reply["image"]?["id"]?.string else { throw .unreadable(field: "image") }
      return try change(to: image, saved: "picture")
    case .failure(var refusal):
      refusal.field = Self.field
      return try shown(refusal)
    }
  }

  /// - Parameter image: the id of a stored picture; empty if the alarm should have no picture.
  private func change(to image: String, saved: String) throws(HomeTrouble) -> PageReply {
    // The request that stores the picture has already used the idempotency key of the form.
    // Therefore, use a new key here.
    let result = try context.change(
      .editAlarm, ["id": id], [("image", .string(image))], form: FormFields(),
      version: Int(form.text("version")))
    switch result {
    case .success: return .redirect(to: Link.to("alarms", id, query: [("saved", saved)]))
    case .failure(let refusal): return try shown(refusal)
    }
  }

  private func shown(_ refusal: HomeRefusal) throws(HomeTrouble) -> PageReply {
    var page = AlarmHTML(context, try context.alarm(id))
    page.refusal = refusal
    return .content(page.content)
  }
}
