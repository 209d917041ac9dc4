import Foundation
import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests the gallery of screens. If the environment variable `PROMPTER_WRITE_SCREENS` contains a
/// directory, the tests also write the gallery into this directory. Tests/Screen shows this gallery
/// in a browser.
@Suite struct ScreenGalleryTests {
  /// Returns the name of a screen in the gallery. A new case of `ScreenState` also needs a name.
  private func name(_ state: ScreenState) -> String {
    switch state {
    case .idle: "idle"
    case .calling: "calling"
    case .onMyWay: "on-my-way"
    case .answered: "done"
    case .notConnected: "not-connected"
    case .question: "question-scale"
    }
  }

  @Test(arguments: Language.allCases)
  func `the gallery shows each screen`(language: Language) throws {
    let gallery = ScreenGallery(language: language)
    let entries = try gallery.entries()
    let names = Set(entries.map(\.name))
    #expect(names.count == entries.count)
    for entry in entries { #expect(names.contains(name(entry.state))) }
    #expect(Set(entries.map { name($0.state) }).count == 6)
    try write(gallery, entries)
  }

  private func write(_ gallery: ScreenGallery, _ entries: [ScreenGallery.Entry]) throws {
    guard let path = ProcessInfo.processInfo.environment["PROMPTER_WRITE_SCREENS"] else { return }
    let folder = URL(filePath: path).appending(path: gallery.language.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for entry in entries {
      try Data(gallery.line(entry).utf8).write(to: folder.appending(path: "\(entry.name).json"))
    }
    let refusals = JSON.array(gallery.refusals.map(JSON.string))
    try Data(refusals.description.utf8).write(to: folder.appending(path: "refusals.list"))
    let page = gallery.html.page(first: .notConnected)
    try Data(page.utf8).write(to: folder.appending(path: "page.html"))
  }
}
