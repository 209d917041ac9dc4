import Foundation
import Testing
import Wire

extension EndToEnd {
  @Suite struct Configuration {
    @Test(arguments: [
      ("zone = \"Europe/Berlin\"\nlevle = 3\n", "line 2: \"levle\" is no key"),
      ("[roles]\n\nking = [\"0\"]\n", "line 3: \"roles.king\" is no role"),
      ("[limits]\nalarms = 10\ntunes = 3\n", "line 3: \"limits.tunes\" is no key"),
      ("level = 101\n", "line 1: \"level\" must be a whole number from 1 to 100"),
      ("# nothing\nzone = \"Mars/Base\"\n", "this system has no zone \"Mars/Base\""),
      ("level = = 3\n", "line 1: "),
      ("[roles]\npatient = [\"@no-such-group\"]\n", "there is no group \"no-such-group\""),
    ])
    func `a configuration that cannot be used is refused with its line`(
      text: String, words: String
    ) async throws {
      let checked = try await check(text)
      #expect(checked.code == 1)
      #expect(checked.complaint.contains(words), "\(checked)")
    }

    @Test func `a configuration that can be used is said to be`() async throws {
      let checked = try await check("zone = \"Europe/Berlin\"\n[roles]\npatient = [\"0\"]\n")
      #expect(checked.code == 0, "\(checked)")
    }

    @Test func `the environment is above the file and is checked as well`() async throws {
      let checked = try await check("level = 50\n", environment: ["PROMPTER_LEVEL": "150"])
      #expect(checked.code == 1)
      #expect(checked.complaint.contains("PROMPTER_LEVEL must be a whole number from 1 to 100"))
    }

    @Test func `a slip in the file does not silence the home at the next start`() async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      try await home.start(config: "zone = \"Asia/Tokyo\"\n")
      _ = await home.stop()
      try await home.start(config: "zoen = \"Asia/Tokyo\"\n")
      #expect(try await home.ask("status")["zone"]?.string == "Asia/Tokyo")
      _ = await home.stop()
    }

    @Test func `a reload moves the home while a ring sounds, and a bad one changes nothing`()
      async throws
    {
      try await TestHome.with(config: "zone = \"Asia/Tokyo\"\n") { home in
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        _ = try await home.ask(
          "add", "Ring on", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "10s")
        try await home.ring(1)
        let file = home.directory.appending(path: "prompter.toml")
        try Data("zone = \"Europe/Berlin\"\n".utf8).write(to: file)
        home.reload()
        try await home.until("the home has moved", seconds: 10) {
          try await home.ask("status")["zone"]?.string == "Europe/Berlin"
        }
        try Data("zone = 3\n".utf8).write(to: file)
        home.reload()
        try await home.until("the refusal is in the log", seconds: 10) {
          home.complaint.contains("everything stays as it was")
        }
        #expect(try await home.ask("status")["zone"]?.string == "Europe/Berlin")
        #expect(try await home.events("service_start").count == 1)
        try await home.ring(2)
      }
    }

    private func check(
      _ text: String, environment: [String: String] = [:]
    ) async throws -> Finished {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let file = home.directory.appending(path: "prompter.toml")
      try Data(text.utf8).write(to: file)
      return try await Running(
        Programs.path("prompterd"),
        ["--check-config", "--config", file.path(percentEncoded: false)], in: home.directory,
        environment: environment
      ).finished()
    }
  }
}
