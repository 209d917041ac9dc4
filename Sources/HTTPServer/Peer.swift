import Glibc

/// The system user that runs the program at the other end of a connection. The kernel recorded the
/// uid and the groups of this user when the program connected.
struct Peer: Sendable, Hashable {
  var uid: UInt32
  /// The primary group and the supplementary groups of the user.
  var groups: [UInt32]

  init(uid: UInt32, groups: [UInt32]) {
    self.uid = uid
    self.groups = groups
  }

  /// The C structure `ucred`. The Glibc module does not export this structure, because glibc
  /// declares the structure only with `_GNU_SOURCE`.
  ///
  /// The structure never changes, because it is a part of the interface of the kernel (unix(7)).
  private struct Credentials {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// Asks the kernel for the user of a connected Unix socket.
  init(descriptor: CInt) throws(ServerError) {
    var credentials = Credentials()
    var size = socklen_t(MemoryLayout<Credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw .system(what: "read a peer's credentials", why: reason(errno))
    }
    uid = credentials.uid
    groups = [credentials.gid] + (try Self.supplementaryGroups(descriptor))
  }

  /// Reads the supplementary groups of the peer.
  ///
  /// If the buffer is too small, the socket option SO_PEERGROUPS returns ERANGE and the required
  /// size. unix(7) does not document this behaviour (see `sk_getsockopt` in net/core/sock.c). The
  /// list of groups does not change after the peer has connected.
  private static func supplementaryGroups(_ descriptor: CInt) throws(ServerError) -> [UInt32] {
    var room = 32
    while true {
      var list = [UInt32](repeating: 0, count: room)
      var size = socklen_t(room * MemoryLayout<UInt32>.stride)
      if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &list, &size) == 0 {
        return Array(list.prefix(Int(size) / MemoryLayout<UInt32>.stride))
      }
      let code = errno
      let needed = Int(size) / MemoryLayout<UInt32>.stride
      guard code == ERANGE, needed > room else {
        throw .system(what: "read a peer's groups", why: reason(code))
      }
      room = needed
    }
  }
}

/// Returns the text with which the C library explains an error number.
func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
