import Alarms
import CivilTime
import EventCoding
import JSONValue
import SampleEvents
import Testing

@testable import StudyExport

@Suite struct `The codebook` {
  @Test(arguments: ExportLayout.allCases)
  func `every column has a description, and no two columns have the same name`(layout: ExportLayout)
  {
    for table in layout.tables {
      for profile in ExportProfile.allCases {
        let fields = table.fields(profile)
        #expect(Set(fields.map(\.name)).count == fields.count, "\(table.name)")
        for field in fields {
          #expect(!field.meaning.isEmpty, "\(table.name).\(field.name)")
          let isAlwaysEmpty = field.emptyWhen?.hasPrefix("always") == true
          #expect(isAlwaysEmpty || !field.example.isEmpty, "\(table.name).\(field.name)")
          if field.choices.isEmpty == false {
            #expect(field.choices.contains(field.example), "\(table.name).\(field.name)")
          }
        }
        let names = Set(fields.map(\.name))
        #expect(table.primaryKey.allSatisfy(names.contains), "\(table.name)")
      }
    }
  }

  @Test(arguments: ExportLayout.allCases)
  func `its examples in safe harbor are dates from 2000-01-01 on, as the values are`(
    layout: ExportLayout
  ) {
    for table in layout.tables {
      for column in table.columns {
        let examples = column.fields(.safeHarbor).map(\.example)
        #expect(examples.allSatisfy { !$0.contains("2026") }, "\(table.name).\(column.name)")
        switch column.kind {
        case .localText: #expect(examples == ["2000-01-03 08:00:00"])
        case .localDate: #expect(examples == ["2000-01-03"])
        case .localSeconds:
          // The example is the local time 08:00 on study day 3, in seconds since 1970.
          let seconds = (ExportEncoder.pretendedFirstDay + 2) * 86_400 + 8 * 3_600
          #expect(examples == ["\(seconds)"])
        default: break
        }
      }
    }
  }

  @Test func `it names every type of event once`() throws {
    let known = EventGlossary.types.map(\.type)
    #expect(Set(known).count == known.count)
    var samples = EventSampler(seed: 1)
    for event in try samples.oneOfEach() { #expect(known.contains(event.type), "\(event.type)") }
  }
}

@Suite struct `The members of payloads in the codebook` {
  /// Returns the members of the payloads of many events of every type.
  private static func samples() throws -> [(type: String, member: JSON.Member)] {
    try (0..<200 as Range<UInt64>).flatMap { seed in
      var sampler = EventSampler(seed: seed)
      let events = try sampler.oneOfEach()
      return (events + events.compactMap(rarer)).flatMap {
        event -> [(type: String, member: JSON.Member)] in
        guard case .members(let all) = StoredEvent(event, pseudonym: \.text).payload else {
          return []
        }
        return all.map { (event.type, $0) }
      }
    }
  }

  /// Returns a copy of an event with rare members.
  ///
  /// Only few events of the same type have these members.
  ///
  /// - Returns: nil if this function knows no rare members for the type.
  private static func rarer(_ event: Event) -> Event? {
    switch event {
    case .alarmCreated(var alarm):
      alarm.isAnnouncement = true
      alarm.message = .heard
      return .alarmCreated(alarm)
    case .planned(var prompt):
      prompt.alsoNominal = [CivilDateTime(localSeconds: 0)]
      return .planned(prompt)
    default: return nil
    }
  }

  private static func kind(of value: JSON) -> PayloadMember.Kind? {
    switch value {
    case .null: nil
    case .integer: .integer
    case .number: .number
    case .bool: .boolean
    case .string: .string
    case .array: .array
    case .members: .object
    }
  }

  @Test func `they describe every member of every type of event, with its type and its words`()
    throws
  {
    var faults: Set<String> = []
    var seen: Set<String> = []
    for (type, member) in try Self.samples() {
      let name = "\(type).\(member.name)"
      guard let described = PayloadMember.all.first(where: { $0.name == member.name }) else {
        faults.insert("\(name) is not described")
        continue
      }
      seen.insert(member.name)
      guard let kind = Self.kind(of: member.value) else {
        if described.nullWhen == nil { faults.insert("\(name) can be null") }
        continue
      }
      // A whole number is also valid for a member of the kind `number`.
      if described.kind != .any && described.kind != kind
        && !(described.kind == .number && kind == .integer)
      {
        faults.insert("\(name) is \(kind)")
      }
      // The sampler invents the names of profiles and layouts, so the test does not check these
      // names.
      let isInvented = ["profile", "layout"].contains(member.name)
      if !described.words.isEmpty, !isInvented, let word = member.value.string,
        !described.words.contains(word)
      {
        faults.insert("\(name) can be \(word)")
      }
    }
    for member in PayloadMember.all where !seen.contains(member.name) {
      faults.insert("no event has \(member.name)")
    }
    #expect(faults.isEmpty, "\(faults.sorted())")
  }

  @Test func `each name occurs once, and each word of a list once`() {
    let names = PayloadMember.all.map(\.name)
    #expect(names == Set(names).sorted())
    for member in PayloadMember.all {
      #expect(Set(member.words).count == member.words.count && !member.meaning.isEmpty)
    }
    let safe = PayloadMember.list(.safeHarbor).map(\.name)
    #expect(safe.contains("outcome") && !safe.contains("person") && !safe.contains("sha256"))
    #expect(PayloadMember.list(.limited) == PayloadMember.all)
  }
}
