import Alarms
import CivilTime
import EventCoding
import JSONValue

/// The texts and pictures of a prompt. They come from one version of its alarm.
public struct PromptTexts: Hashable, Sendable {
  public var label: String
  public var instructions: String
  public var person: String
  /// The picture that the alarm of the prompt shows.
  public var image: String?
  /// The pictures that show the completed task.
  public var photos: [String]

  public init(
    label: String, instructions: String, person: String, image: String?, photos: [String]
  ) {
    self.label = label
    self.instructions = instructions
    self.person = person
    self.image = image
    self.photos = photos
  }

  /// The texts of a prompt from the present version of its alarm. If the alarm is nil, all texts
  /// are empty.
  public init(_ alarm: Alarm?, photos: [String]) {
    self.init(
      label: alarm?.label ?? "", instructions: alarm?.instructions ?? "",
      person: alarm?.person.text ?? "", image: alarm?.image, photos: photos)
  }
}

extension JSON {
  /// A prompt in its current state, as JSON.
  public static func prompt(_ prompt: Prompt, _ texts: PromptTexts, _ guide: PromptGuide) -> JSON {
    var outcome: Outcome?
    var reason: ReasonCode?
    var closedAt: Instant?
    var suppression: Suppression?
    if case .held(let now) = prompt.state { suppression = now }
    if case .closed(let how, let why, let at) = prompt.state {
      (outcome, reason, closedAt) = (how, why, at)
    }
    var value = JSON.object([
      ("id", .string(prompt.id.description)), ("alarm_id", .string(prompt.id.alarm.text)),
      ("alarm_version", .integer(Int64(prompt.alarmVersion))), ("label", .string(texts.label)),
      ("instructions", .string(texts.instructions)), ("person", .string(texts.person)),
      ("state", .string(prompt.state.name)),
      ("outcome", .optional(outcome?.rawValue)), ("reason", .optional(reason?.rawValue)),
      ("scheduled_utc", .string(prompt.dueAt.description)),
      ("scheduled_local", .string(prompt.id.nominal.description)),
      ("zone", .string(prompt.zoneName)),
      ("rings_intended", .integer(Int64(prompt.ringsIntended))),
      ("rings_sounded", .integer(Int64(prompt.ringsSounded))),
      ("rings_failed", .integer(Int64(prompt.ringsFailed))),
      ("delays", .integer(Int64(prompt.delays))), ("held", .optional(suppression?.reason.rawValue)),
      ("delivery", .string(Delivery(prompt).rawValue)),
      ("acknowledged_utc", .optional(prompt.acknowledgedAt?.description)),
      ("contacts_notified", .integer(Int64(prompt.notifyProgress.begun))),
      ("next_notification_utc", .optional(prompt.notifyProgress.nextAt?.description)),
      ("next_step_utc", .optional(prompt.nextStepAt?.description)),
      ("closed_utc", .optional(closedAt?.description)), ("image", .optional(texts.image)),
      ("photos", .array(texts.photos.map(JSON.string))),
    ])
    value.set(guide, of: prompt)
    if !prompt.alsoNominal.isEmpty {
      value.set("also_scheduled_local", .texts(prompt.alsoNominal))
    }
    if let event = prompt.leadsToAt { value.set("leads_to_utc", .string(event.description)) }
    return value
  }

  /// Adds the values that a screen needs: the instants at which "later", "on my way" and the time
  /// for an undo end, the number of delays that are still possible, and whether the screen shows
  /// the prompt as due.
  private mutating func set(_ guide: PromptGuide, of prompt: Prompt) {
    var (acknowledgedUntil, delayedUntil): (Instant?, Instant?)
    if case .acknowledged(let until) = prompt.state { acknowledgedUntil = until }
    if case .delayed(let until) = prompt.state { delayedUntil = until }
    set("presented_utc", .optional(prompt.presentedAt?.description))
    set("shown_as_due", .bool(guide.isShownAsDue))
    set("delay", .optional(guide.delaySeconds.map(DurationText.text)))
    set("delays_left", .optional(guide.delaysLeft))
    set("delayed_until_utc", .optional(delayedUntil?.description))
    set("acknowledged_until_utc", .optional(acknowledgedUntil?.description))
    set("undo_until_utc", .optional(guide.undoUntil?.description))
  }
}
