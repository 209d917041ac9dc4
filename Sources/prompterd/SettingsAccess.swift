import Glibc

/// Who can change the configuration file, and who can read it.
///
/// The file gives roles and names the commands that are run for contacts, so whoever can change it can
/// do everything here. Such a command may hold a password or a token, so not everybody may read it.
struct SettingsAccess {
  /// Why the file is not believed, a sentence each.
  private(set) var dangers: [String] = []
  /// What else is wrong with who may read it.
  private(set) var remarks: [String] = []

  /// Where the package puts the file, and the group that reads it there.
  private static let packaged = "/etc/prompter/config.toml"
  private static let readers = "prompter-config"

  /// - Parameters:
  ///   - descriptor: of the open file.
  ///   - path: its path.
  ///   - user: who may own it besides root.
  init(descriptor: CInt, path: String, user: uid_t = geteuid()) {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else {
      dangers.append("it cannot be looked at (\(String(cString: strerror(errno))))")
      return
    }
    let mode = String(file.st_mode & 0o7777, radix: 8)
    if file.st_uid != 0, file.st_uid != user {
      dangers.append("it belongs to uid \(file.st_uid); run \"chown root \(path)\"")
    }
    if file.st_mode & 0o022 != 0 {
      dangers.append(
        "others than its owner can change it (mode \(mode)); run \"chmod go-w \(path)\"")
    }
    for directory in Self.directories(of: path) {
      var info = stat()
      guard stat(directory, &info) == 0 else { continue }
      // In a sticky directory nobody puts another file in the place of one that is not theirs.
      let isOpen = info.st_mode & 0o022 != 0 && info.st_mode & S_ISVTX == 0
      if isOpen || info.st_uid != 0 && info.st_uid != user {
        dangers.append("others can put another file in its place in \"\(directory)\"")
      }
    }
    if file.st_mode & 0o004 != 0 {
      remarks.append("everybody on this machine can read \"\(path)\" (mode \(mode))")
    }
    if path == Self.packaged, let group = getgrnam(Self.readers)?.pointee.gr_gid,
      file.st_mode & 0o004 == 0, file.st_gid != group || file.st_mode & 0o040 == 0
    {
      dangers.append(
        "prompterd and prompter-tell cannot read it; run \"chgrp \(Self.readers) \(path)\" and "
          + "\"chmod 640 \(path)\"")
    }
  }

  /// The directory that the path names, and the one where a link leads.
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
