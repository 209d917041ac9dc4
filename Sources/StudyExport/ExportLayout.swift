/// The files and columns of an export, for a certain analysis program.
public enum ExportLayout: String, Sendable, CaseIterable {
  /// All data, in the tables of this project.
  case frictionless = "frictionless"
  /// Prompts as m-Path beeps, for mpathr and packages that use it.
  case mpath = "mpath"
  /// Completions in the format of monitor openings, for CleanADHdata.R.
  case cleanadh = "cleanadh"

  /// The tables that a person gets about themselves. Tables about the device only are left out.
  public static let ownTables: [ExportTable] = [
    .prompts, .rings, .responses, .diary, .participants, .phases, .alarms, .events, .codebook,
  ]

  /// The tables, in the order of the data package.
  public var tables: [ExportTable] {
    switch self {
    case .frictionless:
      [
        .prompts, .rings, .gaps, .clock, .responses, .diary, .participants, .phases, .alarms,
        .tones,
        .events, .codebook,
      ]
    case .mpath: [.mpathBasic, .mpathMeta, .codebook]
    case .cleanadh: [.eventList, .monitorInfo, .regimen, .nonMonitoredPeriods, .codebook]
    }
  }
}
