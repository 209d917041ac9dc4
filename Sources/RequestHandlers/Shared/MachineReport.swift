import API
import Alarms

/// The state of parts of the machine that an alarm needs to ring, for example the disk, speech
/// synthesis, the recordings and the configuration. This type does not contain the state of the
/// speaker and of the clock.
public struct MachineReport: Sendable, Hashable {
  /// The directory of the record and the recordings.
  public var stateDirectory: String
  /// The disk space that the daemon can still use, in bytes. `totalBytes` is the size of the disk,
  /// in bytes.
  ///
  /// `freeBytes` and `totalBytes` are nil if the daemon cannot read the state of the disk.
  public var freeBytes: Int64?
  public var totalBytes: Int64?
  /// True if speech synthesis is installed. Without speech synthesis, the daemon cannot speak words
  /// that have no recording.
  public var isSpeechInstalled: Bool
  /// True if speech synthesis is installed and if the configuration allows it. If the value is
  /// true, the daemon speaks the words of an alarm that has no recording.
  public var isSpeaking: Bool
  /// The languages whose voice the daemon has tried. The key is the BCP 47 tag of the language. The
  /// value is true if a voice for this language exists.
  public var voices: [String: Bool] = [:]
  /// True if `prompter-formats` is installed. This program reads recordings that telephones and
  /// browsers make.
  public var isFormatsInstalled = false
  /// The names of the tones whose recording file does not exist.
  public var missingRecordings: [String]
  /// The path of the configuration file; nil if there is no configuration file.
  public var configuration: String?
  /// The long operations in progress, the oldest first.
  public var work: [LongWork] = []
  /// The people in the restrictions of the configuration. A restriction says that a user may see
  /// only the data of one person.
  public var configuredPeople: Set<String> = []
  /// Faults of the machine, its configuration or its record that the properties above do not
  /// contain.
  public var notices: [StatusProblem] = []
  /// The link to the archive of a study; nil if the home has no link.
  public var archiveLink: ArchiveLink?
  /// Faults in the notification of contacts, each as one sentence. A sentence can contain the name
  /// of a contact.
  public var contactTroubles: [String] = []

  public init(
    stateDirectory: String, freeBytes: Int64?, totalBytes: Int64?, isSpeechInstalled: Bool,
    missingRecordings: [String]
  ) {
    self.stateDirectory = stateDirectory
    self.freeBytes = freeBytes
    self.totalBytes = totalBytes
    self.isSpeechInstalled = isSpeechInstalled
    isSpeaking = isSpeechInstalled
    self.missingRecordings = missingRecordings
  }

  /// All faults in this report: a nearly full disk, missing recordings, `notices` and
  /// `contactTroubles`.
  var problems: [StatusProblem] {
    var problems: [StatusProblem] = []
    if let freeBytes, freeBytes < DiskSpaceLimits.lowBytes {
      problems.append(.init(.diskLow, "the disk has only \(freeBytes >> 20) MiB left"))
    }
    if !missingRecordings.isEmpty {
      let names = missingRecordings.joined(separator: ", ")
      problems.append(.init(.recordingsMissing, "recordings are missing: \(names)"))
    }
    return problems + notices + contactTroubles.map { .init(.contactUnusable, $0) }
  }

  /// Returns a copy of the report without the data of other people. If `person` is nil, the result
  /// is the whole report.
  func seen(by person: PersonID?, in home: HomeState) -> MachineReport {
    guard let person else { return self }
    var report = self
    let own = Set(home.tones(of: person).map(\.name))
    report.missingRecordings = missingRecordings.filter(own.contains)
    report.configuredPeople = configuredPeople.intersection([person.text])
    report.contactTroubles = []
    return report
  }
}
