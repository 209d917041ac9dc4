import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter study unblind`: shows the arms of a blinded study.
struct StudyUnblind: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unblind",
    abstract: "Unblind a study: show the arms instead of their codes. Nobody can undo this.",
    discussion: """
      Only an administrator can use this command. The record contains the time and the administrator.

      Example: prompter study unblind remind1 --yes
      """)

  @Argument(help: "The id of the study, as \"prompter study\" lists it.")
  var study: String

  @Flag(help: "Confirm it. Without --yes, nothing changes.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard yes else {
      throw ValidationError(
        "cannot unblind \"\(study)\" without --yes: nobody can undo it; repeat the command with --yes"
      )
    }
    try connection.carryOut(Request(.unblind).with([("study", .string(study))])) {
      try ParticipantText.list($0.document())
    }
  }
}

/// `prompter study deviation`: records a deviation from the protocol.
struct StudyDeviation: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deviation", abstract: "Record a deviation from the protocol of the study.",
    discussion: "Example: prompter study deviation anna \"was abroad for three days\"")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Argument(help: "What happened. The text can be erased.")
  var text: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.record(StudyNote(kind: .deviation, text: text), of: person)
  }
}

/// `prompter study event`: records an adverse event.
struct StudyAdverseEvent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "event", abstract: "Record an adverse event of a participant.",
    discussion: "Example: prompter study event anna \"fell in the kitchen\" --serious")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Argument(help: "What happened. The text can be erased.")
  var text: String

  @Flag(help: "A serious adverse event: death, danger to life, hospital, or lasting harm.")
  var serious = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.record(
      StudyNote(kind: .adverseEvent, text: text, isSerious: serious), of: person)
  }
}

extension ConnectionOptions {
  /// Records a deviation or an adverse event of a participant.
  fileprivate func record(_ note: StudyNote, of person: String) throws {
    let request = Request(.noteStudy).with([
      ("person", .string(person)), ("kind", .string(note.kind.rawValue)),
      ("text", .string(note.text)), ("serious", note.isSerious ? .bool(true) : nil),
    ])
    try carryOut(request) { _ in "Recorded." }
  }
}
