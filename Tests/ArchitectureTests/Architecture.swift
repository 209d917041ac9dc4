import Foundation

/// A module, the modules that it may import, and the words that its code must not contain.
struct Module {
  var name: String
  /// The modules that this module may import. The standard library is always permitted.
  var mayImport: Set<String>
  /// The words that the code of this module must not contain, each with the reason.
  var banned: [(word: String, why: String)] = []

  init(_ name: String, mayImport: Set<String> = [], banned: [(word: String, why: String)] = []) {
    self.name = name
    self.mayImport = mayImport
    self.banned = banned
  }
}

/// The modules of the package and the files that the checks read.
enum Architecture {
  /// The modules with the model, the events and the API of a home.
  static let home: Set<String> = ["CivilTime", "Alarms", "JSONValue", "EventCoding", "API"]

  /// Words of code that reads something from outside the module. Examples are clocks, files and
  /// random numbers. A pure module gets such values as arguments.
  private static let world: [(word: String, why: String)] =
    [
      "Date(", "Date.now", "clock_gettime", "gettimeofday", "time(nil", "ContinuousClock",
      "SuspendingClock",
    ].map { ($0, "the time comes in as a value or through a port") }
    + ["fopen", "open(", "FileManager", "FileHandle", "getenv", "socket("]
    .map { ($0, "files, sockets and the environment belong to modules with effects") }
    + ["SystemRandomNumberGenerator", ".random(in", ".shuffled()", ".randomElement()", "UUID("]
    .map { ($0, "chance comes in as a value or through a port") }
    + ["Locale", "TimeZone(", "TimeZone.", "Calendar("]
    .map { ($0, "zones and calendars are CivilTime's own") }
    + ["print(", "debugPrint(", "Logger("].map { ($0, "only modules with effects print") }

  private static let stillness: [(word: String, why: String)] =
    ["async", "await", "Task", "DispatchQueue", "Mutex"].map {
      ($0, "a pure module has no threads")
    }

  private static let sql: [(word: String, why: String)] =
    ["sqlite3_open", "DatabasePool", "Row("].map { ($0, "SQL lives in the Logbook") }

  /// The modules of all directories under Sources with Swift code. If you add a directory, add its
  /// module here.
  static let modules: [Module] = pureModules + effectModules + programs + simulator

  private static let pureModules = [
    Module("CivilTime", banned: world + stillness + sql),
    Module("Sentences", mayImport: ["CivilTime"], banned: world + stillness + sql),
    Module("Alarms", mayImport: ["CivilTime", "Sentences"], banned: world + stillness + sql),
    Module("JSONValue", mayImport: ["Alarms"], banned: world + stillness + sql),
    Module(
      "EventCoding", mayImport: ["Alarms", "CivilTime", "JSONValue", "FoundationEssentials"],
      banned: world + stillness + sql),
    Module(
      "StudyExport",
      mayImport: ["Alarms", "CivilTime", "EventCoding", "JSONValue", "FoundationEssentials"],
      banned: world + stillness + sql),
    Module(
      "ICalendar",
      mayImport: ["Alarms", "CivilTime", "EventCoding", "JSONValue", "FoundationEssentials"],
      banned: world + stillness + sql),
    Module(
      "ICalendarParser", mayImport: ["CICal", "CivilTime", "Glibc", "ICalendar"],
      banned: world + stillness + sql),
    Module(
      "API", mayImport: home.union(["StudyExport", "FoundationEssentials"]), banned: world + sql),
    Module(
      "SoundProtocol", mayImport: ["FoundationEssentials"], banned: world + stillness + sql),
    Module("ArchiveProtocol", mayImport: ["JSONValue"], banned: world + stillness + sql),
    Module(
      "Report", mayImport: ["CivilTime", "Glibc", "JSONValue", "StudyExport"],
      banned: world + stillness + sql),
    Module(
      "Pages", mayImport: ["Alarms", "CivilTime", "JSONValue", "Sentences", "StudyExport"],
      banned: world + stillness + sql),
    Module(
      "CaretakerPages",
      mayImport: [
        "API", "Alarms", "CivilTime", "EventCoding", "FoundationEssentials", "JSONValue",
        "Pages", "Sentences", "StudyExport",
      ],
      banned: world + stillness + sql),
    Module(
      "Pairing",
      mayImport: ["API", "CaretakerPages", "JSONValue", "Pages", "Sentences", "StudyExport"],
      banned: world + stillness + sql),
    Module("MessageDigest", mayImport: ["CGcrypt"], banned: world + stillness + sql),
  ]

