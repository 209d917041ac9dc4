import JSONValue

/// The page that shows the code for a new phone. The page "Home" lists the phones and has a link to
/// this page.
struct PhonesPage: CaretakerPage {
  let name = "phones"
  let link: CaretakerSentence? = nil

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    return .content(PhonesHTML(context: context).question(try context.phones()))
  }

  /// Requests a code, and shows the code once.
  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    let (html, list) = (PhonesHTML(context: context), try context.phones())
    guard case .reading(let reading) = list, reading.mayAdd else {
      return .content(html.question(list))
    }
    let typed = form.text("user")
    let reply = try context.home.phones(.invite(user: reading.managesAll ? typed : nil))
    guard reply.isAccepted else {
      return .content(html.question(list, typed: typed, refusal: HomeRefusal(reply)))
    }
    guard let code = PhoneCode(try PageContext.document(reply)) else {
      throw .unreadable(field: "code")
    }
    return .content(html.code(code))
  }
}

/// The phones, or the reason why the list of phones is not available.
enum PhoneList: Sendable, Hashable {
  case reading(PhonesReading)
  /// - Parameter why: the reason as a sentence in English.
  case trouble(why: String)
}

extension PageContext {
  /// Reads the phones. If prompter-web cannot be reached, the page "Home" still shows its other
  /// parts.
  func phones() throws(HomeTrouble) -> PhoneList {
    let reply: HomeReply
    do throws(HomeTrouble) {
      reply = try home.phones(.list)
    } catch .unreachable(let why) {
      return .trouble(why: why)
    }
    guard reply.isAccepted else { return .trouble(why: HomeRefusal(reply).detail) }
    return .reading(PhonesReading(try Self.document(reply)))
  }
}
