import CivilTime

/// A stored picture.
///
/// When a user adds a picture, Prompter decodes the picture, turns it upright, and encodes it again
/// without the camera's metadata. The file is stored outside the record. The SHA-256 of the file is
/// the name of the file.
public struct Picture: Hashable, Sendable {
  /// The SHA-256 of the stored file, in lower-case hex. This SHA-256 is also the id of the picture.
  public var sha256: String
  /// The media type: `image/jpeg` or `image/png`.
  public var mediaType: String
  /// The width and the height in pixels.
  public var width: Int
  public var height: Int
  /// The size of the file and its thumbnail together, in bytes.
  public var bytes: Int
  /// The prompt of the completed task that the photo shows; nil if the picture is not such a photo.
  public var prompt: PromptID?

  public init(
    sha256: String, mediaType: String, width: Int, height: Int, bytes: Int, prompt: PromptID? = nil
  ) {
    self.sha256 = sha256
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.bytes = bytes
    self.prompt = prompt
  }
}

/// Commands for pictures.
extension Transition {
  /// Adds a picture.
  ///
  /// If the user has already added the same picture, nothing changes. If another user has already
  /// added the same picture, the daemon stores only one file. In this case, the picture counts for
  /// the limits of both users.
  mutating func add(_ picture: Picture) throws(Refusal) {
    let known = self.picture(picture.sha256)
    if let known, home.hasUploaded(known.sha256, actor.id) {
      reply = .picture(known)
      return
    }
    if let refusal = home.refusesPicture(bytes: picture.bytes, by: actor.id) { throw refusal }
    if let known {
      emit(.imageAdded(known))
      reply = .picture(known)
      return
    }
    emit(.imageAdded(picture))
    reply = .picture(picture)
  }

  /// Removes a picture. The function refuses to remove a picture that an alarm or a reward shows.
  /// The function can also remove a photo of a completed task.
  mutating func removePicture(_ sha256: String) throws(Refusal) {
    let picture = try known(picture: sha256)
    let labels = home.alarms.filter { $0.image == sha256 }.quotedLabels
    guard labels.isEmpty else {
      throw Refusal(
        .inUse,
        "cannot remove the picture: it belongs to \(UserList.words(labels)); first choose another "
          + "picture there, or none")
    }
    if let person = home.people.values.first(where: { $0.person?.rewardImage == sha256 }) {
      throw Refusal(
        .inUse,
        "cannot remove the picture: it is the reward of \"\(person.id)\"; first choose another "
          + "reward picture there, or none")
    }
    emit(.imageRemoved(picture))
    reply = .picture(picture)
  }

  /// Completes a prompt, and adds a photo that shows the completed task.
  ///
  /// If the prompt is already completed, the function adds the photo. The function can add the
  /// photo only while somebody can undo the answer. Therefore a screen can record the answer at
  /// once, and take the photo later.
  mutating func complete(_ id: PromptID?, showing sha256: String) throws(Refusal) {
    guard let picture = picture(sha256) else { throw Picture.unknown(field: "photo", sha256) }
    let known = id.flatMap { completed($0) }
    let prompt: Prompt
    if let known { prompt = known } else { prompt = try answerable(id, .complete) }
    if let other = picture.prompt, other != prompt.id {
      throw Refusal(.conflict, field: "photo", "this photo already belongs to another task")
    }
    if home.shows(sha256) {
      throw Refusal(
        .conflict, field: "photo",
        "this is the picture of an alarm or of a reward; add a photo of the completed task")
    }
    if known == nil {
      try handleAnswer(.complete, to: prompt)
    } else {
      reply = .answered(AnsweredPrompt(prompt: prompt, stopped: stopping(prompt)))
    }
    if picture.prompt != prompt.id { emit(.photographed(prompt.id, sha256: sha256)) }
  }

  /// Returns the prompt if the prompt is completed and its answer can still be undone; otherwise
  /// nil.
  private func completed(_ id: PromptID) -> Prompt? {
    guard let prompt = prompt(id), case .closed(let outcome, _, _) = prompt.state,
      outcome.isCompletion, undoRefusal(of: prompt) == nil
    else { return nil }
    return prompt
  }

  /// Returns the SHA-256 of the picture that an alarm or a reward has after an edit.
  ///
  /// - Parameters:
  ///   - sha256: the SHA-256 of the new picture. If `sha256` is nil, `old` stays. An empty text
  ///     removes the picture.
  ///   - old: the SHA-256 of the picture before the edit.
  ///   - field: the name of the field that a refusal contains.
  /// - Returns: the SHA-256; nil if the alarm or the reward has no picture after the edit.
  /// - Throws: `.invalidField` if the picture does not exist.
  func existingPicture(
    _ sha256: String?, old: String?, field: String = "image"
  ) throws(Refusal) -> String? {
    guard let sha256 else { return old }
    if sha256.isEmpty { return nil }
    guard picture(sha256) != nil else { throw Picture.unknown(field: field, sha256) }
    return sha256
  }

  private func known(picture sha256: String) throws(Refusal) -> Picture {
    if let picture = picture(sha256) { return picture }
    throw Refusal(.notFound, "there is no picture \"\(sha256)\"")
  }
}

extension HomeState {
  /// Returns true if an alarm of this person shows the picture, or if the picture is the reward of
  /// this person. If `person` is nil, the function checks all people.
  public func shows(_ sha256: String, to person: PersonID? = nil) -> Bool {
    alarms.contains { $0.image == sha256 && (person == nil || $0.person == person) }
      || people.values.contains {
        $0.person?.rewardImage == sha256 && (person == nil || $0.id == person)
      }
  }
}

extension Picture {
  /// Returns the refusal of a picture that does not exist, or that the user has no permission to
  /// use.
  public static func unknown(field: String, _ sha256: String) -> Refusal {
    Refusal(.invalidField, field: field, "there is no picture \"\(sha256)\"; add it first")
  }
}

extension EventState {
  mutating func applyPicture(_ event: Event) {
    switch event {
    case .imageAdded(var picture):
      // If the picture is already the photo of a completed prompt, the picture remains the photo of
      // this prompt.
      picture.prompt = self.picture(picture.sha256)?.prompt ?? picture.prompt
      put(picture)
    case .imageRemoved(let picture): drop(picture: picture.sha256)
    case .photographed(let id, let sha256):
      guard var picture = picture(sha256) else { return }
      picture.prompt = id
      put(picture)
    default: break
    }
  }
}
