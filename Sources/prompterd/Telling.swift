import Glibc
import Host

/// The other end of `TellRelay`: runs the command of the contact that is named on standard input, and says on
/// standard output how it went. prompter-tell@.service runs this, as its own user, with a network.
struct Telling {
  var config: String?

  func run() { print(failure() ?? "ok") }

  /// - Returns: why nobody was told; nil where somebody was.
  private func failure() -> String? {
    guard let request = TellRelay.request(from: STDIN_FILENO),
      let name = request.first(where: { $0.name == "PROMPTER_CONTACT" })?.value
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
    var environment = [
      ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"), ("LANG", "C.UTF-8"),
    ]
    if let home = getenv("HOME") { environment.append(("HOME", String(cString: home))) }
    // What the daemon says is text to be told, and nothing that steers a program.
    environment += request.filter { $0.name.hasPrefix("PROMPTER_") }
      .map { ($0.name, $0.value) }
    return contact.run(environment: environment, started: { _ in })
  }
}
