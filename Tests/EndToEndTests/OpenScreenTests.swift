import Foundation
import Testing

extension EndToEnd {
  /// Tests `prompter open` on the computer of a caretaker.
  ///
  /// The command shows the patient's screen or the caretaker's pages in a browser.
  @Suite struct OpenScreen {
    @Test func `only the browser with the token sees the screen`() async throws {
      try await TestHome.with { home in
        let opened = try await OpenedScreen(home)
        let routes = ["/", "/live", "/main.js", "/screen.css", "/answer", "/seen", "/nothing"]
        for route in routes {
          #expect(try await opened.curl(route).status == 403)
          #expect(try await opened.curl(route, ["-H", "Cookie: prompter=abc"]).status == 403)
          let foreign = try await opened.curl(route, ["-H", "Host: 127.0.0.1:\(opened.port)"])
          #expect(foreign.status == 421)
        }
        let first = try await opened.curl(opened.path, ["-c", opened.cookies])
        #expect(first.status == 200 && first.text.contains("url=/"), "\(first)")
        #expect(try await opened.curl(opened.path).status == 403)
        let page = try await opened.curl("/", ["-b", opened.cookies])
        #expect(page.status == 200, "\(page)")
        #expect(page.text.contains("opened by a caretaker"), "\(page.text)")
        #expect(try await opened.curl("/live", ["-b", opened.cookies, "-m", "1"]).status == 200)
        // The cookie is marked `HttpOnly`, so scripts of a page cannot read the cookie.
        let stored = try String(contentsOfFile: opened.cookies, encoding: .utf8)
        #expect(stored.contains("#HttpOnly_\(opened.name)"))
        try await opened.end()
      }
    }

    @Test func `only the browser with the token sees the caretaker's pages`() async throws {
      try await TestHome.with { home in
        let opened = try await OpenedScreen(home, as: "caretaker")
        for route in ["/", "/live", "/caretaker.js", "/caretaker.css", "/nothing"] {
          #expect(try await opened.curl(route).status == 403)
          let foreign = try await opened.curl(route, ["-H", "Host: 127.0.0.1:\(opened.port)"])
          #expect(foreign.status == 421)
        }
        #expect(try await opened.curl(opened.path, ["-c", opened.cookies]).status == 200)
        #expect(try await opened.curl(opened.path).status == 403)
        let page = try await opened.curl("/", ["-b", opened.cookies])
        #expect(page.status == 200 && page.text.contains("No tasks on this day"), "\(page.text)")
        let form = ["-b", opened.cookies, "-d", "button=done&prompt=x"]
        #expect(try await opened.curl("/", form).status == 403)
        let origin = ["-H", "Origin: http://\(opened.name):\(opened.port)"]
        let answer = try await opened.curl("/", form + origin)
        #expect(answer.status == 404 && answer.text.contains("Nothing was changed"), "\(answer)")
        try await opened.end()
      }
    }

    @Test func `after five wrong tokens the right one is refused`() async throws {
      try await TestHome.with { home in
        let opened = try await OpenedScreen(home)
        for number in 1...5 {
          #expect(try await opened.curl("/open/\(number)").status == 403)
        }
        #expect(try await opened.curl(opened.path).status == 403)
        try await opened.end()
      }
    }

    @Test func `all requests use one connection of ssh`() async throws {
      try await TestHome.with { home in
        let shell = try await SecureShell(in: home)
        let opened = try await OpenedScreen(
          home, ["--host", shell.url], environment: ["PROMPTER_SSH": shell.client])
        _ = try await opened.curl(opened.path, ["-c", opened.cookies])
        try await home.until("the screen shows the home", seconds: 20) {
          let page = try await opened.curl("/", ["-b", opened.cookies])
          return page.text.contains("opened by a caretaker")
        }
        #expect(shell.logins == 1)
        try await opened.end()
      }
    }

    @Test func `a wrong command is refused before anything is opened`() async throws {
      try await TestHome.with { home in
        let view = try await home.run("open", "--as", "nurse")
        #expect(view.code == 2 && view.complaint.contains("patient"), "\(view)")
        let whose = try await home.run("open", "--person", "anna")
        #expect(whose.code == 2 && whose.complaint.contains("--as patient"), "\(whose)")
        let person = try await home.run("open", "--as", "patient", "--person", "nobody")
        #expect(person.code == 1 && person.output.isEmpty, "\(person)")
        let queued = try await home.run("open", "--queue")
        #expect(queued.code == 2, "\(queued)")
        let absent = try await home.run("open", "--socket", home.path("nothing"))
        #expect(absent.code == 3 && absent.output.isEmpty, "\(absent)")
      }
    }
  }
}

/// A run of `prompter open`.
private struct OpenedScreen {
  let name: String
  let port: Int
  let path: String
  let cookies: String
  private let home: TestHome
  private let running: Running

  init(
    _ home: TestHome, _ arguments: [String] = [], as view: String = "patient",
    environment: [String: String] = [:]
  ) async throws {
    let connection = arguments.isEmpty ? ["--socket", home.socket] : arguments
    let running = try Running(
      Programs.path("prompter"), ["open", "--as", view, "--no-browser"] + connection,
      in: home.directory,
      environment: environment.merging(["XDG_RUNTIME_DIR": home.path("")]) { $1 })
    try await home.until("the address is printed", seconds: 30) {
      try #require(running.isRunning, "prompter open ended: \(running.complaint)")
      return running.output.contains("Ctrl-C")
    }
    let line = running.output.split(separator: "\n").first { $0.hasPrefix("http://") }
    let url = try #require(URL(string: String(line ?? "")))
    (name, port, path) = (try #require(url.host()), try #require(url.port), url.path())
    (cookies, self.home, self.running) = (home.path("cookies"), home, running)
  }

  /// Sends a request to the page server; returns the status and the body.
  func curl(
    _ path: String, _ arguments: [String] = []
  ) async throws -> (status: Int, text: String) {
    let body = ["/answer", "/seen"].contains(path) ? ["-d", "{}"] : []
    let finished = try await Running(
      "/usr/bin/curl",
      ["-s", "-w", "\n%{http_code}", "--resolve", "\(name):\(port):127.0.0.1"] + body + arguments
        + ["http://\(name):\(port)\(path)"], in: home.directory
    ).finished()
    let lines = finished.output.split(separator: "\n", omittingEmptySubsequences: false)
    return (try #require(Int(lines.last ?? "")), lines.dropLast().joined(separator: "\n"))
  }

  /// Ends the command with the signal that Ctrl-C sends. Checks that the command leaves no file.
  func end() async throws {
    running.send(SIGINT)
    let finished = await running.finished()
    #expect(finished.code == 0, "\(finished)")
    let left = try FileManager.default.contentsOfDirectory(atPath: home.path(""))
    #expect(!left.contains { $0.hasPrefix("prompter-") })
  }
}
