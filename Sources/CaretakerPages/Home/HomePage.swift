import API
import CivilTime
import JSONValue

/// The page "Home" with the state of the device: speaker, clock, disk, record, contacts, pauses and
/// holidays.
struct HomePage: CaretakerPage {
  let name = "home"
  let link: CaretakerSentence? = .homePage

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    return .content(try page(context).content)
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    if form.text(PageContext.buttonField) == "revoke" { return try revoke(form, context) }
    guard let button = HomeButton(form) else { return .missing }
    let result = try context.change(
      button.operation, button.parameters, button.members, form: form)
    switch result {
    case .success(let reply):
      return .redirect(to: Link.to(name, query: button.saved(reply)))
    case .failure(let refusal):
      var html = try page(context)
      html.refusal = refusal
      html.supplies.refused = button.refusedSupply(refusal)
      return .content(html.content)
    }
  }

  private func revoke(
    _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    guard let number = Int(form.text("phone")) else { return .missing }
    let reply = try context.home.phones(.revoke(number: number))
    if reply.isAccepted {
      return .redirect(to: Link.to(name, query: [("saved", "revoke"), ("phone", String(number))]))
    }
    var html = try page(context)
    html.refusal = HomeRefusal(reply)
    return .content(html.content)
  }

  private func page(_ context: PageContext) throws(HomeTrouble) -> HomeHTML {
    let status = try context.read(.status)
    let people = try context.read(.listPeople, query: ["limit": "1000"])["people"]?.array ?? []
    let contacts = try context.read(.listContacts)["contacts"]?.array ?? []
    let holidays = try context.read(.listHolidays)["holidays"]?.array ?? []
    return HomeHTML(
      context: context, device: DeviceReading(status, context.household),
      findings: context.home.findings(status).filter { $0.grade != .well },
      contacts: contacts.compactMap { ContactReading($0, context.household) },
      people: people.compactMap { PauseReading($0, context.household) },
      holidays: holidays.compactMap(HolidayReading.init),
      supplies: SuppliesHTML(context: context, supplies: try context.supplies()),
      phones: try PhonesHTML(context: context).section(context.phones()))
  }
}

/// A button of the page "Home" with the values of its form.
enum HomeButton: Sendable, Hashable {
  case testRing(device: String, percent: String)
  case setLevel(device: String, percent: String)
  /// - Parameters:
  ///   - supply: the id of the supply.
  ///   - isCounted: true if the amount replaces the amount that is left; false if the daemon adds
  ///     the amount to the amount that is left.
  case supply(String, isCounted: Bool, amount: String)
  case addSupply(SupplySettings)
  /// - Parameter old: the settings that the page showed.
  case changeSupply(String, SupplySettings, old: SupplySettings)
  case removeSupply(String)
  case testContact(String)
  /// - Parameter until: the last day of the pause; empty if the pause has no end.
  case pause(person: String, until: String)
  case resume(person: String)

  /// - Returns: nil if the form has no button of this page.
  init?(_ form: FormFields) {
    let (device, percent) = (form.text("device"), form.text("percent"))
    switch form.text(PageContext.buttonField) {
    case "ring": self = .testRing(device: device, percent: percent)
    case "quieter": self = .testRing(device: device, percent: Self.level(percent, change: -10))
    case "louder": self = .testRing(device: device, percent: Self.level(percent, change: 10))
    case "refill", "count":
      self = .supply(
        form.text("supply"), isCounted: form.text(PageContext.buttonField) == "count",
        amount: form.text("amount"))
    case "add_supply": self = .addSupply(SupplySettings(form))
    case "change_supply":
      self = .changeSupply(
        form.text("supply"), SupplySettings(form), old: SupplySettings(form, prefix: "old-"))
    case "remove_supply": self = .removeSupply(form.text("supply"))
    case "level": self = .setLevel(device: device, percent: percent)
    case "contact": self = .testContact(form.text("contact"))
    case "pause": self = .pause(person: form.text("person"), until: form.text("until"))
    case "resume": self = .resume(person: form.text("person"))
    default: return nil
    }
  }

