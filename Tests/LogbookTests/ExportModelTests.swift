import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// The values that an export must contain for a prompt. The test computes the values from the
/// events, without the code of the export.
private struct ModelPrompt: Equatable {
  var plans = 0
  var rings: [Int] = []
  var sounded: Set<Int> = []
  /// Whether the prompt is delivered. A prompt is delivered if a ring was played to its end, or if
  /// a person answered the prompt while a ring sounded.
  var isDelivered = false
  var isSounding = false
  var failed: Set<Int> = []
  var delays = 0
  var firstAnswer = ""
  var outcome = ""
  var reason = ""

  mutating func take(_ event: Event) {
    switch event {
    case .planned: plans += 1
    case .ringIntent(_, let ring, _):
      rings.append(ring.number)
      isSounding = false
    case .ringStarted(_, let number, _, _):
      sounded.insert(number)
      isSounding = true
    case .ringEnded(_, _, _, let frames, _, let stopped):
      if frames > 0, !stopped { isDelivered = true }
      isSounding = false
    case .ringFailed(_, let number, _):
      failed.insert(number)
      isSounding = false
    case .ringUncertain: isSounding = false
    case .acknowledged: answer("acknowledged")
    case .delayed:
      delays += 1
      answer("delayed")
    case .closed(_, let how, let why, _):
      (outcome, reason) = (how.rawValue, why.rawValue)
      if [.completed, .declined].contains(how.kind) { answer(how.eventType) }
    default: break
    }
  }

  private mutating func answer(_ type: String) {
    if firstAnswer.isEmpty { firstAnswer = type }
    if isSounding { isDelivered = true }
    isSounding = false
  }

  /// Clears `isSounding`. No row of prompts.csv says whether a ring sounds now.
  mutating func forgetSound() { isSounding = false }

  /// Reads the values of one prompt from its row in prompts.csv and its rows in rings.csv.
  init(_ row: [String: String], rings all: [[String: String]]) {
    plans = Int(row["plans"] ?? "") ?? -1
    rings = all.compactMap { $0["ring_no"].flatMap { Int($0) } }
    sounded = Set(all.filter { $0["started_utc"] != "" }.compactMap { Int($0["ring_no"] ?? "") })
    failed = Set(all.filter { $0["result"] == "failed" }.compactMap { Int($0["ring_no"] ?? "") })
    delays = Int(row["delays"] ?? "") ?? -1
    firstAnswer = row["first_answer"] ?? "?"
    outcome = row["outcome"] ?? "?"
    reason = row["reason"] ?? "?"
    isDelivered = row["is_delivered"] == "true"
  }

  init() {}
}

@Suite struct `An export against a model` {
  @Test func `random histories with edits, gaps and restarts are exported as their events say`()
    throws
  {
    for seed in 0..<UInt64(soak(4)) {
      let directory = TemporaryDirectory()
      var history = History(seed: 900 + seed)
      var records: [Record] = []
      for part in 0..<5 {
        let logbook = try Logbook.open(directory, seed: seed * 10 + UInt64(part))
        for _ in 0..<40 {
          let (batch, changes) = try history.batch()
          try logbook.record(batch, changes)
          records += batch
        }
        try logbook.close()
      }
      let logbook = try Logbook.open(directory)
      let path = "\(directory.path)/out"
      _ = try logbook.writeExport(to: path, profile: .identified)
      try compare(records, path)
    }
  }

  private func compare(_ records: [Record], _ path: String) throws {
    func rows(_ name: String) -> [[String: String]] { Table("\(path)/\(name).csv").rows }
    var expected: [String: ModelPrompt] = [:]
    for record in records {
      guard let id = record.event.promptID else { continue }
      expected[id.description, default: ModelPrompt()].take(record.event)
    }
    let rings = Dictionary(grouping: rows("rings")) { $0["prompt_id"] ?? "" }
    let found = rows("prompts")
    #expect(Set(found.compactMap { $0["prompt_id"] }) == Set(expected.keys))
    for row in found {
      let id = row["prompt_id"] ?? ""
      var model = try #require(expected[id])
      model.forgetSound()
      #expect(ModelPrompt(row, rings: rings[id] ?? []) == model, "\(id)")
      #expect(row["state"] == (model.outcome.isEmpty ? "open" : "closed"))
      #expect(row["rings_failed"] == String(model.failed.count))
    }
    #expect(rows("events").map { $0["type"] } == records.map(\.event.type))
    let gaps = records.compactMap { record -> Int64? in
      guard case .gap(let from, let to, _) = record.event else { return nil }
      return to.milliseconds - from.milliseconds
    }
    #expect(rows("gaps").compactMap { $0["duration_ms"].flatMap { Int64($0) } } == gaps)
    let versions = records.count { ["alarm_created", "alarm_edited"].contains($0.event.type) }
    #expect(rows("alarms").count == versions)
    #expect(rows("responses").count == records.count { $0.event.type == "response" })
    #expect(rows("participants").count == records.count { $0.event.type == "enrolled" })
  }
}
