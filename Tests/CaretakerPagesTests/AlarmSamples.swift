import API
import Foundation
import JSONValue
import Sentences

@testable import CaretakerPages

/// Returns an alarm in the JSON format of the daemon.
func alarmDocument(
  version: Int = 3, label: String = "Take the pills",
  rule: String = "FREQ=DAILY;BYHOUR=8;BYMINUTE=0",
  phrase: String = "every day at 08:00", tell: String = #"{"contact": "sofia", "after": "10m"}"#,
  more: String = ""
) -> String {
  """
  {"id": "k3v9", "version": \(version), "label": \(JSON.string(label)), "person": "anna",
   "instructions": "Two white ones.\\nWith water.", "schedule": \(JSON.string(phrase)),
   "schedule_detail": {"kind": "recurring", "rule": "\(rule)", "start": "2026-11-01T08:00:00"},
   "tone": "dad", "rings": 3, "spacing": "2m",
   "steps": [{"rings": 3, "spacing": "2m", "after": null, "tone": null, "gains": [-6, -3, 0]}],
   "tell": [\(tell)], "image": null, "paused_until": null, "exclude": ["2026-12-24"],
   "questions": [{"name": "pain", "kind": "scale", "required": true, "min": 0, "max": 10,
     "text": "How bad is the <pain>?"}], "answers_required": true,
   "uses": [{"supply": "Donepezil", "supply_id": "s1", "amount": 2}]\(more)}
  """
}

