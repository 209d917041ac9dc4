import FileSystem
import Glibc
import JSONValue

/// Checks the machine of the daemon. The checks do not need a running daemon.
package struct MachineChecks {
  package let socket: String
  package let isDaemonThere: Bool
  /// The report of the daemon about its files; null if the daemon sent no report.
  package var machine: JSON

  package init(socket: String, isDaemonThere: Bool, machine: JSON = .null) {
    self.socket = socket
    self.isDaemonThere = isDaemonThere
    self.machine = machine
  }

  package var findings: [Finding] {
    [socketFinding].compactMap { $0 } + units + [cards].compactMap { $0 }
      + [state, configuration].compactMap { $0 }
  }

  // MARK: The socket

  private var socketFinding: Finding? {
    var info = stat()
    guard stat(socket, &info) == 0 else {
      let code = errno
      if code == EACCES {
        return Finding(
          "socket", .silent, "\(UserName.own) cannot open the directory of \(socket)",
          fix: "chmod 755 \(directory)")
      }
      return Finding(
        "socket", .silent, "\(socket): \(String(cString: strerror(code)))",
        fix: "start the daemon, or give its socket with --socket or $PROMPTER_SOCKET")
    }
    guard info.st_mode & S_IFMT == S_IFSOCK else {
      return Finding(
        "socket", .silent, "\(socket) is not a socket",
        fix: "give the daemon's socket with --socket")
    }
    let mode = String(info.st_mode & 0o7777, radix: 8)
    guard access(socket, W_OK) == 0 else {
      return Finding(
        "socket", .silent, "\(UserName.own) cannot connect to \(socket) (mode \(mode))",
        fix:
          "add this user to the socket's group and log in again, or create the socket again: "
          + "systemctl restart prompterd.socket"
      )
    }
    return isDaemonThere ? Finding("socket", .well, "\(socket), mode \(mode)") : nil
  }

  private var directory: String {
    socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
  }

  // MARK: systemd

  /// The state of Prompter's systemd units; empty if systemd does not run, or if it has no units of
  /// Prompter.
  private var units: [Finding] {
    guard access("/run/systemd/system", F_OK) == 0 else { return [] }
    var findings: [Finding] = []
    for (unit, grade) in [
      ("prompterd.service", Finding.Grade.silent), ("prompterd.socket", .warning),
    ] {
      guard
        let said = Program.output([
          "systemctl", "show", unit, "--property=LoadState,ActiveState,UnitFileState,NRestarts",
        ])
      else { return [] }
      let state = Self.properties(said)
      guard state["LoadState"] == "loaded" else { continue }
      let active = state["ActiveState"] ?? "unknown"
      if active == "active" {
        let restarts = state["NRestarts"].flatMap { Int($0) } ?? 0
        findings.append(
          restarts == 0
            ? Finding("unit", .well, "\(unit) is active")
            : Finding(
              "unit", .warning,
              "\(unit) is active, after \(TextFormat.counted(restarts, "restart"))",
              fix: "journalctl -u \(unit)"))
      } else {
        findings.append(
          Finding(
            "unit", isDaemonThere ? .warning : grade, "\(unit) is \(active)",
            fix: "systemctl start \(unit); journalctl -u \(unit)"))
      }
      if let file = state["UnitFileState"], ["disabled", "masked"].contains(file) {
        findings.append(
          Finding(
            "unit", grade, "\(unit) is \(file): it does not start with the machine",
            fix: file == "masked" ? "systemctl unmask \(unit)" : "systemctl enable \(unit)"))
      }
    }
    return findings
  }

  private static func properties(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    // Split the text by Unicode scalars. Swift joins CR and LF into one `Character`. Swift also
    // joins `=` and a following accent into one `Character`. Therefore, a split by `Character`
    // would not find every LF and every `=`.
    for line in text.unicodeScalars.split(separator: "\n") {
      let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2 { values[String(sides[0])] = String(sides[1]) }
    }
    return values
  }

  // MARK: Sound and files

  /// The finding about the sound cards of this machine. If the daemon replies, the result is nil,
  /// because the daemon tests the sound devices.
  private var cards: Finding? {
    guard !isDaemonThere else { return nil }
    let file = try? readFile(atPath: "/proc/asound/cards", limit: 1 << 16)
    let said = String(decoding: file ?? [], as: UTF8.self)
    guard !said.isEmpty, !said.contains("no soundcards") else {
      return Finding(
        "speaker", .silent, "the kernel has no sound card", fix: "connect one; list them: aplay -l")
    }
    return Finding(
      "speaker", .note, "there is a sound card; only the daemon can test it")
  }

  /// The finding about the permissions of the state directory; nil if the program cannot read the
  /// permissions, for example because the directory does not exist.
  private var state: Finding? {
    let path = machine["state_directory"]?.string ?? "/var/lib/prompter"
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    guard info.st_mode & 0o077 == 0 else {
      return Finding(
        "state", .warning, "other users can open \(path), which contains health data",
        fix: "chmod 700 \(TextFormat.shellQuoted(path))")
    }
    return Finding("state", .well, "other users cannot open \(path)")
  }

  /// Checks the permissions of the configuration file.
  ///
  /// A user who can change the file can give any role to their own account. A user who can read the
  /// file can read the commands of the contacts, which can contain passwords.
  private var configuration: Finding? {
    let packaged = "/etc/prompter/config.toml"
    let path = machine["configuration"]?.string ?? packaged
    let quoted = TextFormat.shellQuoted(path)
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    guard info.st_mode & 0o022 == 0, info.st_uid == 0 || info.st_uid == geteuid() else {
      return Finding(
        "configuration", .warning,
        "users other than root can change \(path), which assigns the roles",
        fix: "chown root: \(quoted); chmod go-w \(quoted)")
    }
    let readers = getgrnam("prompter-config")?.pointee.gr_gid
    let isPackaged = path == packaged && readers != nil
    let close =
      isPackaged ? "chgrp prompter-config \(quoted); chmod 640 \(quoted)" : "chmod o-rwx \(quoted)"
    guard info.st_mode & 0o004 == 0 else {
      return Finding(
        "configuration", .warning,
        "every user can read \(path): a contact's command may contain a password", fix: close)
    }
    guard !isPackaged || info.st_gid == readers && info.st_mode & 0o040 != 0 else {
      return Finding(
        "configuration", .warning, "prompterd and prompter-tell cannot read \(path)", fix: close)
    }
    return Finding(
      "configuration", .well, "only its owner can change \(path), and other users cannot read it")
  }
}

/// The names of users of this machine.
package enum UserName {
  /// The name of the user of this process; the uid if the user has no name.
  package static var own: String {
    guard let entry = getpwuid(geteuid()) else { return "uid \(geteuid())" }
    return String(cString: entry.pointee.pw_name)
  }
}
