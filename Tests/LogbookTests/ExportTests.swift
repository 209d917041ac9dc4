import Alarms
import CivilTime
import GRDB
import Glibc
import JSONValue
import MessageDigest
import StudyExport
import Testing

@testable import Logbook

@Suite struct `Exporting` {
  private let directory = TemporaryDirectory()

  /// Makes a record with a history in which every text starts with `word`.
  private func logbook(seed: UInt64, word: String, batches: Int = 150) throws -> Logbook {
    let logbook = try Logbook.open(directory)
    var history = History(seed: seed)
    history.word = word
    try history.playAtOnce(batches, into: logbook)
    try history.notify(into: logbook)
    return logbook
  }

  private func export(
    _ logbook: Logbook, _ profile: ExportProfile, _ name: String = "out",
    layout: ExportLayout = .frictionless
  ) throws -> (path: String, summary: ExportSummary) {
    let path = "\(directory.path)/\(name)"
    return (path, try logbook.writeExport(to: path, profile: profile, layout: layout))
  }

  private func text(_ path: String) -> String {
    TemporaryDirectory.list(path).map { String(decoding: readFile("\(path)/\($0)"), as: UTF8.self) }
      .joined(separator: "\n")
  }

  @Test func `safe harbor holds no typed word, no date, no zone, no user and no hash`() throws {
    let logbook = try logbook(seed: 4, word: "CANARY", batches: 900)
    let planted = try logbook.pool.read { db in
      try String.fetchAll(db, sql: "SELECT body FROM contents").joined()
        .split(separator: "CANARY").count
    }
    #expect(planted > 1_000)
    var safe = ""
    for layout in ExportLayout.allCases {
      let path = "\(directory.path)/\(layout)"
      _ = try logbook.writeExport(to: path, profile: .safeHarbor, layout: layout)
      // The test removes the examples of the codebook from the export. The examples contain no data
      // of a person, but can contain a word of the list below.
      unlink("\(path)/codebook.csv")
      unlink("\(path)/datapackage.json")
      safe += text(path)
    }
    for secret in [
      "CANARY", "Europe", "Berlin", "uid:1000", "2026-1", "20301231", "0f1e2d3c", "k3v9zz", "2026c",
      try logbook.events(after: 0, limit: 1)[0].eventID,
    ] {
      let isFound = safe.contains(secret)
      #expect(!isFound, "\(secret)")
    }
    // The first pattern matches times in milliseconds since 1970. The second pattern matches the
    // digests that the test invents. Patterns with fewer digits could match by chance.
    #expect(safe.firstMatch(of: /\b17960\d{8}\b|[\x22,]cd\d{1,4}\b/)?.output == nil)
    // An export with the profile `identified` contains the same words. This shows that the check
    // can fail.
    let identified = text(try export(logbook, .identified, "identified").path)
    #expect(identified.split(separator: "CANARY").count > planted)
  }

  @Test func `limited holds dates and pseudonyms and no typed word`() throws {
    let logbook = try logbook(seed: 2, word: "CANARY")
    let limited = text(try export(logbook, .limited).path)
    #expect(!limited.contains("CANARY"))
    #expect(limited.contains("Europe/Berlin") && limited.contains("2026-1"))
  }

  @Test(arguments: ExportProfile.allCases)
  func `the same record gives the same bytes`(profile: ExportProfile) throws {
    let logbook = try logbook(seed: 3, word: "pills")
    let first = try ExportLayout.allCases.map {
      try export(logbook, profile, "first-\($0)", layout: $0)
    }
    #expect(Table("\(first[0].path)/diary.csv").rows.count > 3)
    try logbook.close()
    let again = try Logbook.open(directory, seed: 9)
    for (layout, first) in zip(ExportLayout.allCases, first) {
      let second = try export(again, profile, "second-\(layout)", layout: layout)
      #expect(first.summary == second.summary)
      let isEqual = text(first.path) == text(second.path)
      #expect(isEqual, "\(layout)")
      #expect(first.summary.headHash == again.head.hash)
      #expect(first.summary.throughSequence == again.head.sequence)
    }
  }

  @Test(arguments: ExportProfile.allCases)
  func `the manifest names every file with its digest, size and rows`(
    profile: ExportProfile
  ) throws {
    let logbook = try logbook(seed: 4, word: "a, \"b\"\n=c")
    let (path, summary) = try export(logbook, profile)
    let names = TemporaryDirectory.list(path)
    #expect(summary.files.map(\.name).sorted() == names)
    let manifest = try JSON(parsing: readFile("\(path)/MANIFEST.json"))
    #expect(
      manifest["head"]?["hash"]?.string == (profile == .safeHarbor ? nil : logbook.head.hash))
    #expect(manifest["files"]?.array?.count == names.count - 1)
    for file in summary.files {
      let bytes = readFile("\(path)/\(file.name)")
      #expect(file.bytes == bytes.count)
      #expect(file.sha256 == SHA256Digest.hex(bytes), "\(file.name)")
      if let rows = file.rows { #expect(Table(bytes: bytes).rows.count == rows, "\(file.name)") }
    }
    #expect(summary.manifestSHA256 == summary.files.last?.sha256)
  }

