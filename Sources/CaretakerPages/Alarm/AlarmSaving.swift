import API
import JSONValue

/// Saves the form of an alarm. The typed values are never lost. After a refusal, and after a change
/// by a different caretaker, the form appears again with all values.
struct AlarmSaving: Sendable {
  private let context: PageContext
  /// The id of the alarm; nil for a new alarm.
  private let id: String?
  private let fields: FormFields
  private var form: AlarmForm

  init(_ context: PageContext, id: String?, fields: FormFields) {
    (self.context, self.id, self.fields) = (context, id, fields)
    form = AlarmForm(fields)
  }

  private var button: String { fields.text(PageContext.buttonField) }

  /// The pressed button that changed only the form; nil if no such button was pressed. If the value
  /// is not nil, nothing is saved.
  private var formButton: FormButton? { FormButton(rawValue: button) }

  func reply() throws(HomeTrouble) -> PageReply {
    if let id { return try edit(id) }
    if button == "preview" || formButton != nil { return try page(nil) }
    let duplicate: JSON? = button == "anyway" ? .bool(true) : nil
    let members = form.newMembers + [("duplicate", duplicate)]
    switch try context.change(.addAlarm, [:], members, form: fields) {
    case .success(let set):
      return .redirect(
        to: Link.to("alarms", set["alarm"]?["id"]?.string ?? "", query: [("saved", "set")]))
    case .failure(let refusal): return try page(nil, refusal)
    }
  }

  private func edit(_ id: String) throws(HomeTrouble) -> PageReply {
    let alarm = try context.alarm(id)
    if button == "preview" || formButton != nil { return try page(alarm) }
    guard form.version == alarm.version else { return try conflict(alarm) }
    var changes = form.changes(from: AlarmForm(alarm))
    if form.way == .typed, form.earlyReminders == AlarmForm(alarm).earlyReminders,
      try namesEarlyReminders(form)
    {
      changes.removeAll { $0.0 == "leads" }
    }
    if changes.isEmpty { return .redirect(to: Link.to("alarms", id)) }
    if button == "anyway" {
      changes += [("duplicate", .bool(true)), ("ends_prompt", .bool(true))]
    }
    switch try context.change(
      .editAlarm, ["id": id], changes, form: fields, version: form.version)
    {
    case .success: return .redirect(to: Link.to("alarms", id, query: [("saved", "edit")]))
    case .failure(let refusal) where refusal.isVersionConflict:
      return try conflict(try context.alarm(id))
    case .failure(let refusal): return try page(alarm, refusal)
    }
  }

  /// Returns true if the typed schedule contains early reminders, for example "08:00 and 1 hour
  /// before". If the person did not change the fields of the early reminders, the early reminders
  /// of the typed schedule replace the early reminders of the alarm.
  private func namesEarlyReminders(_ form: AlarmForm) throws(HomeTrouble) -> Bool {
    let members = form.members.filter { ["label", "person", "schedule"].contains($0.0) }
    let preview = try context.ask(
      .preview, members.map { ($0.0, $0.1) } + [("count", .integer(20))])
    guard case .success(let shown) = preview else { return false }
    return (shown["occurrences"]?.array ?? []).contains { $0["leads_to_local"]?.string != nil }
  }

  private func page(
    _ alarm: AlarmReading?, _ refusal: HomeRefusal? = nil
  ) throws(HomeTrouble) -> PageReply {
    var html = try AlarmFormHTML(context, alarm: alarm, form: form)
    html.refusal = refusal
    html.formButton = formButton
    formButton?.change(&html.form)
    if refusal == nil { html.preview = try AlarmPreview(html.form, context) }
    return .content(html.content)
  }

  /// Shows the form again, with the message that somebody changed the alarm after the page was
  /// made.
  private func conflict(_ alarm: AlarmReading) throws(HomeTrouble) -> PageReply {
    let versions = try context.read(.alarmVersions, ["id": alarm.id])["versions"]?.array ?? []
    var html = try AlarmFormHTML(context, alarm: alarm, form: form)
    let newest = versions.last
    html.conflict = AlarmFormHTML.Conflict(
      who: newest?["set_by"]?.string ?? "", at: context.household.local(newest?["set_utc"]?.string),
      now: AlarmForm(alarm))
    // If the person saves the form again, the request contains the version that the page now shows.
    html.form.version = alarm.version
    return .content(html.content)
  }
}