extension SampleCaretakerHome {
  /// Sets the replies of the home: an alarm, recordings and contacts.
  func giveAlarm(_ alarm: String = alarmDocument(), next: String = "2026-11-26T20:00:00") {
    let more = """
      "next": [{"local": "\(next)"}, {"local": "2026-11-27T08:00:00"}],
      "voice": {"kind": "alarm", "tone": "dad"}, "person_pause": null
      """
    give(.showAlarm, "{\"alarm\": \(alarm), \(more)}")
    give(.listAlarms, "{\"alarms\": [\(alarm.dropLast()), \(more)}]}")
    give(.listTones, #"{"tones": [{"name": "dad"}, {"name": "mum"}]}"#)
    give(.listContacts, #"{"contacts": [{"name": "sofia"}, {"name": "ben"}]}"#)
    giveSupplies()
    give(
      .preview,
      """
      {"occurrences": [{"local": "2026-11-26T20:00:00"}, {"local": "2026-11-27T08:00:00"}],
       "explanation": "every day at 08:00 and 20:00",
       "warnings": [{"kind": "close", "text": "\\"Lunch\\" rings at 20:00, too"}]}
      """)
    give(
      .alarmVersions,
      #"{"versions": [{"set_by": "caretaker ben", "set_utc": "2026-11-26T07:59:00.000Z"}]}"#)
  }
}

/// Returns the form fields of the given questions, as a browser sends them.
func questionFields(_ questions: [[String: String]]) -> [(String, String)] {
  let names = ["text", "kind", "unit", "temperature", "min", "max", "choices", "name", "required"]
  return [("questions", "yes")]
    + questions.flatMap { one in names.map { ("question-\($0)", one[$0] ?? "") } }
}

/// The form fields of the sample alarm, as a browser sends them.
let alarmFields = [
  ("key", "0123456789abcdef"), ("version", "3"), ("label", "Take the pills"), ("person", "anna"),
  ("way", "guided"), ("time", "08:00"), ("time", ""), ("until", ""), ("phrase", ""),
  ("instructions", "Two white ones.\r\nWith water."), ("tone", "dad"), ("rings", "3"),
  ("spacing", "2"), ("contact", "sofia"), ("minutes", "10"), ("contact", ""), ("minutes", ""),
  ("early-count", ""), ("early-unit", "hours"), ("early-time", ""),
]

/// Returns the form fields of the sample alarm. The given fields replace the fields with the same
/// names.
func alarmFields(_ changed: [(String, String)]) -> [(String, String)] {
  let names = Set(changed.map(\.0))
  return alarmFields.filter { !names.contains($0.0) } + changed
}

extension CaretakerGalleryTests {
  static let alarmSamples = [
    Sample(name: "alarms-empty", path: ["alarms"]) { $0.give(.listAlarms, #"{"alarms": []}"#) },
    Sample(name: "alarms", path: ["alarms"], query: [("saved", "removed")]) { $0.giveAlarm() },
    Sample(name: "alarm", path: ["alarms", "k3v9"], query: [("saved", "set")]) { home in
      home.giveAlarm()
    },
    Sample(
      name: "alarm-no-picture", path: ["alarms", "k3v9", "picture"], form: [("button", "picture")],
      status: 422
    ) { $0.giveAlarm() },
    Sample(name: "alarm-remove", path: ["alarms", "k3v9", "remove"]) { $0.giveAlarm() },
    Sample(name: "alarm-new", path: ["alarms", "new"]) { home in
      home.giveAlarm()
      home.give(
        .listPeople,
        #"{"people": [{"id": "anna", "name": "Anna"}, {"id": "hugo", "name": "Hugo"}]}"#
      )
    },
    Sample(
      name: "alarm-edit", path: ["alarms", "k3v9", "edit"],
      form: alarmFields([("button", "preview"), ("day", "monday"), ("day", "friday")])
    ) { $0.giveAlarm() },
    Sample(
      name: "alarm-steps", path: ["alarms", "k3v9", "edit"],
      form: alarmFields([
        ("button", "save"), ("early-count", "1"), ("early-unit", "days"), ("early-time", "19:00"),
      ])
        + [
          ("burst-after", ""), ("burst-loudness", ""),
          ("burst-gains", "-6 -3 0"), ("burst-tone", ""), ("burst-urgent", "no"), ("rings", "2"),
          ("spacing", "1"), ("burst-after", "soon"), ("burst-loudness", "full"),
          ("burst-gains", "-4.5 -1"), ("burst-tone", "mum"), ("burst-urgent", "yes"),
        ], status: 422
    ) { home in
      home.giveAlarm()
      home.give(
        .editAlarm,
        """
        {"kind": "invalid_field", "field": "after",
         "detail": "after: \\"soon\\" is not a duration; write it like 90s, 10m or 1h30m"}
        """, status: 422)
    },
    Sample(
      name: "alarm-questions", path: ["alarms", "k3v9", "edit"],
      form: alarmFields([("button", "save"), ("supply", "s1"), ("supply-amount", "2")])
        + questionFields([
          ["text": "How bad is the pain, from 0 to 10?", "kind": "scale", "name": "pain"],
          ["text": "What do you weigh?", "kind": "number", "name": "weight", "unit": "kg"],
          [
            "text": "What do you feel?", "kind": "choices", "name": "feels", "required": "no",
            "choices": "headache\nnausea=Feeling sick",
          ],
        ]), status: 422
    ) { home in
      home.giveAlarm()
      home.give(
        .editAlarm,
        """
        {"kind": "invalid_field", "field": "questions[1].min",
         "detail": "questions[1].min: a number needs min and max, with min below max; answers outside are refused"}
        """, status: 422)
    },
    Sample(
      name: "alarm-refused", path: ["alarms", "new"],
      form: alarmFields([("way", "typed"), ("phrase", "every day at 8"), ("button", "save")]),
      status: 422
    ) { home in
      home.giveAlarm()
      home.give(
        .addAlarm,
        """
        {"kind": "invalid_field", "field": "schedule",
         "detail": "schedule: 8 can mean 08:00 or 20:00; write every day 08:00 or every day 20:00"}
        """, status: 422)
    },
    Sample(
      name: "alarm-changed", path: ["alarms", "k3v9", "edit"],
      form: alarmFields([("label", "Take all pills"), ("button", "save")]), status: 412
    ) { $0.giveAlarm(alarmDocument(version: 4, label: "Take the white pills")) },
  ]
}
