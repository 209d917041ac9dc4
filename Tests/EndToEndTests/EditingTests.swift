import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests `prompter edit ALARM` with a script in place of the editor.
  @Suite struct Editing {
    @Test func `the changes and the new rings are shown before the alarm is saved`() async throws {
      try await TestHome.with { home in
        let id = try await home.alarm()
        let saved = try await home.edit(
          id, "sed -i 's/08:00/09:30/; s/^gains: .*/gains: -9, 0/'", "y")
        #expect(saved.code == 0, "\(saved)")
        for text in [
          "- schedule: every day 08:00", "+ schedule: every day 09:30", "+ gains: [-9", "09:30",
          "Changed: \"Take the pills\"", "version 2",
        ] { #expect(saved.output.contains(text), "\(text): \(saved)") }
        let alarm = try await home.ask("show", id)["alarm"]
        #expect(alarm?["schedule"]?.string == "every day 09:30")
        #expect(alarm?["gains"]?.array?.compactMap(\.double) == [-9, 0])
        #expect(alarm?["instructions"]?.string == "With water.\nAnd bread.")
      }
    }

    @Test(arguments: [
      ("true", "y"), ("sed -i 's/08:00/09:00/'", "n"), ("sed -i 's/08:00/09:00/'", ""),
    ])
    func `no change, or an answer other than yes, saves nothing`(editor: String, answer: String)
      async throws
    {
      try await TestHome.with { home in
        let id = try await home.alarm()
        let finished = try await home.edit(id, editor, answer)
        #expect(
          finished.code == 0 && finished.output.contains("Nothing is changed."), "\(finished)")
        #expect(try await home.ask("show", id)["alarm"]?["version"]?.integer == 1)
      }
    }

    @Test(arguments: [
      ("sed -i 's/^rings: .*/rings: many/'", 2, "not a whole number"),
      ("sed -i 's/^rings:/bells:/'", 2, "no field \"bells\""),
      ("sed -i 's/^label: .*/nonsense/'", 2, "name: value"),
      ("sed -i 's/08:00/25:00/'", 1, "schedule"), ("false", 2, "ended with status 1"),
    ])
    func `a page with an error changes nothing`(
      editor: String, code: Int32, why: String
    ) async throws {
      try await TestHome.with { home in
        let id = try await home.alarm()
        let finished = try await home.edit(id, editor, "y")
        #expect(finished.code == code, "\(finished)")
        #expect((finished.output + finished.complaint).contains(why), "\(finished)")
        #expect(try await home.ask("show", id)["alarm"]?["version"]?.integer == 1)
      }
    }

    @Test func `on a terminal the page comes back with the error above its line`() async throws {
      try await TestHome.with { home in
        let id = try await home.alarm()
        let editor = try home.editor(
          """
          if [ -e "$0.again" ]; then cp "$1" "$0.seen"; sed -i 's/25:00/10:00/' "$1"
          else touch "$0.again"; sed -i 's/08:00/25:00/' "$1"; fi
          """)
        let command = "\(Programs.path("prompter")) --socket \(home.socket) edit \(id)"
        let finished = try await Running(
          "/bin/sh", ["-c", "printf 'y\\n' | script -qec '\(command)' /dev/null"],
          in: home.directory, environment: ["VISUAL": editor]
        ).finished()
        #expect(finished.output.contains("version 2"), "\(finished)")
        let page = try String(contentsOfFile: "\(editor).seen", encoding: .utf8)
        let lines = page.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasPrefix("schedule:") })
        #expect(lines[place - 1].hasPrefix("# >>> "), "\(page)")
        #expect(try await home.ask("show", id)["alarm"]?["schedule"]?.string == "every day 10:00")
      }
    }

    @Test
    func `an edit of words keeps a prompt that rings, and an edit of its rings is asked back`()
      async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask(
          "add", "Pills", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "4s",
          "--late-window", "1h")
        let id = try #require(added["alarm"]?["id"]?.string)
        try await home.ring(1)
        let words = try await home.run("edit", id, "--instructions", "With water.")
        #expect(words.code == 0 && words.output.contains("stays open"), "\(words)")
        try await home.ring(2)
        let standing = try await home.standing()
        let rings = try await home.run("edit", id, "--rings", "2")
        #expect(rings.code == 1 && rings.complaint.contains("--ends-prompt"), "\(rings)")
        let version = try await home.ask("show", id)["alarm"]?["version"]?.integer
        #expect(version == 2)
        let reply = try await home.curl("PUT", "/v1/alarms/\(id)", body: #"{"rings":2}"#)
        #expect(reply.status == 409 && reply.body["kind"]?.string == "ends_prompt", "\(reply)")
        #expect(try await home.standing().count >= standing.count)
        let unknown = try await home.curl(
          "POST", "/v1/alarms",
          body: #"{"label":"Tea","schedule":"every day 08:00","ends_prompt":true}"#)
        #expect(unknown.body["field"]?.string == "ends_prompt", "\(unknown)")
        let ended = try await home.run("edit", id, "--rings", "2", "--ends-prompt")
        #expect(ended.code == 0 && ended.output.contains("WARNING"), "\(ended)")
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["outcome"]?.string == "superseded_by_edit", "\(prompt)")
        #expect(try await home.events("revised").count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a change that another caretaker made meanwhile is kept`() async throws {
      try await TestHome.with { home in
        let id = try await home.alarm()
        let prompter = "\(Programs.path("prompter")) --socket \(home.socket)"
        let editor = try home.editor(
          """
          if [ -e "$0.again" ]; then exit 0; fi
          touch "$0.again"; sed -i 's/08:00/10:00/' "$1"
          \(prompter) edit \(id) --label 'Take both pills' >/dev/null
          """)
        let finished = try await home.edit(id, editor, "y\\ny")
        #expect(finished.code == 0 && finished.output.contains("Somebody else"), "\(finished)")
        let alarm = try await home.ask("show", id)["alarm"]
        #expect(alarm?["version"]?.integer == 3)
        #expect(alarm?["label"]?.string == "Take both pills")
        #expect(alarm?["schedule"]?.string == "every day 10:00")
      }
    }
  }
}

extension TestHome {
  fileprivate func alarm() async throws -> String {
    let added = try await ask(
      "add", "Take the pills", "--schedule", "every day 08:00", "--instructions",
      "With water.\nAnd bread.")
    return try #require(added["alarm"]?["id"]?.string)
  }

  /// Writes an editor script, and returns its path. The script gets the path of the edited file as
  /// `$1`.
  fileprivate func editor(_ script: String) throws -> String {
    let path = path("editor")
    try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o755)
    return path
  }

  /// Runs `prompter edit` for an alarm.
  ///
  /// The command asks whether it should save the change, and reads `answer` from standard input.
  fileprivate func edit(_ id: String, _ editor: String, _ answer: String) async throws -> Finished {
    try await Running(
      "/bin/sh",
      [
        "-c",
        "printf '\(answer)\\n' | '\(Programs.path("prompter"))' --socket '\(socket)' edit \(id)",
      ],
      in: directory, environment: ["VISUAL": "", "EDITOR": editor]
    ).finished()
  }
}
