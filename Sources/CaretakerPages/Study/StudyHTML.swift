import Alarms
import CivilTime
import Sentences

/// The HTML of the page "Study".
struct StudyHTML: Sendable {
  private let context: PageContext
  private let participants: [ParticipantReading]
  private let phases: [PhaseReading]
  /// The values of the form that the daemon refused.
  private let typed: FormFields
  /// The refusal of the change; nil if no change was refused.
  var refusal: HomeRefusal?

  init(
    context: PageContext, participants: [ParticipantReading], phases: [PhaseReading],
    typed: FormFields
  ) {
    (self.context, self.participants) = (context, participants)
    (self.phases, self.typed) = (phases, typed)
  }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? 200, title: context.plain(.study),
      html: "<h1>\(context.say(.study))</h1>\n\(notices)\(enrolments)\(plan)\(downloads)")
  }

  private var notices: String {
    if let refusal { return context.notice(of: refusal, fields: ["report_study"]) }
    let sentence: CaretakerSentence? =
      switch context.visit.query["saved"] {
      case "enrol": .enrolSaved
      case "withdraw": .withdrawSaved
      case "phase", "crossover": .phaseSaved
      case "end": .phaseEnded
      default: nil
      }
    return sentence.map { context.notice(context.say($0)) } ?? ""
  }

  // MARK: Enrolments

  private var enrolments: String {
    let rows = participants.map(enrolment).joined()
    let list =
      rows.isEmpty
      ? "<p class=\"nothing\">\(context.say(.noParticipants))</p>\n"
      : "<ul class=\"rows\">\n\(rows)</ul>\n"
    let form = details(
      "enrol", .enrol,
      person("enrol") + text("enrol", "pseudonym", .pseudonym, help: .pseudonymHelp, isNeeded: true)
        + text("enrol", "study", .studyID) + text("enrol", "arm", .arm)
        + text("enrol", "start", .firstDay, type: "date")
        + text("enrol", "end", .lastDay, type: "date")
        + context.checkbox("hides_phases", .hidesPhases, !typed("enrol", "hides_phases").isEmpty),
      isMain: true)
    return context.section("participants", .participants, list + form)
  }

  private func enrolment(_ one: ParticipantReading) -> String {
    let state: CaretakerSentence =
      one.isWithdrawn ? .isWithdrawn : one.isCurrent ? .isEnrolled : .isNotEnrolledNow
    let arm = one.arm.map { " · \(context.say(.arm)): \(context.escape($0))" } ?? ""
    let hidden =
      one.hidesPhases ? "<p class=\"state\">\(context.say(.phasesHidden))</p>\n      " : ""
    let code = one.pseudonym.isEmpty ? context.plain(.codeErased) : one.pseudonym
    let id = "withdraw-\(one.person)"
    let form =
      !one.isCurrent || one.isWithdrawn
      ? ""
      : details(
        id, .withdraw,
        text(id, "reason", .withdrawReason, help: .withdrawHelp), button: "withdraw",
        hidden: [("person", one.person)])
    return """
      <li><div><p><strong>\(context.escape(code))</strong> \
      <span class="person">\(context.escape(context.household.name(of: one.person)))</span></p>
      <p class="state">\(context.say(state))</p>
      \(hidden)<p class="told">\(context.escape(one.study))\(arm) · \(span(one.from, one.to))</p></div>
      \(form)</li>

      """
  }

  private func span(_ from: CivilDateTime, _ to: CivilDateTime?) -> String {
    let end = to.map(context.moment) ?? context.plain(.openEnd)
    return context.escape("\(context.moment(from)) – \(end)")
  }

  // MARK: Phases

  private var plan: String {
    let rows = phases.map(phase).joined()
    let list =
      rows.isEmpty
      ? "<p class=\"nothing\">\(context.say(.noPhases))</p>\n"
      : "<ul class=\"rows\">\n\(rows)</ul>\n"
    let kinds = StudyPhase.Kind.allCases.map {
      (value: $0.rawValue, words: context.plain(Self.word(for: $0)))
    }
    let kind = field("phase", "kind", .phaseKind) {
      select($0, "kind", kinds, typed("phase", "kind"))
    }
    let one = details(
      "phase", .planPhase,
      person("phase") + kind + text("phase", "from", .firstDay, type: "date")
        + text("phase", "to", .lastDay, type: "date"))
    let all = details(
      "crossover", .planCrossover,
      person("crossover") + text("crossover", "start", .firstDay, type: "date")
        + text("crossover", "days", .daysOfPhase, type: "number", isNeeded: true)
        + text("crossover", "order", .orderOfPhases, help: .orderHelp, isNeeded: true)
        + text("crossover", "run_in_days", .daysOfRunIn, type: "number")
        + text("crossover", "washout_days", .daysOfWashout, type: "number")
        + text("crossover", "follow_up_days", .daysOfFollowUp, type: "number"))
    return context.section("phases", .phases, list + one + all)
  }

  private func phase(_ phase: PhaseReading) -> String {
    let kind = Self.word(for: phase.kind)
    let end =
      phase.isCurrent
      ? context.form(
        "/study", hidden: [("person", phase.person)], context.button("end", .endPhase)) : ""
    return """
      <li class="\(phase.isCurrent ? "good" : "")"><div><p><strong>\(context.say(kind))</strong> \
      <span class="person">\(context.escape(context.household.name(of: phase.person)))</span></p>
      <p class="state">\(phase.isCurrent ? context.say(.phaseNow) : "")</p>
      <p class="told">\(span(phase.from, phase.to))</p></div>
      \(end)</li>

      """
  }

  private static func word(for kind: StudyPhase.Kind) -> CaretakerSentence {
    switch kind {
    case .prompted: .phasePrompted
    case .control: .phaseControl
    case .runIn: .phaseRunIn
    case .washout: .phaseWashout
    case .followUp: .phaseFollowUp
    }
  }

  // MARK: Downloads

  private var downloads: String {
    let words: [String: CaretakerSentence] = [
      "safe_harbor": .profileSafeHarbor, "limited": .profileLimited,
      "identified": .profileIdentified,
    ]
    let profiles = ExportChoice.profiles.map {
      (value: $0, words: words[$0].map(context.plain) ?? $0)
    }
    let layouts = ExportChoice.layouts.map { (value: $0, words: $0) }
    func profile(_ form: String) -> String {
      // Do not use a list, because a list would cut off the long words on a narrow display.
      let chosen = ExportChoice.profile(typed)
      let rows = profiles.map { one in
        "<p class=\"choice\"><label><input type=\"radio\" name=\"profile\" "
          + "id=\"\(form)-profile-\(one.value)\" value=\"\(one.value)\""
          + "\(one.value == chosen ? " checked" : "")> \(context.escape(one.words))</label></p>\n"
      }.joined()
      return "<fieldset><legend>\(context.say(.exportProfile))</legend>\n\(rows)</fieldset>\n"
    }
    let layout = context.field("layout", .exportLayout) {
      context.select("layout", layouts, "frictionless", $0)
    }
    let form = context.form(
      "/study",
      profile("export") + layout
        + "<div class=\"buttons\">\(context.button("export", .downloadExport, isMain: true))</div>\n"
    )
    return report(profile("report"))
      + context.section(
        "downloads", .downloads,
        "<p class=\"help\">\(context.say(.downloadHelp))</p>\n<div class=\"sheet\">\n\(form)</div>\n"
      )
  }

  /// Returns the form that downloads a report.
  private func report(_ profile: String) -> String {
    let studies = Array(Set(participants.map(\.study)).subtracting([""])).sorted()
    let choices =
      studies.map { (value: $0, words: $0) } + [(value: "", words: context.plain(.allPrompts))]
    let chosen = typed["report_study"] ?? studies.first ?? ""
    let study = context.field("report_study", .studyID, refusal: refusal) {
      context.select("report_study", choices, chosen, $0)
    }
    let buttons =
      context.button(ReportRequest.File.page.rawValue, .downloadReport, isMain: true)
      + context.button(ReportRequest.File.summary.rawValue, .downloadSummary)
      + context.button(ReportRequest.File.estimates.rawValue, .downloadEstimates)
    let form = context.form(
      "/study", study + profile + "<div class=\"buttons\">\(buttons)</div>\n")
    return context.section(
      "report", .report,
      "<p class=\"help\">\(context.say(.reportHelp))</p>\n<div class=\"sheet\">\n\(form)</div>\n")
  }

  // MARK: Forms

  /// Returns the value that a person typed in this form before the refusal.
  private func typed(_ form: String, _ name: String) -> String {
    isRefused(form) ? typed.text(name) : ""
  }

  private func isRefused(_ form: String) -> Bool {
    let button = typed.text(PageContext.buttonField)
    return refusal != nil
      && (button == form || form == "\(button)-\(typed.text("person"))")
  }

  /// Returns a form that the person opens with a click. If the daemon refused this form, the page
  /// shows it open.
  private func details(
    _ id: String, _ word: CaretakerSentence, _ controls: String, button: String? = nil,
    hidden: [(String, String)] = [], isMain: Bool = false
  ) -> String {
    let form = context.form(
      "/study", hidden: hidden, controls + context.button(button ?? id, word, isMain: isMain))
    return "<details id=\"form-\(context.escape(id))\"\(isRefused(id) ? " open" : "")>"
      + "<summary>\(context.say(word))</summary>\n<div class=\"sheet\">\n\(form)</div></details>\n"
  }

  private func field(
    _ form: String, _ name: String, _ word: CaretakerSentence, help: CaretakerSentence? = nil,
    _ control: (_ id: String) -> String
  ) -> String {
    let id = context.escape("\(form)-\(name)")
    let below =
      help.map { "<span class=\"help\">\(context.say($0))</span>\n" } ?? ""
    return "<p class=\"field\"><label for=\"\(id)\">\(context.say(word))</label>\n"
      + "\(control(id))\n\(below)</p>\n"
  }

  private func text(
    _ form: String, _ name: String, _ word: CaretakerSentence, type: String = "text",
    help: CaretakerSentence? = nil, isNeeded: Bool = false
  ) -> String {
    field(form, name, word, help: help) { id in
      "<input id=\"\(id)\" name=\"\(name)\" type=\"\(type)\" "
        + "value=\"\(context.escape(typed(form, name)))\"\(isNeeded ? " required" : "")>"
    }
  }

  private func select(
    _ id: String, _ name: String, _ choices: [(value: String, words: String)], _ chosen: String
  ) -> String {
    let options = choices.map { choice in
      let mark = choice.value == chosen ? " selected" : ""
      return "<option value=\"\(context.escape(choice.value))\"\(mark)>"
        + "\(context.escape(choice.words))</option>"
    }.joined()
    return "<select id=\"\(id)\" name=\"\(name)\">\(options)</select>"
  }

  private func person(_ form: String) -> String {
    let people = context.household.people
    if people.count == 1 {
      return "<input type=\"hidden\" name=\"person\" value=\"\(context.escape(people[0].id))\">\n"
    }
    let choices = people.map { (value: $0.id, words: $0.name) }
    return field(form, "person", .person) {
      select($0, "person", choices, typed(form, "person"))
    }
  }
}
