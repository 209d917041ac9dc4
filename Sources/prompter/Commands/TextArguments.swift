import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// The arguments that begin with a hyphen but are texts, for example the label `- pills`.
///
/// The parser reads every argument that begins with a hyphen as an option. The name of an option
/// contains only letters and hyphens. Therefore a text such as `- pills` or `-5` cannot be an
/// option. This type moves such texts behind `--`, where the parser reads them as texts.
struct TextArguments {
  /// The names of the subcommands in the arguments.
  private var path: [String] = []
  /// The options with their values, and the subcommands, in the order of the command line.
  private var options: [String] = []
  private var texts: [String] = []
  /// The arguments that could be either a text or a misspelled option, such as `-pills`.
  private var doubtful: [String] = []
  /// An option and its value, if the value could also be an option; otherwise nil.
  private var doubtfulValue: (option: String, value: String)?
  private var hasMovedText = false
  /// True if the command accepts a text.
  private var acceptsTexts = false

  init(_ arguments: [String]) {
    var command = CommandDescription.root
    defer { acceptsTexts = command.acceptsTexts }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        texts += rest
        return
      }
      if let takesValue = command.options[argument] {
        guard takesValue, let value = rest.first, command.options[value] == nil else {
          options.append(argument)
          continue
        }
        rest = rest.dropFirst()
        if value.hasPrefix("-"), value != "-", !Self.isText(value) {
          doubtfulValue = (argument, value)
        }
        options += Self.isText(value) ? ["\(argument)=\(value)"] : [argument, value]
      } else if command.hasOption(argument) || !argument.hasPrefix("-") || argument == "-" {
        if texts.isEmpty, let next = command.subcommands[argument] {
          command = next
          path.append(argument)
          options.append(argument)
        } else if argument.hasPrefix("--") {
          options.append(argument)
        } else {
          texts.append(argument)
        }
      } else if Self.isText(argument) {
        texts.append(argument)
        hasMovedText = true
      } else {
        doubtful.append(argument)
        if command.isMisspelled(argument) {
          options.append(argument)
        } else {
          texts.append(argument)
        }
      }
    }
  }

  /// Returns the arguments in a form in which the parser reads a text that begins with a hyphen as
  /// a text, and not as an option.
  static func readable(_ arguments: [String]) -> [String] {
    guard arguments.contains(where: isText) else { return arguments }
    let read = TextArguments(arguments)
    let isSplit = read.hasMovedText || arguments.contains("--")
    return read.options + (isSplit ? ["--"] : []) + read.texts
  }

  /// Returns advice for a command that the parser refused. Reason: the user may have typed a text
  /// that begins with a hyphen, and the parser may have read the text as an option.
  ///
  /// - Returns: nil if no argument can be such a text.
  static func advice(for arguments: [String]) -> String? {
    let read = TextArguments(arguments)
    if let (option, value) = read.doubtfulValue {
      return "  If \"\(value)\" is the value of \(option), write \(quoted("\(option)=\(value)"))"
    }
    guard read.acceptsTexts, let text = read.doubtful.first(where: { read.texts.contains($0) })
    else { return nil }
    let line = (["prompter"] + read.options + ["--"] + read.texts).map(quoted)
    return "  If \"\(text)\" is a text and not an option, write it after \"--\":\n"
      + "  \(line.joined(separator: " "))"
  }

  /// Returns true if an argument begins with a hyphen and cannot be an option.
  private static func isText(_ argument: String) -> Bool {
    let scalars = argument.unicodeScalars
    guard scalars.first == "-", scalars.count > 1, argument != "--" else { return false }
    let name = scalars.prefix { $0 != "=" }
    let isName = name.allSatisfy {
      $0 == "-" || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
    }
    return !isName
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-_./:@=".utf8.contains($0)
    }
    return isPlain && !word.isEmpty ? word : TextFormat.shellQuoted(word)
  }
}

/// The options and the subcommands of a command, as the parser describes them.
private struct CommandDescription {
  /// For each option, with its hyphens: true if the option needs a value.
  var options: [String: Bool] = [:]
  var subcommands: [String: CommandDescription] = [:]
  var acceptsTexts = false

  static let root: CommandDescription = {
    let text = PrompterCommand._dumpHelp()
    let description = (try? JSON(parsing: Array(text.utf8)))?["command"]
    return description.map { CommandDescription($0) } ?? CommandDescription()
  }()

  init() {}

  private init(_ description: JSON) {
    for argument in description["arguments"]?.array ?? [] {
      if argument["kind"]?.string == "positional" { acceptsTexts = true }
      for name in argument["names"]?.array ?? [] {
        let hyphens = name["kind"]?.string == "long" ? "--" : "-"
        options[hyphens + (name["name"]?.string ?? "")] = argument["kind"]?.string == "option"
      }
    }
    for command in description["subcommands"]?.array ?? [] {
      guard let name = command["commandName"]?.string else { continue }
      let names = [name] + (command["aliases"]?.array ?? []).compactMap(\.string)
      let child = CommandDescription(command)
      for name in names { subcommands[name] = child }
    }
  }

  /// Returns true if an argument contains an option of this command and its value, such as
  /// `--label=Tea`.
  func hasOption(_ argument: String) -> Bool {
    argument.firstIndex(of: "=").map { options[String(argument[..<$0])] != nil } ?? false
  }

  /// Returns true if an argument is similar to the name of an option.
  func isMisspelled(_ argument: String) -> Bool {
    let name = argument.prefix { $0 != "=" }
    guard name.hasPrefix("--") else { return false }
    let own = options.keys.map { String($0.drop { $0 == "-" }) }
    return NameMatch.nearest(String(name.dropFirst(2)), among: own) != nil
  }
}
