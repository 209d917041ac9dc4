import API
import CivilTime
import JSONValue

/// The page "Messages" with the messages to people and the calls of people. The caretaker can send
/// a new message.
struct MessagesPage: CaretakerPage {
  let name = "messages"
  let link: CaretakerSentence? = .messages

  /// The number of messages that the page shows at first, and the maximum number of messages that
  /// it can show.
  private static let (few, most) = (20, 1_000)

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    return .content(try page(MessageForm(context), context).content)
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    switch form.text(PageContext.buttonField) {
    case "say": return try say(form, context)
    case "cancel":
      let result = try context.change(.cancel, ["id": form.text("prompt")], form: form)
      if case .failure(let refusal) = result {
        var html = try page(MessageForm(context), context)
        html.refusal = refusal
        return .content(html.content)
      }
      return .redirect(to: Link.to(name, query: [("saved", "cancel")]))
    default: return .missing
    }
  }

  private func say(
    _ fields: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    let form = MessageForm(fields)
    switch try context.change(.say, [:], form.members, form: fields) {
    case .success(let said):
      return .redirect(to: Link.to(name, query: Said(said).query))
    case .failure(let refusal):
      var html = try page(form, context)
      html.refusal = refusal
      return .content(html.content)
    }
  }

  private func page(
    _ form: MessageForm, _ context: PageContext
  ) throws(HomeTrouble) -> MessagesHTML {
    let showsAll = context.visit.query["all"] != nil
    let limit = showsAll ? Self.most : Self.few + 1
    var messages: [MessageReading] = []
    for row in try context.read(.listMessages, query: ["limit": "\(limit)"])["messages"]?.array
      ?? []
    {
      messages.append(try MessageReading(row, context.household))
    }
    let more = !showsAll && messages.count > Self.few
    return MessagesHTML(
      context: context, form: form, tones: try context.names(.listTones, "tones"),
      messages: more ? Array(messages.prefix(Self.few)) : messages, hasMore: more)
  }
}

/// The result of a message that the daemon accepted.
struct Said: Sendable, Hashable {
  /// The kind of the result. The raw value is the word in the address of the next page.
  enum Result: String, Sendable {
    case said = "said"
    case waits = "waits"
    case silent = "silent"
  }

  var result = Result.said
  /// The local time at which the quiet hours end; nil if the message does not wait for this time.
  var at: String?
  /// The reason why only a chime sounds, in the words of the daemon.
  var onlyChime: String?

  init(_ reply: JSON) {
    onlyChime = reply["voice"]?.string
    guard let next = reply["next"], next["suppressed_by"]?.string != nil else { return }
    at = next["rings_local"]?.string
    result = at == nil ? .silent : .waits
  }

  var query: [(String, String?)] {
    [("saved", result.rawValue), ("at", at), ("chime", onlyChime)]
  }
}
