import API
import ClientKit

/// Alarms as the command line names them: by their id, or by a label that only one of them has.
enum AlarmNames {
  private static let idLength = 12
  private static let idDigits = Set("0123456789abcdefghjkmnpqrstvwxyz")

  /// The id of an alarm that somebody named; a name that no alarm has is left to the daemon to refuse.
  ///
  /// - Throws: `Failure` where several alarms have the label, or where it is to wait in the outbox.
  static func id(_ name: String, _ connection: ConnectionOptions) throws -> String {
    if name.count == idLength, name.allSatisfy(idDigits.contains) { return name }
    if connection.queue {
      throw Failure.badUsage("--queue: what waits is for one alarm; name it by its id")
    }
    let alarms = try connection.client.send(Request(.listAlarms)).document().list("alarms")
    let meant = alarms.filter { $0.text("label") == name }
    let alike =
      meant.isEmpty
      ? alarms.filter { $0.text("label").lowercased() == name.lowercased() } : meant
    guard alike.count > 1 else { return alike.first?.text("id") ?? name }
    let ids = alike.map { "\($0.text("id")) (\($0.text("schedule")))" }.joined(separator: ", ")
    throw Failure.refused(
      "\"\(name)\" is the label of \(alike.count) alarms: \(ids); name one by its id")
  }
}
