import API
import Alarms
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests the closures that play and synthesise sounds.
@Suite struct SoundRequestTests {
  @Test func `a check tries the languages of the people and of the home`() async throws {
    var environment = FakePorts.environment
    environment.language = "sv"
    let home = await ServedHome(environment: environment)
    for (name, language) in [("anna", #","language":"de""#), ("bob", ""), ("carl", "")] {
      let added = try await home.ask(
        .addPerson, body: #"{"id":"\#(name)"\#(language)}"#, role: .admin)
      #expect(added.status == 201, "\(added)")
    }
    let checked = Calls<Set<String>>()
    let handler = home.alteredHandler { $0.sound.check = { checked.add($0) } }
    #expect(try await home.ask(.checkSpeaker, at: handler).status == 200)
    #expect(checked.all == [["de", "sv"]])
  }

  @Test func `a test ring tells what the speaker did`() async throws {
    let home = await ServedHome()
    await home.engine.handle(.tested([DeviceTest(device: "card0", trouble: nil)]))
    #expect(try await home.ask(.addTone, ["name": "dad"], body: "sound").status == 201)
    let rings = Mutex([
      TestRing(
        device: "card1", milliseconds: 70, isStopped: true,
        level: SoundLevel(foundPercent: 10, wasMuted: false, setPercent: nil), trouble: nil),
      TestRing(device: "", milliseconds: 0, isStopped: false, level: nil, trouble: nil),
      TestRing(device: "", milliseconds: 0, isStopped: false, level: nil, trouble: "it is busy"),
    ])
    let played = Calls<String>()
    let handler = home.alteredHandler {
      $0.sound.testRing = { sha256, trial in
        played.add("\(sha256 ?? "-") \(trial.device ?? "-") \(trial.percent ?? -1)")
        return rings.withLock { $0.removeFirst() }
      }
    }
    let first = try await home.ask(.playTone, ["name": "dad"], at: handler)
    #expect(
      "\(first.document)" == #"{"device":"card1","duration_ms":70,"stopped":true,"#
        + #""level_percent":10,"muted":false,"ring_level_percent":null}"#)
    let second = try await home.ask(
      .testRing, body: #"{"device":"card0","percent":100}"#, at: handler)
    #expect(
      "\(second.document)" == #"{"device":"","duration_ms":0,"stopped":false,"#
        + #""level_percent":null,"muted":null,"ring_level_percent":null}"#)
    let third = try await home.ask(.testRing, at: handler)
    #expect(third.status == 409)
    #expect(third.document["detail"]?.string == "cannot play the sound: it is busy")
    #expect(played.all == ["sound - -1", "- card0 100", "- - -1"])
  }

  @Test func `words are synthesised only for a sound without a recording`() async throws {
    let home = await ServedHome()
    _ = try await home.ask(.addPerson, body: #"{"id":"anna","language":"de"}"#, role: .admin)
    #expect(try await home.ask(.addTone, ["name": "dad"], body: "sound").status == 201)
    for tone in ["", #","tone":"dad""#] {
      let body = #"{"label":"Pills","instructions":"Two","schedule":"every day 09:00","#
      let added = try await home.ask(
        .addAlarm, body: body + #""person":"anna","duplicate":true\#(tone)}"#)
      #expect(added.status == 201, "\(added)")
    }
    let spoken = Calls<SpokenWords>()
    let trials = Calls<String>()
    let rehearse = home.handler.sound.rehearse
    let handler = home.alteredHandler {
      $0.sound.speak = { words in
        spoken.add(words)
        return words.text.contains("fail") ? "there is no voice" : nil
      }
      $0.sound.rehearse = { order, trial in
        trials.add("\(order.tones) \(trial.percent ?? -1)")
        return await rehearse(order, trial)
      }
    }
    for (alarm, tones) in [("alarm2", 1), ("alarm1", 0)] {
      let body = #"{"alarm":"\#(alarm)","percent":30}"#
      let tested = try await home.ask(.testRing, body: body, at: handler)
      #expect(tested.status == 200 && tested.document["voice"] == nil, "\(tested)")
      #expect(spoken.all.count == 1 - tones)
    }
    #expect(spoken.all.map(\.language) == ["de"])
    #expect(trials.all.count == 2 && trials.all.allSatisfy { $0.hasSuffix(" 30") })
    for (body, voice, count) in [
      (#"{"text":"Lunch","person":"anna"}"#, JSON.null, 2),
      (#"{"text":"Lunch","person":"anna","tone":"dad"}"#, .null, 2),
      (#"{"text":"fail","person":"ANNA"}"#, .string("there is no voice"), 3),
    ] {
      let said = try await home.ask(.say, body: body, at: handler)
      #expect(said.status == 201 && said.document["voice"] == voice, "\(said)")
      #expect(spoken.all.count == count)
    }
    #expect(spoken.all.map(\.text).suffix(2) == ["Lunch", "fail"])
    #expect(spoken.all.allSatisfy { $0.language == "de" })
  }

  /// Checks that the reply names the device of the last audible ring.
  @Test func `the device of the speaker is the one that was heard last`() async throws {
    let home = await ServedHome()
    func device() async throws -> String {
      let speaker = try await home.ask(.showSpeaker).document
      return "\(speaker["device"] ?? .null) \(speaker["last_heard_utc"] ?? .null)"
    }
    func play(_ device: String) async throws {
      let body = #"{"label":"Pills","schedule":"in 1 second","duplicate":true}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
      home.fakes.pass(seconds: 1)
      await home.engine.wake()
      let order = try #require(home.fakes.state.withLock { $0.played.last })
      await home.engine.handle(.started(order.prompt, ring: order.ring, device: device))
      await home.engine.handle(
        .ended(
          order.prompt, ring: order.ring, device: device, frames: 480, xruns: 0, stopped: false))
      let done = try await home.ask(.complete, ["id": order.prompt.description])
      #expect(done.status == 200, "\(done)")
    }
    let tests = ["card2", "card0", "card1"].map {
      DeviceTest(device: $0, trouble: $0 == "card0" ? "it is busy" : nil)
    }
    await home.engine.handle(.tested(tests))
    #expect(try await device() == "null null")
    await home.engine.handle(.usable(device: "card1"))
    #expect(try await device() == #""card1" null"#)
    try await play("card2")
    #expect(try await device() == #""card2" "2027-01-15T08:00:01.000Z""#)
    try await play("card1")
    #expect(try await device() == #""card1" "2027-01-15T08:00:02.000Z""#)
    try await play("card2")
    #expect(try await device() == #""card2" "2027-01-15T08:00:03.000Z""#)
  }
}
