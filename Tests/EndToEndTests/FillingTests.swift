import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests a home in which one user fills all stores: alarms, recordings and pictures.
  ///
  /// Only root can run this suite, because the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct Filling {
    private static let anna = "65533", patient = "65532"
    private static let config = """
      [roles]
      caretaker = ["\(anna)"]
      patient = ["\(patient)"]
      [limits]
      alarms = 8
      tones = 8
      images = 8
      """

    private static func fixture(_ name: String) -> String {
      TestHome.fixtures.appending(path: name).path(percentEncoded: false)
    }

    private func files(_ home: TestHome, _ directory: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.path("state/\(directory)")).sorted()
    }

    private func upload(
      _ home: TestHome, as uid: String, _ method: String, _ path: String, _ fixture: String
    ) async throws -> String {
      let file = home.path("upload-\(uid)")
      try? FileManager.default.removeItem(atPath: file)
      try FileManager.default.copyItem(atPath: Self.fixture(fixture), toPath: file)
      #expect(chmod(file, 0o644) == 0)
      return try await home.curl(as: uid, method, path, body: "@\(file)").status
    }

    @Test
    func `a full home leaves other users their ordinary share, before and after a start`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        let voice = Self.fixture("sound/warble.flac")
        for number in 0..<4 { _ = try await home.ask("tone", "add", "t\(number)", voice) }
        let stored = try files(home, "tones")
        // This recording is not in the home yet. If the daemon stored this recording, the list of
        // files would change.
        let refused = try await home.run("tone", "add", "t4", Self.fixture("sound/warble.opus"))
        #expect(refused.code == 1 && refused.complaint.contains("4 recordings"), "\(refused)")
        #expect(try files(home, "tones") == stored)
        for number in 0..<8 {
          _ = try await home.ask("add", "Alarm \(number)", "--schedule", "every day 08:00")
        }
        #expect(try await home.run("add", "One more", "--schedule", "every day 08:00").code == 1)
        for picture in ["quarters.jpg", "quarters.png", "glass.png", "glass.webp"] {
          let body = "@" + Self.fixture("image/\(picture)")
          #expect(try await home.curl("POST", "/v1/images", body: body).status == 201)
        }
        for start in 0..<2 {
          let tone = "/v1/tones/anna?replace=yes"
          #expect(try await upload(home, as: Self.anna, "PUT", tone, "sound/warble.mp3") == "201")
          let photo = "image/quarters.webp"
          #expect(
            try await upload(home, as: Self.patient, "POST", "/v1/images", photo) == "201")
          let added = try await home.curl(
            as: Self.anna, "POST", "/v1/alarms",
            body: #"{"label":"Annas","schedule":"in 1 second","tone":"anna","rings":1}"#)
          #expect(added.status == "201", "\(added)")
          try await home.until("it has rung", seconds: 30) {
            try await home.events("ring_ended").count == start + 1
          }
          let done = try await home.curl(
            as: Self.patient, "POST", "/v1/prompts/current/complete", body: "{}")
          #expect(done.status == "200", "\(done)")
          let id = try JSON(parsing: Array(added.text.utf8))["alarm"]?["id"]?.string ?? ""
          #expect(try await home.curl(as: Self.anna, "DELETE", "/v1/alarms/\(id)").status == "200")
          await home.kill()
          try await home.start(config: Self.config)
        }
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a start and a replacement delete unneeded files and no others`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("tone", "add", "dad", Self.fixture("sound/warble.flac"))
        let first = try files(home, "tones")
        let voice = Self.fixture("sound/warble.mp3")
        let taken = try await home.run("tone", "add", "Dad", voice)
        #expect(taken.code == 1 && taken.complaint.contains("already a recording"), "\(taken)")
        #expect(try files(home, "tones") == first)
        _ = try await home.ask("tone", "add", "Dad", voice, "--replace")
        let second = try files(home, "tones")
        #expect(first.count == 1 && second.count == 1 && first != second)
        let picture = "@" + Self.fixture("image/quarters.jpg")
        #expect(try await home.curl("POST", "/v1/images", body: picture).status == 201)
        let pictures = try files(home, "images")
        await home.kill()
        let digest = String(repeating: "ab", count: 32)
        for name in [
          "tones/\(digest).wav", "tones/\(digest).wav.77.new", "images/\(digest).picture",
          "images/\(digest).thumbnail.picture", "images/\(digest).picture.5.new",
        ] {
          try Data([1]).write(to: URL(filePath: home.path("state/\(name)")))
        }
        try await home.start()
        try await home.until("only what is needed is there", seconds: 20) {
          try files(home, "tones") == second && files(home, "images") == pictures
        }
        _ = try await home.ask("tone", "remove", "dad")
        #expect(try files(home, "tones") == [])
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `after a recovery no file is deleted that the recovered record may not know`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("tone", "add", "dad", Self.fixture("sound/warble.flac"))
        await home.kill()
        let digest = String(repeating: "ab", count: 32)
        try Data([1]).write(to: URL(filePath: home.path("state/tones/\(digest).wav")))
        // A recovery moves a damaged record into a directory with this name. The directory stays
        // until a person removes it. While the directory exists, the daemon removes no unused file,
        // because the recovered record may lack rows about files.
        let aside = home.path("state/damaged-1")
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
        try await home.start()
        // When the first ring sounds, the daemon has finished the clean-up of its start.
        _ = try await home.ask("add", "Pills", "--schedule", "in 1 second", "--rings", "1")
        try await home.ring(1)
        #expect(try files(home, "tones").contains("\(digest).wav"))
      }
    }
  }
}
