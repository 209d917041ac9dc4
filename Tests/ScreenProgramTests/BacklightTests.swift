import Foundation
import Synchronization
import Testing

@testable import prompter_screen

/// Tests the light of the display. Files take the place of a display.
@Suite struct BacklightTests {
  private final class Sample: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "backlight-\(UUID().uuidString)")
    let lines = Mutex([String]())

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func add(_ name: String, greatest: String, brightness: String) throws {
      let light = folder.appending(path: name)
      try FileManager.default.createDirectory(at: light, withIntermediateDirectories: true)
      try Data(greatest.utf8).write(to: light.appending(path: "max_brightness"))
      try Data(brightness.utf8).write(to: light.appending(path: "brightness"))
    }

    func brightness(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: "\(name)/brightness"), encoding: .utf8)
    }

    func backlight(_ levels: Backlight.Levels = .init()) -> Backlight {
      Backlight(directory: folder.path, levels: levels) { line in
        self.lines.withLock { $0.append(line) }
      }
    }
  }

  @Test(arguments: [
    (greatest: 255, day: 255, night: 26), (100, 100, 10), (31, 31, 3), (7, 7, 1), (1, 1, 1),
    (0, 1, 1), (96_000, 96_000, 9_600),
  ])
  func `the brightness is a part of the greatest one, and never zero`(
    greatest: Int, day: Int, night: Int
  ) {
    let levels = Backlight.Levels()
    #expect(levels.value(isNight: false, greatest: greatest) == day)
    #expect(levels.value(isNight: true, greatest: greatest) == night)
  }

  @Test func `each light gets dim at night and bright again`() throws {
    let sample = try Sample()
    try sample.add("panel", greatest: "255\n", brightness: "200\n")
    try sample.add("second", greatest: "31\n", brightness: "0\n")
    let backlight = sample.backlight(Backlight.Levels(day: 80, night: 5))
    backlight.show(isNight: true)
    #expect(try sample.brightness("panel") == "13\n")
    #expect(try sample.brightness("second") == "2\n")
    backlight.show(isNight: false)
    #expect(try sample.brightness("panel") == "204\n")
    #expect(try sample.brightness("second") == "25\n")
    #expect(sample.lines.withLock { $0 } == [])
  }

  @Test func `a light that another program has changed is set again`() throws {
    let sample = try Sample()
    try sample.add("panel", greatest: "255", brightness: "255")
    let backlight = sample.backlight()
    backlight.show(isNight: false)
    // The file already contained the right value. Therefore, the program did not write the file.
    #expect(try sample.brightness("panel") == "255")
    try sample.add("panel", greatest: "255", brightness: "0")
    backlight.show(isNight: false)
    #expect(try sample.brightness("panel") == "255\n")
  }

  @Test func `a display without a light is no fault`() throws {
    let sample = try Sample()
    sample.backlight().show(isNight: true)
    Backlight(directory: "/nonexistent", levels: .init()) { line in
      sample.lines.withLock { $0.append(line) }
    }.show(isNight: true)
    #expect(sample.lines.withLock { $0 } == [])
  }

  @Test func `a fault is reported once, and again after it was repaired`() throws {
    let sample = try Sample()
    try sample.add("panel", greatest: "many", brightness: "1")
    try sample.add("second", greatest: "10", brightness: "10")
    let backlight = sample.backlight()
    for _ in 0..<3 { backlight.show(isNight: true) }
    #expect(try sample.brightness("second") == "1\n")
    #expect(
      sample.lines.withLock { $0 } == [
        "cannot set the brightness of the display: \(sample.folder.path)/panel/max_brightness contains no number"
      ])
    try sample.add("panel", greatest: "10", brightness: "10")
    backlight.show(isNight: true)
    try sample.add("panel", greatest: "many", brightness: "1")
    backlight.show(isNight: true)
    #expect(sample.lines.withLock { $0.count } == 2)
  }
}
