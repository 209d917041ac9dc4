import Alarms
import EventCoding

// The text form of escalations. A person can type this text, and Prompter can read it. Examples: `3
// rings every 1m, louder, tone dad, urgent` and `anna after 10m, then bob after 15m`.

extension StepForm {
  /// Reads the description of a burst that a person typed. Commas separate the parts of the text.
  /// The parts can be in any order.
  ///
  /// - Parameter field: the field that contains the text; a refusal names this field.
  public init(words text: String, field: String) throws(Refusal) {
    self.init()
    var seen: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let kind = try read(words, field: field) else {
        throw Refusal(
          .invalidField, field: field,
          "\"\(part.drop(while: \.isWhitespace))\" is not a part of a step; write a step like "
            + "\"3 rings every 1m, louder, tone dad, urgent\"; other parts are \"after 5m\" and "
            + "\"at -6 -3 0 dB\"")
      }
      guard seen.insert(kind).inserted else {
        throw Refusal(.invalidField, field: field, "\"\(text)\" gives the \(kind) twice")
      }
    }
  }

  /// Reads one part of the text of a burst.
  ///
  /// - Returns: the kind of the part; nil if the words are not a part of a burst.
  private mutating func read(_ words: [String], field: String) throws(Refusal) -> String? {
    switch words.first?.lowercased() {
    case "urgent" where words.count == 1:
      isUrgent = true
      return "urgency"
    case "louder" where words.count == 1:
      loudness = .louder
      return "loudness"
    case "loud" where words.count == 1:
      loudness = .decibels([0])
      return "loudness"
    case "at" where words.count > 2 && words.last?.lowercased() == "db":
      let gains = words.dropFirst().dropLast().compactMap { Double($0) }
      guard gains.count == words.count - 2 else { return nil }
      loudness = .decibels(gains)
      return "loudness"
    case "tone" where words.count == 2:
      tone = words[1]
      return "tone"
    case "after" where words.count == 2:
      pauseSeconds = try seconds(words[1], field: field)
      return "time"
    case "every" where words.count == 2:
      spacingSeconds = try seconds(words[1], field: field)
      return "spacing"
    default: return try readRings(words, field: field)
    }
  }

  private mutating func readRings(
    _ words: [String], field: String
  ) throws(Refusal) -> String? {
    guard words.count == 2 || words.count == 4, let count = Int(words[0]),
      ["ring", "rings"].contains(words[1].lowercased())
    else { return nil }
    rings = count
    if words.count == 4 {
      guard words[2].lowercased() == "every" else { return nil }
      spacingSeconds = try seconds(words[3], field: field)
    }
    return "rings"
  }
}

extension NotifyStep {
  /// Reads contacts from a text such as `anna after 10m, then bob after 15m`.
  ///
  /// The text `none` means that the list of contacts is empty.
  ///
  /// - Parameter field: the field that contains the text; a refusal names this field.
  static func list(words text: String, field: String) throws(Refusal) -> [NotifyStep] {
    if text == "none" { return [] }
    var notifySteps: [NotifyStep] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.first?.lowercased() == "then" { words.removeFirst() }
      guard words.count == 3, words[1].lowercased() == "after" else {
        throw Refusal(
          .invalidField, field: field,
          "\"\(part.drop(while: \.isWhitespace))\" is not a contact with a time; write it like "
            + "\"anna after 10m, then bob after 15m\"")
      }
      notifySteps.append(
        NotifyStep(contact: words[0], afterSeconds: try seconds(words[2], field: field)))
    }
    return notifySteps
  }
}

extension EscalationStep {
  /// The burst as a text that `init(words:field:)` can read.
  ///
  /// - Parameter isFirst: true if the burst begins when the alarm is due.
  public func words(isFirst: Bool) -> String {
    var parts = isFirst ? [] : ["after \(DurationText.text(pauseSeconds))"]
    parts.append(
      "\(burst.rings) \(burst.rings == 1 ? "ring" : "rings") every "
        + DurationText.text(burst.spacingSeconds))
    if !burst.gainsDecibels.isEmpty {
      parts.append("at \(burst.gainsDecibels.map(number).joined(separator: " ")) dB")
    }
    if let tone { parts.append("tone \(tone)") }
    if isUrgent { parts.append("urgent") }
    return parts.joined(separator: ", ")
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}

extension NotifyStep {
  /// The contacts as a text such as `anna after 10m, then bob after 15m`; `none` if the list is
  /// empty.
  public static func words(_ notifySteps: [NotifyStep]) -> String {
    if notifySteps.isEmpty { return "none" }
    return notifySteps.map { "\($0.contact) after \(DurationText.text($0.afterSeconds))" }
      .joined(separator: ", then ")
  }
}

private func seconds(_ text: String, field: String) throws(Refusal) -> Int64 {
  guard let seconds = DurationText.seconds(text) else {
    throw Refusal(
      .invalidField, field: field,
      "\"\(text)\" is not a duration; write it like 90s, 10m or 1h30m")
  }
  return seconds
}
