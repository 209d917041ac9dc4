import CivilTime
import JSONValue
import Pages
import Testing

@testable import ScreenServer

/// Tests the light of the display, and the behaviour after somebody sets the clock.
@Suite(.timeLimit(.minutes(1))) struct LightTests {
  private static let allDay = "00:00-23:59"

  @Test func `the display gets dim in quiet hours, and a task lights it up`() async throws {
    let sample = SampleStage()
    sample.home.reply(
      .success(try sampleReading(quietHours: Self.allDay)),
      .success(try sampleReading([due("a")], quietHours: Self.allDay)),
      .success(try sampleReading(quietHours: Self.allDay)))
    sample.stage.connected()
    #expect(await sample.lights.next() == "dim")
    sample.stage.readAgain()
    #expect(await sample.lights.next() == "bright")
    sample.stage.readAgain()
    #expect(await sample.lights.next() == "dim")
  }

  @Test func `a lost connection changes nothing, and the light is set again every five seconds`()
    async throws
  {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading(quietHours: Self.allDay)))
    sample.stage.connected()
    #expect(await sample.lights.next() == "dim")
    sample.stage.lost("the daemon has ended")
    #expect(sample.lights.total == 1)
    await sample.pass(seconds: 5)
    #expect(await sample.lights.next() == "dim")
  }

  @Test func `by day the display is bright`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading(quietHours: "22:00-06:00")))
    sample.stage.connected()
    while sample.home.readings < 1 { await Task.yield() }
    await sample.pass(seconds: 5)
    #expect(await sample.lights.next() == "bright")
  }

  @Test func `the time is read again after the clock was set`() async throws {
    let sample = SampleStage()
    var later = try sampleReading()
    later.now = try Instant(parsing: "2026-11-26T09:01:03.000Z")
    sample.home.reply(.success(try sampleReading()), .success(later))
    _ = sample.open()
    sample.stage.connected()
    for _ in 0..<2 { _ = try await sample.page.nextMessage() }
    for _ in 0..<3 { await sample.pass(seconds: 1) }
    #expect(sample.home.readings == 1)
    sample.setClock(by: 3_600)
    await sample.pass(seconds: 1)
    while sample.home.readings < 2 { await Task.yield() }
    await sample.pass(seconds: 5)
    while true {
      let now = try #require(try await sample.page.nextMessage()["clock"]?["now_ms"]?.integer)
      if now >= later.now.milliseconds { break }
    }
    #expect(sample.home.readings == 2)
  }
}
