import API
import Alarms
import CivilTime
import ICalendar
import JSONValue

/// Imports a calendar file: sets, changes and removes alarms. A trial only shows the changes that
/// the import would make.
package struct CalendarImport {
  /// The changes that an import made, or would make in a trial.
  package struct Result: Sendable {
    /// The alarms that the import set, changed or left unchanged. Each alarm is the JSON document
    /// that the daemon returned, with the member `action` of the import.
    package var alarms: [JSON] = []
    /// The removed alarms, each with its `action` and `reason`.
    package var removed: [JSON] = []
    /// The parts of the file that an alarm cannot contain, and the refusals of the daemon.
    package var notes: [ICalendarNote] = []
    /// The number of alarms that the daemon refused.
    package var refused = 0
    /// False if the file is not a calendar.
    package var isCalendar = true

    package var json: JSON {
      .object([
        ("alarms", .array(alarms)), ("removed", .array(removed)),
        ("notes", .array(notes.map(\.json))),
      ])
    }
  }

  /// A function that sends a request and returns the reply. If the daemon refuses the request, the
  /// function returns the refusal as a reply.
  private let exchange: (Request) throws -> HTTPReply
  /// The id or the name of the person whose alarms the file updates; nil for all people.
  private let person: String?
  /// The time of day of an all-day event without a reminder.
  private let allDay: ClockTime
  /// True if the import sets an alarm even if an equal alarm already exists.
  private let duplicates: Bool
  /// True if the import also reads cancelled events, and events whose version in the file is older
  /// than the version in the alarm.
  private let readsOlder: Bool
  /// True if the import only shows the changes that it would make.
  private let isTrial: Bool
  /// The fields that replace the fields of the file.
  private let members: [(String, JSON?)]

  private var result = Result()

  /// - Parameter members: fields that replace the fields of the file.
  package init(
    person: String?, members: [(String, JSON?)], allDay: ClockTime,
    duplicates: Bool, readsOlder: Bool, isTrial: Bool,
    exchange: @escaping (Request) throws -> HTTPReply
  ) {
    (self.exchange, self.person, self.allDay) = (exchange, person, allDay)
    (self.duplicates, self.readsOlder, self.isTrial) = (duplicates, readsOlder, isTrial)
    self.members = members.filter { $0.1 != nil }
  }

  /// Imports a file. If the daemon refuses an alarm, the import still makes all other changes.
  package mutating func run(_ tree: ICalendarTree) throws -> Result {
    result = Result()
    let status = try exchange(Request(.status)).accepted().document()
    let home = SystemZones.zone(status.text("zone")) ?? SystemZones.home()
    let alarms = duplicates ? [] : try alarms()
    let cancelled = duplicates || readsOlder ? [] : try self.alarms(cancelled: true)
    let events: ImportedEvents =
      readsOlder ? .none : ImportedEvents(alarms: alarms, cancelled: cancelled)
    let file = ICalendarImport(
      tree, now: TextFormat.now(), homeZone: home, allDay: allDay, events: events,
      zone: SystemZones.zone)
    let update = ICalendarUpdate(
      file, entries: try file.entries.map(withOptions), events: events, alarms: alarms,
      now: TextFormat.now(),
      zone: { $0 == Alarm.floating ? home : SystemZones.zone($0) })
    result.notes = file.notes + update.notes
    for action in update.actions { try carryOut(action) }
    result.notes.sort { $0.line < $1.line }
    result.isCalendar = tree.components.contains { $0.name == "VCALENDAR" }
    return result
  }

  /// Returns a copy of an entry. In the form of the copy, the values of the options replace the
  /// values of the file.
  private func withOptions(_ entry: ICalendarImport.Entry) throws -> ICalendarImport.Entry {
    var entry = entry
    let body = JSON.object(
      fields(entry.form).compactMap { name, value in value.map { (name, $0) } })
    do {
      entry.form = try AlarmForm(body: Array(body.description.utf8))
    } catch {
      throw Failure.badUsage("\(error)")
    }
    return entry
  }

  /// Returns the alarms of the person. If the options contain no person, the function returns all
  /// alarms.
  ///
  /// - Parameter cancelled: true if the function must return the removed alarms whose events were
  ///   cancelled, and no other alarms.
  private func alarms(cancelled: Bool = false) throws -> [Alarm] {
    var person = person
    if let typed = person {
      let people = try exchange(Request(.listPeople)).accepted().document()
      let found = people.list("people").first {
        [$0.text("id"), $0.text("name")].contains { $0.lowercased() == typed.lowercased() }
      }
      person = found?.text("id") ?? typed
    }
    let request = Request(
      .listAlarms, query: [("person", person), ("cancelled", cancelled ? "yes" : nil)])
    return try Alarm.all(in: exchange(request).accepted().document())
  }

  /// The field that allows two equal alarms. Two events of the calendar can have the same text and
  /// the same time. Each of these events needs a separate alarm, because a later version of the
  /// calendar can move or end one event without the other. In addition, a new alarm can be equal to
  /// an alarm that this import changes later.
  private static let permitted: [(String, JSON?)] = [("duplicate", .bool(true))]

  private mutating func carryOut(_ action: ICalendarUpdate.Action) throws {
    switch action {
    case .set(let entry):
      let isTrial = isTrial
      let body = fields(entry.form) + (isTrial ? [] : Self.permitted)
      guard
        var document = try attempt(
          { isTrial ? Request(.preview) : Request(.addAlarm) }, body, entry)
      else { return }
      document.set("action", .string("set"))
      if isTrial {
        document.set("alarm", .object(body.compactMap { name, value in value.map { (name, $0) } }))
      }
      result.alarms.append(document)
    case .change(let id, let entry, let form, let names):
      if names.isEmpty, members.isEmpty || isTrial {
        try keep(id)
        return
      }
      try change(id, entry, form, names)
    case .remove(let id, let reason, let revision): try remove(id, reason, revision)
    }
  }

  /// Removes an alarm.
  ///
  /// - Parameter revision: the revision of the calendar event. The import stores this text in the
  ///   alarm before it removes the alarm. Therefore, a later import of an older file does not set
  ///   the alarm again.
  private mutating func remove(_ id: AlarmID, _ reason: String, _ revision: String?) throws {
    var document = try exchange(Request(.showAlarm, ["id": id.text])).accepted().document()
    if !isTrial {
      do {
        if let revision {
          let body: [(String, JSON?)] = [("uid_revision", .string(revision))]
          _ = try exchange(Request(.editAlarm, ["id": id.text]).with(body)).accepted()
        }
        document = try exchange(Request(.removeAlarm, ["id": id.text])).accepted().document()
      } catch Failure.refused(let why) {
        refuse(1, "VEVENT", why)
        return
      }
    }
    document.set("action", .string("removed"))
    document.set("reason", .string(reason))
    result.removed.append(document)
  }

  /// Returns the members of a request: all fields from the form and from the options. If the form
  /// and the options contain the same field, the result contains the value of the options.
  private func fields(_ form: AlarmForm) -> [(String, JSON?)] {
    guard case .members(let own) = form.json else { return members }
    let names = Set(members.map(\.0))
    return own.filter { !names.contains($0.name) }.map { ($0.name, $0.value) } + members
  }

  private mutating func keep(_ id: AlarmID) throws {
    var document = try exchange(Request(.showAlarm, ["id": id.text])).accepted()
      .document()
    document.set("action", .string("unchanged"))
    result.alarms.append(document)
  }

  private mutating func change(
    _ id: AlarmID, _ entry: ICalendarImport.Entry, _ form: AlarmForm, _ names: [String]
  ) throws {
    let shown = try exchange(Request(.showAlarm, ["id": id.text])).accepted()
    let old = try shown.document()
    let version = old["alarm"]?["version"]
    let isTrial = isTrial
    let body =
      isTrial
      ? fields(entry.form) : fields(form) + [("ends_prompt", .bool(true))] + Self.permitted
    guard
      var document = try attempt(
        { isTrial ? Request(.preview) : Request(.editAlarm, ["id": id.text]) }, body, entry)
    else { return }
    if isTrial { document.set("alarm", old["alarm"] ?? .null) }
    let isSame = !isTrial && document["alarm"]?["version"] == version
    document.set("action", .string(isSame ? "unchanged" : "changed"))
    if !isSame { document.set("changes", .array(names.map(JSON.string))) }
    result.alarms.append(document)
  }

  private mutating func refuse(_ line: Int, _ property: String, _ why: String) {
    result.refused += 1
    result.notes.append(ICalendarNote(line: line, property: property, reason: "refused: \(why)"))
  }

  // MARK: Alarms that would ring too often

  /// The numbers of rings per prompt that the import tries, one after another, if an alarm would
  /// ring too often.
  private static let fewerRings = [3, 2, 1]

  /// Sends a request. If the alarm would ring too often in one hour, the function sends the request
  /// again with fewer rings, then with fewer early reminders, and then with fewer due times.
  ///
  /// - Parameter request: a function that makes a request with a new idempotency key. The daemon
  ///   refuses a changed request that has the idempotency key of an earlier request.
  /// - Returns: the reply; nil if the daemon refused all requests of the function. In this case,
  ///   the function adds a note.
  private mutating func attempt(
    _ request: () -> Request, _ body: [(String, JSON?)], _ entry: ICalendarImport.Entry
  ) throws -> JSON? {
    var first: String?
    for (tried, note) in Self.forms(body) {
      let reply = try exchange(request().with(tried))
      if let refused = try refusal(reply) {
        if first == nil { first = refused.why }
        if refused.isLimit { continue }
        break
      }
      if let first, let note {
        result.notes.append(
          ICalendarNote(line: entry.line, property: "VALARM", reason: "\(note), because \(first)"))
      }
      return try reply.document()
    }
    refuse(entry.line, "VEVENT", first ?? "the daemon gave no reason")
    return nil
  }

  /// Returns the forms of a request, in the order in which `attempt` tries them. The first form is
  /// unchanged. The next forms have fewer rings, then fewer early reminders, and then fewer due
  /// times. Each changed form has a note that describes the change.
  private static func forms(
    _ body: [(String, JSON?)]
  ) -> [(body: [(String, JSON?)], note: String?)] {
    var forms: [(body: [(String, JSON?)], note: String?)] = [(body, nil)]
    func with(_ name: String, _ value: JSON, in body: [(String, JSON?)]) -> [(String, JSON?)] {
      body.filter { $0.0 != name } + [(name, value)]
    }
    if body.contains(where: { $0.0 == "steps" }) { return forms }
    for rings in fewerRings {
      forms.append(
        (
          with("rings", .integer(Int64(rings)), in: body.filter { $0.0 != "gains" }),
          "it rings \(TextFormat.counted(rings, "time")) at each due time"
        ))
    }
    let once = with("rings", .integer(1), in: body.filter { $0.0 != "gains" })
    var leads = body.first { $0.0 == "leads" }?.1?.array ?? []
    while !leads.isEmpty {
      leads.removeLast()
      forms.append(
        (
          with("leads", .array(leads), in: once),
          "it rings once at each due time and has only "
            + TextFormat.counted(leads.count, "early reminder")
        ))
    }
    let bare = once.filter { $0.0 != "leads" }
    for sparser in SparserSchedules(of: body.first { $0.0 == "schedule" }?.1?.string ?? "").all {
      forms.append((with("schedule", .string(sparser.phrase), in: bare), sparser.note))
    }
    return forms
  }

  /// A refusal of the daemon. `isLimit` is true if the alarm would ring too often.
  private struct Refused {
    var why: String
    var isLimit: Bool
  }

  /// Returns the refusal in a reply; nil if the daemon accepted the request. If an alarm would ring
  /// too often, the reply to a preview contains a warning instead of a refusal. The function
  /// returns this warning as a refusal.
  private func refusal(_ reply: HTTPReply) throws -> Refused? {
    let document = try reply.document()
    if !(200..<300).contains(reply.status) {
      let isLimit = document.text("kind") == "limit" && document["field"]?.string != nil
      return Refused(why: document.text("detail"), isLimit: isLimit)
    }
    if !isTrial { return nil }
    for warning in document.list("warnings") where warning.text("kind") == "too_frequent" {
      return Refused(why: warning.text("text"), isLimit: true)
    }
    return nil
  }
}

extension ICalendarNote {
  fileprivate var json: JSON {
    .object([
      ("line", .integer(Int64(line))), ("property", .string(property)), ("reason", .string(reason)),
    ])
  }
}

extension Alarm {
  /// Reads the alarms in the reply to `GET /v1/alarms`.
  package static func all(in document: JSON) throws(Failure) -> [Alarm] {
    var alarms: [Alarm] = []
    for alarm in document.list("alarms") {
      do {
        alarms.append(try Alarm(document: alarm))
      } catch {
        throw .unreachable("cannot read the daemon's answer: \(error)")
      }
    }
    return alarms
  }
}
