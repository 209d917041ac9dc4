/// How an export is laid out: for which programs.
public enum ExportLayout: String, Sendable, CaseIterable {
  /// All there is, in tables of this program's own.
  case frictionless = "frictionless"
  /// Prompts as the beeps of an m-Path study, for mpathr and what is built on it.
  case mpath = "mpath"
  /// Completions as the openings of a monitor, for CleanADHdata.R.
  case cleanadh = "cleanadh"

  /// What somebody gets of themselves: what is about the device, and not about them, is not there.
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
