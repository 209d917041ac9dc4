import API
import JSONValue
import Testing

@testable import Pairing

@Suite struct `The list of devices` {
  private func digest(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: 64 - text.count) + text
  }

  private func filled(_ count: Int) -> DeviceList {
    var list = DeviceList()
    for number in 0..<count {
      _ = list.add(user: "sofia", kind: "iPhone", digest: digest(number), on: "2026-11-26")
    }
    return list
  }

  @Test func `numbers its devices, and uses a number again only after all others`() throws {
    var list = filled(2)
    #expect(list.devices.map(\.number) == [1, 2])
    var removed = list.remove(number: 2)
    #expect(removed?.number == 2)
    for expected in (3...99) {
      let device = list.add(user: "ben", kind: "Mac", digest: digest(7), on: "d")
      #expect(device?.number == expected)
      removed = list.remove(number: expected)
      #expect(removed == device)
    }
    // Number 1 is still in use. The lowest free number is 2.
    let next = list.add(user: "ben", kind: "Mac", digest: digest(8), on: "d")
    #expect(next?.number == 2)
  }

  @Test func `has at most 30 devices`() {
    var list = filled(30)
    let refused = list.add(user: "ben", kind: "Mac", digest: digest(99), on: "d")
    #expect(refused == nil)
    let removed = [31, 4].map { list.remove(number: $0)?.number }
    #expect(removed == [nil, 4])
    let added = list.add(user: "ben", kind: "Mac", digest: digest(99), on: "d")
    #expect(added?.number == 31)
  }

  @Test func `finds a device by the digest of its cookie`() {
    let list = filled(3)
    #expect(list.device(digest: digest(2))?.number == 3)
    #expect(list.device(digest: digest(3)) == nil)
    #expect(list.device(digest: "") == nil)
  }

  @Test func `notes the day of use once`() {
    var list = filled(1)
    let changed = [(1, "2026-11-26"), (1, "2026-11-27"), (9, "2026-11-27")].map {
      list.used(number: $0, on: $1)
    }
    #expect(changed == [false, true, false])
    #expect(list.devices.map(\.usedOn) == ["2026-11-27"])
  }

  @Test func `survives its file`() throws {
    var list = filled(30)
    _ = list.remove(number: 30)
    var read = try DeviceList(JSON(parsing: Array(list.json.description.utf8)))
    #expect(read == list)
    let added = read.add(user: "a", kind: "b", digest: digest(5), on: "d")
    #expect(added?.number == 31)
  }

  @Test(arguments: [
    ("{}", "last_number"), ("{\"last_number\":100,\"devices\":[]}", "last_number"),
    ("{\"last_number\":1}", "devices"), ("{\"last_number\":1,\"devices\":[{}]}", "device"),
    ("{\"last_number\":1,\"devices\":[{\"device\":0}]}", "device"),
    ("{\"last_number\":1,\"devices\":[{\"device\":1,\"cookie_sha256\":\"ab\"}]}", "cookie_sha256"),
  ])
  func `with a mistake in its file is refused by name`(text: String, member: String) {
    #expect(throws: DeviceFileError(member: member)) {
      try DeviceList(JSON(parsing: Array(text.utf8)))
    }
  }

  @Test func `with the same number twice is refused`() throws {
    let list = filled(1)
    let row = try #require(list.json["devices"]?.array?.first)
    let twice = JSON.object([("last_number", .integer(1)), ("devices", .array([row, row]))])
    #expect(throws: DeviceFileError(member: "device")) { try DeviceList(twice) }
  }

  @Test(arguments: [
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)", "iPhone"),
    ("Mozilla/5.0 (Linux; Android 15; Pixel 8)", "Android"),
    ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"), ("curl/8", "browser"), (nil, "browser"),
  ])
  func `names the kind of a device`(userAgent: String?, name: String) {
    #expect(DeviceKind.name(userAgent: userAgent) == name)
  }
}
