import API
import Alarms

/// Work on the record that takes long, and how far it is.
public struct LongWork: Sendable, Hashable {
  /// `verify`, `export` or `backup`.
  public var what: String
  /// Events that are through, of how many.
  public var done: Int64
  public var total: Int64

  public init(what: String, done: Int64, total: Int64) {
    self.what = what
    self.done = done
    self.total = total
  }
}

/// What an alarm needs of the machine besides a speaker and a clock.
public struct MachineReport: Sendable, Hashable {
  /// Where the record and the recordings are.
  public var stateDirectory: String
  /// What is left for us on its disk, and how large the disk is, in bytes; nil where it cannot be asked.
  public var freeBytes: Int64?
  public var totalBytes: Int64?
  /// Whether words can be spoken that nobody has recorded.
  public var isSpeechInstalled: Bool
  /// The names of tones whose recording is not where it should be.
  public var missingRecordings: [String]
  /// The file that holds the settings; nil where there is none.
  public var configuration: String?
  /// The long work that is under way, the oldest first.
  public var work: [LongWork] = []
  /// The people whose things alone some user sees, by the settings.
  public var tiedPeople: Set<String> = []
  /// What else is wrong with the machine, its settings or its record.
  public var notices: [StatusProblem] = []
  /// What is wrong with notifying contacts, a sentence each. They may name the contacts.
  public var contactTroubles: [String] = []

  public init(
    stateDirectory: String, freeBytes: Int64?, totalBytes: Int64?, isSpeechInstalled: Bool,
    missingRecordings: [String]
  ) {
    self.stateDirectory = stateDirectory
    self.freeBytes = freeBytes
    self.totalBytes = totalBytes
    self.isSpeechInstalled = isSpeechInstalled
    self.missingRecordings = missingRecordings
  }

  /// What of it would keep an alarm, its voice or its record from being what it should be.
  var problems: [StatusProblem] {
    var problems: [StatusProblem] = []
    if let freeBytes, freeBytes < DiskRoom.lowBytes {
      problems.append(.init(.diskLow, "the disk has only \(freeBytes >> 20) MiB left"))
    }
    if !missingRecordings.isEmpty {
      let names = missingRecordings.joined(separator: ", ")
      problems.append(.init(.recordingsMissing, "recordings are missing: \(names)"))
    }
    return problems + notices + contactTroubles.map { .init(.contactUnusable, $0) }
  }

  /// The report without what concerns other people; all of it for nil.
  func seen(by person: PersonID?, in home: HomeState) -> MachineReport {
    guard let person else { return self }
    var report = self
    let own = Set(home.tones(of: person).map(\.name))
    report.missingRecordings = missingRecordings.filter(own.contains)
    report.tiedPeople = tiedPeople.intersection([person.text])
    report.contactTroubles = []
    return report
  }
}
