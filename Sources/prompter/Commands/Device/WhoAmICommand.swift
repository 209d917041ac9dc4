import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter whoami`: shows the identity, roles and rights of the user.
struct WhoAmI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show your user name, your roles and your rights.",
    discussion: """
      The file /etc/prompter/config.toml gives roles to users and groups under [roles]. A user with \
      several roles has the rights of all of them. Under [patients], the file ties a user to one person. \
      That user sees and answers only the prompts of this person. After a change of the file, run: \
      systemctl reload prompterd

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
    Terminal.print("You are \(HomeChecks.userName(you)), \(HomeChecks.role(you)).\n\n" + table.text)
  }
}
