import API
import CivilTime
import JSONValue

/// The page of the recordings. A person can record, listen, upload, rename, remove, and play a
/// recording on the speaker at home.
struct VoicesPage: CaretakerPage {
  let name = "voices"
  let link: CaretakerSentence? = .voices

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    let path = Array(context.visit.path.dropFirst())
    switch (path.count, path.first, path.last) {
    case (0, _, _): return .content(VoicesHTML(context, try voices(context)).content)
    case (1, let name?, _):
      guard let html = try voice(name, context) else { return .missing }
      return .content(html.content)
    case (2, let name?, "sound"?):
      let reply = try context.home.send(HomeRequest(.toneSound, ["name": name]))
      guard reply.isAccepted else { return .missing }
      return .bytes(contentType: "audio/wav", reply.body)
    default: return .missing
    }
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    let path = Array(context.visit.path.dropFirst())
    let button = form.text(PageContext.buttonField)
    switch (path.count, path.first, button) {
    case (0, _, "store"): return try store(form, context)
    case (1, let name?, "play"):
      return try shown(
        context.change(.playTone, ["name": name], form: form), name, saved: "play", context)
    case (1, let name?, "rename"):
      let new = form.text("name")
      return try shown(
        context.change(.renameTone, ["name": name], [("name", .string(new))], form: form), name,
        as: new, saved: "rename", context)
    case (1, let name?, "remove"): return try remove(name, form, context)
    default: return .missing
    }
  }

  // MARK: Reading

  private func voices(_ context: PageContext) throws(HomeTrouble) -> [VoiceReading] {
    (try context.read(.listTones, query: ["limit": "500"])["tones"]?.array ?? [])
      .compactMap(VoiceReading.init)
  }

  private func voice(
    _ name: String, _ context: PageContext
  ) throws(HomeTrouble) -> VoiceHTML? {
    let all = try voices(context)
    guard let voice = all.first(where: { $0.name == name }) else { return nil }
    return VoiceHTML(context, voice, others: all.map(\.name).filter { $0 != name })
  }

  // MARK: Changes

  private func store(
    _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    let name = form.text("name")
    var html = VoicesHTML(context, try voices(context))
    html.typedName = name
    guard let file = form.files.first(where: { $0.field == "file" }), !file.bytes.isEmpty else {
      html.isFileMissing = true
      return .content(html.content)
    }
    let replace = form["replace"] == nil ? [:] : ["replace": "yes"]
    // The daemon recognises the format by the bytes of the file, not by the content type.
    let result = try context.upload(
      .addTone, ["name": name.isEmpty ? " " : name], query: replace,
      type: "application/octet-stream", file.bytes, form: form)
    switch result {
    case .success(let stored):
      guard let voice = stored["tone"].flatMap(VoiceReading.init) else {
        throw .unreadable(field: "tone")
      }
      return .redirect(to: Link.to(self.name, voice.name, query: [("saved", "store")]))
    case .failure(let refusal):
      html.refusal = refusal
      return .content(html.content)
    }
  }

  private func remove(
    _ name: String, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    let other = form.text("replace_with")
    let reply = try context.home.send(
      HomeRequest(
        .removeTone, ["name": name], query: other.isEmpty ? [:] : ["replace_with": other],
        body: .json(.object([])), key: context.home.newKey()))
    if reply.isAccepted { return .redirect(to: Link.to(self.name, query: [("saved", "remove")])) }
    return try refused(HomeRefusal(reply), name, context)
  }

  private func shown(
    _ result: Result<JSON, HomeRefusal>, _ name: String, as new: String? = nil, saved: String,
    _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    switch result {
    case .success:
      return .redirect(to: Link.to(self.name, new ?? name, query: [("saved", saved)]))
    case .failure(let refusal): return try refused(refusal, name, context)
    }
  }

  private func refused(
    _ refusal: HomeRefusal, _ name: String, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    guard var html = try voice(name, context) else { throw .refused(refusal) }
    html.refusal = refusal
    return .content(html.content)
  }
}

/// A recording as the daemon describes it.
struct VoiceReading: Sendable, Hashable {
  var name: String
  var milliseconds: Int64
  /// The loudness of the stored recording, which the daemon normalised, in LUFS (EBU R 128).
  var loudness: Double

  init?(_ tone: JSON) {
    guard let name = tone["name"]?.string, let length = tone["duration_ms"]?.integer else {
      return nil
    }
    (self.name, milliseconds) = (name, length)
    loudness = tone["loudness_lufs"]?.double ?? 0
  }

  /// The length of the recording in seconds, with one decimal place, for example `3.2`.
  var seconds: String {
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The loudness of the recording in LUFS, with one decimal place.
  var loudnessText: String {
    let tenths = Int((loudness * 10).rounded())
    return "\(tenths < 0 ? "−" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

extension PageContext {
  /// Sends a file to the daemon.
  ///
  /// - Returns: the refusal of the daemon, or its reply.
  func upload(
    _ operation: Route.Operation, _ parameters: [String: String], query: [String: String],
    type: String, _ bytes: [UInt8], form: FormFields
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal> {
    let reply = try home.send(
      HomeRequest(
        operation, parameters, query: query, body: .bytes(contentType: type, bytes),
        key: Self.key(form) ?? home.newKey()))
    return reply.isAccepted ? .success(try Self.document(reply)) : .failure(HomeRefusal(reply))
  }
}
