import API
import ClientKit

/// Finds an alarm by its id, or by its label if only one alarm has that label.
enum AlarmNames {
  private static let idLength = 12
  private static let idDigits = Set("0123456789abcdefghjkmnpqrstvwxyz")

  /// The id of the alarm with this id or label.
  ///
  /// If no alarm matches, the function returns the name unchanged, and the daemon refuses the name.
  /// If no label matches exactly, the function compares the labels again without regard to upper
  /// and lower case.
  ///
  /// - Throws: `Failure` if several alarms have the label, or if the change goes to the outbox
  ///   and the name is not an id.
  static func id(_ name: String, _ connection: ConnectionOptions) throws -> String {
    if name.count == idLength, name.allSatisfy(idDigits.contains) { return name }
    if connection.queue {
      throw Failure.badUsage("--queue needs the id of the alarm; its label is not enough")
    }
    let alarms = try connection.client.send(Request(.listAlarms)).document().list("alarms")
    let meant = alarms.filter { $0.text("label") == name }
    let alike =
      meant.isEmpty
      ? alarms.filter { $0.text("label").lowercased() == name.lowercased() } : meant
    guard alike.count > 1 else { return alike.first?.text("id") ?? name }
    let ids = alike.map { "\($0.text("id")) (\($0.text("schedule")))" }.joined(separator: ", ")
    throw Failure.refused(
      "\"\(name)\" is the label of \(alike.count) alarms: \(ids); give the id of one of them")
  }
}
