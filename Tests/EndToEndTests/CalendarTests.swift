import Foundation
import JSONValue
import Testing

/// Tests how the command line reads a calendar file.
///
/// The file comes from a path, a pipe or standard input. The tests also cover a calendar reader
/// (`prompter-calendar`) that fails.
extension EndToEnd {
  @Suite struct Calendars {
    private static let file = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      SUMMARY:Dentist
      DTSTART;TZID=Europe/Berlin:20991201T140000
      END:VEVENT
      END:VCALENDAR

      """

    @Test(arguments: [
      "prompter add --ics - <own.ics", "cat own.ics | prompter add --ics /dev/stdin",
      "prompter add --ics /dev/fd/0 <own.ics", "prompter add --ics <(cat own.ics)",
      "mkfifo pipe; cat own.ics >pipe & prompter add --ics pipe",
      "exec 7<own.ics; rm own.ics; prompter add --ics /dev/fd/7",
      "python3 -c 'import socket, subprocess, sys; a, b = socket.socketpair(); "
        + "a.sendall(open(\"own.ics\", \"rb\").read()); a.close(); "
        + "sys.exit(subprocess.call([\"prompter\", \"add\", \"--ics\", \"/dev/stdin\"], stdin=b))'",
    ])
    func `a file, a pipe and standard input are read`(command: String) async throws {
      try await TestHome.with { home in
        let finished = try await Self.shell(command, home)
        #expect(finished.code == 0 && finished.output.contains("Dentist"), "\(finished)")
      }
    }

    @Test func `a directory, a missing file and an endless device are refused`() async throws {
      try await TestHome.with { home in
        for (path, why) in [
          (home.path("."), "Is a directory"), (home.path("none.ics"), "No such file"),
          ("/dev/zero", "it has more than"), ("/dev/null", "it is not a calendar file"),
        ] {
          let finished = try await home.run("add", "--ics", path)
          #expect(finished.code != 0, "\(finished)")
          #expect((finished.output + finished.complaint).contains(why), "\(finished)")
        }
      }
    }

    @Test(
      arguments: [
        (nil, "No such file or directory; install Prompter again"),
        ("exit 127", "install the package libical3"), ("kill -SEGV $$", "signal 11"),
        ("echo '{}'", "is from another version"), ("echo nothing", "exit status 0"),
        ("yes", "returned too much data"),
      ] as [(String?, String)])
    func `a reader that is missing or fails gives a clear error`(
      script: String?, why: String
    ) async throws {
      try await TestHome.with { home in
        // The command line starts the calendar reader that is in its own directory.
        let folder = home.directory.appending(path: "programs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let client = folder.appending(path: "prompter").path(percentEncoded: false)
        try FileManager.default.copyItem(atPath: Programs.path("prompter"), toPath: client)
        if let script {
          let reader = folder.appending(path: "prompter-calendar").path(percentEncoded: false)
          try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: reader))
          chmod(reader, 0o755)
        }
        let own = home.path("own.ics")
        try Data(Self.file.utf8).write(to: URL(filePath: own))
        for words in [["add", "--ics", own], ["holidays", "import", own]] {
          let finished = try await Running(
            client, ["--socket", home.socket] + words, in: home.directory
          ).finished()
          #expect(finished.code == 2, "\(finished)")
          #expect(finished.complaint.contains("cannot read \(own): "), "\(finished)")
          #expect(finished.complaint.contains(why), "\(finished)")
        }
      }
    }

    private static func shell(_ command: String, _ home: TestHome) async throws -> Finished {
      try Data(file.utf8).write(to: URL(filePath: home.path("own.ics")))
      return try await Running(
        "/bin/bash", ["-c", "cd \"$HOME\"; \(command)"], in: home.directory,
        environment: [
          "PATH": "\(Programs.directory):/usr/bin:/bin", "PROMPTER_SOCKET": home.socket,
          "HOME": home.directory.path(percentEncoded: false),
        ]
      ).finished()
    }
  }
}
