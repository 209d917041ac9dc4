import Alarms
import Glibc
import StudyExport
import Testing

@testable import Logbook

/// Compares each file of an export with its golden file. Scripts of researchers read the files of
/// an export.
///
/// If an export changes on purpose, run `make golden`, which writes the golden files anew. Then
/// read the difference, and describe the change in CHANGELOG.md.
@Suite struct `The export is a contract` {
  private let directory = TemporaryDirectory()
  private static let golden = "\(fixtures)/../../Golden/export"

  private static let cases = ExportLayout.allCases.flatMap { layout in
    ExportProfile.allCases.map { (layout, $0) }
  }

  @Test(arguments: cases)
  func `each file is as it was`(layout: ExportLayout, profile: ExportProfile) throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 11)
    try history.playAtOnce(120, into: logbook)
    let path = "\(directory.path)/out"
    _ = try logbook.writeExport(to: path, profile: profile, layout: layout)

    let expected = "\(Self.golden)/\(layout.rawValue)-\(profile.rawValue)"
    if getenv("PROMPTER_WRITE_GOLDEN") != nil {
      #expect(
        run("rm -rf \(expected) && cp -r \(path) \(expected) && rm -f \(expected)/analysis.*")
          .status == 0)
    }
    // The golden files contain no scripts (`analysis.*`), because the scripts are the same for each
    // profile. The file MANIFEST.json contains the digests of the scripts.
    let names = TemporaryDirectory.list(path).filter { !$0.hasPrefix("analysis.") }
    #expect(names == TemporaryDirectory.list(expected))
    for name in names {
      let isSame = readFile("\(path)/\(name)") == readFile("\(expected)/\(name)")
      #expect(isSame, "\(layout.rawValue), \(profile.rawValue): \(name) differs")
    }
  }
}
