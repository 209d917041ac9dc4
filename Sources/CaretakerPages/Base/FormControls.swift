import JSONValue

/// The controls of forms. Each control has the id of its name.
extension PageContext {
  /// A control with its label, and with a help or the refusal of the daemon below it.
  ///
  /// - Parameters:
  ///   - refusal: the refusal of the form; it is shown only if it is about this field.
  ///   - control: a function that gets the attributes that the control needs.
  func field(
    _ name: String, _ word: CaretakerSentence, help: CaretakerSentence? = nil,
    refusal: HomeRefusal? = nil, _ control: (_ attributes: String) -> String
  ) -> String {
    let isWrong = refusal?.isAbout(name) ?? false
    let described =
      (help == nil ? [] : ["help-\(name)"]) + (isWrong ? ["error-\(name)"] : [])
    let mark = isWrong ? " aria-invalid=\"true\"" : ""
    let list = described.joined(separator: " ")
    let attributes = mark + (list.isEmpty ? "" : " aria-describedby=\"\(list)\"")
    var html = "<p class=\"field\"><label for=\"\(name)\">\(say(word))</label>\n"
    html += control(attributes) + "\n"
    if let help { html += "<span class=\"help\" id=\"help-\(name)\">\(say(help))</span>\n" }
    if isWrong, let refusal {
      html += "<span class=\"error\" id=\"error-\(name)\">\(english(refusal.detail))</span>\n"
    }
    return html + "</p>\n"
  }

  /// - Parameter type: the type of the element `input`, for example `date`.
  func input(_ name: String, _ type: String, _ value: String, _ attributes: String) -> String {
    "<input id=\"\(name)\" name=\"\(name)\" type=\"\(type)\" value=\"\(escape(value))\"\(attributes)>"
  }

  /// A list from which a person chooses one value.
  func select(
    _ name: String, _ choices: [(value: String, words: String)], _ chosen: String,
    _ attributes: String
  ) -> String {
    let options = choices.map { choice in
      let mark = choice.value == chosen ? " selected" : ""
      return "<option value=\"\(escape(choice.value))\"\(mark)>\(escape(choice.words))</option>"
    }.joined()
    return "<select id=\"\(name)\" name=\"\(name)\"\(attributes)>\(options)</select>"
  }

  /// A box to check, with its words.
  func checkbox(_ name: String, _ word: CaretakerSentence, _ isChecked: Bool) -> String {
    "<p class=\"choice\"><label><input type=\"checkbox\" name=\"\(name)\" id=\"\(name)\" value=\"yes\""
      + "\(isChecked ? " checked" : "")> \(say(word))</label></p>\n"
  }

  /// A choice of a person of the home; a hidden field if there is only one.
  func person(_ word: CaretakerSentence, _ chosen: String, refusal: HomeRefusal?) -> String {
    let people = household.people
    if people.count == 1 {
      return "<input type=\"hidden\" name=\"person\" value=\"\(escape(people[0].id))\">\n"
    }
    var choices = people.map { (value: $0.id, words: $0.name) }
    if chosen.isEmpty { choices.insert((value: "", words: "–"), at: 0) }
    return field("person", word, refusal: refusal) { select("person", choices, chosen, $0) }
  }

  /// The refusal of a change above a page. If the field with the fault shows the reason, the notice
  /// only points at it.
  func notice(of refusal: HomeRefusal, fields: [String] = []) -> String {
    if fields.contains(where: refusal.isAbout) {
      return notice(say(.formRefused), isRefusal: true)
    }
    return notice(say(.notSaved(reason: "")) + english(refusal.detail), isRefusal: true)
  }

  /// A section with a heading.
  func section(
    _ id: String, _ word: CaretakerSentence, isPart: Bool = false, _ html: String
  ) -> String {
    "<section aria-labelledby=\"\(id)\"\(isPart ? " id=\"part-\(id)\" data-part" : "")>"
      + "<h2 id=\"\(id)\">\(say(word))</h2>\n\(html)</section>\n"
  }
}

extension HomeRefusal {
  /// True if the daemon refused the value of this field.
  func isAbout(_ name: String) -> Bool {
    let last = field?.split(separator: ".").last.map(String.init) ?? ""
    return last.prefix { $0.isLetter || $0 == "_" } == name
  }
}

extension JSON {
  /// A whole number as a person typed it. For any other text, the daemon explains the error.
  static func number(typed text: String) -> JSON { Int64(text).map(JSON.integer) ?? .string(text) }
}
