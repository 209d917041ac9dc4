import API
import ArgumentParser
import ClientKit
import EventCoding

/// The command `prompter`: sets alarms, answers prompts, and reads the record of a home.
struct PrompterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter",
    abstract: "Reminders that ring until they are answered.",
    discussion: """
      Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 daemon not reached.
      Lengths of time are written 90s, 10m or 1h30m.
      """,
    version: Release.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Alarm",
        subcommands: [
          Add.self, List.self, Show.self, Edit.self, Remove.self, Pause.self, Resume.self,
          Preview.self, Next.self,
        ]),
      CommandGroup(
        name: "Calendar", subcommands: [ImportCommand.self, HolidaysCommand.self]),
      CommandGroup(
        name: "Prompt",
        subcommands: [
          Prompts.self, Progress.self, Acknowledge.self, Done.self,
          Delay.self, Decline.self,
          Cancel.self, Undo.self, WhyCommand.self, Watch.self,
        ]),
      CommandGroup(name: "Screen", subcommands: [Open.self, Again.self, Presented.self]),
      CommandGroup(
        name: "People and sound",
        subcommands: [
          PeopleCommand.self, Today.self, SummaryCommand.self, ContactsCommand.self,
          ContactCommand.self, ToneCommand.self, ImageCommand.self, SupplyCommand.self,
        ]),
      CommandGroup(
        name: "Message", subcommands: [SayCommand.self, CallCommand.self, MessagesCommand.self]),
      CommandGroup(
        name: "Study",
        subcommands: [
          StudyCommand.self, AnswerCommand.self, SeriesCommand.self, Log.self, Export.self,
          PoolCommand.self, ConvertCommand.self, ReportCommand.self, Verify.self,
        ]),
      CommandGroup(
        name: "Device",
        subcommands: [
          Status.self, Doctor.self, WhoAmI.self, WebCommand.self, Backup.self, Restore.self,
          OutboxCommand.self, LinkCommand.self,
          Bridge.self,
        ]),
    ])

  @OptionGroup var connection: ConnectionOptions
}
