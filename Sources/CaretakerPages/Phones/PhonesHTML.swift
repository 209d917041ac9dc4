import CivilTime
import Sentences

/// The HTML about phones: the section of the page "Home", and the page with the code.
struct PhonesHTML: Sendable {
  let context: PageContext

  /// The address of the page that shows a code.
  static let address = "/phones"

  // MARK: The section of the page "Home"

  func section(_ list: PhoneList) -> String {
    let reading: PhonesReading
    switch list {
    case .reading(let found): reading = found
    case .trouble(let why):
      return part(
        "<p class=\"nothing\">\(context.say(.noPhoneServer))</p>\n"
          + "<p class=\"help\">\(context.english(why))</p>\n")
    }
    let list =
      reading.phones.isEmpty
      ? "<p class=\"nothing\">\(context.say(.noPhones))</p>\n"
      : "<ul class=\"rows\">\n\(reading.phones.map { row($0, reading) }.joined())</ul>\n"
    let add =
      reading.mayAdd
      ? "<p><a class=\"button\" href=\"\(Self.address)\">\(context.say(.addPhone))</a></p>\n"
      : "<p class=\"help\">\(context.say(.addPhoneElsewhere))</p>\n"
    return part(list + add)
  }

  private func part(_ html: String) -> String {
    context.section("phones", .phones, isPart: true, html)
  }

  private func row(_ phone: PhoneReading, _ reading: PhonesReading) -> String {
    let number = String(phone.number)
    let name = context.say(.phoneName(kind: phone.kind, number: number))
    let user =
      reading.managesAll ? " <span class=\"person\">\(context.escape(phone.user))</span>" : ""
    let this = phone.isThis ? "<p class=\"state\">\(context.say(.thisPhone))</p>\n" : ""
    let used = context.say(.phoneUsed(day: day(phone.used), added: day(phone.added)))
    let button = context.form(
      "/home", hidden: [("phone", number)],
      context.button(
        "revoke", .revokePhone, about: .revokePhoneOf(kind: phone.kind, number: number)))
    return """
      <li class="\(phone.isThis ? "good" : "")"><div><p><strong>\(name)</strong>\(user)</p>
      \(this)<p class="told">\(used)</p></div>
      \(button)</li>

      """
  }

  private func day(_ day: CivilDate?) -> String {
    guard let day else { return "–" }
    return day == context.household.today
      ? context.plain(.today) : DateWords.calendarDay(day, in: context.language)
  }

  // MARK: The page with the code

  /// Returns the page that asks who will use the phone.
  ///
  /// - Parameters:
  ///   - typed: the name that the person has already typed.
  ///   - refusal: the refusal of prompter-web.
  func question(
    _ list: PhoneList, typed: String = "", refusal: HomeRefusal? = nil
  ) -> PageContent {
    switch list {
    case .trouble(let why):
      return content(
        503, "<p>\(context.say(.noPhoneServer))</p>\n<p>\(context.english(why))</p>\n")
    case .reading(let reading) where !reading.mayAdd:
      return content(403, "<p>\(context.say(.addPhoneElsewhere))</p>\n")
    case .reading(let reading):
      let user =
        !reading.managesAll
        ? ""
        : context.field("user", .phoneUser, help: .phoneUserHelp, refusal: refusal) {
          context.input(
            "user", "text", typed,
            $0 + " required maxlength=\"64\" autocapitalize=\"none\" spellcheck=\"false\"")
        }
      let notice =
        refusal.map { context.notice(of: $0, fields: reading.managesAll ? ["user"] : []) } ?? ""
      return content(
        refusal?.status ?? 200,
        notice
          + "<p>\(context.say(reading.managesAll ? .addPhoneForHelp : .addPhoneHelp))</p>\n"
          + context.form(
            Self.address, user + context.button("invite", .showCode, isMain: true)))
    }
  }

  /// Returns the page with the code. The page must not reload, because each code works only once.
  func code(_ code: PhoneCode) -> PageContent {
    let picture = code.picture(context.say(.codePicture))
    let trust = context.say(.phoneStepTrust(address: "\(code.address)/ca.crt"))
    let open = context.say(
      picture.isEmpty
        ? .phoneStepType(address: code.address) : .phoneStepScan(address: code.address))
    return content(
      200,
      """
      <p>\(context.say(.codeFor(user: code.user)))</p>
      <ol class="questions"><li>\(trust)</li><li>\(open)</li></ol>
      \(picture)<p class="digits">\(context.escape(code.grouped))</p>
      <p>\(context.say(.codeLife(minutes: String(code.minutes))))</p>
      <div class="buttons"><a class="button main" href="/home">\(context.say(.phoneDone))</a></div>

      """)
  }

  private func content(_ status: Int, _ html: String) -> PageContent {
    PageContent(
      status: status, title: context.plain(.addPhone),
      html: """
        <p><a href="/home">← \(context.say(.homePage))</a></p>
        <h1>\(context.say(.addPhone))</h1>
        <div class="adding">
        \(html)</div>

        """)
  }
}
