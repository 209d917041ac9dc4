import API
import Alarms
import CivilTime
import Fakes
import JSONValue
import Synchronization
import Testing

/// Tests the requests of a screen that shows the prompts of one person.
@Suite struct `A patient's screen` {
  private static let anna = PersonID("anna"), bob = PersonID("bob")

  private func home() async throws -> ServedHome {
    try await ServedHome.ofAnnaAndBob { person in
      #"""
      ,"instructions":"How \#(person) does it","delay":"7m","delay_limit":2,"complete_by":"20m"
      """#
    }
  }

  /// Sends a request of Anna's screen.
  private func ask(
    _ home: ServedHome, _ operation: Route.Operation, _ id: String = "current", body: String = ""
  ) async throws -> (status: Int, document: JSON) {
    try await home.ask(
      operation, operation == .listPrompts ? [:] : ["id": id], body: body, role: .patient,
      only: Self.anna, user: "uid:1")
  }

  @Test func `reads the instructions, the delays and whether the prompt is shown as due`()
    async throws
  {
    let home = try await home()
    let list = try await ask(home, .listPrompts).document
    let prompts = try #require(list["prompts"]?.array)
    #expect(prompts.count == 1 && !"\(list)".contains("bob"))
    let prompt = try #require(prompts.first)
    #expect(prompt["instructions"]?.string == "How anna does it")
    #expect(prompt["shown_as_due"]?.bool == true)
    #expect(prompt["delay"]?.string == "7m" && prompt["delays_left"]?.integer == 2)
    for name in ["delayed_until_utc", "acknowledged_until_utc", "undo_until_utc"] {
      #expect(prompt[name] == .null, "\(name)")
    }
    let one = try await ask(home, .showPrompt).document
    #expect(one == prompt)
  }

  @Test func `reads the ends of later, of on my way and of undo from each answer`() async throws {
    let home = try await home()
    let now = home.fakes.state.withLock { $0.now.wall }
    func text(_ seconds: Int64) -> String { now.adding(seconds: seconds).description }
    let delayed = try await ask(home, .delay).document
    #expect(delayed["delayed_until_utc"]?.string == text(420))
    #expect(delayed["delays_left"]?.integer == 1 && delayed["shown_as_due"]?.bool == false)
    #expect(delayed["undo_until_utc"]?.string == text(60))
    #expect(delayed["acknowledged_until_utc"] == .null)
    let undone = try await ask(home, .undo).document
    #expect(undone["undo_until_utc"] == .null && undone["shown_as_due"]?.bool == true)
    #expect(undone["delays_left"]?.integer == 2)

    let acknowledged = try await ask(home, .acknowledge).document
    #expect(acknowledged["acknowledged_until_utc"]?.string == text(1_200))
    #expect(acknowledged["shown_as_due"]?.bool == false)
    #expect(acknowledged["delayed_until_utc"] == .null)

    let id = try #require(acknowledged["id"]?.string)
    let completed = try await ask(home, .complete, id).document
    #expect(completed["undo_until_utc"]?.string == text(60))
    #expect(completed["delay"] == .null && completed["delays_left"] == .null)
    #expect(completed["instructions"]?.string == "How anna does it")
    // As long as Anna can undo the answer, the prompt contains the same `undo_until_utc` as the
    // reply to the answer.
    #expect(try await ask(home, .showPrompt, id).document["undo_until_utc"]?.string == text(60))
    home.fakes.pass(seconds: 61)
    #expect(try await ask(home, .showPrompt, id).document["undo_until_utc"] == .null)
  }

  @Test func `no undo is offered for a prompt whose alarm was removed`() async throws {
    let home = try await home()
    let prompt = try await ask(home, .showPrompt).document
    let alarm = try #require(prompt["alarm_id"]?.string)
    let removed = try await home.ask(.removeAlarm, ["id": alarm])
    #expect(removed.status == 200)
    let ended = try #require(removed.document["prompts"]?.array?.first)
    #expect(ended["undo_until_utc"] == .null && ended["shown_as_due"]?.bool == false)
    let id = try #require(prompt["id"]?.string)
    #expect(try await ask(home, .showPrompt, id).document["undo_until_utc"] == .null)
    #expect(try await ask(home, .undo, id).status != 200)
  }

  private func presentedCount(_ home: ServedHome) -> Int {
    home.fakes.state.withLock { $0.records.count { $0.event.type == "presented" } }
  }

  @Test func `reports once that a task is shown`() async throws {
    let home = try await home()
    let now = home.fakes.state.withLock { $0.now.wall }
    #expect(try await ask(home, .showPrompt).document["presented_utc"] == .null)
    let id = try #require(try await ask(home, .showPrompt).document["id"]?.string)
    for body in ["", "{}"] {
      let shown = try await ask(home, .present, id, body: body)
      #expect(shown.status == 200 && shown.document["id"]?.string == id)
      #expect(shown.document["presented_utc"]?.string == now.description)
      home.fakes.pass(seconds: 5)
    }
    #expect(try await ask(home, .present).document["presented_utc"]?.string == now.description)
    #expect(presentedCount(home) == 1)
    let actor = home.fakes.state.withLock { $0.records.last?.actor }
    #expect(actor?.role == .patient && actor?.id == "uid:1")
    #expect(try await ask(home, .showPrompt).document["presented_utc"]?.string == now.description)
  }

  @Test func `cannot report a prompt of another person, an ended prompt or a wrong body`()
    async throws
  {
    let home = try await home()
    let all = try #require(try await home.ask(.listPrompts).document["prompts"]?.array)
    let bobs = try #require(all.first { $0["person"]?.string == "bob" }?["id"]?.string)
    let theirs = try await ask(home, .present, bobs)
    let random = try await ask(home, .present, "nobody@2027-01-15T08:00:00")
    #expect(theirs.status == 404 && random.status == 404)
    #expect(try await ask(home, .present, body: #"{"at":"now"}"#).status == 422)
    let completed = try await ask(home, .complete).document
    let over = try await ask(home, .present, try #require(completed["id"]?.string))
    #expect(over.status == 409 && over.document["kind"]?.string == "prompt_over")
    #expect(try await ask(home, .present).status == 404)
    #expect(presentedCount(home) == 0)
  }

  @Test func `says its own task again, once for each key, and not the task of another person`()
    async throws
  {
    let home = try await home()
    func played() -> Int { home.fakes.state.withLock { $0.played.count } }
    let before = played()
    let all = try #require(try await home.ask(.listPrompts).document["prompts"]?.array)
    let bobs = try #require(all.first { $0["person"]?.string == "bob" }?["id"]?.string)
    #expect(try await ask(home, .sayAgain, bobs).status == 404)
    #expect(try await ask(home, .sayAgain, body: #"{"volume":11}"#).status == 422)
    #expect(played() == before)

    for _ in 0..<2 {
      let said = try await home.ask(
        .sayAgain, ["id": "current"], headers: ["idempotency-key": "k"], role: .patient,
        only: Self.anna, user: "uid:1")
      #expect(said.status == 200 && said.document["label"]?.string == "annas task")
      #expect(said.document["rings_sounded"]?.integer == 1)
    }
    #expect(played() == before + 1)
    let busy = try await ask(home, .sayAgain)
    #expect(busy.status == 409 && busy.document["kind"]?.string == "speaker_busy")
    #expect(busy.document["detail"]?.string?.contains("bob") == false)
  }

  @Test func `says a task again at most 60 times in an hour`() async throws {
    let home = try await home()
    for _ in 0..<60 { #expect(try await ask(home, .sayAgain).status != 429) }
    let refused = try await ask(home, .sayAgain)
    #expect(refused.status == 429 && refused.document["kind"]?.string == "limit")
    home.fakes.pass(seconds: 3_599)
    #expect(try await ask(home, .sayAgain).status == 429)
    home.fakes.pass(seconds: 1)
    #expect(try await ask(home, .sayAgain).status != 429)
  }
}
