import API
import ArgumentParser
import ClientKit

/// `prompter presented`: reports that a screen shows a prompt.
struct Presented: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report that a screen shows a prompt to the person.",
    discussion: """
      This command is for the program of a screen, and needs the role patient.
      The record keeps the first report of each prompt. The daemon refuses a
      prompt that a screen may not show now, for example in a control phase.

      Example: prompter presented
      """)

  @OptionGroup var target: PromptArgument
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = try Request(.present, target.parameters(connection)).with([])
    try connection.carryOut(request) { try PromptText.presented($0.document()) }
  }
}

/// `prompter again`: repeats the words or the recording of a prompt once.
struct Again: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say the words or the recording of a prompt once more.",
    discussion: """
      The sound is not a ring: the burst goes on as before. An answer stops the sound.

      Example: prompter again
      """)

  @OptionGroup var target: PromptArgument
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = try Request(.sayAgain, target.parameters(connection)).with([])
    try connection.carryOut(request) { try PromptText.saidAgain($0.document()) }
  }
}
