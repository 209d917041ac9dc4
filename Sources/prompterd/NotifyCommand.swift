import Glibc
import Platform

/// The other end of `NotifierClient`: runs the command of the contact that is named on standard input, and says on
/// standard output how it went. prompter-tell@.service runs this, as its own user, with a network.
struct NotifyCommand {
  var config: String?

  func run() { print(failure() ?? "ok") }

  /// - Returns: why nobody was told; nil where somebody was.
  private func failure() -> String? {
    // What the daemon says is text to be told, and nothing that steers a program.
    guard let request = NotifierClient.request(from: STDIN_FILENO),
      let variables = NotifyVariable.read(request),
      let name = variables.first(where: { $0.0 == .contact })?.1
    else { return "the request cannot be read" }
    let contact: Contact
    do throws(SettingsError) {
      let settings = try SettingsSource(file: config, spare: nil).read().settings
      guard let found = settings.contacts[name] else {
        return "no such contact is set in the configuration"
      }
      contact = found
    } catch {
      // The whole of it is for who reads the journal; the record need not hold a piece of the file.
      report("prompterd: \(error)")
      return "the configuration cannot be used"
    }
    var environment = NotifyVariable.environment
    if let home = getenv("HOME") { environment.append(("HOME", String(cString: home))) }
    environment += variables.map { ($0.rawValue, $1) }
    return contact.run(environment: environment, started: { _ in })
  }
}
