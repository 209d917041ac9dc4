import Glibc
import NIOCore

/// The user of the program at the other end of a Unix socket.
enum PeerUser {
  /// The C structure `ucred` (unix(7)), which the module Glibc does not export.
  private struct Credentials {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// The uid that the kernel recorded when the program connected; nil if there is none.
  ///
  /// Call it on the event loop of the channel.
  static func uid(_ channel: any Channel) -> UInt32? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    let asked: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    var uid: UInt32?
    // On the event loop of the channel, the future has its value already.
    asked.assumeIsolated().whenSuccess { uid = $0.uid }
    return uid
  }
}
