import Glibc
import Platform

/// The service to which `NotifierClient` connects. The service reads the name of a contact and the
/// message from standard input, and runs the command of this contact.
///
/// The service prints the result to standard output. systemd starts the service as the unit
/// prompter-tell@.service. This unit runs as a separate user with network access.
package struct NotifyCommand {
  var config: String?

  package init(config: String?) { self.config = config }

  package func run() { print(failure() ?? "ok") }

  /// - Returns: the reason why the contact was not notified; nil if the contact was notified.
  private func failure() -> String? {
    // The request contains the name of a contact and the texts of the message. The request cannot
    // contain a command.
    guard let request = NotifierClient.request(from: STDIN_FILENO),
      let variables = NotifyVariable.read(request),
      let name = variables.first(where: { $0.0 == .contact })?.1
    else { return "cannot read the request of the daemon" }
    let contact: Contact
    do throws(SettingsError) {
      let settings = try SettingsSource(file: config, lastUsableFile: nil).read().settings
      guard let found = settings.contacts[name] else {
        return "the configuration has no contact with this name"
      }
      contact = found
    } catch {
      // The daemon stores the returned text in the record. The full error can contain a part of the
      // configuration file, so it goes only to the journal.
      report("prompterd: \(error)")
      return "cannot use the configuration; the journal says why"
    }
    var environment = NotifyVariable.environment
    if let home = getenv("HOME") { environment.append(("HOME", String(cString: home))) }
    environment += variables.map { ($0.rawValue, $1) }
    return contact.run(environment: environment, started: { _ in })
  }
}
