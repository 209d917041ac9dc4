import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests enrolments with an allocation list of a statistician.
  ///
  /// The list assigns an arm to each pseudonym. The record contains the digest of the list.
  @Suite struct Allocation {
    private func write(_ text: String, to file: String) throws {
      try Data(text.utf8).write(to: URL(filePath: file))
    }

    @Test func `the arm comes from the list, and an export shows each difference from it`()
      async throws
    {
      try await TestHome.with { home in
        let list = home.path("list.csv")
        // The file has a byte order mark, an additional column, and no line feed at its end.
        try write(
          "\u{FEFF}block,participant,arm\r\n1,P-16,quiet\r\n1,P-17,AB\r\n2,P-18,BA", to: list)
        _ = try await home.ask("people", "add", "anna", "--name", "Anna")
        for (arguments, words) in [
          (["--pseudonym", "P-99"], "has no row for \"P-99\""),
          (["--pseudonym", "P-17", "--arm", "BA"], "either --allocation, or --arm"),
        ] {
          let refused = try await home.run(
            ["study", "enrol", "anna", "--allocation", list] + arguments)
          #expect(refused.code == 2 && refused.complaint.contains(words), "\(refused)")
        }
        try await checkRefusal(ofTwoRowsIn: home.path("wrong.csv"), in: home)

        let enrolled = try await home.ask(
          "study", "enrol", "anna", "--pseudonym", "P-17", "--study", "trial", "--allocation", list,
          "--consent", "2.1", "--consent-scope", "photos,this_study")
        let one = try #require(enrolled["participants"]?.array?.first)
        #expect(one["arm"]?.string == "AB")
        #expect(one["consent_scope"]?.array == [.string("this_study"), .string("photos")])
        #expect(one["allocation_sha256"]?.string?.utf8.count == 64)
        // The daemon enrols a second person only with the list that enrolled the first person. It
        // refuses an arm without a list, and it refuses a different list.
        let other = home.path("other.csv")
        try write("participant,arm\nP-18,AB\n", to: other)
        for arguments in [["--arm", "BA"], ["--allocation", other]] {
          let refused = try await home.run(
            ["study", "enrol", "patient", "--pseudonym", "P-18", "--study", "trial"] + arguments)
          #expect(refused.code == 1 && refused.complaint.contains("SHA-256"), "\(refused)")
        }
        _ = await home.stop()
        try await home.start()
        _ = try await home.ask(
          "study", "enrol", "patient", "--pseudonym", "P-18", "--study", "trial", "--allocation",
          list)
        _ = try await home.ask(
          "study", "withdraw", "patient", "--code", "withdrawal_by_subject", "--data-use", "none")

        let export = home.path("export")
        _ = try await home.ask("export", export, "--profile", "limited")
        let good = try await home.run("study", "allocation", list, export)
        #expect(
          good.code == 0 && good.output.contains("2 enrolments compared, 0 people"), "\(good)")
        #expect(good.output.contains("Skipped, because a later row is in use: P-16"), "\(good)")
        let wrong = home.path("wrong.csv")
        try write("participant,arm\nP-17,BA\n", to: wrong)
        let bad = try await home.run("study", "allocation", wrong, export, "--json")
        #expect(bad.code == 1)
        let kinds = try JSON(parsing: Array(bad.output.utf8))["differences"]?.array ?? []
        #expect(
          kinds.map { $0["kind"]?.string } == ["other_arm", "other_list", "not_in_list"]
            || kinds.map { $0["kind"]?.string } == ["not_in_list", "other_arm", "other_list"])
        try await checkReaders(of: export, in: home)
      }
    }

    /// Checks that the enrolment refuses a list with two rows for one person.
    private func checkRefusal(ofTwoRowsIn list: String, in home: TestHome) async throws {
      try write("participant,arm\nP-17,AB\nP-17,BA\n", to: list)
      let refused = try await home.run(
        "study", "enrol", "anna", "--pseudonym", "P-17", "--allocation", list)
      #expect(refused.code == 2 && refused.complaint.contains("rows 2 and 3"), "\(refused)")
    }

    /// Checks that each command that reads an export accepts this export.
    private func checkReaders(of export: String, in home: TestHome) async throws {
      // The output of `report` says which prompts the report leaves out. Like all commands,
      // `report` also accepts `--json` before the name of the command.
      let report = try await home.run("report", export)
      #expect(
        report.code == 0 && report.output.contains("Left out: the prompts of fewer"), "\(report)")
      #expect(try await home.ask("report", export)["page"]?.string == "\(export)/report.html")
      let pooled = try await home.ask("pool", home.path("pool"), export)
      #expect(pooled["directory"]?.string == home.path("pool"))
      let converted = try await home.ask(
        "convert", export, home.path("odm"), "--to", "odm")
      #expect(converted["files"]?.array?.isEmpty == false)
      #expect(try await home.ask("verify")["ok"]?.bool == true)
    }
  }
}
