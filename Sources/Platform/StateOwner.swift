import Glibc

/// The user who owns a state directory.
///
/// If the owner is not root, a process never works as root in this directory. The owner could
/// replace a file in the directory by a link, and a root process would then write to the target of
/// the link.
public struct StateOwner: Sendable {
  private let path: String
  private let uid: uid_t
  private let gid: gid_t
  private let device: dev_t
  private let inode: ino_t

  /// - Parameter path: an existing directory, or a link to a directory. If the process is root, the
  ///   initializer refuses a link that belongs to a different user.
  public init(of path: String) throws(HostError) {
    self.path = path
    var plain = path
    while plain.count > 1, plain.hasSuffix("/") { plain.removeLast() }
    var status = stat()
    guard lstat(plain, &status) == 0 else {
      throw .stateDirectory(path: path, reason: String(cString: strerror(errno)))
    }
    if geteuid() == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid != 0 {
      throw .stateDirectory(
        path: path,
        reason: "it is a link of uid \(status.st_uid), and root does not follow such links")
    }
    guard stat(plain, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .stateDirectory(path: path, reason: "it is not a directory")
    }
    (uid, gid) = (status.st_uid, status.st_gid)
    (device, inode) = (status.st_dev, status.st_ino)
    if geteuid() == 0, uid == 0, status.st_mode & 0o022 != 0 {
      throw .stateDirectory(
        path: path, reason: "users other than root can write in it; run \"chmod 700 \(path)\"")
    }
  }

  /// True if this process may work in the directory. Either the process is not root, or root owns
  /// the directory.
  var isTrusted: Bool { geteuid() != 0 || uid == 0 }

  /// Throws an error if this process is root and a different user owns the directory.
  func requireTrust() throws(HostError) {
    guard isTrusted else {
      throw .stateDirectory(
        path: path,
        reason:
          "it belongs to uid \(uid), and root does not work in the directory of another user; "
          + "start prompterd as that user; \"systemctl start prompterd\" does so")
    }
  }

  /// Gives up the rights of root permanently if a different user owns the directory.
  ///
  /// After the call, all threads of the process run as the owner of the directory. The group of the
  /// directory is the only group of the process.
  public func become() throws(HostError) {
    if isTrusted { return }
    let group = gid != 0 ? gid : getpwuid(uid)?.pointee.pw_gid ?? uid
    guard setgroups(0, nil) == 0, setgid(group) == 0, setuid(uid) == 0 else {
      throw .system("become uid \(uid)", errno)
    }
    guard getuid() == uid, geteuid() == uid, getegid() == group, setuid(0) != 0 else {
      throw .stateDirectory(path: path, reason: "the process cannot change from root to uid \(uid)")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .stateDirectory(
        path: path,
        reason: "its owner, uid \(uid), cannot open it: "
          + String(cString: strerror(errno)))
    }
    guard status.st_dev == device, status.st_ino == inode else {
      throw .stateDirectory(path: path, reason: "another directory has replaced it; try again")
    }
  }
}