  @Test(arguments: ExportProfile.allCases)
  func `every row has the columns of the codebook`(profile: ExportProfile) throws {
    let logbook = try logbook(seed: 5, word: "=1,\n\"2\"")
    let (path, _) = try export(logbook, profile)
    let codebook = Table("\(path)/codebook.csv").rows
    for table in ExportLayout.frictionless.tables {
      let found = Table("\(path)/\(table.name).csv")
      let described = codebook.filter { $0["file"] == "\(table.name).csv" }
      #expect(described.map { $0["column"] } == found.header, "\(table.name)")
      for row in found.rows {
        #expect(row.count == found.header.count)
        for field in described where field["empty_when"] == "" {
          #expect(row[field["column"]!] != "", "\(table.name).\(field["column"]!)")
        }
        for field in described where field["values"] != "" {
          let value = row[field["column"]!]!
          let known = field["values"]!.split(separator: "|").contains { $0 == value }
          #expect(value == "" || known, "\(field): \(value)")
        }
      }
    }
  }

  @Test func `all tables of an export use the same names, and no other export uses them`() throws {
    let logbook = try logbook(seed: 6, word: "pills")
    let (path, _) = try export(logbook, .safeHarbor)
    func names(_ file: String, _ column: String) -> Set<String> {
      Set(Table("\(path)/\(file).csv").rows.compactMap { $0[column] }.filter { $0 != "" })
    }
    let prompts = names("prompts", "prompt_id")
    #expect(prompts.count == Table("\(path)/prompts.csv").rows.count)
    #expect(prompts == names("events", "prompt_id"))
    #expect(names("rings", "prompt_id").isSubset(of: prompts))
    #expect(names("prompts", "alarm_id").isSubset(of: names("alarms", "alarm_id")))
    for name in prompts { #expect(name.wholeMatch(of: /p-[0-9a-f]{20}/) != nil) }

    let other = TemporaryDirectory()
    let elsewhere = try Logbook.open(other, seed: 44)
    var history = History(seed: 6)
    try history.playAtOnce(300, into: elsewhere)
    _ = try elsewhere.writeExport(to: other.path + "/out", profile: .safeHarbor)
    let otherPrompts = Table("\(other.path)/out/prompts.csv").rows.compactMap { $0["prompt_id"] }
    #expect(prompts.isDisjoint(with: otherPrompts))
  }

  @Test func `after a rekey no export or listing contains an earlier name`() throws {
    let logbook = try logbook(seed: 7, word: "pills")
    let stored = Set(try logbook.events(after: 0, limit: .max).flatMap { [$0.person, $0.device] })
      .compactMap { $0 }
    #expect(stored.count > 1)
    func all(_ name: String) throws -> String {
      var found = ""
      for (layout, profile) in ExportLayout.allCases.flatMap({ layout in
        ExportProfile.allCases.map { (layout, $0) }
      }) {
        let path = "\(directory.path)/\(name)-\(layout)-\(profile)"
        _ = try logbook.writeExport(to: path, profile: profile, layout: layout)
        // The test removes the examples of the codebook. The examples contain no data of a person.
        for file in ["codebook.csv", "datapackage.json"] { unlink("\(path)/\(file)") }
        found += text(path)
      }
      return found + (try logbook.listedEvents(after: 0, limit: .max)).map { "\($0.json)" }.joined()
    }
    func names(_ text: String) -> Set<Substring> {
      Set(text.matches(of: /\b[PD]-[0-9a-hjkmnp-tv-z]{8}\b/).map(\.output))
    }
    func opaque(_ export: String) -> Set<String> {
      Set(
        Table("\(directory.path)/\(export)-frictionless-safeHarbor/prompts.csv").rows
          .compactMap { $0["prompt_id"] })
    }
    let before = names(try all("before"))
    // An export with the profile safe_harbor contains pseudonyms that are not in the record. For
    // this reason, `before` contains more pseudonyms than the record.
    #expect(before.isStrictSuperset(of: Set(stored.map { $0[...] })))
    var history = History(seed: 99)
    var seen = before
    var hidden = opaque("before")
    for round in 1...2 {
      try logbook.record([history.record(.rekeyed)], StateDelta())
      let after = names(try all("after\(round)"))
      #expect(after.count == before.count && after.isDisjoint(with: seen))
      #expect(opaque("after\(round)").isDisjoint(with: hidden))
      seen.formUnion(after)
      hidden.formUnion(opaque("after\(round)"))
      let prompts = Table("\(directory.path)/after\(round)-frictionless-limited/prompts.csv").rows
      let people = Set(prompts.compactMap { $0["person"] }).subtracting([""])
      #expect(!people.isEmpty && people.isSubset(of: Set(after.map { String($0) })))
    }
    #expect(try logbook.verify().isOK)
    // The event of the rekey contains no part of the new key.
    let row = try #require(try logbook.events(after: logbook.head.sequence - 1, limit: 1).first)
    #expect(row.type == "pseudonyms_rekeyed" && row.payload == "{}" && row.payloadDigest == nil)
  }

  @Test func `a clock that starts in 1970 does not reveal the date of today`() throws {
    let logbook = try Logbook.open(directory)
    func record(_ event: Event, _ milliseconds: Int64, _ state: ClockState) -> Alarms.Record {
      Alarms.Record(
        event: event, actor: .daemon("clock"),
        reading: ClockReading(
          wall: Instant(milliseconds: milliseconds), bootNanoseconds: 5_000_000, bootID: "b",
          clockState: state), person: nil, alarmVersion: nil, zoneName: "Europe/Berlin",
        utcOffsetSeconds: 3600, tzdataVersion: "2026c")
    }
    let today: Int64 = 1_796_000_000_000
    try logbook.record(
      [
        record(.serviceStarted(version: "1"), 7_000, .unset),
        record(.clockStep(milliseconds: today - 7_000), today, .synced),
        record(
          .gap(from: Instant(milliseconds: 7_000), to: Instant(milliseconds: today), cause: .crash),
          today, .synced),
        record(.clockSync(gained: true), today + 86_400_000, .synced),
      ], StateDelta())
    let (path, _) = try export(logbook, .safeHarbor)
    let events = Table("\(path)/events.csv").rows
    #expect(events.map { $0["recorded_day"] } == ["", "1", "1", "2"])
    #expect(events[1]["payload"] == "{}")
    let gap = try #require(Table("\(path)/gaps.csv").rows.first)
    #expect(gap["from_day"] == "" && gap["to_day"] == "1" && gap["duration_ms"] == "")
    #expect(!text(path).contains("1796"))
  }

  @Test func `a directory that is not empty is refused and left alone`() throws {
    let logbook = try logbook(seed: 7, word: "pills", batches: 10)
    let (path, _) = try export(logbook, .limited)
    let before = text(path)
    #expect(throws: LogbookError.self) { try logbook.writeExport(to: path, profile: .limited) }
    #expect(text(path) == before)
  }

  @Test func `a path that cannot be written is named, and no file is left there`() throws {
    let logbook = try logbook(seed: 7, word: "pills", batches: 10)
    let error = #expect(throws: LogbookError.self) {
      try logbook.writeExport(to: "\(directory.path)/no/such/place", profile: .limited)
    }
    #expect(error?.description.contains("no/such/place") == true)
    #expect(error?.kind == "unwritable")
  }

