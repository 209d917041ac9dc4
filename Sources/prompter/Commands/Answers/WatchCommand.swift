import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue
import Synchronization

/// `prompter watch`: shows events as they happen.
struct Watch: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the events of the home as they happen, one per line.",
    discussion: """
      If the connection is lost, the command connects again and continues with the next \
      event. It ends at Ctrl-C, or after --limit events.

      Example: prompter watch --json | jq 'select(.type == "missed")'
      """)

  @Option(
    help: ArgumentHelp("Start after this event of the record (default: now).", valueName: "seq"))
  var after: Int?

  @Option(help: ArgumentHelp("End after this many events.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Show the heartbeats, too.")
  var all = false

  @OptionGroup var connection: ConnectionOptions

  /// The maximum time without data, in seconds. The daemon sends data at least every 15 seconds, so
  /// a longer time without data means that the connection is lost.
  private static let timeoutSeconds: Int64 = 60
  private static let longestPauseSeconds: UInt32 = 30

  func check() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() throws {
    let place = WatchPlace(after: after.map(Int64.init), left: limit ?? .max)
    let labels = connection.json ? nil : LabelCache(connection.client)
    labels?.refresh()
    var pause: UInt32 = 1
    while true {
      let before = place.after
      do {
        try follow(place, labels)
        Terminal.printError("prompter: the daemon ended the stream")
      } catch is StreamEnd {
        return
      } catch let failure as Failure {
        // The command tries again only if it lost a connection on which the daemon had replied. If
        // the daemon refused the request, or has not replied to any request yet, the command fails.
        guard case .unreachable = failure, place.isBegun else { throw failure }
        Terminal.printError("prompter: \(failure.sentence)")
      }
      if place.after != before { pause = 1 }
      Terminal.printError("prompter: trying again in \(TextFormat.counted(Int(pause), "second"))")
      sleep(pause)
      pause = min(pause * 2, Self.longestPauseSeconds)
    }
  }

  /// The types of the events that can add or change a label.
  private static let alarmEvents: Set<String> = ["alarm_created", "alarm_edited"]

  private func follow(_ place: WatchPlace, _ labels: LabelCache?) throws {
    var request = Request(.events, query: [("after", place.after.map(String.init))])
    request.timeoutSeconds = Self.timeoutSeconds
    let all = all
    let reader = EventStreamReader { event in
      guard let sequence = event.sequence, place.isNew(sequence) else { return }
      if !event.data.isEmpty, let row = try? JSON(parsing: Array(event.data.utf8)) {
        if all || row["type"]?.string != "heartbeat" {
          if let labels {
            if Self.alarmEvents.contains(row.text("type")) { labels.refresh() }
            Terminal.print(EventText.line(row, labels.all))
          } else {
            Terminal.write(json: Array("\(event.data)\n".utf8))
          }
          try place.count()
        }
      }
      place.move(to: sequence)
    }
    _ = try connection.client.send(request) { bytes in
      place.begin()
      try reader.take(bytes)
    }
  }
}

/// The position of the last event that the command printed. A second thread reads the stream of
/// events and updates the position.
final class WatchPlace: Sendable {
  private struct State {
    var after: Int64?
    var left: Int
    var isBegun = false
  }
  private let state: Mutex<State>

  init(after: Int64?, left: Int) { state = Mutex(State(after: after, left: left)) }

  var after: Int64? { state.withLock { $0.after } }

  /// True if the daemon has replied at least once.
  var isBegun: Bool { state.withLock { $0.isBegun } }
  func begin() { state.withLock { $0.isBegun = true } }

  func isNew(_ sequence: Int64) -> Bool { state.withLock { sequence > $0.after ?? -1 } }

  func move(to sequence: Int64) { state.withLock { $0.after = sequence } }

  /// Counts an event that the command printed.
  ///
  /// - Throws: `StreamEnd` if this event was the last event that the user requested.
  func count() throws {
    try state.withLock { state in
      state.left -= 1
      if state.left == 0 { throw StreamEnd() }
    }
  }
}
