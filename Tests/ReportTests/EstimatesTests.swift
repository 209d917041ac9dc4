import StudyExport
import Testing

@testable import Report

@Suite struct `The estimates of a trial` {
  /// Returns the row of a prompt. The prompt is due on day `period` of December 2026, `minute`
  /// minutes after midnight.
  private static func row(
    _ person: String, _ phase: String, period: Int, _ minute: Int, _ outcome: String,
    study: String = "t"
  ) -> String {
    let time =
      "2026-12-0\(period)T0\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00.000"
    let answer = outcome.hasPrefix("completed") ? "completed" : ""
    let isDelivered = outcome == "missed_device_off" ? "false" : "true"
    return
      "\(person)\(phase)\(period)\(minute),\(study),\(person),\(phase),\(time),\(time)Z,\(outcome),\(isDelivered),\(answer)\n"
  }

  private func study(_ rows: String, participants: String = "") throws -> Study {
    var study = Study()
    let header =
      "prompt_id,study_id,person,phase,due_local,due_utc,outcome,is_delivered,first_answer\n"
    for (file, text) in [
      ("prompts.csv", header + rows),
      ("participants.csv", "person,study_id,arm\n" + participants),
    ] {
      var reader = CSVTableReader()
      try reader.feed(Array(text.utf8)) { study.add($0, of: file) }
    }
    return study
  }

