import Glibc

/// Checks which users can change or read the configuration file.
///
/// The file contains the roles of users and the commands of contacts. A user who can change this
/// file has full control of the home. A command in the file can contain a password or a token, so
/// only permitted users should be able to read the file.
package struct SettingsAccess {
  /// The reasons why the file is not trusted, one sentence each.
  private(set) var dangers: [String] = []
  /// Problems with the read permissions of the file. Even with these problems, the daemon trusts
  /// the file.
  package private(set) var remarks: [String] = []

  /// The path of the configuration file in the Debian package, and the group whose members may read
  /// this file.
  private static let packaged = "/etc/prompter/config.toml"
  private static let readers = "prompter-config"

  /// - Parameters:
  ///   - descriptor: the descriptor of the open file.
  ///   - path: the path of the file.
  ///   - user: the user who may own the file. Root may also own the file.
  init(descriptor: CInt, path: String, user: uid_t = geteuid()) {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else {
      dangers.append("its permissions cannot be read (\(String(cString: strerror(errno))))")
      return
    }
    let mode = String(file.st_mode & 0o7777, radix: 8)
    if file.st_uid != 0, file.st_uid != user {
      dangers.append("it belongs to uid \(file.st_uid); run \"chown root \(path)\"")
    }
    if file.st_mode & 0o022 != 0 {
      dangers.append(
        "users other than its owner can change it (mode \(mode)); run \"chmod go-w \(path)\"")
    }
    for directory in Self.directories(of: path) {
      var info = stat()
      guard stat(directory, &info) == 0 else { continue }
      // In a directory with the sticky bit, a user can replace only the user's own files.
      let isOpen = info.st_mode & 0o022 != 0 && info.st_mode & S_ISVTX == 0
      if isOpen || info.st_uid != 0 && info.st_uid != user {
        dangers.append("other users can replace it in the directory \"\(directory)\"")
      }
    }
    if file.st_mode & 0o004 != 0 {
      remarks.append("every user of this machine can read \"\(path)\" (mode \(mode))")
    }
    if path == Self.packaged, let group = getgrnam(Self.readers)?.pointee.gr_gid,
      file.st_mode & 0o004 == 0, file.st_gid != group || file.st_mode & 0o040 == 0
    {
      dangers.append(
        "prompterd and prompter-tell cannot read it; run \"chgrp \(Self.readers) \(path)\" and "
          + "\"chmod 640 \(path)\"")
    }
  }

  /// Returns the directory that contains the file at `path`. If `path` is a link, the result also
  /// contains the directory of the target of the link.
  private static func directories(of path: String) -> Set<String> {
    var found = [path]
    if let real = realpath(path, nil) {
      found.append(String(cString: real))
      free(real)
    }
    return Set(
      found.map { path in
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
      })
  }
}
