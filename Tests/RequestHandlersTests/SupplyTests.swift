import API
import Alarms
import Engine
import Fakes
import JSONValue
import Testing

@testable import RequestHandlers

/// Tests supplies through the API.
@Suite struct SupplyTests {
  private func home() async throws -> ServedHome {
    let home = await ServedHome()
    let added = try await home.ask(
      .addSupply, body: #"{"name":"Donepezil","unit":"tablets","left":8,"low_at":2}"#)
    #expect(added.status == 201, "\(added)")
    return home
  }

  private func supply(_ home: ServedHome) async throws -> JSON {
    try await home.ask(.listSupplies).document["supplies"]?.array?.first ?? .null
  }

  @Test func `the list says what is left, how long it lasts and who uses it`() async throws {
    let home = try await home()
    let alarm = try await home.ask(
      .addAlarm, body: #"{"label":"Pills","schedule":"every day 08:00","uses":["donepezil=2"]}"#)
    #expect(alarm.status == 201, "\(alarm)")
    let shown = try await supply(home)
    #expect(shown["left"]?.integer == 8 && shown["unit"]?.string == "tablets")
    #expect(shown["low_at"]?.integer == 2 && shown["low"]?.bool == false)
    let days = try #require(shown["lasts_days"]?.integer)
    #expect((4...5).contains(days), "8 tablets, 2 a day: \(days) days")
    let user = try #require(shown["used_by"]?.array?.first)
    #expect(user["label"]?.string == "Pills" && user["amount"]?.integer == 2)
    #expect(user["alarm_id"]?.string == alarm.document["alarm"]?["id"]?.string)
  }

  @Test func `an alarm takes its supplies back as a response shows them`() async throws {
    let home = try await home()
    let alarm = try await home.ask(
      .addAlarm, body: #"{"label":"Pills","schedule":"every day 08:00","uses":["Donepezil"]}"#)
    let id = try #require(alarm.document["alarm"]?["id"]?.string)
    let uses = try #require(alarm.document["alarm"]?["uses"])
    #expect(uses.array?.first?["supply"]?.string == "Donepezil")
    #expect(uses.array?.first?["amount"]?.integer == 1)
    let same = try await home.ask(.editAlarm, ["id": id], body: #"{"uses":\#(uses)}"#)
    #expect(same.document["alarm"]?["version"]?.integer == 1, "\(same)")
    let none = try await home.ask(.editAlarm, ["id": id], body: #"{"uses":"none"}"#)
    #expect(none.document["alarm"]?["uses"]?.array?.isEmpty == true)
    let gone = try await home.ask(.removeSupply, ["name": "donepezil"])
    #expect(gone.status == 200, "\(gone)")
    #expect(try await supply(home) == .null)
  }

  @Test func `an answer says what is left`() async throws {
    let home = try await home()
    let alarm = try await home.ask(
      .addAlarm, body: #"{"label":"Pills","schedule":"every day 08:00","uses":["Donepezil=3"]}"#)
    #expect(alarm.status == 201)
    let open = await home.engine.read { home, _ in home.openPrompts.first?.id.description }
    let prompt = try #require(open)
    let done = try await home.ask(.complete, ["id": prompt], body: "{}", role: .patient)
    #expect(done.document["supplies"]?.array?.first?["left"]?.integer == 5, "\(done)")
    let undone = try await home.ask(.undo, ["id": prompt], body: "{}", role: .patient)
    #expect(undone.document["supplies"]?.array?.first?["left"]?.integer == 8, "\(undone)")
  }

  @Test func `a low supply is a problem of the home`() async throws {
    let home = try await home()
    func problems() async throws -> [String] {
      try await home.ask(.status).document["problems"]?.array?.compactMap { $0["kind"]?.string }
        ?? []
    }
    #expect(try await !problems().contains("supply_low"))
    _ = try await home.ask(.countSupply, ["name": "Donepezil"], body: #"{"left":2}"#)
    #expect(try await problems().contains("supply_low"))
    _ = try await home.ask(.changeSupply, ["name": "Donepezil"], body: #"{"low_at":"none"}"#)
    #expect(try await !problems().contains("supply_low"))
  }

  @Test func `a wrong request is refused and changes nothing`() async throws {
    let home = try await home()
    let before = home.fakes.types
    let wrong: [(Route.Operation, [String: String], String, Int, String?)] = [
      (.addSupply, [:], #"{"name":"Box"}"#, 422, "left"),
      (.addSupply, [:], #"{"left":3}"#, 422, "name"),
      (.addSupply, [:], #"{"name":"Box","left":1.5}"#, 422, "left"),
      (.addSupply, [:], #"{"name":"Box","left":3,"low_at":"few"}"#, 422, "low_at"),
      (.addSupply, [:], #"{"name":"donepezil","left":3}"#, 422, "name"),
      (.refillSupply, ["name": "Donepezil"], "{}", 422, "amount"),
      (.countSupply, ["name": "Donepezil"], #"{"left":-1}"#, 422, "left"),
      (.countSupply, ["name": "Box"], #"{"left":1}"#, 404, nil),
      (.addAlarm, [:], #"{"label":"A","schedule":"every day 08:00","uses":"few"}"#, 422, "uses"),
      (.addAlarm, [:], #"{"label":"A","schedule":"every day 08:00","uses":[{}]}"#, 422, "uses"),
      (
        .addAlarm, [:], #"{"label":"A","schedule":"every day 08:00","uses":["Box"]}"#, 422, "uses"
      ),
    ]
    for (operation, parameters, body, status, field) in wrong {
      let refused = try await home.ask(operation, parameters, body: body)
      let conflict = refused.document["kind"]?.string == "conflict" && refused.status == 409
      #expect(refused.status == status || conflict, "\(body): \(refused)")
      #expect(refused.document["field"]?.string == field, "\(body): \(refused)")
      #expect(home.fakes.types == before, "\(body)")
    }
  }
}
