import Alarms
import EventCoding
import JSONValue

/// The fields for one burst in the form of an alarm, as a person typed them.
struct BurstFields: Sendable, Hashable {
  /// The loudness of the rings. The raw value is the value in the form.
  enum Loudness: String, Sendable {
    /// The default. In the first burst, the rings become louder up to full loudness. In a later
    /// burst, each ring is as loud as the previous ring.
    case usual = ""
    /// Each ring is 3 dB louder than the previous ring, up to full loudness.
    case louder = "louder"
    case full = "full"
    /// The form does not change the gains of the alarm.
    case kept = "kept"
  }

  var rings = ""
  /// The time between two rings, in minutes.
  var spacing = ""
  /// The time from the last ring of the previous burst to the first ring of this burst, in minutes.
  /// The first burst does not use this field.
  var after = ""
  /// The name of a recording; empty if the rings play the voice of the alarm.
  var tone = ""
  var loudness = Loudness.usual
  /// The gains of the rings in decibels, for example `-12 -6 0`; empty for a new burst.
  var gains = ""
  var isUrgent = false

  /// The name of the form field with the number of rings. Each burst has one field with this name.
  static let ringsField = "rings"

  init() {}

  /// Reads the bursts that the browser sent. Each burst has one field of each name.
  static func all(_ fields: FormFields) -> [BurstFields] {
    func values(_ name: String) -> [String] { fields.all(name) }
    let (spacings, afters, tones) = (
      values("spacing"), values("burst-after"), values("burst-tone")
    )
    let (loudness, gains, urgent) = (
      values("burst-loudness"), values("burst-gains"), values("burst-urgent")
    )
    return values(ringsField).enumerated().map { index, rings in
      func value(_ list: [String]) -> String { index < list.count ? list[index] : "" }
      var burst = BurstFields()
      (burst.rings, burst.spacing, burst.after) = (rings, value(spacings), value(afters))
      (burst.tone, burst.gains) = (value(tones), value(gains))
      burst.loudness = Loudness(rawValue: value(loudness)) ?? .usual
      burst.isUrgent = value(urgent) == "yes"
      return burst
    }
  }

  /// Returns the fields of the form for the bursts of an alarm.
  static func all(_ bursts: [AlarmReading.Burst]) -> [BurstFields] {
    var before: Burst?
    return bursts.map { burst in
      var fields = BurstFields()
      fields.rings = String(burst.rings)
      fields.spacing = DurationWords.minutes(burst.spacingSeconds)
      if before != nil { fields.after = DurationWords.minutes(burst.afterSeconds) }
      (fields.tone, fields.isUrgent) = (burst.tone ?? "", burst.isUrgent)
      fields.gains = burst.gains.map(number).joined(separator: " ")
      let own = Burst(
        rings: burst.rings, spacingSeconds: burst.spacingSeconds, gainsDecibels: burst.gains)
      fields.loudness = loudness(of: own, after: before)
      before = own
      return fields
    }
  }

  private static func loudness(of burst: Burst, after before: Burst?) -> Loudness {
    let usual: Burst
    if let before {
      let last = before.gainDecibels(ring: before.rings - 1)
      usual = Burst(rings: burst.rings, spacingSeconds: 1, gainsDecibels: [last])
    } else {
      // The last rings have the standard gains, which end at full loudness. In a burst with more
      // rings, all earlier rings have the first standard gain.
      let ramp = Burst.standard.gainsDecibels
      usual = Burst(
        rings: burst.rings, spacingSeconds: 1,
        gainsDecibels: Array(repeating: ramp[0], count: burst.rings) + ramp)
    }
    let places = 0..<max(burst.rings, 1)
    let gains = places.map(burst.gainDecibels)
    if gains == places.map(usual.gainDecibels) { return .usual }
    return gains.allSatisfy { $0 == 0 } ? .full : .kept
  }

  private static func number(_ gain: Double) -> String {
    Int64(exactly: gain).map(String.init) ?? String(gain)
  }

  /// The burst as JSON for the daemon, without empty fields. If a text is not a number, the refusal
  /// of the daemon explains the error.
  var document: JSON {
    if loudness == .louder {
      // The JSON of a burst has no member for "louder". Therefore, the result is the text form of
      // the burst, which can contain this word.
      var parts = ["louder"]
      if !after.isEmpty { parts.append("after \(AlarmForm.length(after))") }
      if !rings.isEmpty { parts.append("\(rings) rings") }
      if !spacing.isEmpty { parts.append("every \(AlarmForm.length(spacing))") }
      if !tone.isEmpty { parts.append("tone \(tone)") }
      if isUrgent { parts.append("urgent") }
      return .string(parts.joined(separator: ", "))
    }
    var members: [(String, JSON)] = []
    if !rings.isEmpty {
      members.append(("rings", .number(typed: rings)))
    }
    if !spacing.isEmpty { members.append(("spacing", .string(AlarmForm.length(spacing)))) }
    if !after.isEmpty { members.append(("after", .string(AlarmForm.length(after)))) }
    if !tone.isEmpty { members.append(("tone", .string(tone))) }
    if isUrgent { members.append(("urgent", .bool(true))) }
    switch loudness {
    case .full: members.append(("gains", .array([.integer(0)])))
    case .kept:
      let numbers = gains.split(separator: " ").map { text in
        Double(text).map(JSON.number) ?? .string(String(text))
      }
      members.append(("gains", .array(numbers)))
    case .usual, .louder: break
    }
    return .object(members)
  }
}
