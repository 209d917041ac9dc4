import Sentences
import Testing

@testable import WebServer

@Suite struct `The configuration of the pages for phones` {
  private func settings(_ text: String) throws -> WebSettings {
    try WebSettings(text: text, path: "web.toml")
  }

  @Test(arguments: [
    ("https://home.local:8443", "home.local:8443"), ("https://home.local", "home.local"),
    ("https://home.local:443", "home.local"), ("https://192.168.1.20:8443", "192.168.1.20:8443"),
  ])
  func `has the address that phones open`(address: String, host: String) throws {
    let found = try settings("address = \"\(address)\"")
    #expect(found.address == address && found.host == host)
    #expect(found.language == nil && found.authority == "/etc/prompter-web/tls/ca.crt")
  }

  @Test func `has a language and the certificate of an authority`() throws {
    let found = try settings(
      """
      address = "https://home.local"
      language = "de"
      authority = "/tmp/ca.crt"
      """)
    #expect(found.language == .german && found.authority == "/tmp/ca.crt")
  }

  @Test(arguments: [
    ("", "address"), ("address = 5", "address"), ("address = \"http://home.local\"", "address"),
    ("address = \"https://\"", "address"), ("address = \"https://Home.local\"", "address"),
    ("address = \"https://home.local/\"", "address"), ("address = \"https://a:0\"", "address"),
    ("address = \"https://a:65536\"", "address"), ("address = \"https://a:08\"", "address"),
    ("address = \"https://a:1:2\"", "address"), ("adress = \"https://a\"", "adress"),
    ("address = \"https://a\"\nlanguage = \"fr\"", "language"), ("address =", "line 1"),
  ])
  func `with a mistake is refused by name`(text: String, name: String) {
    #expect {
      try settings(text)
    } throws: { error in
      "\(error)".contains(name) && "\(error)".contains("web.toml")
    }
  }
}
