import API
import Alarms
import Engine
import Fakes
import JSONValue
import RequestHandlers
import Testing

/// Tests homes with several people, and names as people type them.
@Suite struct NamesTests {
  private func home(of people: [String]) async throws -> ServedHome {
    let home = await ServedHome()
    for person in people {
      let added = try await home.ask(.addPerson, body: #"{"id":"\#(person)"}"#, role: .admin)
      #expect(added.status == 201, "\(added)")
    }
    return home
  }

  private func pills(_ more: String = "") -> String {
    #"{"label":"Pills","schedule":"every day 08:00"\#(more)}"#
  }

  @Test func `an alarm without a person is for the only person of the home`() async throws {
    let alone = await ServedHome()
    let patient = try await alone.ask(.addAlarm, body: pills())
    #expect(patient.document["alarm"]?["person"]?.string == "patient")
    let hilde = try await home(of: ["hilde"])
    let added = try await hilde.ask(.addAlarm, body: pills())
    #expect(added.document["alarm"]?["person"]?.string == "hilde", "\(added)")
  }

  @Test func `in a home of several people, an alarm without a person is refused with the names`()
    async throws
  {
    let home = try await home(of: ["hilde", "otto"])
    let before = home.fakes.types
    let refused = try await home.ask(.addAlarm, body: pills())
    #expect(refused.status == 422 && refused.document["field"]?.string == "person")
    let detail = refused.document["detail"]?.string ?? ""
    #expect(detail.contains("hilde, otto") && !detail.contains("patient"), "\(detail)")
    #expect(home.fakes.types == before)
    let added = try await home.ask(.addAlarm, body: pills(#","person":"Hilde""#))
    #expect(added.document["alarm"]?["person"]?.string == "hilde", "\(added)")
  }

  @Test func `the default person counts if somebody set an alarm for this person`() async throws {
    let home = await ServedHome()
    _ = try await home.ask(.addAlarm, body: pills())
    _ = try await home.ask(.addPerson, body: #"{"id":"hilde"}"#, role: .admin)
    let refused = try await home.ask(
      .addAlarm, body: #"{"label":"Tea","schedule":"every day 09:00"}"#)
    #expect(refused.status == 422)
    #expect(refused.document["detail"]?.string?.contains("hilde, patient") == true, "\(refused)")
  }

  @Test func `a person is named in any letter case, by id or by name`() async throws {
    let home = try await home(of: ["hilde", "otto"])
    let named = try await home.ask(
      .changePerson, ["id": "HILDE"], body: #"{"name":"Hilde Maier"}"#, role: .admin)
    #expect(named.status == 200, "\(named)")
    _ = try await home.ask(.addAlarm, body: pills(#","person":"hilde maier""#))
    for name in ["hilde", "Hilde", "HILDE MAIER"] {
      let listed = try await home.ask(.listAlarms, query: ["person": name])
      #expect(listed.document["alarms"]?.array?.count == 1, "\(name): \(listed)")
      #expect(try await home.ask(.showPerson, ["id": name]).status == 200, "\(name)")
    }
    for refused in [
      try await home.ask(.listAlarms, query: ["person": "hild"]),
      try await home.ask(.changePerson, ["id": "hild"], body: #"{"name":"x"}"#, role: .admin),
    ] {
      let detail = refused.document["detail"]?.string ?? ""
      #expect(
        detail.hasSuffix("there is no person \"hild\"; did you mean \"hilde\"?"), "\(refused)")
    }
    let unknown = try await home.ask(.addAlarm, body: pills(#","person":"hild""#))
    #expect(
      unknown.document["detail"]?.string?.contains("did you mean \"hilde\"?") == true, "\(unknown)")
  }

  @Test func `a refusal does not tell a tied patient about other people`() async throws {
    let home = try await home(of: ["hilde", "otto"])
    _ = try await home.ask(
      .changePerson, ["id": "hilde"], body: #"{"name":"Hilde Maier"}"#, role: .admin)
    let otto = PersonID("otto")
    let refused = try await home.ask(
      .listPrompts, query: ["person": "Hilde Maier"], role: .patient, only: otto)
    #expect(refused.status == 403)
    #expect(refused.document["detail"]?.string?.contains("\"hilde\"") == false, "\(refused)")
    let own = try await home.ask(
      .listPrompts, query: ["person": "OTTO"], role: .patient, only: otto)
    #expect(own.status == 200, "\(own)")
  }

  @Test func `a voice with the name of another voice replaces it only on request`() async throws {
    let home = await ServedHome()
    #expect(try await home.ask(.addTone, ["name": "dad"], body: "first").status == 201)
    let before = home.fakes.types
    for name in ["dad", "Dad"] {
      let refused = try await home.ask(.addTone, ["name": name], body: "second")
      #expect(refused.status == 409 && refused.document["kind"]?.string == "conflict")
    }
    let wrong = try await home.ask(
      .addTone, ["name": "dad"], body: "second", query: ["replace": "maybe"])
    #expect(wrong.status == 422)
    #expect(home.fakes.types == before)
    let replaced = try await home.ask(
      .addTone, ["name": "Dad"], body: "second", query: ["replace": "yes"])
    #expect(replaced.document["tone"]?["name"]?.string == "dad", "\(replaced)")
    let added = try await home.ask(.addAlarm, body: pills(#","tone":"DAD""#))
    #expect(added.document["alarm"]?["tone"]?.string == "dad", "\(added)")
    let renamed = try await home.ask(.renameTone, ["name": "DAD"], body: #"{"name":"Dad"}"#)
    #expect(renamed.document["tone"]?["name"]?.string == "Dad", "\(renamed)")
    let near = try await home.ask(.addAlarm, body: pills(#","tone":"dda""#))
    #expect(near.document["detail"]?.string?.contains("did you mean \"Dad\"?") == true, "\(near)")
  }

  @Test func `an equal alarm is refused unless the request says so`() async throws {
    let home = await ServedHome()
    #expect(try await home.ask(.addAlarm, body: pills()).status == 201)
    let before = home.fakes.types
    for body in [pills(), #"{"label":"PILLS","schedule":"Every day 08:00"}"#] {
      let refused = try await home.ask(.addAlarm, body: body)
      #expect(
        refused.status == 409 && refused.document["kind"]?.string == "duplicate", "\(refused)")
    }
    #expect(home.fakes.types == before)
    #expect(try await home.ask(.addAlarm, body: pills(#","duplicate":true"#)).status == 201)
    let other = #"{"label":"Pills","schedule":"every day 09:00"}"#
    let added = try await home.ask(.addAlarm, body: other)
    let id = try #require(added.document["alarm"]?["id"]?.string)
    let count = home.fakes.types
    let same = #"{"schedule":"every day 08:00""#
    let edited = try await home.ask(.editAlarm, ["id": id], body: same + "}")
    #expect(edited.status == 409 && edited.document["kind"]?.string == "duplicate", "\(edited)")
    #expect(home.fakes.types == count)
    let allowed = try await home.ask(.editAlarm, ["id": id], body: same + #","duplicate":true}"#)
    #expect(allowed.status == 200, "\(allowed)")
  }

  @Test func `a list says which voice will sound`() async throws {
    let home = await ServedHome()
    for name in ["dad", "mum"] { _ = try await home.ask(.addTone, ["name": name], body: name) }
    func voice(_ more: String) async throws -> String {
      let added = try await home.ask(.addAlarm, body: pills(more + #","duplicate":true"#))
      let id = try #require(added.document["alarm"]?["id"]?.string)
      let shown = try await home.ask(.showAlarm, ["id": id]).document["voice"] ?? .null
      let rows = try await home.ask(.listAlarms).document["alarms"]?.array ?? []
      #expect(rows.first { $0["id"]?.string == id }?["voice"] == shown)
      return "\(shown["kind"]?.string ?? "") \(shown["tone"]?.string ?? "none")"
    }
    #expect(try await voice("") == "speech none")
    #expect(try await voice(#","tone":"dad""#) == "recording dad")
    let changed = try await home.ask(
      .changePerson, ["id": "patient"], body: #"{"tone":"mum"}"#, role: .admin)
    #expect(changed.status == 200)
    #expect(try await voice("") == "person_recording mum")
    #expect(try await voice(#","tone":"dad""#) == "recording dad")
  }

  @Test func `a preview knows the home, and shows the requested times`() async throws {
    let home = try await home(of: ["hilde", "otto"])
    func preview(_ body: String) async throws -> (status: Int, document: JSON) {
      try await home.ask(.preview, body: body)
    }
    let before = home.fakes.types
    let known = try await preview(
      #"{"schedule":"every day 08:00","person":"Hilde","count":2,"warn_hours":"07:00-09:00"}"#)
    #expect(known.document["occurrences"]?.array?.count == 2, "\(known)")
    #expect(
      known.document["warnings"]?.array?.contains { $0["kind"]?.string == "quiet_hours" } == true)
    #expect(try await preview(#"{"schedule":"every day 08:00"}"#).status == 200)
    let after = try await preview(
      #"{"schedule":"every day 08:00","person":"otto","after":"2099-01-01T00:00:00Z","to":"2099-01-02T23:00:00Z"}"#
    )
    #expect(after.document["occurrences"]?.array?.count == 2, "\(after)")
    for wrong in [
      #""person":"bob""#, #""count":0"#, #""count":1001"#, #""after":"soon""#, #""warn_hours":"x""#,
    ] {
      let refused = try await preview(#"{"schedule":"every day 08:00",\#(wrong)}"#)
      #expect(refused.status == 422, "\(wrong): \(refused)")
    }
    #expect(home.fakes.types == before)
  }

  @Test func `a one-off alarm that is over does not count`() async throws {
    let home = try await home(of: ["hilde"])
    let once = #"{"label":"Walk","schedule":"in 1 second","rings":1,"person":"hilde"}"#
    #expect(try await home.ask(.addAlarm, body: once).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    #expect(try await home.ask(.status).document["alarms"]?.integer == 1)
    #expect(try await home.ask(.complete, ["id": "current"]).status == 200)
    #expect(try await home.ask(.status).document["alarms"]?.integer == 0)
    let shown = try await home.ask(.showPerson, ["id": "hilde"])
    #expect(shown.document["person"]?["alarms"]?.integer == 0, "\(shown)")
    #expect(try await home.ask(.removePerson, ["id": "hilde"], role: .admin).status == 200)
  }
}