  private static let effectModules = [
    Module(
      "Engine", mayImport: ["CivilTime", "Alarms", "Dispatch", "Synchronization"],
      banned: world + sql + [("Task.sleep", "the timer is a port")]),
    Module(
      "RequestHandlers",
      mayImport: home.union([
        "Engine", "ICalendar", "Sentences", "StudyExport", "Dispatch", "Synchronization",
      ]),
      banned: world + sql + [("Task.sleep", "the timer is a port")]),
    Module("FileSystem", mayImport: ["Glibc", "Synchronization"], banned: sql),
    Module(
      "Logbook",
      mayImport: home.union([
        "ArchiveProtocol", "Dispatch", "FileSystem", "FoundationEssentials", "Glibc", "GRDB",
        "GRDBSQLite",
        "MessageDigest", "StudyExport", "Synchronization",
      ])),
    Module("Processes", mayImport: ["CLinux", "Glibc", "Synchronization"], banned: sql),
    Module(
      "Speaker",
      mayImport: [
        "Alarms", "CivilTime", "Dispatch", "EventCoding", "FileSystem", "FoundationEssentials",
        "Glibc", "JSONValue", "Processes", "SoundProtocol", "Synchronization",
      ]),
    Module("Images", mayImport: ["FileSystem", "FoundationEssentials", "Glibc", "Processes"]),
    Module(
      "HTTPServer",
      mayImport: [
        "API", "Alarms", "CLinux", "Glibc", "JSONValue", "Logging", "NIOCore", "NIOHTTP1",
        "NIOPosix", "ServiceLifecycle", "Synchronization",
      ]),
    Module(
      "Platform",
      mayImport: [
        "Alarms", "CLinux", "CSupervisor", "CSystemd", "CivilTime", "Dispatch", "FileSystem",
        "Glibc", "Processes", "Synchronization",
      ]),
    Module("Systemd", mayImport: ["CSystemd", "Glibc"]),
    Module("Compression", mayImport: ["CZlib"]),
    Module("LinkTimer", mayImport: ["Glibc", "Processes"], banned: sql),
    Module(
      "StudyLink",
      mayImport: [
        "ArchiveProtocol", "CCurl", "Compression", "FileSystem", "Glibc", "JSONValue",
        "LinkTimer", "Processes",
      ]),
    Module(
      "StudyArchive",
      mayImport: [
        "Alarms", "ArchiveProtocol", "CPQ", "CivilTime", "Compression", "EventCoding", "FileSystem",
        "FoundationEssentials",
        "Glibc", "JSONValue", "MessageDigest", "NIOCore", "NIOHTTP1", "NIOPosix", "StudyExport",
        "Synchronization",
      ]),
    Module("Sandbox", mayImport: ["CLinux", "CSandbox", "Glibc"]),
    Module(
      "SoundProcessing",
      mayImport: [
        "CEBUR128", "CLinux", "CSampleRate", "CSandbox", "Glibc", "Sandbox", "SoundProtocol",
      ]),
  ]

