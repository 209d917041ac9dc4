import API
import Alarms
import CivilTime
import JSONValue

/// The page "Study" for a caretaker who is also a researcher. It contains enrolments, phases and
/// downloads.
struct StudyPage: CaretakerPage {
  let name = "study"
  let link: CaretakerSentence? = .study
  let isForResearchers = true

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    return .content(try page(context, FormFields()).content)
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    let button = form.text(PageContext.buttonField)
    if button == "export" {
      let profile = ExportChoice.profile(form)
      let layout = ExportChoice.layouts.first { $0 == form["layout"] } ?? ExportChoice.layouts[0]
      let day = context.household.today.description
      return .download(
        HomeRequest(.export, query: ["profile": profile, "layout": layout]),
        contentType: "application/x-tar", name: "prompter-\(profile)-\(day).tar")
    }
    if let request = ReportRequest(form) { return try report(request, form, context) }
    guard let change = StudyChange(button, form) else { return .missing }
    switch try context.change(change.operation, [:], change.members, form: form) {
    case .success:
      return .redirect(to: Link.to(name, query: [("saved", button)]))
    case .failure(let refusal):
      var html = try page(context, form)
      html.refusal = refusal
      return .content(html.content)
    }
  }

  private func report(
    _ request: ReportRequest, _ form: FormFields, _ context: PageContext
  ) throws(HomeTrouble) -> PageReply {
    switch try context.home.report(request) {
    case .success(let bytes):
      let day = context.household.today.description
      return .file(
        contentType: request.contentType,
        name: "prompter-\(request.profile)-\(day)-\(request.file.rawValue)", bytes)
    case .failure(let refusal):
      var html = try page(context, form)
      html.refusal = refusal
      return .content(html.content)
    }
  }

  private func page(
    _ context: PageContext, _ typed: FormFields
  ) throws(HomeTrouble) -> StudyHTML {
    let participants = try context.read(.listParticipants)["participants"]?.array ?? []
    let phases = try context.read(.listPhases)["phases"]?.array ?? []
    return StudyHTML(
      context: context, participants: participants.compactMap(ParticipantReading.init),
      phases: phases.compactMap(PhaseReading.init), typed: typed)
  }
}

/// The choices that a person has for an export.
enum ExportChoice {
  /// The export profiles, the strictest first.
  static let profiles = ["safe_harbor", "limited", "identified"]
  static let layouts = ["frictionless", "mpath", "cleanadh"]

  /// Returns the export profile in a form. If the form contains no known profile, the result is the
  /// strictest profile.
  static func profile(_ form: FormFields) -> String {
    profiles.first { $0 == form["profile"] } ?? profiles[0]
  }
}

/// A change of the study, with the members of its request.
struct StudyChange: Sendable, Hashable {
  var operation: Route.Operation
  /// The names of the fields that the request contains. The request does not contain empty fields.
  private var names: [String]
  private var values: [String]
  /// The fields of a crossover that contain a number of days.
  private static let lengths = ["days", "run_in_days", "washout_days", "follow_up_days"]

  /// - Returns: nil if the page has no such button.
  init?(_ button: String, _ form: FormFields) {
    switch button {
    case "enrol":
      (operation, names) = (
        .enrol, ["person", "pseudonym", "study", "arm", "start", "end", "hides_phases"]
      )
    case "withdraw": (operation, names) = (.withdraw, ["person", "reason"])
    case "phase": (operation, names) = (.setPhase, ["person", "kind", "from", "to"])
    case "end": (operation, names) = (.endPhase, ["person", "at"])
    case "crossover":
      (operation, names) = (
        .crossover, ["person", "start", "days", "order"] + Self.lengths.dropFirst()
      )
    default: return nil
    }
    values = names.map(form.text)
  }

  var members: [(String, JSON?)] {
    zip(names, values).map { name, value in
      if value.isEmpty { return (name, nil) }
      if Self.lengths.contains(name) {
        return (name, JSON.number(typed: value))
      }
      if name == "hides_phases" { return (name, .bool(true)) }
      return (name, .string(value))
    }
  }
}

/// An enrolment of a person in a study.
struct ParticipantReading: Sendable, Hashable {
  var person: String
  var study: String
  /// The code of the participant; empty if the code was erased.
  var pseudonym: String
  var arm: String?
  var from: CivilDateTime
  /// The end of the enrolment; nil if the enrolment has no end.
  var to: CivilDateTime?
  var isWithdrawn: Bool
  var isCurrent: Bool
  /// True if patients and caretakers do not see the names of the phases.
  var hidesPhases: Bool

  init?(_ row: JSON) {
    guard let person = row["person"]?.string, let from = Self.local(row["from_local"]) else {
      return nil
    }
    (self.person, self.from, to) = (person, from, Self.local(row["to_local"]))
    (study, pseudonym) = (row["study"]?.string ?? "", row["pseudonym"]?.string ?? "")
    arm = row["arm"]?.string
    isWithdrawn = row["withdrawn"]?.bool ?? false
    isCurrent = row["current"]?.bool ?? false
    hidesPhases = row["hides_phases"]?.bool ?? false
  }

  static func local(_ value: JSON?) -> CivilDateTime? {
    value?.string.flatMap { try? CivilDateTime(parsing: $0) }
  }
}

/// A phase of a person.
struct PhaseReading: Sendable, Hashable {
  var person: String
  /// The kind of the phase. Alarms sound in all phases except control phases.
  var kind: StudyPhase.Kind
  var from: CivilDateTime
  /// The end of the phase; nil if the phase has no end.
  var to: CivilDateTime?
  var isCurrent: Bool

  init?(_ row: JSON) {
    guard let person = row["person"]?.string,
      let kind = row["kind"]?.string.flatMap(StudyPhase.Kind.init),
      let from = ParticipantReading.local(row["from_local"])
    else { return nil }
    (self.person, self.kind, self.from) = (person, kind, from)
    to = ParticipantReading.local(row["to_local"])
    isCurrent = row["current"]?.bool ?? false
  }
}
