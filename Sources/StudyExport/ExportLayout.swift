/// The files and columns of an export. Different analysis programs need different layouts.
public enum ExportLayout: String, Sendable, CaseIterable {
  /// All data, in the tables of Prompter.
  case frictionless = "frictionless"
  /// Prompts in the format of m-Path, a program for studies. The R package mpathr and the packages
  /// that use mpathr read this format. m-Path calls a prompt a beep.
  case mpath = "mpath"
  /// Completed prompts, in the format that the script CleanADHdata.R reads. The script was made for
  /// the times at which a person opened an electronic pill box.
  case cleanadh = "cleanadh"

  /// The tables in the export of a person's own data. Tables that contain only data about the
  /// device are not in this list.
  public static let ownTables: [ExportTable] = [
    .prompts, .rings, .responses, .items, .diary, .participants, .phases, .alarms, .instruments,
    .events, .codebook,
  ]

  /// The tables of the layout, in their order in the data package.
  public var tables: [ExportTable] {
    switch self {
    case .frictionless:
      [
        .prompts, .rings, .gaps, .clock, .responses, .items, .diary, .participants, .phases,
        .alarms, .instruments, .tones, .events, .codebook,
      ]
    case .mpath: [.mpathBasic, .mpathMeta, .codebook]
    case .cleanadh:
      [
        .eventList, .monitorInfo, .regimen, .nonMonitoredPeriods, .studyPhases, .codebook,
      ]
    }
  }
}
