import API
import Alarms
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests the closures that store, read and delete recordings and pictures.
@Suite struct FileRequestTests {
  private static let picture = Picture(
    sha256: String(repeating: "b", count: 64), mediaType: "image/png", width: 4, height: 3,
    bytes: 5)

  @Test func `a picture has its media type, and its thumbnail is a JPEG`() async throws {
    let home = await ServedHome()
    let handler = home.alteredHandler {
      $0.pictures.store = { _, _ in Self.picture }
      $0.pictures.bytes = { $0 == Self.picture ? ($1 ? [1] : [2]) : nil }
    }
    #expect(try await home.ask(.addImage, body: "12345", at: handler).status == 201)
    for (operation, type, byte) in [
      (.showImage, "image/png", 2), (.showThumbnail, "image/jpeg", 1),
    ] as [(Route.Operation, String, UInt8)] {
      let response = await handler.answer(
        APIRequest(
          operation: operation, actor: Actor(role: .caretaker, id: "uid:1000", source: "socket"),
          parameters: ["id": Self.picture.sha256]))
      #expect(response.status == 200 && response.contentType == type)
      #expect(response.headers == ["x-content-type-options": "nosniff"])
      guard case .bytes(let bytes) = response.body else {
        Issue.record("\(operation)")
        continue
      }
      #expect(bytes == [byte])
    }
  }

  @Test func `each upload of a picture is settled, and only an unused picture is erased`()
    async throws
  {
    let home = await ServedHome()
    let (settled, erased) = (Calls<Picture>(), Calls<Picture>())
    let handler = home.alteredHandler {
      $0.pictures.store = { _, _ in Self.picture }
      $0.pictures.settle = { settled.add($0) }
      $0.pictures.erase = { erased.add($0) }
    }
    home.fakes.fillDisk(true)
    #expect(try await home.ask(.addImage, body: "12345", at: handler).status >= 500)
    #expect(settled.all == [Self.picture] && erased.all == [Self.picture])
    home.fakes.fillDisk(false)
    #expect(try await home.ask(.addImage, body: "12345", at: handler).status == 201)
    #expect(settled.all.count == 2 && erased.all.count == 1)
    // Another user uploads the same picture, and the daemon cannot record this upload. The
    // handler does not erase the picture, because the home uses the picture.
    home.fakes.fillDisk(true)
    _ = try await home.ask(.addImage, body: "12345", user: "uid:7", at: handler)
    #expect(settled.all.count == 3 && erased.all.count == 1)
    home.fakes.fillDisk(false)
    let id = ["id": Self.picture.sha256]
    #expect(try await home.ask(.removeImage, id, at: handler).status == 200)
    #expect(settled.all.count == 3 && erased.all.count == 2)
  }

  @Test func `a recording is settled, and its former file is dropped`() async throws {
    let home = await ServedHome()
    let (settled, dropped) = (Calls<String>(), Calls<String>())
    let handler = home.alteredHandler {
      $0.recordings.settle = { settled.add($0) }
      $0.recordings.drop = { dropped.add($0) }
    }
    func add(_ body: String, replace: Bool = false) async throws -> Int {
      try await home.ask(
        .addTone, ["name": "dad"], body: body, query: replace ? ["replace": "yes"] : [:],
        at: handler
      ).status
    }
    #expect(try await add("one") == 201)
    #expect(settled.all == ["one"] && dropped.all == [])
    #expect(try await add("two") == 409)
    #expect(settled.all == ["one"] && dropped.all == [])
    #expect(try await add("two", replace: true) == 201)
    #expect(settled.all == ["one", "two"] && dropped.all == ["one"])
    #expect(try await add("two", replace: true) == 201)
    #expect(dropped.all == ["one"])
    home.fakes.fillDisk(true)
    #expect(try await add("three", replace: true) >= 500)
    #expect(settled.all.last == "three" && dropped.all == ["one", "three"])
    home.fakes.fillDisk(false)
    #expect(try await home.ask(.removeTone, ["name": "DAD"], at: handler).status == 200)
    #expect(dropped.all == ["one", "three", "two"])
  }

  @Test func `a file that cannot be deleted is a warning, and the tone is removed`() async throws {
    let home = await ServedHome()
    let handler = home.alteredHandler { $0.recordings.drop = { _ in throw FakePorts.DiskFull() } }
    _ = try await home.ask(.addTone, ["name": "dad"], body: "one")
    #expect(try await home.ask(.removeTone, ["name": "dad"], at: handler).status == 200)
    #expect(
      home.fakes.state.withLock { $0.logged }
        == [LogLine(.warning, "cannot delete an unused recording: the disk is full")])
  }

  @Test func `the machine is asked about the recordings in the order of their names`() async throws
  {
    let home = await ServedHome()
    let names = ["gina", "anna", "fritz", "bob", "eva", "carl", "dora"]
    for (number, name) in names.enumerated() {
      let added = try await home.ask(.addTone, ["name": name], body: "sound\(number)")
      #expect(added.status == 201)
    }
    let asked = Calls<[String]>()
    let report = home.handler.machine
    let handler = home.alteredHandler {
      $0.machine = { tones in
        asked.add(tones.map(\.name))
        return report(tones)
      }
    }
    for operation in [Route.Operation.status, .metrics] {
      #expect(try await home.ask(operation, role: .admin, at: handler).status == 200)
    }
    #expect(asked.all == [names.sorted(), names.sorted()])
    // A list of alarms and a rekey need no check of the recordings, so the handler passes an
    // empty list.
    _ = try await home.ask(.listAlarms, at: handler)
    _ = try await home.ask(.rekey, role: .admin, at: handler)
    #expect(asked.all.dropFirst(2) == [[], []])
  }

  @Test func `the download of own data has the pictures of the person`() async throws {
    let home = await ServedHome()
    for name in ["anna", "bob"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(name)"}"#, role: .admin)
    }
    let names = (5...10).map { String(repeating: "a", count: 62) + String($0 + 10) }
    for size in 5...10 {
      let body = String(repeating: "x", count: size)
      #expect(try await home.ask(.addImage, body: body).status == 201)
    }
    for (person, image) in [("anna", names[3]), ("bob", names[1]), ("anna", names[0])] {
      let body =
        #"{"label":"\#(image.suffix(2))","schedule":"every day 08:01","#
        + #""person":"\#(person)","image":"\#(image)"}"#
      let added = try await home.ask(.addAlarm, body: body)
      #expect(added.status == 201, "\(added)")
    }
    home.fakes.pass(seconds: 61)
    await home.engine.wake()
    for (alarm, photo) in [("alarm1", names[4]), ("alarm2", names[5])] {
      let done = try await home.ask(
        .complete, ["id": "\(alarm)@2027-01-15T08:01:00"], body: #"{"photo":"\#(photo)"}"#)
      #expect(done.status == 200, "\(done)")
    }
    let asked = Calls<[String]>()
    let ownData = home.handler.archive.ownData
    let handler = home.alteredHandler {
      $0.archive.ownData = { person, pictures in
        asked.add([person.text] + pictures.map(\.sha256))
        return try await ownData(person, pictures)
      }
    }
    for name in ["Anna", "bob"] {
      #expect(try await home.ask(.ownData, ["id": name], at: handler).status == 200)
    }
    #expect(
      asked.all == [["anna", names[0], names[3], names[4]], ["bob", names[1], names[5]]])
  }
}
