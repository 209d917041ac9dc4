import API
import CivilTime
import JSONValue
import Sentences

/// The pages of the alarms: a list, one alarm with its next rings, and the form with a preview.
struct AlarmsPage: CaretakerPage {
  let name = "alarms"
  let link: CaretakerSentence? = .alarms

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    let path = Array(context.visit.path.dropFirst())
    switch (path.first, path.dropFirst().first, path.count) {
    case (nil, _, _): return .content(try list(context))
    case ("new", nil, 1):
      return .content(try AlarmFormHTML(context, alarm: nil, form: Self.empty(context)).content)
    case (let id?, nil, 1): return .content(AlarmHTML(context, try alarm(id, context)).content)
    case (let id?, "edit", 2):
      let alarm = try alarm(id, context)
      return .content(
        try AlarmFormHTML(context, alarm: alarm, form: AlarmForm(alarm)).content)
    case (let id?, "remove", 2):
      return .content(AlarmHTML(context, try alarm(id, context)).removal)
    case (let id?, "picture", 2): return try picture(id, context)
    default: return .missing
    }
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    let path = Array(context.visit.path.dropFirst())
    switch (path.first, path.dropFirst().first, path.count) {
    case ("preview", nil, 1):
      let html = try AlarmPreview(AlarmForm(form), context).html
      return .bytes(contentType: "text/html; charset=utf-8", Array(html.utf8))
    case ("new", nil, 1): return try AlarmSaving(context, id: nil, fields: form).reply()
    case (let id?, "edit", 2): return try AlarmSaving(context, id: id, fields: form).reply()
    case (let id?, "remove", 2): return try remove(id, form, context)
    case (let id?, "picture", 2):
      return try AlarmPicture(id: id, form: form, context: context).reply()
    case (let id?, nil, 1): return try change(id, form, context)
    default: return .missing
    }
  }

  /// Returns the form of a new alarm. If the home has only one person, the form contains this
  /// person.
  private static func empty(_ context: PageContext) -> AlarmForm {
    var form = AlarmForm()
    let people = context.household.people
    form.person = context.visit.query["person"] ?? (people.count == 1 ? people[0].id : "")
    return form
  }

  // MARK: Reading

  private func list(_ context: PageContext) throws(HomeTrouble) -> PageContent {
    var alarms: [AlarmReading] = []
    for row in try context.read(.listAlarms, query: ["limit": "5000"])["alarms"]?.array ?? [] {
      alarms.append(try AlarmReading(row, more: row))
    }
    return AlarmListHTML(context, alarms).content
  }

  private func alarm(_ id: String, _ context: PageContext) throws(HomeTrouble) -> AlarmReading {
    try context.alarm(id)
  }

  private func picture(_ id: String, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard let image = try alarm(id, context).image else { return .missing }
    let reply = try context.home.send(HomeRequest(.showThumbnail, ["id": image]))
    guard reply.isAccepted else { return .missing }
    return .bytes(contentType: "image/jpeg", reply.body)
  }

  // MARK: Changes

  private func remove(
    _ id: String, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    switch try context.change(.removeAlarm, ["id": id], form: form) {
    case .success: return .redirect(to: Link.to(name, query: [("saved", "removed")]))
    case .failure(let refusal):
      var page = AlarmHTML(context, try alarm(id, context))
      page.refusal = refusal
      return .content(page.content)
    }
  }

  /// Pauses an alarm, ends its pause, skips its next ring, or plays its recording.
  private func change(
    _ id: String, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    let button = form.text(PageContext.buttonField)
    if button == "play" { return try play(id, form, context) }
    if button == "rehearse" { return try rehearse(id, form, context) }
    let members: [(String, JSON?)]
    switch button {
    case "pause": members = [("paused_until", .string(form.text("until")))]
    case "resume": members = [("paused_until", .string(""))]
    case "skip": members = [("skip_next", .integer(1))]
    case "exclude":
      let days = form.text("days").split { $0.isWhitespace || $0 == "," }
      members = [("exclude", .array(days.map { .string(String($0)) }))]
    default: return .missing
    }
    let result = try context.change(.editAlarm, ["id": id], members, form: form)
    return try shown(result, saved: button, id, context)
  }

  /// Plays the recording of an alarm on the speaker at home.
  private func play(
    _ id: String, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    guard let tone = try alarm(id, context).voice.tone else { return .missing }
    let result = try context.change(.playTone, ["name": tone], form: form)
    return try shown(result, saved: "play", id, context)
  }

  /// Plays the first ring of an alarm on the speaker at home, as a test.
  private func rehearse(
    _ id: String, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    let result = try context.change(.testRing, [:], [("alarm", .string(id))], form: form)
    var saved = "rehearse"
    if case .success(let played) = result {
      if played["stopped"]?.bool == true {
        saved = "stopped"
      } else if played["voice"]?.string != nil {
        saved = "unspoken"
      }
    }
    return try shown(result, saved: saved, id, context)
  }

  private func shown(
    _ result: Result<JSON, HomeRefusal>, saved: String, _ id: String, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    switch result {
    case .success: return .redirect(to: Link.to(name, id, query: [("saved", saved)]))
    case .failure(let refusal):
      var page = AlarmHTML(context, try alarm(id, context))
      page.refusal = refusal
      return .content(page.content)
    }
  }
}

extension PageContext {
  /// Reads one alarm.
  func alarm(_ id: String) throws(HomeTrouble) -> AlarmReading {
    let shown = try read(.showAlarm, ["id": id])
    guard let alarm = shown["alarm"] else { throw .unreadable(field: "alarm") }
    return try AlarmReading(alarm, more: shown)
  }

  /// Returns the names in a list of the daemon, for example the names of all recordings.
  func names(
    _ operation: Route.Operation, _ list: String
  ) throws(HomeTrouble) -> [String] {
    (try read(operation)[list]?.array ?? []).compactMap { $0["name"]?.string }
  }

  func weekday(_ day: Weekday) -> String { Sentence.weekday(day).text(in: language) }

  private func calendarDay(_ day: CivilDate) -> String {
    DateWords.calendarDay(day, in: language)
  }

  /// Returns a local time in words, for example "today 08:00". If the day is not today, the words
  /// contain the day.
  func moment(_ local: CivilDateTime) -> String {
    let time = String(local.time.description.prefix(5))
    switch local.date.dayNumber - household.today.dayNumber {
    case -1: return plain(.yesterdayAt(time: time))
    case 0: return plain(.todayAt(time: time))
    case 1: return plain(.tomorrowAt(time: time))
    default: return plain(.dayAt(day: calendarDay(local.date), time: time))
    }
  }
}
