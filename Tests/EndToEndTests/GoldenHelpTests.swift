import Foundation
import Testing

extension EndToEnd {
  /// Compares the help of each command with its golden file.
  ///
  /// People and scripts read the help, so it must not change by accident. If the help changes on
  /// purpose, run `make golden`, which writes the golden files again. Then read what changed in the
  /// golden files.
  @Suite struct GoldenHelp {
    private static let golden = TestHome.repository.appending(path: "Tests/Golden/help")

    @Test(arguments: [
      "prompter", "prompterd", "prompter-sim", "prompter-button", "prompter-screen",
    ])
    func `the help of each command is as it was`(program: String) async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      var text = ""
      for command in try await commands(of: program, home) {
        // `prompter --help` prints only a short first screen. For `prompter`, the test therefore
        // runs `prompter help`, which prints the whole help.
        let isRoot = command.isEmpty && program != "prompter"
        let words = isRoot ? ["--help"] : ["help"] + command
        let shown = try await run(program, words, home)
        text += "$ \(([program] + words).joined(separator: " "))\n\(shown)\n"
      }
      let file = Self.golden.appending(path: "\(program).txt")
      if ProcessInfo.processInfo.environment["PROMPTER_WRITE_GOLDEN"] != nil {
        try FileManager.default.createDirectory(
          at: Self.golden, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let isSame = try String(contentsOf: file, encoding: .utf8) == text
      #expect(isSame, "Tests/Golden/help/\(program).txt differs")
    }

    @Test(arguments: [[], ["-h"], ["--help"]])
    func `the first screen fits into a small terminal and names every command`(
      _ words: [String]
    ) async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let shown = try await run("prompter", words, home)
      let lines = shown.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= 24)
      #expect(lines.allSatisfy { $0.count <= 80 })
      let names = Set(shown.split { " \n".contains($0) }.map(String.init))
      for command in try await commands(of: "prompter", home) where command.count == 1 {
        #expect(names.contains(command[0]))
      }
    }

    private func run(_ program: String, _ words: [String], _ home: TestHome) async throws -> String
    {
      let finished = try await Running(
        Programs.path(program), words, in: home.directory, environment: ["COLUMNS": "80"]
      ).finished()
      #expect(finished.code == 0, "\(finished)")
      return finished.output
    }

    /// Returns the argument lists of the program itself and of each subcommand.
    private func commands(of program: String, _ home: TestHome) async throws -> [[String]] {
      let dump = try await run(program, ["--experimental-dump-help"], home)
      let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.utf8))
      return tool.command.paths(below: [])
    }

    private struct Tool: Decodable { var command: Command }

    private struct Command: Decodable {
      var commandName: String
      var shouldDisplay: Bool?
      var subcommands: [Command]?

      func paths(below path: [String]) -> [[String]] {
        [path]
          + (subcommands ?? []).filter { $0.commandName != "help" }
          .flatMap { $0.paths(below: path + [$0.commandName]) }
      }
    }
  }
}
