import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter whoami`: whom the daemon takes the caller for, and what that one may do.
struct WhoAmI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show whom the daemon takes you for, and what you may do.",
    discussion: """
      Roles are given to users and groups in /etc/prompter/config.toml, under [roles]; under [patients] \
      a user is tied to one person, and then sees and answers what is that person's and nothing else. \
      A user who has several roles has the rights of all. \
      After a change: systemctl reload prompterd.

      Example: prompter whoami --json | jq -r .role
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let you = try connection.client.send(Request(.status)).document()["you"] ?? .null
    if connection.json { return Terminal.print(json: you) }
    var table = Table()
    let roles = Set(you["roles"]?.array?.compactMap(\.string) ?? [you.text("role")])
    for route in Route.all where route.roles.contains(where: { roles.contains($0.rawValue) }) {
      table.add(.init("\(route.method.rawValue) \(route.path)", .faint), .init(route.summary))
    }
    Terminal.print("You are \(you.text("id")), \(HomeCheckUp.role(you)).\n\n" + table.text)
  }
}
