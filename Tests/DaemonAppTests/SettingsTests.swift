import Alarms
import Foundation
import HTTPServer
import Testing

@testable import DaemonApp

@Suite struct `The configuration` {
  private func settings(_ text: String) throws -> Settings {
    try Settings(text: text, path: "prompter.toml")
  }

  @Test func `is empty by default, and then the daemon has its own values`() throws {
    #expect(try settings("") == Settings())
  }

  @Test func `sets zone, devices, level and limits`() throws {
    let found = try settings(
      """
      zone = "Europe/Berlin"
      devices = ["plughw:1,0", "default"]
      level = 60
      [limits]
      rings_per_hour = 30
      """)
    #expect(found.zone == "Europe/Berlin")
    #expect(found.devices == ["plughw:1,0", "default"])
    #expect(found.level == 60)
    #expect(found.limits.ringsPerHour == 30)
  }

  @Test func `gives a delegate the users for whom it may send requests`() throws {
    let found = try settings(
      """
      [roles]
      caretaker = ["games", "@mail"]
      [delegates.nobody]
      people = ["games", "mail", "daemon", "no-such-person"]
      [delegates.no-such-user]
      people = ["games"]
      """)
    let nobody = try #require(Settings.uid("nobody"))
    let delegate = try #require(found.identities.delegate(uid: nobody))
    // The user `mail` gets the role caretaker through its group. The user `daemon` has no role.
    #expect("\(delegate)".components(separatedBy: "caretaker").count == 3)
    #expect(found.identities.delegate(uid: 0) == nil)
    #expect(found.identities.roles(uid: nobody, groups: []).isEmpty)
    #expect(
      Set(found.unknownNames) == [
        "there is no user \"no-such-user\" on this machine",
        "there is no user \"no-such-person\" on this machine",
      ])
  }

  @Test func `names a user of a delegate with the delegate and the device`() {
    #expect(userName("uid:0,via:uid:0,device:3") == "root (root, device 3)")
    #expect(userName("uid:0,via:uid:4000000") == "root (uid:4000000)")
    #expect(userName("uid:0") == "root")
    #expect(userName("daemon") == nil)
  }

  @Test func `gives a contact the time of its summary`() throws {
    let found = try settings(
      """
      [contacts.anna]
      command = ["/bin/true"]
      summary = "20:00"
      [contacts.bob]
      command = ["/bin/true"]
      """)
    #expect("\(found.contacts["anna"] as Any)".contains("summary: Optional(20:00)"))
    #expect("\(found.contacts["bob"] as Any)".contains("summary: nil"))
  }

  @Test(arguments: [
    ("[contacts.anna]\ncommand = [\"/bin/true\"]\nsummary = \"25:00\"", "anna.summary", 3),
    ("[contacts.anna]\ncommand = [\"/bin/true\"]\nsummary = 20", "anna.summary", 3),
    ("[contacts.anna]\ncommand = [\"/bin/true\"]\ncalls = \"yes\"", "calls", 3),
    ("[contacts.anna]\ncommand = [\"/bin/true\"]\nsumary = \"20:00\"", "anna.sumary", 3),
    ("[delegates.nobody]\ncaretaker = [\"sofia\"]", "delegates.nobody.caretaker", 2),
    ("[delegates.nobody]\npeople = \"sofia\"", "people", 2),
    ("[delegates.nobody]\n\npeople = [\"@games\"]", "@games", 3),
    ("[delegates]\nroot = { people = [\"sofia\"] }", "delegates.root", 2),
    ("[roles]\nadmin = [\"nobody\"]\n[delegates]\nnobody = { people = [\"a\"] }", "admin", 4),
    ("[delegates]\nnobody = [\"sofia\"]", "delegates.nobody", 2),
    ("zones = \"UTC\"", "zones", 1), ("zone = \"UTC\"\nlevel = 101", "level", 2),
    ("level = \"loud\"", "level", 1), ("[limits]\n\nrings = 3", "rings", 3),
  ])
  func `with a mistake is refused by key and line`(text: String, key: String, line: Int) {
    #expect {
      try settings(text)
    } throws: { error in
      "\(error)".contains(key) && "\(error)".contains("line \(line)")
        && "\(error)".contains("prompter.toml")
    }
  }

  @Test func `that is not TOML is refused with its line`() {
    #expect {
      try settings("zone = \"UTC\"\nlevel = = 3\n")
    } throws: { "\($0)".contains("line 2") }
  }
}
