import API
import Alarms
import CivilTime
import Engine
import Fakes
import Foundation
import JSONValue
import Testing

@testable import RequestHandlers

/// Tests the progress, the tasks and the summary of a day.
@Suite struct DayTests {
  /// Returns one text for each row of a list. The text contains the given members of the row.
  private func rows(_ document: JSON, _ list: String, _ members: [String]) -> [String] {
    (document[list]?.array ?? []).map { row in
      members.map { "\(row[$0] ?? .null)" }.joined(separator: " ")
    }
  }

  @Test func `a task at midnight belongs to the day that begins`() async throws {
    // The home starts at 2027-01-15 08:00 UTC.
    let home = await ServedHome()
    for time in ["00:00", "23:59"] {
      let body = #"{"label":"Pills \#(time)","schedule":"every day \#(time)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    func progress(_ date: String) async throws -> [String] {
      rows(
        try await home.ask(.progress, query: ["date": date]).document, "people",
        ["person", "planned", "due", "done", "leftovers"])
    }
    func tasks(_ date: String) async throws -> [String] {
      rows(
        try await home.ask(.day, query: ["date": date]).document, "tasks", ["local", "state"])
    }
    #expect(try await progress("2027-01-14") == [])
    #expect(try await progress("2027-01-15") == [#""patient" 1 0 0 0"#])
    #expect(try await progress("2027-01-16") == [#""patient" 2 0 0 0"#])
    #expect(try await progress("2027-02-28") == [#""patient" 2 0 0 0"#])
    #expect(try await tasks("2027-01-14") == [])
    #expect(try await tasks("2027-01-15") == [#""2027-01-15T23:59:00" "to_come""#])
    #expect(
      try await tasks("2027-01-16")
        == [#""2027-01-16T00:00:00" "to_come""#, #""2027-01-16T23:59:00" "to_come""#])
    // Nobody completed the task of 23:59. After midnight, this task is a leftover of the new day.
    home.fakes.pass(seconds: 16 * 3_600 - 60)
    await home.engine.wake()
    home.fakes.pass(seconds: 60)
    await home.engine.wake()
    #expect(try await progress("2027-01-15") == [#""patient" 1 1 0 0"#])
    #expect(try await progress("2027-01-16") == [#""patient" 2 1 0 1"#])
    #expect(try await progress("2027-01-17") == [#""patient" 2 0 0 2"#])
  }

  @Test func `a task that is not planned yet has the time at which it rings in the home zone`()
    async throws
  {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    let berlin = try Zone(name: "Europe/Berlin", tzif: Array(file))
    let home = await ServedHome(
      environment: Environment(homeZone: berlin, tzdataVersion: "test") {
        ["Europe/Berlin": berlin, "UTC": Zone.utc][$0]
      })
    for fields in [#""every day 02:30""#, #""every day 23:30","zone":"UTC""#] {
      let body = #"{"label":"Pills","duplicate":true,"schedule":\#(fields)}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    func tasks(_ date: String) async throws -> [String] {
      rows(try await home.ask(.day, query: ["date": date]).document, "tasks", ["local"])
    }
    #expect(
      try await tasks("2027-01-16") == [#""2027-01-16T00:30:00""#, #""2027-01-16T02:30:00""#])
    #expect(
      try await tasks("2027-01-18") == [#""2027-01-18T00:30:00""#, #""2027-01-18T02:30:00""#])
    // On 2027-03-28, the clocks are set forward from 02:00 to 03:00. The task of 02:30 therefore
    // moves to 03:30.
    #expect(
      try await tasks("2027-03-28") == [#""2027-03-28T00:30:00""#, #""2027-03-28T03:30:00""#])
  }

  @Test func `each outcome has its place in the progress of the day`() async throws {
    let home = await ServedHome()
    for name in ["done", "late", "no", "silent", "gone", "open"] {
      let body = #"{"label":"\#(name)","schedule":"every day 08:01","late_window":"30m"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    func id(_ number: Int) -> [String: String] {
      ["id": "alarm\(number)@2027-01-15T08:01:00"]
    }
    let removed = try await home.ask(.cancel, id(5), body: #"{"reason":"away"}"#)
    #expect(removed.status == 200, "\(removed)")
    home.fakes.pass(seconds: 61)
    await home.engine.wake()
    #expect(try await home.ask(.complete, id(1), role: .patient).status == 200)
    #expect(try await home.ask(.decline, id(3), body: "{}", role: .patient).status == 200)
    func progress() async throws -> JSON {
      try await home.ask(.progress).document["people"]?.array?.first ?? .null
    }
    var found = try await progress()
    let names = ["done", "due", "planned", "missed", "declined", "waiting", "leftovers"]
    #expect(names.map { found[$0]?.integer } == [1, 5, 5, 0, 1, 3, 0])
    #expect(found["complete"]?.bool == false)
    for _ in 0..<20 {
      home.fakes.pass(seconds: 600)
      await home.engine.wake()
    }
    found = try await progress()
    #expect(names.map { found[$0]?.integer } == [1, 5, 5, 3, 1, 0, 0])
  }

  @Test func `a summary names the people, and of one person only this person`() async throws {
    let home = await ServedHome()
    for (id, name) in [("anna", "Mrs. Smith"), ("bob", "Robert Jones")] {
      let added = try await home.ask(
        .addPerson, body: #"{"id":"\#(id)","name":"\#(name)"}"#, role: .admin)
      #expect(added.status == 201)
      let body = #"{"label":"Task of \#(id)","schedule":"every day 09:00","person":"\#(id)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    func summary(_ query: [String: String]) async throws -> (people: [String], text: String) {
      let document = try await home.ask(.summary, query: query).document
      return (
        rows(document, "people", ["person"]),
        rows(document, "people", ["text"]).joined(separator: " ")
      )
    }
    let all = try await summary([:])
    #expect(all.people == [#""anna""#, #""bob""#])
    #expect(all.text.contains("Mrs. Smith") && all.text.contains("Robert Jones"))
    for (id, name, other) in [
      ("anna", "Mrs. Smith", "Robert"), ("bob", "Robert Jones", "Smith"),
      ("Robert Jones", "Robert Jones", "Smith"),
    ] {
      let one = try await summary(["person": id])
      #expect(one.people.count == 1 && one.text.contains(name), "\(one)")
      #expect(!one.text.contains(other), "\(one)")
    }
    let tasks = try await home.ask(.day, query: ["person": "bob"]).document
    #expect(
      rows(tasks, "tasks", ["label", "person", "name"])
        == [#""Task of bob" "bob" "Robert Jones""#])
    let document = try await home.ask(.summary, query: ["days": "3"]).document
    #expect(document["from"]?.string == "2027-01-13" && document["to"]?.string == "2027-01-15")
    for days in ["1", "31"] {
      #expect(try await home.ask(.summary, query: ["days": days]).status == 200)
    }
  }

  @Test func `the text of the daily summary covers all people of the home`() async throws {
    let home = await ServedHome()
    for name in ["bob", "anna"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(name)"}"#, role: .admin)
      let body = #"{"label":"Pills","schedule":"every day 08:01","person":"\#(name)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    home.fakes.pass(seconds: 61)
    await home.engine.wake()
    let done = try await home.ask(.complete, ["id": "alarm2@2027-01-15T08:01:00"])
    #expect(done.status == 200, "\(done)")
    let people = try await home.ask(.summary).document["people"]?.array ?? []
    #expect(people.map { $0["person"]?.string } == ["anna", "bob"])
    let texts = people.compactMap { $0["text"]?.string }
    #expect(texts.count == 2 && texts[0] != texts[1].replacing("bob", with: "anna"))
    let day = try CivilDate(parsing: "2027-01-15")
    #expect(try await home.handler.summaryText(of: day) == texts.joined(separator: " "))
    let next = try await home.handler.summaryText(of: day.adding(days: 1))
    #expect(next != texts.joined(separator: " ") && next.contains("bob"))
  }

  @Test func `tasks are in the order of their times, people and labels`() async throws {
    let home = await ServedHome()
    for id in ["anna", "bob"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(id)"}"#, role: .admin)
    }
    for (label, time, person) in [
      ("c", "09:00", "bob"), ("b", "09:00", "bob"), ("d", "09:00", "anna"), ("a", "10:00", "anna"),
      ("e", "08:30", "bob"),
    ] {
      let body = #"{"label":"\#(label)","schedule":"every day \#(time)","person":"\#(person)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    for date in ["2027-01-15", "2027-01-20"] {
      let document = try await home.ask(.day, query: ["date": date]).document
      #expect(
        (document["tasks"]?.array ?? []).map { $0["label"]?.string } == ["e", "d", "b", "c", "a"])
    }
  }
}
