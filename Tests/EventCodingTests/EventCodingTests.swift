import Alarms
import CivilTime
import EventCoding
import JSONValue
import SampleEvents
import Testing

@Suite struct `Storing events` {
  private static let pseudonym = "P-4k9x2m7q"

  /// Encodes an event, writes it as JSON, and decodes it again.
  private func roundTrip(_ event: Event) throws -> (Event, StoredEvent) {
    let person = event.person ?? .patient
    let stored = StoredEvent(event) { _ in Self.pseudonym }
    var again = stored
    again.payload = try JSON(stored: stored.payload.description)
    again.content = try stored.content.map { try JSON(stored: $0.description) }
    #expect(again == stored)
    return (try again.event { $0 == Self.pseudonym ? person : PersonID("nobody") }, stored)
  }

  @Test func `every type of event is decoded as it was encoded`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var samples = EventSampler(seed: seed)
      for event in try samples.oneOfEach() {
        let (again, _) = try roundTrip(event)
        #expect(again == event, "seed \(seed)")
      }
    }
  }

  @Test func `equal events are stored as equal bytes`() throws {
    var (first, second) = (EventSampler(seed: 7), EventSampler(seed: 7))
    for (a, b) in zip(try first.oneOfEach(), try second.oneOfEach()) {
      let (one, other) = (StoredEvent(a) { _ in "P" }, StoredEvent(b) { _ in "P" })
      #expect(Array(one.payload.description.utf8) == Array(other.payload.description.utf8))
      #expect(one.content?.description == other.content?.description)
    }
  }

  @Test func `the hash chain covers no typed word`() throws {
    for event in try Self.canaries() {
      let (_, stored) = try roundTrip(event)
      #expect(!stored.payload.description.contains("CANARY"), "\(event.type)")
      #expect(stored.content?.description.contains("CANARY") == true, "\(event.type)")
    }
  }

  @Test func `an event with erased words can still be read`() throws {
    for event in try Self.canaries() {
      var (_, stored) = try roundTrip(event)
      stored.content = nil
      let erased = try stored.event { _ in .patient }
      #expect(erased.type == event.type)
      #expect(!"\(erased)".contains("CANARY"), "\(event.type)")
    }
  }

  @Test func `a stored alarm has this form`() throws {
    let alarm = Alarm(
      id: AlarmID("k3v9"), version: 2, person: .patient, label: "Pills", instructions: "",
      schedule: .recurring(
        try RecurrenceRule(parsing: "FREQ=DAILY"),
        start: try CivilDateTime(parsing: "2026-12-01T08:00")), phrase: "every day 08:00",
      zoneName: "Europe/Berlin", tone: "dad", burst: .standard, lateWindowSeconds: 1800,
      delaySeconds: 300, delayLimit: 3)
    let stored = StoredEvent(.alarmCreated(alarm)) { _ in "P-1" }
    #expect(
      stored.payload.description == #"{"person":"P-1","schedule":{"kind":"recurring","#
        + #""rule":"FREQ=DAILY","start":"2026-12-01T08:00:00"},"zone":"Europe/Berlin","rings":5,"#
        + #""spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"#
        + #""delay_s":300,"delay_limit":3}"#)
    #expect(
      stored.content?.description
        == #"{"label":"Pills","instructions":"","phrase":"every day 08:00","tone":"dad"}"#)
  }

  @Test func `a planned prompt keeps the other local times of its instant`() throws {
    let times = try ["2026-10-25T02:15", "2026-10-25T02:30"].map {
      try CivilDateTime(parsing: $0)
    }
    let prompt = Prompt(
      id: PromptID(alarm: AlarmID("k3v9"), nominalKey: 0), alarmVersion: 1,
      dueAt: Instant(seconds: 1_800_000_000), zoneName: "Europe/Berlin", utcOffsetSeconds: 3_600,
      alsoNominal: times)
    let (event, stored) = try roundTrip(.planned(prompt))
    #expect(event == .planned(prompt))
    #expect(
      stored.payload["also_nominal"]?.string == "2026-10-25T02:15:00 2026-10-25T02:30:00")
  }

  @Test func `a stored supply has this form`() throws {
    let settings = SupplySettings(
      name: "Donepezil", unit: "tablets", lowAt: 7, contacts: ["anna"])
    let prompt = PromptID(alarm: AlarmID("k3v9"), nominalKey: 0)
    let rows: [(SupplyChange, String)] = [
      (.added(settings, left: 28), #"{"supply":"s1","low_at":7,"left":28}"#),
      (.changed(SupplySettings(name: "Pills")), #"{"supply":"s1","low_at":null}"#),
      (.removed, #"{"supply":"s1"}"#),
      (.refilled(amount: 28, left: 30), #"{"supply":"s1","amount":28,"left":30}"#),
      (.counted(left: 12), #"{"supply":"s1","left":12}"#),
      (
        .used(prompt, amount: 2, taken: 1, left: 0),
        #"{"supply":"s1","amount":2,"taken":1,"left":0}"#
      ),
      (.returned(prompt, amount: 1, left: 1), #"{"supply":"s1","amount":1,"left":1}"#),
    ]
    for (change, payload) in rows {
      let stored = StoredEvent(.supply(SupplyID("s1"), change)) { _ in "P-1" }
      #expect(stored.payload.description == payload)
      #expect(stored.promptID == change.prompt)
    }
    let stored = StoredEvent(.supply(SupplyID("s1"), .added(settings, left: 28))) { _ in "P-1" }
    #expect(
      stored.content?.description
        == #"{"name":"Donepezil","unit":"tablets","contacts":["anna"]}"#)
  }

  @Test func `a picture in a reply has this form`() {
    var picture = Picture(
      sha256: "ab", mediaType: "image/jpeg", width: 40, height: 30, bytes: 1_234)
    let members =
      #""id":"ab","media_type":"image/jpeg","width":40,"height":30,"bytes":1234"#
    #expect(JSON.picture(picture).description == #"{\#(members),"prompt_id":null}"#)
    let prompt = PromptID(alarm: AlarmID("k3v9"), nominalKey: 8)
    picture.prompt = prompt
    #expect(JSON.picture(picture).description == #"{\#(members),"prompt_id":"\#(prompt)"}"#)
  }

  @Test func `a supply is read from its projection as it was written`() throws {
    let prompt = PromptID(alarm: AlarmID("k3v9"), nominalKey: 8)
    let supply = Supply(
      id: SupplyID("s1"),
      settings: SupplySettings(name: "Donepezil", unit: "tablets", lowAt: 7, contacts: ["anna"]),
      left: 6, isLowNoted: true,
      taken: [.init(prompt: prompt, amount: 2, at: Instant(milliseconds: 5))])
    let text = supply.stored.description
    #expect(try Supply(id: supply.id, stored: try JSON(stored: text)) == supply)
    #expect(throws: EventCodingError.self) {
      try Supply(id: supply.id, stored: try JSON(stored: #"{"left":1}"#))
    }
  }

  @Test(arguments: [
    "", "{", "[1,",
    "{\"a\"}", "{\"a\":}", "{a:1}", "\"abc", "\"\\u12\"", "\"\\ud800\"", "01x", "tru",
    "1 2", " 1", "--1", "1e999", "[1]]", "\"\\", "{\"a\":1,}",
    String(repeating: "[", count: 100_000),
  ])
  func `a damaged text is refused`(text: String) {
    #expect(throws: EventCodingError.self) { try JSON(stored: text) }
  }

  @Test func `a payload without its members is refused`() throws {
    var samples = EventSampler(seed: 3)
    for event in try samples.oneOfEach() {
      var stored = StoredEvent(event) { _ in "P" }
      guard stored.payload != .members([]) else { continue }
      stored.payload = .members([])
      #expect(throws: EventCodingError.self, "\(event.type)") { try stored.event { _ in .patient } }
    }
  }

  @Test func `an unknown type is refused by name`() {
    let stored = StoredEvent(
      type: "sung", promptID: nil, ringNumber: nil, alarmID: nil, alarmVersion: nil,
      toneSHA256: nil, payload: .members([]), content: nil)
    #expect(throws: EventCodingError("cannot read a stored event: the type \"sung\" is unknown")) {
      try stored.event { _ in .patient }
    }
  }

  /// Returns events with a marker word in many texts. The marker word is in each text that a person
  /// can type or that can contain a name.
  private static func canaries() throws -> [Event] {
    let alarm = Alarm(
      id: AlarmID("k3v9"), version: 1, person: PersonID("CANARY-person"), label: "CANARY-label",
      instructions: "CANARY-instructions", schedule: .at(Instant(milliseconds: 0)),
      phrase: "CANARY-phrase", zoneName: "UTC", tone: "CANARY-tone", burst: .standard,
      lateWindowSeconds: 1, delaySeconds: 1, delayLimit: 1)
    let tone = Tone(
      name: "CANARY-tone", sha256: "00", durationMilliseconds: 1, loudnessLUFS: -16)
    let id = PromptID(alarm: alarm.id, nominalKey: 0)
    return [
      .alarmCreated(alarm), .alarmEdited(alarm), .toneAdded(tone), .toneRemoved(tone),
      .ringStarted(id, number: 1, device: "CANARY"),
      .ringEnded(id, number: 1, device: "CANARY", frames: 1, xruns: 0, stopped: false),
      .ringFailed(id, number: 1, reason: "CANARY"),
      .ringUncertain(id, number: 1, reason: "CANARY"), .serviceStopped(reason: "CANARY"),
      .audioLost(reason: "CANARY"), .audioRestored(device: "CANARY"),
      .volumeChanged(device: "CANARY", .calibrated(percent: 70)),
      .audioFallback(id, from: "CANARY", to: "CANARY", reason: "CANARY"),
      .personAdded(
        Person(
          id: PersonID("CANARY-person"), version: 1, name: "CANARY-name", tone: "CANARY-tone",
          inactivity: InactivityRule(
            hours: 3, notifySteps: [NotifyStep(contact: "CANARY", afterSeconds: 0)]))),
      .inactivity(
        .patient,
        .notifying(position: 0, contact: "CANARY", since: Instant(milliseconds: 0), hours: 3)),
      .inactivity(.patient, .notified(position: 0, contact: "CANARY", attempt: 1)),
      .supply(
        SupplyID("s1"),
        .added(
          SupplySettings(name: "CANARY", unit: "CANARY", lowAt: 7, contacts: ["CANARY"]), left: 9)),
      .supply(
        SupplyID("s1"),
        .changed(SupplySettings(name: "CANARY", unit: "CANARY", contacts: ["CANARY"]))),
      .inactivity(
        .patient,
        .failed(position: 0, contact: "CANARY", attempt: 1, isLast: true, reason: "CANARY")),
    ]
  }
}
