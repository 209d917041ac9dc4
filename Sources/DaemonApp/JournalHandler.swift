import Alarms
import Glibc
import Logging
import Platform

/// Writes log lines to the journal. The metadata of a log line become fields of the journal entry.
struct JournalHandler: LogHandler {
  let journal: Journal
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(_ journal: Journal) { self.journal = journal }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let fields = all.map { (Self.field($0.key), "\($0.value)") }.sorted { $0.0 < $1.0 }
    journal.write(event.message.description, priority: Self.priority(event.level), fields: fields)
  }

  private static func field(_ name: String) -> String {
    let capitals = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "PROMPTER_" + String(capitals)
  }

  private static func priority(_ level: Logger.Level) -> CInt {
    switch level {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}

/// Converts each log text to a single line without control characters, and passes this line to the
/// next handler.
struct OneLineHandler<Next: LogHandler>: LogHandler {
  private var next: Next
  init(_ next: Next) { self.next = next }

  var logLevel: Logger.Level {
    get { next.logLevel }
    set { next.logLevel = newValue }
  }
  var metadata: Logger.Metadata {
    get { next.metadata }
    set { next.metadata = newValue.mapValues(Self.shown) }
  }
  var metadataProvider: Logger.MetadataProvider? {
    get { next.metadataProvider }
    set { next.metadataProvider = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { next[metadataKey: key] }
    set { next[metadataKey: key] = newValue.map(Self.shown) }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = Logger.Message(
      stringLiteral: VisibleText.shown(event.message.description, keepsLines: false))
    event.metadata = event.metadata?.mapValues(Self.shown)
    next.log(event: event)
  }

  private static func shown(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    .string(VisibleText.shown("\(value)", keepsLines: false))
  }
}

extension Logger {
  /// Returns the logger of the daemon. If standard error is connected to the journal, the logger
  /// writes to the journal. If not, the logger writes to standard error.
  static func daemon(_ journal: Journal?) -> Logger {
    Logger(
      label: "prompterd",
      factory: { label in
        if let journal { return JournalHandler(journal) }
        return OneLineHandler(StreamLogHandler.standardError(label: label))
      })
  }
}

extension Journal {
  /// The maximum number of events in a batch for which the handler writes one line per event. For a
  /// larger batch, the handler writes only one line to the journal. Without this limit, a home with
  /// many prompts would fill the journal.
  private static let longestBatch = 50

  /// Logs recorded events. To find the log entries, use for example the command `journalctl
  /// PROMPTER_EVENT=ring_started`. A query can also use the fields `PROMPT_ID=…` and `ALARM_ID=…`.
  ///
  /// The function never logs a label, a name or an answer. Only the record contains labels, names
  /// and answers.
  func write(_ records: [Record]) {
    let logged = records.filter { $0.event.type != "planned" }
    if logged.count > Self.longestBatch {
      return write(
        "\(logged.count) events were recorded at once", priority: LOG_INFO,
        fields: [("PROMPTER_EVENT", "batch")])
    }
    for record in logged {
      let prompt = record.event.promptID
      var fields = [
        ("PROMPTER_EVENT", record.event.type), ("PROMPTER_ROLE", record.actor.role.rawValue),
      ]
      if let prompt {
        fields += [("PROMPT_ID", prompt.description), ("ALARM_ID", prompt.alarm.text)]
      }
      let subject = prompt.map { " \($0)" } ?? ""
      write(
        record.event.type + subject, priority: record.event.isTrouble ? LOG_WARNING : LOG_INFO,
        fields: fields)
    }
  }
}

extension Event {
  /// True if the event reports a problem that is important for the maintainer of the device.
  fileprivate var isTrouble: Bool {
    switch self {
    case .ringFailed, .ringUncertain, .notificationFailed, .audioLost, .audioFallback, .gap,
      .repaired,
      .inactivity(_, .failed), .notice(_, .failed):
      true
    default: false
    }
  }
}
