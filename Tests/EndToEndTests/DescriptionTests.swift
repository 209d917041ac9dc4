import Foundation
import Testing

extension EndToEnd {
  /// Tests the manual pages and the shell completions of an installation.
  ///
  /// `make install` and the Debian package install these files.
  @Suite struct Descriptions {
    @Test func `man and the shells can read the manual pages and completions`() async throws {
      let home = try TestHome()
      let share = home.path("share")
      func run(_ program: String, _ arguments: String...) async throws -> Finished {
        let finished = try await Running(program, arguments, in: home.directory).finished()
        #expect(finished.code == 0, "\(finished)")
        return finished
      }
      let script = TestHome.repository.appending(path: "units/self-description").path()
      _ = try await run(script, Programs.directory, share)

      let page = try await run("/usr/bin/man", "-l", "\(share)/man/man1/prompter.1.gz")
      for word in ["prompter add", "prompter outbox deliver", "--late-window", "Exit"] {
        #expect(page.output.contains(word), "\(word)")
      }
      _ = try await run("/usr/bin/man", "-l", "\(share)/man/man8/prompterd.8.gz")
      for program in ["prompter", "prompterd"] {
        _ = try await run("/usr/bin/zsh", "-n", "\(share)/zsh/site-functions/_\(program)")
        let fish = "\(share)/fish/vendor_completions.d/\(program).fish"
        _ = try await run("/usr/bin/fish", "--no-execute", fish)
        _ = try await run("/bin/bash", "-n", "\(share)/bash-completion/completions/\(program)")
      }
      // This command prints the words that a shell offers if a person types "prompter de" and
      // presses the Tab key.
      let offered = try await run(
        "/bin/bash", "-c",
        """
        source \(share)/bash-completion/completions/prompter
        COMP_LINE="prompter de" COMP_POINT=11 COMP_WORDS=(prompter de) COMP_CWORD=1 COMP_TYPE=9
        _prompter prompter de prompter
        echo "${COMPREPLY[@]}"
        """)
      #expect(offered.output == "delay decline\n")
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}
