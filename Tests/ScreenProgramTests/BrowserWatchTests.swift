import Testing

@testable import prompter_screen

/// Simulates a browser second by second. Each entry of the result is a time in seconds, and then
/// "start" or the reason for which the watch stopped the browser.
private struct Timeline {
  /// The times, in seconds, at which the browser ends by itself.
  var ends: Set<Int> = []
  /// A function that returns true if a page is connected in the given second.
  var isConnected: (Int) -> Bool = { _ in true }
  /// A function that returns true if a page reports a painted frame in the given second.
  var frames: (Int) -> Bool = { $0 % 10 == 5 }
  var limits = BrowserWatch.Limits()

  func play(seconds: Int) -> [String] {
    var watch = BrowserWatch(limits: limits)
    var isRunning = false
    var painted = 0
    var done: [String] = []
    for second in 0...seconds {
      let now = Int64(second) * 1_000
      if ends.contains(second) { isRunning = false }
      if frames(second) { painted += 1 }
      let signs = BrowserWatch.Signs(
        pages: isConnected(second) && isRunning ? 1 : 0, frames: painted)
      while let action = watch.action(at: now, isRunning: isRunning, signs) {
        isRunning = action == .start
        switch action {
        case .start: done.append("\(second) start")
        case .stop(let cause): done.append("\(second) \(cause)")
        }
        if done.count > 50 { return done }
      }
    }
    return done
  }
}

@Suite struct `The watch of the browser` {
  @Test func `starts the browser once, and leaves a browser alone that paints`() {
    #expect(Timeline().play(seconds: 3_600) == ["0 start"])
  }

  @Test func `starts a browser again that paints no frame for 45 seconds`() {
    // The browser paints its last frame at 55 s. At 100 s, 45 seconds have passed. The next browser
    // starts at 100 s and paints no frame.
    let hung = Timeline(frames: { $0 % 10 == 5 && $0 < 60 })
    #expect(
      hung.play(seconds: 189) == [
        "0 start", "100 noFrame", "100 start",
        "145 noFrame", "145 start",
      ])
  }

  @Test func `does not count a frame of the browser before`() {
    // At 100 s, a new browser starts. The frame at 99 s comes from the browser before it, so this
    // frame does not show that the new browser works.
    let late = Timeline(ends: [100], frames: { $0 % 10 == 5 && $0 < 60 || $0 == 99 })
    #expect(
      late.play(seconds: 145) == [
        "0 start", "100 start", "145 noFrame", "145 start",
      ])
  }

  @Test func `starts the browser again 6 seconds after its page has crashed`() {
    let crashed = Timeline(isConnected: { !(100..<107).contains($0) })
    #expect(
      crashed.play(seconds: 200) == [
        "0 start", "105 noPage", "105 start",
      ])
  }

  @Test func `leaves a page alone that connects again within 6 seconds`() {
    #expect(
      Timeline(isConnected: { !(100..<105).contains($0) }).play(seconds: 200) == ["0 start"])
  }

  @Test func `starts a browser at most once in 30 seconds`() {
    // The browser ends again after each start.
    let ending = Timeline(ends: Set(1...200), isConnected: { _ in false }, frames: { _ in false })
    #expect(ending.play(seconds: 100) == ["0 start", "30 start", "60 start", "90 start"])
    // The page disconnects 2 s after the start. The watch stops the browser only when 30 s have
    // passed since its start.
    let crashing = Timeline(isConnected: { $0 == 1 }, frames: { _ in false })
    #expect(
      crashing.play(seconds: 40) == [
        "0 start", "30 noPage", "30 start",
      ])
  }

  @Test func `starts a browser at once that ran for a long time`() {
    #expect(Timeline(ends: [1_000]).play(seconds: 1_100) == ["0 start", "1000 start"])
  }

  @Test func `gives the first page of a slow machine 45 seconds`() {
    let slow = Timeline(isConnected: { $0 > 40 }, frames: { $0 > 43 })
    #expect(slow.play(seconds: 200) == ["0 start"])
  }
}

@Suite struct `The command of the browser` {
  @Test func `shows the page in a profile of its own, with the options of the caller last`() {
    let command = BrowserCommand(
      program: "/usr/bin/chromium", options: ["--ozone-platform=wayland"])
    let arguments = command.arguments(profile: "/run/p", address: "http://127.0.0.1:8077/")
    #expect(arguments.contains("--kiosk") && arguments.contains("--user-data-dir=/run/p"))
    #expect(arguments.suffix(2) == ["--ozone-platform=wayland", "http://127.0.0.1:8077/"])
    // All arguments except the address are options. Therefore, the browser opens only this address.
    #expect(arguments.dropLast().allSatisfy { $0.hasPrefix("--") })
  }
}
