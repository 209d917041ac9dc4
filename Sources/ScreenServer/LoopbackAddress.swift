/// An address and a port of this machine that no other machine can reach.
package struct LoopbackAddress: CustomStringConvertible, Sendable {
  package var host: String
  package var port: Int

  package var description: String { "\(host):\(port)" }

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
