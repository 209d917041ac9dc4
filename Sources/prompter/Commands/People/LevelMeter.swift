import ClientKit
import Glibc
import SoundProtocol

/// Shows the level of the microphone during a recording.
///
/// On a terminal, the meter shows a bar. If the output is not a terminal, the meter prints one line
/// per second. With `--json`, the meter writes JSON to standard error.
final class LevelMeter {
  private enum Style { case bar, lines, json }

  /// Two limits in dB. A recording is too quiet for a tone if its level is below `faint`. A
  /// recording is clipped if its peak reaches `cut`.
  private static let faint = -45.0
  private static let cut = -0.5
  private static let width = 40
  private static let floor = -60.0

  private let style: Style
  private var loudest = -120.0
  private var highest = -120.0
  private var lastSecond = -1

  init(json: Bool) {
    style = json ? .json : isatty(1) == 1 ? .bar : .lines
  }

  func begin(_ device: String) {
    loudest = -120
    highest = -120
    lastSecond = -1
    report(.listening(device: device)) { "Listening on \(device). Enter ends the recording." }
  }

  /// Shows the number of seconds until the recording begins. The number 0 means that the recording
  /// begins now.
  func count(_ seconds: Int) {
    guard style != .json else { return }
    let words = seconds > 0 ? "\(seconds) …" : "Speak now."
    Terminal.write(Array((style == .bar ? "\r\u{1B}[K\(words)\n" : "\(words)\n").utf8))
  }

  func show(_ milliseconds: Int, peak: Double, loudness: Double, isKept: Bool) {
    if isKept {
      highest = max(highest, peak)
      loudest = max(loudest, loudness)
    }
    switch style {
    case .json:
      report(
        .level(
          milliseconds: milliseconds, peakDecibels: peak, loudnessDecibels: loudness)
      ) { "" }
    case .bar:
      let share = (max(Self.floor, min(0, peak)) - Self.floor) / -Self.floor
      let full = Int((share * Double(Self.width)).rounded())
      let bar =
        String(repeating: "#", count: full) + String(repeating: "-", count: Self.width - full)
      let color: Emphasis = peak >= Self.cut ? .bad : peak < Self.faint ? .attention : .good
      Terminal.write(
        Array(
          "\r\u{1B}[K\(Terminal.shown("\(clock(milliseconds)) [\(color(bar))]")) \(number(peak)) dB"
            .utf8))
    case .lines:
      guard isKept, milliseconds / 1_000 != lastSecond else { return }
      lastSecond = milliseconds / 1_000
      Terminal.print("\(clock(milliseconds)) \(number(peak)) dB")
    }
  }

  func end(_ milliseconds: Int) {
    report(.recorded(milliseconds: milliseconds)) {
      let seconds = "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
      let advice =
        if highest >= Self.cut {
          " It is too loud and distorted: speak a little further from the microphone."
        } else if loudest < Self.faint {
          " It is very quiet: speak closer to the microphone."
        } else { "" }
      if style == .bar { Terminal.write(Array("\r\u{1B}[K".utf8)) }
      return "Recorded \(seconds), at most \(number(highest)) dB.\(advice)"
    }
  }

  private func report(_ message: RecorderMessage, _ words: () -> String) {
    guard style == .json else { return Terminal.print(words()) }
    // The message contains only texts and finite numbers, so the conversion to JSON cannot fail.
    if let line = try? message.line() { Terminal.write(line, to: 2) }
  }

  private func clock(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1_000
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  private func number(_ decibels: Double) -> String {
    let rounded = Int(decibels.rounded())
    return rounded < 0 ? "−\(-rounded)" : "\(rounded)"
  }
}
