import Alarms
import CivilTime
import Wire

/// `/v1/images`.
extension FrontDesk {
  func images(_ request: WireRequest) async throws -> WireResponse {
    switch request.operation {
    case .addImage: try await addImage(request)
    case .showImage: try await imageBytes(request, isThumbnail: false)
    case .showThumbnail: try await imageBytes(request, isThumbnail: true)
    case .removeImage: try await removeImage(request)
    default: try await listImages(request)
    }
  }

  private func listImages(_ request: WireRequest) async throws -> WireResponse {
    let all = await hallway.look { home, _ in Array(home.pictures.values) }
    let page = try Page(all, of: request, most: 1_000) { [$0.sha256] }
    return .json(page.document("images", JSON.picture))
  }

  private func addImage(_ request: WireRequest) async throws -> WireResponse {
    let picture = try await pictures.store(request.body)
    let response = try await carryOut(.addPicture(picture), by: request.actor) { reply, _ in
      guard case .picture(let kept) = reply else {
        preconditionFailure("a picture was added without being answered")
      }
      return .json(.object([("image", .picture(kept))]), status: 201)
    }
    // The same picture may just have been removed by somebody else, and its file with it.
    if pictures.bytes(picture, true) == nil { _ = try await pictures.store(request.body) }
    return response
  }

  private func imageBytes(_ request: WireRequest, isThumbnail: Bool) async throws -> WireResponse {
    let picture = try await picture(request)
    guard let bytes = pictures.bytes(picture, isThumbnail) else {
      throw Refusal(.storage, "the picture is gone from the disk; add it again")
    }
    return WireResponse(
      status: 200, contentType: isThumbnail ? "image/jpeg" : picture.mediaType,
      headers: ["x-content-type-options": "nosniff"], body: .bytes(bytes))
  }

  private func removeImage(_ request: WireRequest) async throws -> WireResponse {
    let picture = try await picture(request)
    let response = try await carryOut(.removePicture(picture.sha256), by: request.actor) { _, _ in
      .json(.object([("image", .picture(picture))]))
    }
    try await erase([picture])
    return response
  }

  /// Takes pictures from the disk that the record says are removed; those that are not stay.
  func erase(_ removed: [Picture]) async throws {
    let erase = pictures.erase
    try await hallway.look { home, _ in
      Result {
        for picture in removed where home.pictures[picture.sha256] == nil { try erase(picture) }
      }
    }.get()
  }

  private func picture(_ request: WireRequest) async throws(Refusal) -> Picture {
    let id = request.parameters["id"] ?? ""
    let found = await hallway.look { home, _ in home.pictures[id] }
    guard let found else { throw Refusal(.notFound, "there is no picture \"\(id)\"") }
    return found
  }
}
