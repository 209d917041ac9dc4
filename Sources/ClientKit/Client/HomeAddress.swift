import ArgumentParser
import Glibc

/// The address of the daemon of a home: a socket on this machine, or a socket on a remote machine
/// that this program reaches by ssh.
package enum HomeAddress: Sendable, Hashable, CustomStringConvertible {
  case here(socket: String)
  /// - Parameter socket: the path of the socket on the remote machine; nil for the default path on
  ///   the remote machine.
  case ssh(SSHHost, socket: String?)

  /// Returns this address in a form in which all requests share one ssh connection.
  ///
  /// - Parameter path: the path of a new socket, which ssh creates.
  package func sharing(socket path: String) -> HomeAddress {
    guard case .ssh(var host, let socket) = self else { return self }
    host.controlPath = path
    return .ssh(host, socket: socket)
  }

  package var description: String {
    switch self {
    case .here(let socket): socket
    case .ssh(let host, nil): "\(host)"
    case .ssh(let host, let socket?): "\(host), \(socket)"
    }
  }
}

/// The address of a machine for ssh: `ssh://[user@]host[:port]`.
package struct SSHHost: Sendable, Hashable, ExpressibleByArgument, CustomStringConvertible {
  package var user: String?
  /// The host: a name, an IPv4 address, or an IPv6 address without brackets.
  package var name: String
  package var port: UInt16?
  /// The path of the socket through which several runs of ssh share one connection; nil if each run
  /// opens a separate connection.
  package var controlPath: String?

  /// Parses an address.
  ///
  /// The function accepts the same addresses as ssh, with two exceptions. The function refuses a
  /// name that ssh could read as an option, as in CVE-2017-1000117. The function also refuses a
  /// name with characters that a shell interprets.
  package init?(argument: String) {
    guard argument.hasPrefix("ssh://") else { return nil }
    var rest = argument.dropFirst(6)
    if rest.hasSuffix("/") { rest.removeLast() }
    if let at = rest.lastIndex(of: "@") {
      guard Self.isPlain(rest[..<at], and: "._-") else { return nil }
      user = String(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    var digits: Substring?
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      let address = rest[rest.index(after: rest.startIndex)..<end]
      guard address.contains(":"), Self.isPlain(address, and: ":.%", first: ":") else { return nil }
      name = String(address)
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      if !rest.isEmpty { digits = rest.dropFirst() }
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, Self.isPlain(parts[0], and: "._-") else { return nil }
      name = String(parts[0])
      if parts.count == 2 { digits = parts[1] }
    }
    if let digits {
      guard let number = UInt16(digits), number > 0 else { return nil }
      port = number
    }
  }

  /// Parses an address. If the address cannot be used, the thrown error contains the reason.
  package init(parsing argument: String) throws(ValidationError) {
    if let host = SSHHost(argument: argument) {
      self = host
      return
    }
    let slash = argument.dropFirst(6).firstIndex(of: "/")
    if let slash, let host = SSHHost(argument: String(argument[..<slash])) {
      throw ValidationError(
        "an address has no path; to use the socket \(argument[slash...]) of that machine, write "
          + "--host \(host) --socket \(argument[slash...])")
    }
    throw ValidationError("it is not an address such as ssh://user@home or ssh://home:2222")
  }

  package var description: String {
    let host = name.contains(":") ? "[\(name)]" : name
    return "ssh://\(user.map { "\($0)@" } ?? "")\(host)\(port.map { ":\($0)" } ?? "")"
  }

  /// Returns the program and the arguments that run a command on the machine with this address.
  ///
  /// If the environment variable `PROMPTER_SSH` is set, its words replace the word `ssh`. The first
  /// word is the program, and the other words are options. Spaces separate the words.
  package func words(running command: String) -> [String] {
    let program = ProcessEnvironment.value("PROMPTER_SSH") ?? "ssh"
    // The options below make ssh detect a broken connection. Without these options, the command
    // would wait for a reply forever.
    var words = program.split(separator: " ").map(String.init)
    words += ["-T", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=15"]
    if let controlPath {
      // The first run of ssh logs in. The later runs use the connection of the first run. This
      // connection ends some seconds after the last run (ssh_config(5)).
      words += ["-o", "ControlMaster=auto", "-o", "ControlPersist=10"]
      words += ["-o", "ControlPath=\(controlPath)"]
    }
    if let port { words += ["-p", String(port)] }
    if let user { words += ["-l", user] }
    return words + ["--", name, command]
  }

  /// Returns true if a text contains only letters, digits and the characters of `signs`. The first
  /// character must be a letter, a digit or a character of `first`.
  private static func isPlain(
    _ text: Substring, and signs: String, first: String = ""
  ) -> Bool {
    func isWord(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber)
    }
    guard let head = text.first, isWord(head) || first.contains(head) else { return false }
    return text.allSatisfy { isWord($0) || signs.contains($0) }
  }
}

/// The environment variables of this process.
package enum ProcessEnvironment {
  /// Returns the value of a variable; nil if the variable is not set or is empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
