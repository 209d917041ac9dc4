import Glibc
import NIOCore

/// The user of the program at the other end of a Unix socket.
enum PeerUser {
  /// The C structure `ucred` (unix(7)). The module Glibc does not export this structure.
  private struct Credentials {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// Returns the uid that the kernel recorded when the program connected; nil if the kernel
  /// recorded no uid.
  ///
  /// The caller must call this function on the event loop of the channel.
  static func uid(_ channel: any Channel) -> UInt32? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    let asked: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    var uid: UInt32?
    // On the event loop of the channel, the future already has its value.
    asked.assumeIsolated().whenSuccess { uid = $0.uid }
    return uid
  }
}
