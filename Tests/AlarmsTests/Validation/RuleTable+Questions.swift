@testable import Alarms

extension RuleTable {
  static var questions: [Case] {
    func question(_ kind: String?, _ edit: (inout QuestionForm) -> Void = { _ in }) -> QuestionForm
    {
      var form = QuestionForm()
      (form.name, form.text, form.kind) = ("q1", "How?", kind)
      edit(&form)
      return form
    }
    let a = Choice(name: "a", text: "A")
    let forms: [(String, QuestionForm)] = [
      ("number", question("number") { ($0.min, $0.max) = (0, 1) }),
      ("number kg", question("number") { ($0.min, $0.max, $0.unit) = (0, 1, "kg") }),
      ("number stone", question("number") { ($0.min, $0.max, $0.unit) = (0, 1, "stone") }),
      ("number without min", question("number") { $0.max = 1 }),
      ("number without max", question("number") { $0.min = 1 }),
      ("number 1 to 1", question("number") { ($0.min, $0.max) = (1, 1) }),
      ("number to infinity", question("number") { ($0.min, $0.max) = (1, .infinity) }),
      ("number from -infinity", question("number") { ($0.min, $0.max) = (-.infinity, 1) }),
      ("scale", question("scale")), ("scale -1000", question("scale") { $0.min = -1_000 }),
      ("scale -1001", question("scale") { $0.min = -1_001 }),
      ("scale 1000", question("scale") { $0.max = 1_000 }),
      ("scale 1001", question("scale") { $0.max = 1_001 }),
      ("scale 10 to 10", question("scale") { $0.min = 10 }),
      ("scale 9 to 10", question("scale") { $0.min = 9 }),
      ("scale 0.5", question("scale") { $0.min = 0.5 }),
      ("scale to 9.5", question("scale") { $0.max = 9.5 }),
      ("scale in kg", question("scale") { $0.unit = "kg" }),
      ("temperature", question("temperature")),
      ("temperature F", question("temperature") { $0.unit = "[degF]" }),
      ("temperature kg", question("temperature") { $0.unit = "kg" }),
      ("temperature min", question("temperature") { $0.min = 1 }),
      ("temperature max", question("temperature") { $0.max = 1 }),
      ("choices", question("choices") { $0.choices = [a, Choice(name: "b_2", text: "B")] }),
      ("no choices", question("choices")),
      ("31 choices", question("choices") { $0.choices = Array(repeating: a, count: 31) }),
      ("twice the same choice", question("choices") { $0.choices = [a, a] }),
      ("wrong choice", question("choices") { $0.choices = [Choice(name: "B", text: "B")] }),
      ("blank choice", question("choices") { $0.choices = [Choice(name: "b", text: "")] }),
      ("mood", question("mood") { $0.isRequired = false }), ("yes_no", question("yes_no")),
      ("text", question("text")), ("text with choices", question("text") { $0.choices = [a] }),
      ("mood in kg", question("mood") { $0.unit = "kg" }), ("no kind", question(nil)),
      ("unknown kind", question("guess")), ("no name", question("text") { $0.name = nil }),
      ("empty name", question("text") { $0.name = "" }),
      ("name 1q", question("text") { $0.name = "1q" }),
      ("name _q", question("text") { $0.name = "_q" }),
      ("name qQ", question("text") { $0.name = "qQ" }),
      ("name of 32", question("text") { $0.name = String(repeating: "q", count: 32) }),
      ("name of 33", question("text") { $0.name = String(repeating: "q", count: 33) }),
      ("no text", question("text") { $0.text = nil }),
    ]
    func many(_ count: Int) -> [QuestionForm] {
      (0..<count).map { number in question("text") { $0.name = "q\(number)" } }
    }
    return forms.map { name, form in ("question \(name)", { $0.questions = [form] }) } + [
      ("no questions", { $0.questions = [] }), ("20 questions", { $0.questions = many(20) }),
      ("21 questions", { $0.questions = many(21) }),
      ("the same question twice", { $0.questions = [forms[0].1, forms[0].1] }),
      ("answers required", { ($0.questions, $0.answersRequired) = (many(1), true) }),
      ("answers not required", { ($0.questions, $0.answersRequired) = (many(1), false) }),
      ("answers without questions", { $0.answersRequired = true }),
    ]
  }

  static var people: [(name: String, edit: (inout PersonForm) -> Void)] {
    let bob = [NotifyStep(contact: "bob", afterSeconds: 60)]
    var cases: [(name: String, edit: (inout PersonForm) -> Void)] = [
      ("nothing", { _ in }), ("name", { $0.name = "Ada" }), ("no name", { $0.name = "" }),
      ("name of 101", { $0.name = String(repeating: "a", count: 101) }),
      ("zone", { $0.zone = "UTC" }), ("no zone", { $0.zone = "" }),
      ("floating", { $0.zone = "floating" }), ("unknown zone", { $0.zone = "Mars" }),
      ("tone", { $0.tone = "BELL" }), ("no tone", { $0.tone = "" }),
      ("unknown tone", { $0.tone = "x" }), ("reward", { $0.rewardImage = "aa" }),
      ("unknown reward", { $0.rewardImage = "bb" }),
      ("quiet hours", { $0.quietHours = "22:00-07:00" }),
      ("quiet hours at 7:30", { $0.quietHours = "07:00-08:00" }),
      ("no quiet hours", { $0.quietHours = "" }), ("none", { $0.quietHours = "none" }),
      ("quiet hours and policy", { ($0.quietHours, $0.quietPolicy) = ("22:00-07:00", .suppress) }),
      ("quiet hours refuse", { ($0.quietHours, $0.quietPolicy) = ("07:00-08:00", .refuse) }),
      ("policy alone", { $0.quietPolicy = .hold }), ("wrong hours", { $0.quietHours = "22-7" }),
      ("inactivity", { ($0.inactivityHours, $0.inactivityNotifySteps) = (12, bob) }),
      ("inactivity without contacts", { $0.inactivityHours = 12 }),
      ("inactivity without hours", { $0.inactivityNotifySteps = bob }),
      ("no inactivity", { $0.inactivityHours = 0 }),
      ("no inactivity, contacts", { ($0.inactivityHours, $0.inactivityNotifySteps) = (0, bob) }),
      ("no contacts", { $0.inactivityNotifySteps = [] }),
      ("inactivity of nobody", { ($0.inactivityHours, $0.inactivityNotifySteps) = (12, []) }),
    ]
    for hours in [1, 168, 169, -1] {
      cases.append(
        (
          "inactivity \(hours)",
          { ($0.inactivityHours, $0.inactivityNotifySteps) = (hours, bob) }
        ))
    }
    for rings in [-1, 0, 1, 240, 241] {
      cases.append(("\(rings) rings an hour", { $0.ringsPerHour = rings }))
    }
    for language in [
      "", "d", "de", "de-", "de-1", "1de", "en-GB", "zh-Hant-TW", "abcdefgh", "abcdefghi",
      "de-abcdefgh", "de-abcdefghi", "d_e", "de-abcdefgh-abcdefgh-abcdefgh-abcde",
      "de-abcdefgh-abcdefgh-abcdefgh-abcdef",
    ] {
      cases.append(("language \"\(language)\"", { $0.language = language }))
    }
    return cases
  }
}
