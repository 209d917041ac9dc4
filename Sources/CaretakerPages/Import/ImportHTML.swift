import FoundationEssentials

/// The HTML of the page "Import".
struct ImportHTML: Sendable {
  private let context: PageContext
  private let form: ImportForm
  var report: ImportReport?
  var isFileMissing = false
  /// The reason why the file cannot be read; nil if the file can be read.
  var refusal: HomeRefusal?

  init(_ context: PageContext, _ form: ImportForm) { (self.context, self.form) = (context, form) }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? (isFileMissing ? 422 : 200), title: context.plain(.importPage),
      html: "<h1>\(context.say(.importTitle))</h1>\n\(notices)\(result)\(choice)")
  }

  private var notices: String {
    if let refusal { return context.notice(of: refusal, fields: ["person", "all_day"]) }
    if isFileMissing { return context.notice(context.say(.calendarMissing), isRefusal: true) }
    guard let report, !report.isTrial else { return "" }
    return context.notice(
      context.say(
        .imported(
          set: String(report.count(.set)), changed: String(report.count(.changed)),
          removed: String(report.count(.removed)))))
  }

  // MARK: The form

  private var choice: String {
    let file = context.field("file", .calendarFile, help: .calendarFileHelp) {
      "<input id=\"file\" name=\"file\" type=\"file\" accept=\".ics,text/calendar\" required\($0)>"
    }
    let person = context.person(.taskPerson, form.person, refusal: refusal)
    let time = context.field(
      "all_day", .allDayTime, help: .allDayHelp, refusal: refusal
    ) { context.input("all_day", "time", form.allDay, " required" + $0) }
    let button =
      "<div class=\"buttons\">\(context.button("look", .showPreview, isMain: report == nil))</div>\n"
    return context.section(
      "file-title", report == nil ? .chooseCalendar : .otherCalendar,
      "<p class=\"help\">\(context.say(.importHelp))</p>\n<div class=\"sheet\">\n"
        + context.form("/import", isUpload: true, file + person + time + button) + "</div>\n")
  }

  // MARK: The report

  private var result: String {
    guard let report else { return "" }
    let rows = report.rows.map(row).joined()
    let list =
      rows.isEmpty
      ? "<p class=\"nothing\">\(context.say(.calendarEmpty))</p>\n"
      : "<ul class=\"rows\">\n\(rows)</ul>\n"
    return context.section(
      "report", report.isTrial ? .wouldChange : .didChange,
      list + notes(report) + (report.isTrial ? confirmation(report) : "")
    )
  }

  private func row(_ row: ImportReport.Line) -> String {
    let word: CaretakerSentence =
      switch (row.action, report?.isTrial ?? true) {
      case (.set, true): .wouldSet
      case (.set, false): .didSet
      case (.changed, true): .wouldEdit
      case (.changed, false): .didEdit
      case (.removed, true): .wouldRemove
      case (.removed, false): .didRemove
      case (.unchanged, _): .staysSame
      }
    return """
      <li class="\(row.action.rawValue)"><div><p><strong>\(context.escape(row.label))</strong></p>
      <p class="state">\(context.say(word))</p>
      <p class="told">\(context.english(row.detail))</p></div></li>

      """
  }

  private func notes(_ report: ImportReport) -> String {
    if report.notes.isEmpty { return "" }
    let list = report.notes.map { "<li>\(context.english($0))</li>\n" }.joined()
    return "<details id=\"notes\" open><summary>"
      + "\(context.say(.importNotes(count: report.notes.count)))</summary>\n"
      + "<ul class=\"findings\">\n\(list)</ul></details>\n"
  }

  private func confirmation(_ report: ImportReport) -> String {
    guard report.changesSomething, let file = form.file else {
      return "<p class=\"fine\">\(context.say(.nothingToImport))</p>\n"
    }
    return context.form(
      "/import",
      hidden: [
        ("person", form.person), ("all_day", form.allDay),
        ("content", Data(file).base64EncodedString()),
      ], isUpload: true,
      "<div class=\"buttons\">\(context.button("import", .importNow, isMain: true))"
        + "<a class=\"button\" href=\"/import\">\(context.say(.importNot))</a></div>\n")
  }
}
