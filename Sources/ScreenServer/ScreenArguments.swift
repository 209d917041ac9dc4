import ArgumentParser
import Pages
import Sentences

/// The options that all programs with a screen have.
package struct ScreenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The id of the person (needed if the home has several people).", valueName: "id"))
  package var person: String?

  @Option(
    help: ArgumentHelp(
      "The language of the screen: en, de or vi (default: the language of the person).",
      valueName: "tag"),
    transform: ScreenArguments.language)
  package var language: Language?

  package init() {}
}

/// Reads the arguments of the programs with a screen.
package enum ScreenArguments {
  package static func language(_ tag: String) throws -> Language {
    guard let language = Language(tag: tag) else {
      let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\"\(tag)\" is not one of: \(known)")
    }
    return language
  }

  package static func address(_ text: String) throws -> LoopbackAddress {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    guard sides.count == 2, let port = UInt16(sides[1]) else {
      throw ValidationError("\"\(text)\" is not an address such as 127.0.0.1:8077")
    }
    guard sides[0] == "127.0.0.1" || sides[0] == "localhost" else {
      throw ValidationError(
        "the screen is only for this machine; write 127.0.0.1:\(port) instead of \"\(text)\"")
    }
    return LoopbackAddress(host: "127.0.0.1", port: Int(port))
  }
}
