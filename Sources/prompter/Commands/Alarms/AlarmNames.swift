import API
import ArgumentParser
import ClientKit
import JSONValue

/// Finds an alarm by its id, by its label or by the beginning of its id.
enum AlarmNames {
  private static let idLength = 12
  private static let idDigits = Set("0123456789abcdefghjkmnpqrstvwxyz")

  /// Returns the id of the alarm with this name.
  ///
  /// If no alarm matches, the function returns the name unchanged, and the daemon later refuses
  /// this name.
  ///
  /// - Throws: `Failure` in three cases:
  ///   - Several alarms match the name.
  ///   - No alarm matches, but a similar label exists, and the user did not type `--json`.
  ///   - The name is not an id, and the user typed `--queue`.
  static func id(_ name: String, _ connection: ConnectionOptions) throws -> String {
    if name.count == idLength, name.allSatisfy(idDigits.contains) { return name }
    if connection.queue {
      throw Failure.badUsage("--queue needs the id of the alarm; its label is not enough")
    }
    switch try list(connection).find(name) {
    case .one(let alarm): return alarm.id
    case .several(let alarms): throw NameList.ambiguous(name, alarms, "alarms")
    case .none(let nearest):
      guard let nearest, !connection.json else { return name }
      throw Failure.refused(
        "there is no alarm \"\(name)\"; did you mean \"\(TextFormat.oneLine(nearest))\"?")
    }
  }

  /// Returns the names of all alarms.
  static func list(_ connection: ConnectionOptions) throws -> NameList {
    let alarms = try connection.client.send(Request(.listAlarms)).document().list("alarms")
    let isShared = Set(alarms.map { $0.text("person") }).count > 1
    return NameList(
      alarms.map { alarm in
        let who = isShared ? "for \(alarm.text("person")), " : ""
        return NameList.Row(
          id: alarm.text("id"), label: alarm.text("label"),
          words: "\(who)\(TextFormat.oneLine(alarm.text("schedule")))",
          isCurrent: !AlarmText.isOver(alarm))
      })
  }
}

/// The argument that names an alarm.
struct AlarmArgument: ParsableArguments {
  @Argument(
    help: """
      The alarm: its id, as \"prompter list\" prints it, its first 4 or more characters, or its label.
      """)
  var alarm: String

  func id(_ connection: ConnectionOptions) throws -> String {
    try AlarmNames.id(alarm, connection)
  }
}