  @Test func `an empty record can be exported`() throws {
    let logbook = try Logbook.open(directory)
    let (path, summary) = try export(logbook, .safeHarbor)
    #expect(summary.throughSequence == 0)
    #expect(Table("\(path)/prompts.csv").rows.isEmpty)
  }

  @Test(.enabled(if: run("python3 --version").status == 0), arguments: [5, 6])
  func `another program can compute the hash chain`(seed: UInt64) throws {
    let logbook = try logbook(seed: seed, word: "=1+1, \"ü\"\n-\t'")
    let script = "\(fixtures)/verify_chain.py"
    let expected = "ok \(logbook.head.sequence) \(logbook.head.hash)\n"
    for profile in [ExportProfile.identified, .limited] {
      let (path, _) = try export(logbook, profile, profile.rawValue)
      #expect(run("python3 \(script) \(path)/events.csv").output == expected)
    }
    #expect(run("python3 \(script) \(directory.record)").output == expected)
    #expect(run("python3 \(script) \(directory.record) \(EventRow.genesis)").status != 0)
    try logbook.close()
    try tamper(directory.record) { db in
      try db.execute(sql: "UPDATE events SET utc_offset_s = 7200 WHERE seq = 9")
    }
    let found = run("python3 \(script) \(directory.record)")
    #expect(found.status != 0)
    #expect(found.output == "row 9 is missing or was changed after it was written\n")
  }
}

extension History {
  /// Records notifications of contacts whose names are typed texts, and diary entries of care
  /// partners.
  fileprivate mutating func notify(into logbook: Logbook) throws {
    let prompts = replay.prompts.keys.sorted().prefix(5)
    var records: [Alarms.Record] = []
    for (index, prompt) in prompts.enumerated() {
      let contact = text()
      let reason = text()
      records += [
        record(.escalated(prompt, position: 0, contact: contact, reason: .noAnswer)),
        record(
          .notificationFailed(
            prompt, position: 0, contact: contact, attempt: 1, isLast: false, reason: reason)),
        record(.notified(prompt, position: 0, contact: contact, attempt: 2)),
      ]
      let day = CivilDate(dayNumber: 20_786 + index)
      for (number, subject) in [DiaryEntry.Subject.day(day), .day(day), .prompt(prompt)]
        .enumerated()
      {
        let entry = DiaryEntry(
          person: .patient, subject: subject, completion: index % 4, burden: index, note: text(),
          number: number % 2 + 1)
        records.append(record(.diary(entry)))
      }
    }
    var changes = changes(by: records)
    for prompt in prompts { changes.prompts[prompt] = replay.prompts[prompt] }
    try logbook.record(records, changes)
  }
}
