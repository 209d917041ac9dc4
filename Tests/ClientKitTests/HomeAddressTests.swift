import Testing

@testable import ClientKit

@Suite struct `An ssh address` {
  @Test(
    arguments: [
      ("ssh://home", nil, "home", nil), ("ssh://anna@home/", "anna", "home", nil),
      ("ssh://anna@10.0.0.2:2222", "anna", "10.0.0.2", 2_222),
      ("ssh://[fe80::1%eth0]:22", nil, "fe80::1%eth0", 22),
    ] as [(String, String?, String, UInt16?)])
  func `names a user, a host and a port`(
    text: String, user: String?, name: String, port: UInt16?
  ) throws {
    let host = try #require(SSHHost(argument: text))
    #expect((host.user, host.name, host.port) == (user, name, port))
    #expect(SSHHost(argument: host.description) == host)
  }

  @Test(arguments: [
    "home", "http://home", "ssh://", "ssh://-oProxyCommand=x", "ssh://a b", "ssh://home:0",
    "ssh://home:65536", "ssh://a:b:c", "ssh://$(id)@home", "ssh://[home]", "ssh://[::1",
    "ssh://[::1]x",
  ])
  func `that ssh or a shell could mistake for something else is refused`(text: String) {
    #expect(SSHHost(argument: text) == nil)
  }
}
