import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests texts that a parser, a terminal or a table could change.
  @Suite struct CommandLineText {
    @Test func `a text that begins with a hyphen is a label`() async throws {
      try await TestHome.with { home in
        let daily = ["--schedule", "every day 08:00"]
        for (arguments, label) in [
          (["add", "- pills"] + daily, "- pills"), (["add"] + daily + ["-5 drops"], "-5 drops"),
          (["add"] + daily + ["--", "-pills"], "-pills"), (["add"] + daily + ["--", "--x"], "--x"),
        ] {
          let added = try await home.run(["--json"] + arguments)
          let document = try JSON(parsing: Array(added.output.utf8))
          #expect(document["alarm"]?["label"]?.string == label, "\(added)")
        }
        for (arguments, label) in [
          (["edit", "-5 drops", "--label", "- drops"], "- drops"),
          (["edit", "- drops", "--label=-drops"], "-drops"),
        ] {
          let edited = try await home.run(["--json"] + arguments)
          let document = try JSON(parsing: Array(edited.output.utf8))
          #expect(document["alarm"]?["label"]?.string == label, "\(edited)")
        }
      }
    }

    @Test(arguments: [
      (["add", "-pills", "--schedule", "every day 08:00"], ["add", "--schedule", "--", "-pills"]),
      (["edit", "Tea", "--label", "-pills"], ["edit", "Tea", "--label=-pills"]),
    ])
    func `the advice about a text like an option works`(
      refused: [String], words: [String]
    ) async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Tea", "--schedule", "every day 08:00")
        let answer = try await home.run(refused)
        #expect(answer.code == 2, "\(answer)")
        for word in words where !refused.contains(word) {
          #expect(answer.complaint.contains(word), "\(answer)")
        }
        let advised =
          words.contains("--")
          ? ["add", "--schedule", "every day 08:00", "--", "-pills"]
          : ["edit", "Tea", "--label=-pills"]
        #expect(try await home.run(advised).code == 0)
        #expect(try await home.run("show", "--", "-pills").code == 0)
      }
    }

    @Test func `a misspelled option is still refused`() async throws {
      try await TestHome.with { home in
        let answer = try await home.run("add", "Tea", "--shedule", "every day 08:00")
        #expect(answer.code == 2 && answer.complaint.contains("'--schedule'"), "\(answer)")
        #expect(!answer.complaint.contains("is a text"), "\(answer)")
        #expect(try await home.ask("list")["alarms"]?.array == [])
      }
    }

    @Test func `an argument that is not UTF-8 is refused, and nothing is saved`() async throws {
      try await TestHome.with { home in
        for bytes in ["caf\\351", "\\377", "x\\303", "\\355\\240\\200"] {
          let script =
            "\"$1\" --socket \"$2\" add \"$(printf '\(bytes)')\" --schedule 'every day 08:00'"
          let answer = try await Running(
            "/bin/sh", ["-c", script, "sh", Programs.path("prompter"), home.socket],
            in: home.directory
          ).finished()
          #expect(answer.code == 2 && answer.complaint.contains("argument 4"), "\(answer)")
          #expect(answer.complaint.contains("UTF-8"), "\(answer)")
        }
        #expect(try await home.ask("list")["alarms"]?.array == [])
      }
    }

    @Test func `a path in the address of a home is refused with the option to use`() async throws {
      try await TestHome.with { home in
        let answer = try await home.run("list", "--host", "ssh://anna@home/run/p.sock")
        #expect(answer.code == 2, "\(answer)")
        #expect(
          answer.complaint.contains("--host ssh://anna@home --socket /run/p.sock"), "\(answer)")
      }
    }
  }
}
