import Alarms
import EventCoding
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
          // Day 3 at 08:00 on the wall clock, in seconds since 1970.
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

@Suite struct `A head code` {
  private let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  @Test func `it is read as it is printed, in any case and grouping`() throws {
    let code = HeadCode(sequence: 1_204, hash: hash)
    #expect(code.description.wholeMatch(of: /1204(-[0-9a-hjkmnp-tv-z]{4}){4}/) != nil)
    for text in [
      code.description, code.description.uppercased(), "1204 " + code.description.dropFirst(5),
      "1204-\(hash)",
    ] {
      let read = try #require(HeadCode(text), "\(text)")
      #expect(read.sequence == 1_204 && read.matches(hash: hash))
      #expect(read.description == code.description)
      #expect(!read.matches(hash: "8" + hash.dropFirst()))
    }
  }

  @Test func `every error of one character is noticed`() {
    let text = Array(HeadCode(sequence: 90_417, hash: hash).description)
    for place in text.indices where text[place] != "-" {
      for other in "0123456789abcdefghjkmnpqrstvwxyz" where other != text[place] {
        var slip = text
        slip[place] = other
        #expect(HeadCode(String(slip)) == nil, "\(String(slip))")
      }
    }
    for no in ["", "12", "x-7k3m", "-1-7k3m-9x2p-4qwz-8h1v", "1204-\(hash.dropLast())"] {
      #expect(HeadCode(no) == nil, "\(no)")
    }
  }
}
