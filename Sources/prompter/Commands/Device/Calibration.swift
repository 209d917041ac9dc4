import API
import ClientKit
import JSONValue

/// `prompter doctor --calibrate`: plays the built-in tone at several levels, and saves the level
/// that a listener chooses.
///
/// The listener must be in the same room as the loudspeaker. The daemon uses the level for every
/// ring.
struct Calibration {
  let connection: ConnectionOptions
  /// The ALSA name of the device; nil for the device that plays the rings now.
  var device: String?
  /// The level that the command saves, in percent. If the value is nil, the command asks the
  /// listener for the level.
  var level: Int?

  private static let stepPercent = 10
  private static let levels = 1...100

  func run() throws {
    guard level != nil || !connection.json else {
      throw Failure.badUsage("--calibrate asks questions; with --json, give --level, too")
    }
    let device = try chosen()
    let name = device.text("name")
    let first =
      level
      ?? (device["calibrated_percent"]?.integer ?? device["ring_level_percent"]?.integer)
      .map { Int($0) }
    let heard = try play(name, at: first)
    guard let heard else {
      throw Failure.refused(
        "cannot set the level of \(name): its card has no volume control; set the level at the "
          + "loudspeaker itself")
    }
    var percent = level ?? heard
    if level == nil {
      guard let right = try ask(name, from: percent) else {
        Terminal.print("Nothing was changed.")
        throw QuietExit(exitCode: 1)
      }
      percent = right
    }
    let request = Request(.setLevel).with([
      ("device", .string(name)), ("percent", .integer(Int64(percent))),
    ])
    try connection.carryOut(request) { _ in
      "From now on, every ring on \(name) has the level \(percent) %."
    }
  }

  /// Asks the daemon to test all devices without a sound, and returns the device to calibrate.
  private func chosen() throws -> JSON {
    let speaker = try connection.client.send(Request(.checkSpeaker)).document()
    let wanted = device ?? speaker["device"]?.string
    if let found = speaker.list("devices").first(where: { $0.text("name") == wanted }) {
      return found
    }
    if let device {
      let known = speaker.list("devices").map { $0.text("name") }.joined(separator: ", ")
      throw Failure.badUsage(
        "cannot calibrate \(device): the home has no such sound device; use one of: \(known)")
    }
    throw Failure.refused(
      "cannot calibrate: no speaker works: \(speaker.text("trouble"))")
  }

  /// Plays the tone. If an alarm interrupts the tone, the function plays the tone again.
  ///
  /// - Returns: the level of the sound card during the tone, in percent; nil if the card has no
  ///   volume control.
  private func play(_ name: String, at percent: Int?) throws -> Int? {
    while true {
      if !connection.json {
        Terminal.print("Playing on \(name)\(percent.map { " at \($0) %" } ?? "") …")
      }
      let request = Request(.testRing).with([
        ("device", .string(name)), ("percent", percent.map { .integer(Int64($0)) }),
      ])
      let played = try connection.client.send(request).document()
      guard played["stopped"]?.bool == true else {
        return played["ring_level_percent"]?.integer.map { Int($0) }
      }
      Terminal.printError("An alarm interrupted the tone. Playing it again.")
    }
  }

  /// Plays one level after another until the listener accepts a level or stops the calibration.
  ///
  /// - Returns: the level that the listener accepted; nil if the listener stopped the calibration.
  private func ask(_ name: String, from start: Int) throws -> Int? {
    var percent = start
    while true {
      Terminal.print(
        "\(percent) %. Is that right in the room? yes, + louder, - softer, a again, "
          + "a number from 1 to 100, q quit:")
      switch readLine()?.lowercased().filter({ !$0.isWhitespace }) {
      case nil, "q"?, "quit"?: return nil
      case "y"?, "yes"?: return percent
      case "+"?: percent = clamped(percent + Self.stepPercent)
      case "-"?: percent = clamped(percent - Self.stepPercent)
      case "a"?, ""?: break
      case let text?:
        guard let number = Int(text), Self.levels.contains(number) else {
          Terminal.print("\"\(text)\" is not an answer.")
          continue
        }
        percent = number
      }
      percent = try play(name, at: percent) ?? percent
    }
  }

  private func clamped(_ percent: Int) -> Int {
    min(Self.levels.upperBound, max(Self.levels.lowerBound, percent))
  }
}