  var operation: Route.Operation {
    switch self {
    case .testRing: .testRing
    case .setLevel: .setLevel
    case .supply(_, let isCounted, _): isCounted ? .countSupply : .refillSupply
    case .addSupply: .addSupply
    case .changeSupply: .changeSupply
    case .removeSupply: .removeSupply
    case .testContact: .testContact
    case .pause(let person, _): person.isEmpty ? .pauseEverybody : .pausePerson
    case .resume(let person): person.isEmpty ? .resumeEverybody : .resumePerson
    }
  }

  var parameters: [String: String] {
    switch self {
    case .testRing, .setLevel, .addSupply: [:]
    case .testContact(let name), .supply(let name, _, _), .changeSupply(let name, _, _),
      .removeSupply(let name):
      ["name": name]
    case .pause(let person, _), .resume(let person): person.isEmpty ? [:] : ["id": person]
    }
  }

  var members: [(String, JSON?)] {
    switch self {
    case .testRing(let device, let percent):
      [
        ("device", device.isEmpty ? nil : .string(device)),
        ("percent", percent.isEmpty ? nil : .number(typed: percent)),
      ]
    case .supply(_, let isCounted, let amount):
      [(isCounted ? "left" : "amount", .number(typed: amount))]
    case .addSupply(let settings): settings.newMembers
    case .changeSupply(_, let settings, let old): settings.changes(from: old)
    case .setLevel(let device, let percent):
      [("device", .string(device)), ("percent", .number(typed: percent))]
    case .pause(_, let until): [("until", until.isEmpty ? nil : .string(until))]
    case .testContact, .resume, .removeSupply: []
    }
  }

  /// Returns a level in percent after one step of the calibration. If the text is not a number, the
  /// refusal of the daemon explains the error.
  private static func level(_ text: String, change: Int) -> String {
    Int(text).map { String(min(100, max(1, $0 + change))) } ?? text
  }

  /// Returns the refused change of a supply; nil if this button does not change a supply.
  func refusedSupply(_ refusal: HomeRefusal) -> SuppliesHTML.Refused? {
    let (supply, part): (String, SuppliesHTML.Refused.Part)
    switch self {
    case .supply(let id, _, let amount): (supply, part) = (id, .amount(amount))
    case .addSupply(let settings): (supply, part) = ("", .settings(settings))
    case .changeSupply(let id, let settings, _): (supply, part) = (id, .settings(settings))
    case .removeSupply(let id): (supply, part) = (id, .removal)
    case .testRing, .setLevel, .testContact, .pause, .resume: return nil
    }
    return SuppliesHTML.Refused(refusal: refusal, supply: supply, part: part)
  }

  /// Returns the query in the address of the next page. From this query, the next page shows the
  /// result of the change.
  func saved(_ reply: JSON) -> [(String, String?)] {
    switch self {
    case .testRing(let device, let percent):
      [
        ("saved", reply["stopped"]?.bool == true ? "stopped" : "ring"),
        ("device", reply["device"]?.string ?? device),
        // Show this level again, so that the person can keep or change the level.
        ("percent", percent.isEmpty ? nil : percent),
      ]
    case .setLevel: [("saved", "level")]
    case .supply: [("saved", "supply"), ("supply", reply["supply"]?["name"]?.string)]
    case .addSupply: [("saved", "supply_added"), ("supply", reply["supply"]?["name"]?.string)]
    case .changeSupply:
      [("saved", "supply_changed"), ("supply", reply["supply"]?["name"]?.string)]
    case .removeSupply:
      [("saved", "supply_removed"), ("supply", reply["supply"]?["name"]?.string)]
    case .testContact(let name):
      [("saved", reply["state"]?.string), ("contact", name), ("why", reply["reason"]?.string)]
    case .pause: [("saved", "pause")]
    case .resume: [("saved", "resume")]
    }
  }
}
