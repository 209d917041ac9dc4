import API
import ArgumentParser
import CivilTime
import ClientKit
import JSONValue

/// `prompter outbox`: shows, delivers and drops the changes in the outbox.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Show, deliver and drop the changes that wait until their home can be reached.",
    discussion: """
      A change waits in the outbox if it was made with --queue and the home could not be \
      reached. Example:
      prompter --host ssh://anna@home --queue add "Pills" --schedule "every day 08:00"
      """,
    subcommands: [OutboxList.self, OutboxDeliver.self, OutboxDrop.self],
    defaultSubcommand: OutboxList.self)
}

/// `prompter outbox list`: lists the changes in the outbox.
struct OutboxList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the changes that wait, were refused or have expired.",
    discussion: "Example: prompter outbox list --json")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let changes = try Outbox.ofThisUser().changes()
    if connection.json {
      let waiting = Int64(changes.count { $0.state == .waiting })
      Terminal.print(
        json: .object([
          ("waiting", .integer(waiting)), ("changes", .array(changes.map(\.json))),
        ]))
      return
    }
    if changes.isEmpty { return Terminal.print("No changes are waiting.") }
    var table = Table("NO", "SINCE", "HOME", "CHANGE", "DUE", "STATE")
    for change in changes {
      table.add(
        .init("\(change.number)"), .init(TextFormat.distance(change.queuedAt.description)),
        .init("\(change.address)"), .init(change.words), .init(change.dueWords),
        Self.state(change))
    }
    Terminal.print(table.text)
  }

  private static func state(_ change: QueuedChange) -> Table.Cell {
    let why = change.reason.map { ": \($0)" } ?? ""
    switch change.state {
    case .waiting:
      let end = change.expiresAt.map { ", expires \(TextFormat.distance($0.description))" } ?? ""
      return .init("waiting\(end)\(why)", .attention)
    case .refused, .expired: return .init(change.state.rawValue + why, .bad)
    }
  }
}

/// `prompter outbox deliver`: delivers the changes in the outbox to their homes.
struct OutboxDeliver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliver",
    abstract: "Deliver the waiting changes in order.",
    discussion: """
      Exit codes: 0 all changes were delivered, 1 a change was refused or has expired, 3 a home cannot be \
      reached.

      A line for cron, every ten minutes: */10 * * * * prompter outbox deliver
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let outbox = try Outbox.ofThisUser()
    let results = try OutboxDelivery(outbox: outbox, now: { TextFormat.now() }).deliver()
    var code: Int32 = 0
    for result in results {
      switch result {
      case .delivered: break
      case .refused, .expired: code = max(code, 1)
      case .waiting: code = 3
      }
      if !connection.json { Terminal.print(result.sentence) }
    }
    if connection.json {
      Terminal.print(json: .object([("changes", .array(results.map(\.json)))]))
    } else if results.isEmpty {
      Terminal.print("No changes are waiting.")
    }
    if code != 0 { throw QuietExit(exitCode: code) }
  }
}

extension OutboxDelivery.Result {
  fileprivate var json: JSON {
    var document = change.json
    if case .delivered = self { document.set("state", .string("delivered")) }
    return document
  }
}

/// `prompter outbox drop`: removes changes from the outbox.
struct OutboxDrop: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Remove changes from the outbox. They will not be delivered.",
    discussion: "Example: prompter outbox drop 3")

  @Argument(help: "The numbers of the changes, as \"prompter outbox\" prints them.")
  var numbers: [Int] = []

  @Flag(help: "Remove all changes.")
  var all = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if numbers.isEmpty != all {
      throw ValidationError("Give either the numbers of changes or --all.")
    }
  }

  func run() throws {
    let outbox = try Outbox.ofThisUser()
    // Run this closure only while no delivery is in progress. Otherwise the home could carry out a
    // change while the user removes the same change from the outbox.
    try outbox.whileDelivering {
      for number in all ? try outbox.changes().map(\.number) : numbers {
        guard try outbox.remove(number) else {
          throw Failure.refused("cannot drop change \(number): it is not in the outbox")
        }
        if !connection.json { Terminal.print("Dropped change \(number).") }
      }
    }
    if connection.json {
      Terminal.print(
        json: .object([("changes", .array(try outbox.changes().map(\.json)))]))
    }
  }
}