  private func find(
    _ name: String, _ group: String, _ analysis: AnalysisSet = .main, in estimates: Estimates
  ) throws -> EstimateRow {
    try #require(
      estimates.rows.first {
        $0.name == name && $0.group == group && $0.analysis == analysis.rawValue
      })
  }

  /// For each child, the number of dry nights of 14 with the drug, and of 14 with the placebo.
  /// Source: Hills and Armitage, Br J Clin Pharmacol 1979;8:7–20.
  private static let drugFirst = [
    (8, 5), (14, 10), (8, 0), (9, 7), (11, 6), (3, 5), (6, 0), (0, 0), (13, 12), (10, 2), (7, 5),
    (13, 13), (8, 10), (7, 7), (9, 0), (10, 6), (2, 2),
  ]
  private static let placeboFirst = [
    (12, 11), (6, 8), (13, 9), (8, 8), (8, 9), (4, 8), (8, 14), (2, 4), (8, 13), (9, 7), (7, 10),
    (7, 6),
  ]

  @Test func `the trial of Hills and Armitage gives the published results`() throws {
    var rows = ""
    for (index, nights) in (Self.drugFirst + Self.placeboFirst).enumerated() {
      let isDrugFirst = index < Self.drugFirst.count
      for (period, dry) in [(1, nights.0), (2, nights.1)] {
        let phase = (period == 1) == isDrugFirst ? "prompted" : "control"
        for night in 0..<14 {
          rows += Self.row(
            "P-\(index)", phase, period: period, night,
            night < dry ? "completed" : "missed_no_response")
        }
      }
    }
    let estimates = try study(rows).estimates
    // In nights, the results are: effect 2.037 (0.767 to 3.307), t = 3.29; period effect t = 1.27;
    // carry-over t = −1.30. The numbers below are the results of R's t.test, as a share of 14
    // nights.
    for (name, group, numbers) in [
      (
        "treatment_effect", "prompted - control", ["14.55", "4.42", "5.48", "23.61", "27.0"]
      ),
      ("period_effect", "first - second", ["5.62", "4.42", "-3.45", "14.69", "27.0"]),
      ("carry_over", "AB - BA", ["-22.65", "17.43", "-58.42", "13.11", "27.0"]),
      (
        "paired_difference", "prompted - control", ["15.52", "4.40", "6.50", "24.53", "28.0"]
      ),
    ] {
      let row = try find(name, group, in: estimates)
      #expect(row.numbers == numbers && row.people == 29 && row.prompts == 812, "\(row)")
    }
    let effect = Estimator.twoSamples(
      Self.drugFirst.map { Double($0.0 - $0.1) }, Self.placeboFirst.map { Double($0.0 - $0.1) },
      factor: 0.5)
    #expect(abs(effect.value / (effect.error ?? 0) - 3.2925) < 0.0001)
    #expect(abs((effect.interval?.low ?? 0) - 0.7675) < 0.0001)
    #expect(abs((effect.interval?.high ?? 0) - 3.3060) < 0.0001)
  }

  @Test func `only prompts of enrolled people with a due time in a phase count`() throws {
    var rows = ""
    for person in ["P-a", "P-b"] {
      rows += Self.row(person, "prompted", period: 1, 0, "completed")
      rows += Self.row(person, "prompted", period: 1, 1, "missed_no_response")
      rows += Self.row(person, "control", period: 2, 0, "suppressed_control_phase")
    }
    let counted = try study(rows).estimates
    let other = try study(
      rows + Self.row("P-c", "prompted", period: 1, 0, "completed", study: "")
        + Self.row("", "prompted", period: 1, 0, "completed")
        + Self.row("P-a", "", period: 3, 0, "missed_no_response")
        + Self.row("P-a", "wash-out", period: 4, 0, "missed_no_response")
        + Self.row("P-a", "prompted", period: 1, 5, "cancelled_before_due")
    ).estimates
    #expect(counted.rows == other.rows)
    #expect(
      try find("share_pooled", "prompted", in: counted).numbers == [
        "50.00", "0.00", "50.00", "50.00", "1.0",
      ])
    #expect(try study("").estimates.csv() == Estimates.header + "\n")
  }

  @Test func `a prompt that was not delivered is left out, a failure, or missing`() throws {
    var rows = Self.row("P-a", "prompted", period: 1, 0, "completed")
    rows += Self.row("P-a", "prompted", period: 1, 1, "missed_device_off")
    rows += Self.row("P-a", "prompted", period: 1, 2, "missed_no_response")
    rows += "x,t,P-a,prompted,,2026-12-01T03:00:00.000Z,missed_no_response,false,\n"
    let estimates = try study(rows).estimates
    let shares = try AnalysisSet.allCases.map {
      try find("share_pooled", "prompted", $0, in: estimates)
    }
    #expect(shares.map { $0.numbers[0] } == ["33.33", "25.00", "50.00"])
    #expect(shares.map(\.prompts) == [3, 4, 2])
  }

  @Test func `people with one phase are compared by arm, and by phase without arms`() throws {
    var rows = ""
    for (index, done) in [1, 2, 3, 4, 3, 4].enumerated() {
      for minute in 0..<4 {
        rows += Self.row(
          "P-\(index)", index < 3 ? "prompted" : "control", period: 1, minute,
          minute < done ? "completed" : "missed_no_response")
      }
    }
    // With prompts, the people complete 25, 50 and 75 percent. In the control phase, they complete
    // 100, 75 and 100 percent. In R, the Welch test and vcovCL of sandwich give the same numbers.
    let phases = try study(rows).estimates
    #expect(
      try find("arm_difference", "prompted - control", in: phases).numbers == [
        "-41.67", "16.67", "-92.88", "9.55", "3.2",
      ])
    #expect(
      try find("arm_difference_pooled", "prompted - control", in: phases).numbers == [
        "-41.67", "15.24", "-83.99", "0.65", "4.0",
      ])
    let arms = try study(
      rows, participants: "P-0,t,X\nP-1,t,Y\nP-2,t,X\nP-3,t,Y\nP-4,t,AB\nP-5,u,X\nP-5,t,X\n"
    ).estimates
    let row = try find("arm_difference", "Y - X", in: arms)
    #expect(row.people == 5 && row.numbers[0] == "8.33")
    #expect(!arms.rows.contains { $0.group == "prompted - control" })
  }

  @Test func `a person with more than two periods has no period effect`() throws {
    var rows = ""
    for (person, order) in [
      ("P-a", ["prompted", "control", "prompted"]), ("P-b", ["prompted", "control"]),
      ("P-c", ["control", "prompted"]),
    ] {
      for (index, phase) in order.enumerated() {
        rows += Self.row(person, phase, period: index + 1, 0, "completed")
      }
    }
    let estimates = try study(rows).estimates
    #expect(try find("paired_difference", "prompted - control", in: estimates).people == 3)
    #expect(try find("carry_over", "AB - BA", in: estimates).people == 2)
  }

  @Test func `numbers are rounded half away from zero, and small rows can be left empty`() throws {
    for (value, text) in [
      (12.345, "12.35"), (-12.345, "-12.35"), (12.344999999, "12.35"), (0.004, "0.00"),
      (-0.004, "0.00"), (-0.005, "-0.01"), (100, "100.00"), (99.996, "100.00"), (7.05, "7.05"),
    ] {
      #expect(EstimateRow.text(value, decimals: 2) == text)
    }
    #expect(EstimateRow.text(3.25, decimals: 1) == "3.3")
    let estimates = try study(Self.row("P-a", "prompted", period: 1, 0, "completed")).estimates
    #expect(
      estimates.csv().contains("\nmain,share_mean,prompted,1,1,100.00,,,,,t,true\n"))
    #expect(
      estimates.csv(suppressesSmall: true).contains("\nmain,share_mean,prompted,,,,,,,,t,true\n"))
    #expect(
      Estimates.header == ExportTable.estimates.columns.map(\.name).joined(separator: ","))
  }

  @Test(arguments: [
    (1, 12.7062047362), (1.5, 6.01666310443), (2, 4.30265272975), (2.37, 3.7189208398),
    (3, 3.18244630528), (4.9, 2.58644129562), (5, 2.57058183564), (7, 2.36462425159),
    (10, 2.22813885199), (15.25, 2.12841025052), (20, 2.08596344727), (27, 2.05183051648),
    (30, 2.0422724563), (50, 2.0085591121), (99.99, 1.98397394826), (120, 1.97993040508),
    (500, 1.96471983747), (1_000, 1.96233908083), (12_345, 1.9601561676), (1e5, 1.95998770753),
  ])
  func `the quantile of t is the quantile of R`(degrees: Double, quantile: Double) {
    #expect(abs(TDistribution.factor95(degrees: degrees) / quantile - 1) < 3e-11)
  }

  @Test func `a person who withdrew and allows no use of the data does not count`() throws {
    var rows = ""
    for person in ["P-1", "P-2"] {
      for minute in 0..<4 { rows += Self.row(person, "prompted", period: 1, minute, "completed") }
      rows += Self.row(person, "prompted", period: 2, 0, "missed_no_response", study: "other")
    }
    func study(_ uses: [String], _ selection: Study.Selection) throws -> Study {
      var study = Study()
      let participants = "person,study_id,arm,data_use\n" + uses.joined(separator: "\n") + "\n"
      let header =
        "prompt_id,study_id,person,phase,due_local,due_utc,outcome,is_delivered,first_answer\n"
      for (file, text) in [("prompts.csv", header + rows), ("participants.csv", participants)] {
        var reader = CSVTableReader()
        try reader.feed(Array(text.utf8)) { study.add($0, of: file) }
      }
      try study.select(selection)
      return study
    }
    func people(_ study: Study) -> Set<String> { Set(study.prompts.map(\.person)) }
    let barred = try study(["P-1,t,,until_withdrawal", "P-2,t,,none"], .study("t"))
    #expect(people(barred) == ["P-1"] && barred.prompts.count == 4)
    #expect(
      barred.selection
        == "Counted: 4 prompts of the study t. Not counted: 2 other prompts. Left out: the prompts "
        + "of fewer than 5 people who withdrew and do not allow the study to use their data.")
    // The prompts of P-2 in a different study stay.
    let everybody = try study(["P-2,t,,none"], .everybody)
    #expect(everybody.prompts.count == 6 && people(everybody) == ["P-1", "P-2"])
    #expect(try study(["P-2,other,,none"], .study("t")).prompts.count == 8)
    // P-2 has a second enrolment in the same study, and this enrolment does not forbid the use of
    // the data. The prompts of P-2 still do not count.
    #expect(people(try study(["P-2,t,,none", "P-2,t,,"], .study("t"))) == ["P-1"])
    let nobody = try study(["P-1,t,,none", "P-2,t,,none"], .study("t"))
    #expect(nobody.prompts.isEmpty && nobody.estimates.rows.isEmpty)
    let many = try study((1...5).map { "P-\($0),t,,none" }, .study("t"))
    #expect(many.selection.contains("the prompts of 5 people"))
    #expect(nobody.summary.row("prompts")?.n == 0)
  }
}
