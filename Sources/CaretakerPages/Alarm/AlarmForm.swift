import CivilTime
import EventCoding
import JSONValue

/// The values of the form of an alarm, as a person typed them.
struct AlarmForm: Sendable, Hashable {
  /// The way in which the person enters the schedule.
  enum Way: String, Sendable {
    /// The form has fields for days of the week, times of day and a last day.
    case guided = "guided"
    /// The form has one field for a phrase such as "every 8 hours".
    case typed = "typed"
  }

  var label = ""
  var person = ""
  var way = Way.guided
  /// The days of the week, for example `monday`. If the list is empty, the alarm rings every day.
  var days: [String] = []
  /// The times of day, for example `08:00`.
  var times: [String] = [""]
  var until = ""
  var phrase = ""
  var instructions = ""
  var tone = ""
  /// The bursts of rings. There is at least one burst.
  var bursts = [BurstFields()]
  var earlyReminders: [EarlyFields] = []
  /// The contacts, each with the minutes after which the daemon notifies the contact.
  var contacts: [(name: String, minutes: String)] {
    get { zip(contactNames, contactMinutes).map { ($0, $1) } }
    set { (contactNames, contactMinutes) = (newValue.map(\.name), newValue.map(\.minutes)) }
  }
  private var contactNames: [String] = []
  private var contactMinutes: [String] = []
  var questions: [QuestionFields] = []
  /// True if "done" waits for the answers to all required questions.
  var answersRequired = false
  /// The supplies that each completed task uses.
  var supplies: [SupplyFields] = []
  /// The version of the alarm from which the form was made; 0 for a new alarm.
  var version = 0
  /// False if the form has no fields for bursts, early reminders and contacts. In this case, the
  /// form does not change them.
  var hasBursts = true
  var hasEarlyReminders = true
  var hasContacts = true
  /// False if the form has no fields for questions and supplies, or if the form does not know the
  /// kind of a question. In this case, the form does not change the questions and supplies.
  var hasQuestions = true
  var hasSupplies = true

  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  init() {}

  /// Reads the values that the browser sent.
  init(_ fields: FormFields) {
    (label, person) = (fields.text("label"), fields.text("person"))
    way = Way(rawValue: fields.text("way")) ?? .guided
    days = fields.all("day").filter(Self.weekdays.contains)
    times = fields.all("time").filter { !$0.isEmpty }
    if times.isEmpty { times = [""] }
    (until, phrase) = (fields.text("until"), fields.text("phrase"))
    instructions = fields.text("instructions").split(
      separator: "\r\n", omittingEmptySubsequences: false
    )
    .joined(separator: "\n")
    tone = fields.text("tone")
    (bursts, earlyReminders) = (BurstFields.all(fields), EarlyFields.all(fields))
    contacts = Array(
      zip(fields.all("contact"), fields.all("minutes")).map { (name: $0, minutes: $1) }
        .filter { !$0.name.isEmpty || !$0.minutes.isEmpty })
    version = Int(fields.text("version")) ?? 0
    hasBursts = !bursts.isEmpty
    hasEarlyReminders = fields[EarlyFields.countField] != nil
    hasContacts = fields["contact"] != nil
    (questions, supplies) = (QuestionFields.all(fields), SupplyFields.all(fields))
    answersRequired = fields["answers_required"] != nil
    hasQuestions = fields["questions"] != nil
    hasSupplies = fields[SupplyFields.supplyField] != nil
  }

  /// Fills the form with the values of an alarm.
  init(_ alarm: AlarmReading) {
    (label, person, phrase) = (alarm.label, alarm.person, alarm.phrase)
    instructions = alarm.instructions
    (tone, version) = (alarm.tone ?? "", alarm.version)
    way = .typed
    if let simple = SimpleSchedule(alarm.schedule) {
      (way, days, times, until) = (.guided, simple.days, simple.times, simple.until)
    }
    bursts = BurstFields.all(alarm.bursts)
    earlyReminders = alarm.earlyReminders.map(EarlyFields.init(words:))
    contacts = alarm.tell.map {
      (name: $0.contact, minutes: DurationWords.minutes($0.afterSeconds))
    }
    questions = alarm.questions.compactMap(QuestionFields.init)
    hasQuestions = questions.count == alarm.questions.count
    answersRequired = alarm.answersRequired
    supplies = alarm.uses.map { SupplyFields(supply: $0.supply, amount: String($0.amount)) }
  }