  private static let programs = [
    Module(
      "DaemonApp",
      mayImport: home.union([
        "ArgumentParser", "CLinux", "CSystemd", "CThreads", "Dispatch", "Engine", "FileSystem",
        "FoundationEssentials", "Glibc", "HTTPServer", "ICalendar", "Images", "Logbook", "Logging",
        "MessageDigest", "Platform", "Processes", "RequestHandlers", "ServiceLifecycle",
        "SoundProtocol", "Speaker", "StudyExport", "Synchronization", "Systemd", "TOMLKit",
        "UnixSignals",
      ]),
      banned: [("Task.sleep", "it wakes the process each second; use hasSlept")]),
    Module(
      "prompterd",
      mayImport: [
        "ArgumentParser", "CLinux", "CThreads", "DaemonApp", "EventCoding", "Glibc", "Logbook",
      ]),
    Module(
      "ClientKit",
      mayImport: home.union([
        "ArgumentParser", "FileSystem", "Glibc", "ICalendar", "MessageDigest", "NIOCore",
        "NIOHTTP1", "NIOPosix", "Processes", "Sentences", "SoundProtocol", "Synchronization",
      ])),
    Module(
      "prompter",
      mayImport: home.union([
        "ArgumentParser", "CLinux", "ClientKit", "FileSystem", "Glibc", "ICalendar",
        "MessageDigest", "Pages", "Report", "ScreenServer", "SoundProtocol", "StudyExport",
        "Synchronization",
      ])),
    Module(
      "prompter-sound",
      mayImport: [
        "CALSA", "CALSAShim", "CSandbox", "CSndFile", "FoundationEssentials", "Glibc", "Sandbox",
        "SoundProcessing", "SoundProtocol", "Synchronization",
      ]),
    Module(
      "prompter-formats", mayImport: ["CAV", "CSandbox", "Glibc", "Sandbox", "SoundProcessing"]),
    Module(
      "prompter-image",
      mayImport: [
        "CEXIF", "CHEIF", "CPNG", "CPNGRows", "CSandbox", "CTurboJPEG", "CWebP",
        "FoundationEssentials",
        "Glibc",
        "Sandbox",
      ]),
    Module(
      "prompter-calendar",
      mayImport: [
        "CSandbox", "CivilTime", "Glibc", "ICalendar", "ICalendarParser", "JSONValue", "Sandbox",
      ]),
    Module(
      "prompter-button",
      mayImport: [
        "Alarms", "ArgumentParser", "CLinux", "FoundationEssentials", "Glibc", "Processes",
        "Sentences",
      ]),
    Module(
      "ScreenServer",
      mayImport: home.union([
        "ArgumentParser", "CaretakerPages", "ClientKit", "Dispatch", "Glibc", "ICalendar",
        "NIOCore", "NIOHTTP1", "NIOPosix", "Pages", "Report", "Sentences", "Synchronization",
      ])),
    Module(
      "prompter-screen",
      mayImport: home.union([
        "ArgumentParser", "ClientKit", "FoundationEssentials", "Glibc", "NIOCore", "Pages",
        "Processes", "ScreenServer", "Synchronization", "Systemd",
      ])),
    Module(
      "WebServer",
      mayImport: home.union([
        "CQREncode", "CaretakerPages", "ClientKit", "Dispatch", "FileSystem", "Glibc",
        "MessageDigest", "NIOCore", "NIOHTTP1", "NIOPosix", "Pages", "Pairing", "Platform",
        "ScreenServer", "Sentences", "Synchronization", "TOMLKit",
      ])),
    Module(
      "prompter-web",
      mayImport: home.union([
        "ArgumentParser", "ClientKit", "Glibc", "NIOCore", "ScreenServer", "Systemd", "WebServer",
      ])),
    Module(
      "prompter-link",
      mayImport: [
        "ArchiveProtocol", "ArgumentParser", "CLinux", "EventCoding", "Glibc", "LinkTimer",
        "Processes", "StudyLink", "TOMLKit",
      ]),
    Module("prompter-link-timer", mayImport: ["Glibc", "LinkTimer", "Processes", "Systemd"]),
    Module(
      "prompter-archive", mayImport: ["ArgumentParser", "EventCoding", "Glibc", "StudyArchive"]),
    Module(
      "prompter-sim",
      mayImport: [
        "Alarms", "ArgumentParser", "CivilTime", "Engine", "FileSystem", "Glibc", "Logbook",
        "SimulatedDisk", "Simulation", "StudyExport", "Synchronization",
      ]),
  ]

  // The simulator must not read a real clock or use unseeded random numbers.
  private static let simulator = [
    Module(
      "Simulation", mayImport: ["Alarms", "CivilTime", "Engine", "FileSystem", "Synchronization"],
      banned: world.filter { !$0.word.contains("open") } + sql),
    Module(
      "SimulatedDisk",
      mayImport: [
        "Alarms", "CFaultyDisk", "CivilTime", "FileSystem", "Glibc", "Logbook", "Simulation",
      ]),
  ]

  /// The root directory of the package.
  static let root: URL = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below Sources, Tests and Benchmarks. They are read only once.
  static let swift: [SourceFile] = ["Sources", "Tests", "Benchmarks"].flatMap {
    files(under: $0, endingIn: ".swift")
  }

  /// Returns the Swift files below a directory of the package.
  static func swift(under directory: String) -> [SourceFile] {
    swift.filter { $0.path.hasPrefix(directory + "/") }
  }

  /// Returns the text files below a directory of the package, in the order of their paths.
  static func files(under directory: String, endingIn suffix: String = "") -> [SourceFile] {
    let start = root.appending(path: directory).path(percentEncoded: false)
    let walk = FileManager.default.enumerator(atPath: start)
    // The directory of the benchmarks can contain build products, which are not part of the source
    // code.
    let names = (walk?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".build/") }
    return names.sorted().compactMap { file(directory + "/" + $0) }
  }

  /// Returns the text files in the root directory of the package, without hidden files. Hidden
  /// files belong to git or to an editor.
  static func rootFiles() throws -> [SourceFile] {
    try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
      .filter { !$0.hasPrefix(".") }.sorted().compactMap { file($0) }
  }

  /// Returns a text file; nil if the file is not text, for example a recording.
  private static func file(_ path: String) -> SourceFile? {
    guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
      return nil
    }
    return SourceFile(path: path, text: text)
  }
}
