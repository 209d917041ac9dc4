import ArgumentParser
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
    (
      "ssh://home/run/prompter/control.sock",
      "--host ssh://home --socket /run/prompter/control.sock"
    ),
    ("ssh://anna@home:22/x", "--host ssh://anna@home:22 --socket /x"),
    ("ssh://[::1]/x", "--host ssh://[::1] --socket /x"), ("home", "ssh://user@home"),
    ("http://home/x", "ssh://user@home"), ("ssh://-oProxyCommand=x/y", "ssh://user@home"),
  ])
  func `with a path is refused with the option to use`(text: String, words: String) throws {
    let error = try #require(throws: ValidationError.self) { try SSHHost(parsing: text) }
    #expect(error.message.contains(words), "\(error.message)")
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
