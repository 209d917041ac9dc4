import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests supplies that prompts use up.
  @Suite struct Supplies {
    private static func config(_ home: TestHome) -> String {
      """
      [contacts.anna]
      command = [
        "/bin/sh", "-c", 'echo "$PROMPTER_REASON|$PROMPTER_LABEL|$PROMPTER_TEXT" >> "$1"', "sh",
        "\(home.path("said"))",
      ]
      """
    }

    private func said(_ home: TestHome) -> [String] {
      let text = (try? String(contentsOfFile: home.path("said"), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map(String.init)
    }

    private func left(_ home: TestHome) async throws -> Int64? {
      try await home.ask("supply")["supplies"]?.array?.first?["left"]?.integer
    }

    @Test
    func `a completed prompt takes tablets, an undo gives them back, and a contact is told once`()
      async throws
    {
      let home = try TestHome()
      do {
        try await home.start(config: Self.config(home))
        let added = try await home.run(
          "supply", "add", "Donepezil", "9", "--unit", "tablets", "--low-at", "7", "--tell", "anna")
        #expect(
          added.output
            == "Added: 9 tablets of Donepezil are left.\nWhen 7 or less is left, the daemon notifies anna.\n"
        )
        _ = try await home.ask(
          "add", "Pills", "--schedule", "in 1 seconds", "--rings", "1", "--late-window", "10m",
          "--uses", "donepezil=2")
        #expect(try await home.run("list").output.contains("Donepezil=2"))
        #expect(try await home.run("show", "Pills").output.contains("Donepezil=2"))
        #expect(try await home.run("contacts").output.contains("low amount of Donepezil"))
        let removal = try await home.run("supply", "remove", "Donepezil")
        #expect(removal.code == 1 && removal.complaint.contains("\"Pills\""), "\(removal)")
        try await home.until("the prompt is due", seconds: 20) {
          try await !home.events("due").isEmpty
        }
        let done = try await home.run("done")
        #expect(done.output.hasSuffix("7 tablets of Donepezil are left.\n"), "\(done)")
        try await home.until("anna is told", seconds: 10) { said(home).count == 1 }
        let message = "supply_low|Donepezil|The patient: 7 tablets of Donepezil are left."
        #expect(said(home) == [message])
        #expect(
          try await home.problems().contains("supply_low: 7 tablets of Donepezil are left"))
        let undone = try await home.run("undo")
        #expect(undone.output.hasSuffix("9 tablets of Donepezil are left.\n"), "\(undone)")

        await home.kill()
        try await home.start(config: Self.config(home))
        #expect(try await left(home) == 9)
        _ = try await home.ask("done", "Pills")
        #expect(try await left(home) == 7)
        #expect(
          try await home.ask("supply", "refill", "Donepezil", "+28")["supply"]?["low"]
            == .bool(false))
        _ = try await home.ask("supply", "set", "Donepezil", "3")
        try await home.until("anna is told again", seconds: 10) { said(home).count == 2 }
        #expect(said(home).last == "supply_low|Donepezil|3 tablets of Donepezil are left.")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        let types = Set(try await home.events().compactMap { $0["type"]?.string })
        #expect(
          types.isSuperset(of: [
            "supply_added", "supply_used", "supply_returned", "supply_refilled", "supply_counted",
          ]))
      } catch {
        await home.close()
        throw error
      }
      await home.close()
    }

    @Test func `a wrong supply is refused, with what to do`() async throws {
      try await TestHome.with { home in
        let before = try await home.standing()
        let wrong: [([String], String)] = [
          (["supply", "add", "Box", "-3"], "out of range"),
          (["supply", "add", "Box", "2000000"], "1000000"),
          (["supply", "add", "a=b", "3"], "without \"=\""),
          (["supply", "add", "Box", "3", "--low-at", "few"], "low_at"),
          (["supply", "add", "Box", "3", "--tell", "eve"], "eve"),
          (["supply", "refill", "Box", "3"], "prompter supply add"),
          (["supply", "change", "Box"], "Name a field"),
          (
            ["add", "Pills", "--schedule", "every day 08:00", "--uses", "Box"],
            "no supply has been added yet"
          ),
          (["add", "Pills", "--schedule", "every day 08:00", "--uses", "Box=x"], "Donepezil=2"),
        ]
        for (arguments, words) in wrong {
          let refused = try await home.run(arguments)
          #expect([1, 2].contains(refused.code), "\(arguments)")
          #expect(refused.complaint.contains(words), "\(arguments): \(refused)")
        }
        #expect(try await home.standing() == before)
      }
    }
  }
}