  /// The schedule as a phrase that the daemon understands.
  var schedule: String {
    guard way == .guided else { return phrase }
    let names = days.isEmpty || days.count == 7 ? "day" : days.joined(separator: ",")
    let end = until.isEmpty ? "" : " until \(until)"
    return "every \(names) \(times.filter { !$0.isEmpty }.joined(separator: ", "))\(end)"
  }

  /// The values of the form as members of a request body, in the order of the form.
  var members: [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("label", .string(label)), ("person", .string(person)), ("schedule", .string(schedule)),
      ("instructions", .string(instructions)), ("tone", .string(tone)),
    ]
    if hasBursts { members.append(("steps", .array(bursts.map(\.document)))) }
    if hasEarlyReminders {
      members.append(("leads", .array(earlyReminders.map { .string($0.words) })))
    }
    if hasContacts {
      let told = contacts.filter { !$0.name.isEmpty }.map {
        "\($0.name) after \(Self.length($0.minutes))"
      }
      members.append(("tell", .string(told.isEmpty ? "none" : told.joined(separator: ", then "))))
    }
    if hasQuestions {
      members.append(("questions", .array(questions.map(\.document))))
      if !questions.isEmpty { members.append(("answers_required", .bool(answersRequired))) }
    }
    if hasSupplies { members.append(("uses", .array(supplies.map(\.document)))) }
    return members
  }

  /// The members of a request that sets a new alarm. The request does not contain empty fields.
  var newMembers: [(String, JSON?)] {
    let empty: [JSON] = [.string(""), .array([]), .array([.object([])])]
    return members.filter {
      !empty.contains($0.1) && !($0.0 == "tell" && $0.1 == .string("none"))
    }.map { ($0.0, $0.1) }
  }

  /// Returns the members whose values differ from the values in `other`.
  ///
  /// A new schedule without early reminders removes the early reminders of the alarm. Therefore,
  /// the request contains the early reminders together with the schedule.
  func changes(from other: AlarmForm) -> [(String, JSON?)] {
    let old = Dictionary(other.members) { first, _ in first }
    return members.filter { name, value in
      old[name] != value
        || (name == "leads" && value != .array([]) && schedule != other.schedule)
    }.map { ($0.0, $0.1) }
  }

  /// Converts minutes such as `10` or `0.5` to a duration for the daemon. If the text is not a
  /// number, the refusal of the daemon explains the error.
  static func length(_ minutes: String) -> String {
    guard let number = Double(minutes.replacing(",", with: ".")), (0...100_000).contains(number)
    else { return minutes }
    return DurationText.text(Int64((number * 60).rounded()))
  }

  static func == (one: AlarmForm, other: AlarmForm) -> Bool {
    one.version == other.version && one.changes(from: other).isEmpty
  }

  func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

/// A schedule that consists of days of the week, times and a last day.
struct SimpleSchedule: Sendable, Hashable {
  var days: [String] = []
  var times: [String] = []
  var until = ""

  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// - Parameter detail: the parts of the schedule as the daemon understands them.
  /// - Returns: nil if the schedule has parts that this form does not contain.
  init?(_ detail: JSON) {
    guard detail["kind"]?.string == "recurring", let rule = detail["rule"]?.string else {
      return nil
    }
    var parts: [String: String] = [:]
    for part in rule.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2 else { return nil }
      parts[sides[0]] = sides[1]
    }
    let known: Set<String> = [
      "FREQ", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "UNTIL", "INTERVAL",
    ]
    guard Set(parts.keys).isSubset(of: known), parts["INTERVAL"] ?? "1" == "1",
      parts["BYSECOND"] ?? "0" == "0", let hours = Self.numbers(parts["BYHOUR"]),
      let minutes = Self.numbers(parts["BYMINUTE"]), minutes.count == 1
    else { return nil }
    switch (parts["FREQ"], parts["BYDAY"]) {
    case ("DAILY", nil): break
    case ("WEEKLY", let names?):
      for name in names.split(separator: ",") {
        guard let index = Self.codes.firstIndex(of: String(name)) else { return nil }
        days.append(AlarmForm.weekdays[index])
      }
    default: return nil
    }
    times = hours.map { "\(Self.padded($0)):\(Self.padded(minutes[0]))" }
    if let end = parts["UNTIL"] {
      guard end.count >= 8 else { return nil }
      let digits = Array(end)
      until = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
    }
  }

  private static func numbers(_ text: String?) -> [Int]? {
    guard let text else { return nil }
    let numbers = text.split(separator: ",").map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
