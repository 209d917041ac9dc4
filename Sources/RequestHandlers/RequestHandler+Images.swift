import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue

/// The handlers of `/v1/images`.
extension RequestHandler {
  func images(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .addImage: try await addImage(request)
    case .showImage: try await imageBytes(request, isThumbnail: false)
    case .showThumbnail: try await imageBytes(request, isThumbnail: true)
    case .removeImage: try await removeImage(request)
    default: try await listImages(request)
    }
  }

  private func listImages(_ request: APIRequest) async throws -> APIResponse {
    let all = await engine.read { home, _ in Array(home.pictures.values) }
    let page = try Page(all, of: request, most: 1_000) { [$0.sha256] }
    return .json(page.document("images", JSON.picture))
  }

  /// Checks whether the home accepts the picture, and then stores the picture.
  ///
  /// The engine can still refuse the picture after its files are stored. In this case, the handler
  /// deletes these files, unless the home already uses the same picture.
  private func addImage(_ request: APIRequest) async throws -> APIResponse {
    try await admit(request.body.count) { _ in nil }
    let picture = try await pictures.store(request.body) { picture throws(Refusal) in
      try await admit(picture.bytes) { home in
        home.hasUploaded(picture.sha256, request.actor.id)
          ? nil : home.refusesPicture(bytes: picture.bytes, by: request.actor.id)
      }
    }
    do {
      let response = try await carryOut(.addPicture(picture), by: request.actor) { reply, home in
        guard case .picture(var kept) = reply else {
          preconditionFailure("the engine returned no picture")
        }
        // If the sender has no permission to see the person of the prompt, the response does not
        // contain the id of the prompt.
        let owner = kept.prompt.flatMap { home.alarm($0.alarm)?.person.text }
        if request.only != nil, owner.map(request.maySee) != true { kept.prompt = nil }
        return .json(.object([("image", .picture(kept))]), status: 201)
      }
      pictures.settle(picture)
      return response
    } catch {
      pictures.settle(picture)
      try await erase([picture])
      throw error
    }
  }

  /// Refuses an upload that exceeds a quota or the free space.
  ///
  /// - Parameters:
  ///   - bytes: the size of the file, in bytes.
  ///   - refusal: a function that returns the reason why the home does not accept the file. The
  ///     result is nil if the home accepts the file.
  func admit(
    _ bytes: Int, _ refusal: @escaping @Sendable (HomeState) -> Refusal?
  ) async throws(Refusal) {
    if let refusal = await engine.read({ home, _ in refusal(home) }) { throw refusal }
    if let lowSpaceReason = ports.lowSpaceReason() {
      throw Refusal(.storage, "cannot store the file: \(lowSpaceReason)")
    }
    guard let free = ports.freeBytes(), free - Int64(bytes) < DiskSpaceLimits.lowBytes else {
      return
    }
    throw Refusal(
      .storage,
      "cannot store the file: the disk has \(free >> 20) MiB free, and the last "
        + "\(DiskSpaceLimits.lowBytes >> 20) MiB are kept for the record; delete other files first")
  }

  private func imageBytes(_ request: APIRequest, isThumbnail: Bool) async throws -> APIResponse {
    let picture = try await picture(request)
    guard let bytes = pictures.bytes(picture, isThumbnail) else {
      throw Refusal(.storage, "cannot read the picture: its file is missing; add it again")
    }
    return APIResponse(
      status: 200, contentType: isThumbnail ? "image/jpeg" : picture.mediaType,
      headers: ["x-content-type-options": "nosniff"], body: .bytes(bytes))
  }

  private func removeImage(_ request: APIRequest) async throws -> APIResponse {
    let picture = try await picture(request)
    let response = try await carryOut(.removePicture(picture.sha256), by: request.actor) { _, _ in
      .json(.object([("image", .picture(picture))]))
    }
    try await erase([picture])
    return response
  }

  /// Deletes the files of each removed picture. If a user has added the same picture again after
  /// the removal, the function keeps the files of this picture.
  func erase(_ removed: [Picture]) async throws {
    let erase = pictures.erase
    try await engine.read { home, _ in
      Result {
        for picture in removed where home.pictures[picture.sha256] == nil { try erase(picture) }
      }
    }.get()
  }

  private func picture(_ request: APIRequest) async throws -> Picture {
    let id = request.parameters["id"] ?? ""
    let found = await engine.read { home, _ in home.pictures[id] }
    guard let found, try await maySee(found, request) else {
      throw Refusal(.notFound, "there is no picture \"\(id)\"")
    }
    return found
  }

  /// Refuses a photo that the sender has no permission to use.
  ///
  /// If the sender may see all people, the function refuses nothing. If the sender may see only one
  /// person, there are two rules. The sender may use a photo of a completed task only if this
  /// person completed the task. The sender may use any other picture only if an alarm of this
  /// person shows the picture, or if the sender uploaded the picture. The refusal is the same as
  /// for a picture that does not exist.
  func requireOwn(_ photo: String, of id: PromptID?, _ request: APIRequest) async throws {
    guard request.only != nil else { return }
    let picture = await engine.read { home, _ in home.pictures[photo] }
    guard let picture, try await maySee(picture, request) else {
      throw Picture.unknown(field: "photo", photo)
    }
  }
}
