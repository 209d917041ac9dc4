import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests pictures of caretakers, photos of patients, and rewards.
  @Suite struct Pictures {
    private static func fixture(_ name: String) -> String {
      TestHome.fixtures.appending(path: "image/\(name)").path(percentEncoded: false)
    }

    private func files(_ home: TestHome) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.path("state/images")).sorted()
    }

    @Test func `the photo of a phone becomes a JPEG, and a damaged or a huge one is refused`()
      async throws
    {
      try await TestHome.with { home in
        // The file has the name of a JPEG picture, but it contains a HEIC picture. The daemon
        // recognises the format from the content.
        let photo = home.path("photo.jpg")
        try FileManager.default.copyItem(atPath: Self.fixture("phone.heic"), toPath: photo)
        let added = try await home.ask("image", "add", photo)
        #expect(added["image"]?["media_type"]?.string == "image/jpeg", "\(added)")
        #expect(
          added["image"]?["width"]?.integer == 100 && added["image"]?["height"]?.integer == 120)
        let whole = try Data(contentsOf: URL(filePath: Self.fixture("phone.heic")))
        try whole.prefix(whole.count - 60).write(to: URL(filePath: photo))
        for (file, words) in [(photo, "damaged"), (Self.fixture("huge.heic"), "16320 × 16320")] {
          let refused = try await home.run("image", "add", file)
          #expect(refused.code == 1 && refused.complaint.contains(words), "\(refused)")
        }
        #expect(try await home.ask("image", "list")["images"]?.array?.count == 1)
      }
    }

    @Test
    func `one picture explains a task, another shows its completion, and both can be removed`()
      async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 second", "--image",
          Self.fixture("glass.webp"))
        let hint = try #require(added["alarm"]?["image"]?.string)
        try await home.ring(1)
        let prompt = try #require(
          try await home.curl("GET", "/v1/prompts?state=current").body["prompts"]?.array?.first)
        #expect(prompt["image"]?.string == hint && prompt["photos"]?.array == [])
        for (path, start) in [
          (hint, [0x89, 0x50, 0x4E, 0x47]), ("\(hint)/thumbnail", [0xFF, 0xD8, 0xFF]),
        ] {
          let file = home.path("fetched")
          let fetched = try await Running(
            "/usr/bin/curl",
            ["-sS", "--unix-socket", home.socket, "-o", file, "http://home/v1/images/\(path)"],
            in: home.directory
          ).finished()
          #expect(fetched.code == 0)
          let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
          #expect(bytes.prefix(start.count).map(Int.init) == start)
        }
        let done = try await home.ask("done", "--photo", Self.fixture("quarters.jpg"))
        let photo = try #require(done["photos"]?.array?.first?.string)
        #expect(done["outcome"]?.string == "completed" && photo != hint)
        let shown = try await home.events("photo_added")
        #expect(shown.count == 1 && shown.first?["prompt_id"] == done["id"])
        #expect(try files(home).count == 4)
        let got = try await home.run(
          "image", "get", String(photo.prefix(8)), home.path("photo.jpg"))
        #expect(got.code == 0, "\(got)")
        #expect(try await home.ask("verify")["ok"]?.bool == true)

        await home.kill()
        try await home.start()
        #expect(try await home.ask("image", "list")["images"]?.array?.count == 2)
        #expect(try await home.run("image", "remove", String(photo.prefix(8))).code == 0)
        let kept = try await home.run("image", "remove", hint)
        #expect(kept.code == 1 && kept.complaint.contains("Take the pills"), "\(kept)")
        #expect(try files(home).allSatisfy { $0.hasPrefix(hint) })
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test
    func `pictures are erased with the words of their person, and those that still ring stay`()
      async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 second", "--image",
          Self.fixture("glass.webp"))
        let hint = try #require(added["alarm"]?["image"]?.string)
        let alarm = try #require(added["alarm"]?["id"]?.string)
        try await home.ring(1)
        let done = try await home.ask("done", "--photo", Self.fixture("quarters.jpg"))
        let photo = try #require(done["photos"]?.array?.first?.string)
        func traces(_ word: String) async throws -> String {
          try await Running(
            "/bin/grep", ["-r", "-l", "-a", word, home.state], in: home.directory
          ).finished().output
        }
        #expect(try await traces(photo) != "")
        let head = try #require(try await home.ask("verify")["code"]?.string)
        _ = try await home.ask("study", "erase", "--person", "patient", "--yes")
        // The erasure removes the photo and all words of the person. It keeps a picture that an
        // existing alarm shows.
        #expect(try files(home).count == 2 && files(home).allSatisfy { $0.hasPrefix(hint) })
        let removed = try await home.events("image_removed")
        #expect(removed.count == 1)
        #expect(try await home.ask("verify", "--head", head)["ok"]?.bool == true)
        _ = try await home.ask("remove", alarm)
        _ = try await home.ask("study", "erase", "--alarm", alarm, "--yes")
        #expect(try files(home) == [])
        for word in [photo, hint] {
          try await home.until("\(word.prefix(8)) is in no file", seconds: 20) {
            try await traces(word) == ""
          }
        }
        #expect(try await home.ask("verify", "--head", head)["ok"]?.bool == true)
        await home.kill()
        try await home.start()
        #expect(try await home.ask("image", "list")["images"]?.array?.count == 0)
        #expect(try await home.ask("verify", "--head", head)["ok"]?.bool == true)
      }
    }

    @Test func `a file that is not a picture is refused with the reason, and no file is left`()
      async throws
    {
      try await TestHome.with { home in
        let standing = try await home.standing()
        let file = home.path("notes.jpg")
        try Data("not a picture".utf8).write(to: URL(filePath: file))
        let refused = try await home.run("image", "add", file)
        #expect(
          refused.code == 1 && refused.complaint.contains("JPEG, PNG, WebP, HEIC or AVIF"),
          "\(refused)")
        let alarm = try await home.run(
          "add", "Tea", "--schedule", "every day 08:00", "--image", file)
        #expect(alarm.code == 1, "\(alarm)")
        let missing = try await home.run("image", "add", home.path("nowhere.png"))
        #expect(missing.code == 2)
        let unknown = try await home.run("image", "get", "0123456789ab", "-")
        #expect(unknown.code == 1, "\(unknown)")
        #expect(try files(home) == [])
        #expect(try await home.standing() == standing)
      }
    }

    @Test func `a start removes pictures that the record does not know`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("image", "add", Self.fixture("quarters.png"))
        let known = try files(home)
        await home.kill()
        let stray = home.path("state/images/\(String(repeating: "ab", count: 32)).picture")
        try Data([1]).write(to: URL(filePath: stray))
        try await home.start()
        #expect(try files(home) == known)
      }
    }

    @Test func `the last task of the day brings the reward, which sounds and is recorded once`()
      async throws
    {
      try await TestHome.with(config: "reward = true\n") { home in
        _ = try await home.ask("add", "Tea", "--schedule", "in 1 second")
        try await home.heard(1)
        _ = try await home.ask("done")
        let reward = try #require(try await home.events("reward").first)
        #expect(reward["payload"]?["heard"]?.bool == true, "\(reward)")
        try await home.until("the tone is heard", seconds: 20) { try home.captured().count == 2 }
        _ = try await home.ask("add", "Cake", "--schedule", "in 1 second")
        try await home.until("the cake rings", seconds: 30) {
          try await home.events("ring_started").count == 2
        }
        _ = try await home.ask("done")
        #expect(try await home.events("reward").count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }
  }
}
