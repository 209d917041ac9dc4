import API
import Alarms
import CivilTime
import JSONValue

extension HomeState {
  /// Returns the speaker faults that affect alarms, as sentences for a caretaker.
  ///
  /// - Parameter person: the only person whose rings are considered; nil for all people.
  func speakerProblems(of person: PersonID?) -> [StatusProblem] {
    var problems: [StatusProblem] = []
    if speaker.isUsable == false {
      let why = speaker.trouble.map { " (\($0))" } ?? ""
      problems.append(.init(.speakerUnusable, "there is no usable speaker" + why))
    }
    if let last = fallbacks(of: person).last {
      let names = "\(toneName(last.to)) was used instead of \(toneName(last.from))"
      problems.append(.init(.soundReplaced, "\(names) at \(last.at): \(last.reason)"))
    }
    // A mixer that has only a few levels cannot set each percentage exactly. Therefore, a small
    // difference from the calibrated level is not a fault. But if the level of the mixer is more
    // than 15 percentage points lower than the calibrated level, a person might not hear the ring.
    for (name, device) in speaker.devices.sorted(by: { $0.key < $1.key }) {
      guard let wanted = levels[name], let set = device.level?.setPercent, set + 15 < wanted else {
        continue
      }
      problems.append(
        .init(
          .levelNotReached,
          "the card of \(name) is calibrated to \(wanted) %, but reached only \(set) %"))
    }
    return problems
  }

  /// Returns the name that a caretaker gave to the recording with the file name `name`.
  ///
  /// If no recording has this file name, the result is the file name.
  func toneName(_ name: String) -> String {
    let tone = tones.values.first { "\($0.sha256).wav" == name }
    return tone.map { "the recording \"\($0.name)\"" } ?? name
  }
}

extension JSON {
  /// Returns the state of the loudspeakers according to the last self-tests and rings.
  ///
  /// - Parameters:
  ///   - levels: the calibrated level of each device, in percent.
  ///   - only: the only person whose fallbacks are listed; nil for all people.
  static func speaker(_ home: HomeState, levels: [String: Int], only: PersonID?) -> JSON {
    let health = home.speaker
    let heard = health.devices.max {
      ($0.value.lastHeardAt?.milliseconds ?? 0, $1.key)
        < ($1.value.lastHeardAt?.milliseconds ?? 0, $0.key)
    }
    let working = health.devices.filter { $0.value.trouble == nil }.keys.sorted()
    let device = heard?.value.lastHeardAt == nil ? working.first : heard?.key
    return .object([
      ("usable", health.isUsable.map { .bool($0) } ?? .null),
      ("device", .optional(health.isUsable == true ? device : nil)),
      ("trouble", .optional(health.trouble)),
      ("last_heard_utc", .optional(heard?.value.lastHeardAt?.description)),
      (
        "devices",
        .array(
          health.devices.sorted { $0.key < $1.key }.map {
            .device($0.key, $0.value, calibrated: levels[$0.key])
          })
      ),
      ("fallbacks", .array(home.fallbacks(of: only).map { .fallback($0, in: home) })),
    ])
  }

  private static func device(
    _ name: String, _ device: SpeakerHealth.Device, calibrated: Int?
  ) -> JSON {
    .object([
      ("name", .string(name)), ("usable", .bool(device.trouble == nil)),
      ("trouble", .optional(device.trouble)),
      ("level_percent", .optional(device.level?.foundPercent)),
      ("muted", device.level.map { .bool($0.wasMuted) } ?? .null),
      ("ring_level_percent", .optional(device.level?.setPercent)),
      ("calibrated_percent", .optional(calibrated)),
      ("tested_utc", .optional(device.testedAt?.description)),
      ("last_heard_utc", .optional(device.lastHeardAt?.description)),
    ])
  }

  private static func fallback(_ fallback: SpeakerHealth.Fallback, in home: HomeState) -> JSON {
    .object([
      ("utc", .string(fallback.at.description)),
      ("prompt_id", .optional(fallback.prompt?.description)),
      ("from", .string(home.toneName(fallback.from))), ("to", .string(home.toneName(fallback.to))),
      ("reason", .string(fallback.reason)),
    ])
  }
}
