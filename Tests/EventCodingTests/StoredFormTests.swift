import Alarms
import CivilTime
import Foundation
import Glibc
import JSONValue
import SampleEvents
import Testing

@testable import EventCoding

/// Tests the names of the members in stored rows. These names must never change, because the hash
/// chain covers the rows.
@Suite struct `The members of stored events` {
  private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden/stored-events.txt")

  /// If you add a member, write the list of names again with `make golden`. The names that were
  /// already in the list must stay in the list.
  @Test func `they have these names and types, and these may be missing`() throws {
    var rows: [String: Set<String>] = [:]
    for seed in 0..<24 as Range<UInt64> {
      var sampler = EventSampler(seed: seed)
      for event in try sampler.oneOfEach() {
        let stored = StoredEvent(event) { _ in "P" }
        for path in Self.paths(stored.payload) {
          let name = "\(stored.type) payload \(Self.text(path))"
          rows[name, default: []].formUnion(
            Self.verdicts(stored, path, \.payload, Self.type(at: path, stored.payload)))
        }
        for path in Self.paths(stored.content ?? .null) {
          let type = Self.type(at: path, stored.content ?? .null)
          rows["\(stored.type) content \(Self.text(path))", default: []].insert(type)
        }
      }
    }
    let text = rows.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.sorted().joined(separator: ", "))\n" }.joined()
    if getenv("PROMPTER_WRITE_GOLDEN") != nil { try Data(text.utf8).write(to: Self.golden) }
    let expected = try String(contentsOf: Self.golden, encoding: .utf8)
    let changed = Set(text.split(separator: "\n")).symmetricDifference(
      expected.split(separator: "\n"))
    #expect(changed.isEmpty, "\(changed.sorted().joined(separator: "\n"))")
  }

  /// A step of a path: a member of an object, or all elements of a list.
  private enum Place: Hashable {
    case member(String)
    case elements
  }

  /// Returns the paths to all members at any depth. Of each list, the paths contain only the first
  /// element.
  private static func paths(_ json: JSON) -> [[Place]] {
    switch json {
    case .members(let members):
      members.flatMap { member in
        [[.member(member.name)]] + paths(member.value).map { [.member(member.name)] + $0 }
      }
    case .array(let values): (values.first.map(paths) ?? []).map { [.elements] + $0 }
    default: []
    }
  }

  private static func text(_ path: [Place]) -> String {
    path.map {
      switch $0 {
      case .member(let name): name
      case .elements: "[]"
      }
    }.joined(separator: ".")
  }

  private static func type(at path: [Place], _ json: JSON) -> String {
    guard let place = path.first else {
      return switch json {
      case .null: "null"
      case .bool: "Boolean"
      case .integer: "integer"
      case .number: "number"
      case .string: "text"
      case .array: "list"
      case .members: "object"
      }
    }
    let inner: JSON? =
      switch place {
      case .member(let name): json[name]
      case .elements: json.array?.first
      }
    return type(at: Array(path.dropFirst()), inner ?? .null)
  }

  /// Returns the type of the member, and whether the member is required. An event without a
  /// required member cannot be decoded.
  private static func verdicts(
    _ stored: StoredEvent, _ path: [Place], _ part: WritableKeyPath<StoredEvent, JSON>,
    _ type: String
  ) -> [String] {
    var lacking = stored
    lacking[keyPath: part] = removing(path, from: stored[keyPath: part])
    let isRefused = (try? lacking.event { _ in .patient }) == nil
    return [type, isRefused ? "required" : "may be missing"]
  }

  private static func removing(_ path: [Place], from json: JSON) -> JSON {
    guard let place = path.first else { return json }
    let rest = Array(path.dropFirst())
    switch (place, json) {
    case (.member(let name), .members(let members)):
      return .object(
        members.compactMap { member in
          if member.name != name { return (member.name, member.value) }
          return rest.isEmpty ? nil : (name, removing(rest, from: member.value))
        })
    case (.elements, .array(let values)):
      return .array(values.enumerated().map { $0 == 0 ? removing(rest, from: $1) : $1 })
    default: return json
    }
  }
}

@Suite struct `The list of event types` {
  @Test func `contains exactly the types that are recorded`() throws {
    var samples = EventSampler(seed: 1)
    let recorded = Set(try samples.oneOfEach().map(\.type))
    let listed = EventGlossary.types.map(\.type)
    #expect(Set(listed) == recorded && listed.count == recorded.count)
    #expect(Set(EventGlossary.types.map(\.meaning)).count == listed.count)
  }

  @Test func `gives each outcome, reason and cause a meaning of its own`() {
    let lists = [
      Outcome.allCases.map(\.meaning), ReasonCode.allCases.map(\.meaning),
      GapCause.allCases.map(\.meaning),
    ]
    for meanings in lists {
      #expect(Set(meanings).count == meanings.count && !meanings.contains(""))
    }
  }
}
