import ClientKit
import FileSystem
import Glibc

/// Makes recordings until both the person and the home accept a recording.
struct VoiceRecorder {
  let microphone: String
  let seconds: Int
  /// True if the program asks the person for a confirmation before it stores a recording.
  let asks: Bool
  let meter: LevelMeter

  private enum Answer { case keep, again, quit }

  /// Makes and stores a recording.
  ///
  /// - Parameter store: a function that sends a recording to the home. The function throws if the
  ///   home refuses the recording.
  func keep(_ store: ([UInt8]) throws -> Void) throws {
    while true {
      let sound = try Recording.take(microphone: microphone, seconds: seconds, meter: meter)
      switch asks ? try answer(about: sound) : .keep {
      case .again: continue
      case .quit:
        Terminal.print("Nothing was stored.")
        throw QuietExit(exitCode: 1)
      case .keep: break
      }
      do {
        return try store(sound)
      } catch Failure.refused(let why) where asks {
        Terminal.printError("prompter: \(why)")
        Terminal.print("Record it again? y yes, q quit:")
        guard let line = readLine(), !Self.isNo(line) else { throw QuietExit(exitCode: 1) }
      }
    }
  }

  private func answer(about sound: [UInt8]) throws -> Answer {
    while true {
      Terminal.print("Keep it? y yes, p play it here, r record it again, q quit:")
      switch readLine()?.lowercased().filter({ !$0.isWhitespace }) {
      // If the input has ended, nobody can reply, so the program sends the recording to the home.
      // The home refuses a recording that is not usable, for example a silent recording.
      case nil, "y"?, "yes"?: return .keep
      case "r"?: return .again
      case "q"?, "quit"?, "n"?, "no"?: return .quit
      case "p"?, "play"?: try LocalSound.play(sound)
      case let text?: Terminal.print("\"\(text)\" is not an answer; type y, p, r or q.")
      }
    }
  }

  private static func isNo(_ line: String) -> Bool {
    ["q", "quit", "n", "no"].contains(line.lowercased().filter { !$0.isWhitespace })
  }
}

/// Plays sound on this machine.
enum LocalSound {
  /// Plays a WAV file with the program `aplay`, and returns when the sound ends.
  static func play(_ sound: [UInt8]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Failure.badUsage("cannot start aplay: \(String(cString: strerror(errno)))")
    }
    let player: pid_t
    do {
      defer { close(ends[0]) }
      player = try Program.start(["aplay", "-q", "-"], input: ends[0])
    } catch {
      close(ends[1])
      throw error
    }
    // If aplay ends early, this write fails. Ignore this error, because aplay itself prints the
    // reason.
    try? writeAll(sound[...], to: ends[1])
    close(ends[1])
    if Program.wait(player) != 0 {
      throw Failure.badUsage(
        "cannot play the sound: aplay failed; check that alsa-utils is installed")
    }
  }
}
