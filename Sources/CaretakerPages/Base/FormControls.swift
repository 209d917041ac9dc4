import JSONValue

/// The controls of forms. The id of each control is equal to its name.
extension PageContext {
  /// Returns a control with its label. Below the control is a help text or the refusal of the
  /// daemon.
  ///
  /// - Parameters:
  ///   - refusal: the refusal of the form. The function shows this refusal only if it is about this
  ///     field.
  ///   - control: a function that returns the control. Its argument contains the attributes of the
  ///     control.
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

  /// Returns a list from which a person chooses one value.
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

  /// Returns a checkbox with its label.
  func checkbox(_ name: String, _ word: CaretakerSentence, _ isChecked: Bool) -> String {
    "<p class=\"choice\"><label><input type=\"checkbox\" name=\"\(name)\" id=\"\(name)\" value=\"yes\""
      + "\(isChecked ? " checked" : "")> \(say(word))</label></p>\n"
  }

  /// Returns a list from which the user chooses a person of the home. If the home has only one
  /// person, the function returns a hidden field.
  func person(_ word: CaretakerSentence, _ chosen: String, refusal: HomeRefusal?) -> String {
    let people = household.people
    if people.count == 1 {
      return "<input type=\"hidden\" name=\"person\" value=\"\(escape(people[0].id))\">\n"
    }
    var choices = people.map { (value: $0.id, words: $0.name) }
    if chosen.isEmpty { choices.insert((value: "", words: "–"), at: 0) }
    return field("person", word, refusal: refusal) { select("person", choices, chosen, $0) }
  }

  /// Returns the notice at the top of a page about a refused change. If the form shows the reason
  /// beside the refused field, the notice does not repeat the reason, but refers to this field.
  func notice(of refusal: HomeRefusal, fields: [String] = []) -> String {
    if fields.contains(where: refusal.isAbout) {
      return notice(say(.formRefused), isRefusal: true)
    }
    return notice(say(.notSaved(reason: "")) + english(refusal.detail), isRefusal: true)
  }

  /// Returns a section with a heading.
  func section(
    _ id: String, _ word: CaretakerSentence, isPart: Bool = false, _ html: String
  ) -> String {
    "<section aria-labelledby=\"\(id)\"\(isPart ? " id=\"part-\(id)\" data-part" : "")>"
      + "<h2 id=\"\(id)\">\(say(word))</h2>\n\(html)</section>\n"
  }
}

extension HomeRefusal {
  /// Returns true if the daemon refused the value of this field.
  func isAbout(_ name: String) -> Bool {
    let last = field?.split(separator: ".").last.map(String.init) ?? ""
    return last.prefix { $0.isLetter || $0 == "_" } == name
  }
}

extension JSON {
  /// Converts a typed integer to JSON. If the text is not an integer, the refusal of the daemon
  /// explains the error.
  static func number(typed text: String) -> JSON { Int64(text).map(JSON.integer) ?? .string(text) }
}
