import Foundation

/// A room, a door or the workshop: what may be imported there, and what must not be said there.
struct Room {
  var name: String
  /// Modules besides the standard library's own.
  var mayImport: Set<String>
  /// Words that never enter, each with the reason.
  var banned: [(word: String, why: String)] = []

  init(_ name: String, mayImport: Set<String> = [], banned: [(word: String, why: String)] = []) {
    self.name = name
    self.mayImport = mayImport
    self.banned = banned
  }
}

/// The walls of the house.
enum House {
  static let quiet: Set<String> = ["CivilTime", "Alarms", "Wire"]

  /// Nothing of these can be known from the values that came in.
  private static let world: [(word: String, why: String)] =
    [
      "Date(", "Date.now", "clock_gettime", "gettimeofday", "time(nil", "ContinuousClock",
      "SuspendingClock",
    ].map { ($0, "the time comes in as a value or through a port") }
    + ["fopen", "open(", "FileManager", "FileHandle", "getenv", "socket("]
    .map { ($0, "files, sockets and the environment belong to the edges and the doors") }
    + ["SystemRandomNumberGenerator", ".random(in", ".shuffled()", ".randomElement()", "UUID("]
    .map { ($0, "chance comes in as a value or through a port") }
    + ["Locale", "TimeZone(", "TimeZone.", "Calendar("]
    .map { ($0, "zones and calendars are CivilTime's own") }
    + ["print(", "debugPrint(", "Logger("].map { ($0, "only the doors and the edges speak") }

  private static let stillness: [(word: String, why: String)] =
    ["async", "await", "Task", "DispatchQueue", "Mutex"].map {
      ($0, "a pure room has no threads")
    }

  private static let sql: [(word: String, why: String)] =
    ["sqlite3_open", "DatabasePool", "Row("].map { ($0, "SQL lives in the Logbook") }

  /// Every directory under Sources that holds Swift; a new one is entered here on purpose.
  static let rooms: [Room] = [
    Room("CivilTime", banned: world + stillness + sql),
    Room("Alarms", mayImport: ["CivilTime"], banned: world + stillness + sql),
    Room("Wire", mayImport: ["Alarms", "CivilTime", "FoundationEssentials"], banned: world + sql),
    Room(
      "SoundWire", mayImport: ["FoundationEssentials"], banned: world + stillness + sql),
    Room("Report", mayImport: ["CivilTime", "Glibc"], banned: world + stillness + sql),
    Room(
      "Daemon", mayImport: quiet.union(["Dispatch", "Synchronization"]),
      banned: world + sql + [("Task.sleep", "the timer is a port")]),
    Room("MessageDigest", mayImport: ["CGcrypt"], banned: world + stillness + sql),
    Room("FileSystem", mayImport: ["Glibc"], banned: sql),
    Room(
      "Logbook",
      mayImport: quiet.union([
        "Dispatch", "FileSystem", "FoundationEssentials", "Glibc", "GRDB", "GRDBSQLite",
        "MessageDigest", "Synchronization",
      ])),
    Room("Children", mayImport: ["CLinux", "Glibc"], banned: sql),
    Room(
      "Speaker",
      mayImport: quiet.union([
        "Children", "Dispatch", "FoundationEssentials", "Glibc", "SoundWire", "Synchronization",
      ])),
    Room("Pictures", mayImport: ["FoundationEssentials", "Glibc", "Speaker"]),
    Room(
      "Gate",
      mayImport: quiet.union([
        "CLinux", "Glibc", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "ServiceLifecycle",
        "Synchronization",
      ])),
    Room(
      "Host",
      mayImport: quiet.union([
        "Children", "CLinux", "CSystemd", "Dispatch", "FileSystem", "Glibc", "Synchronization",
      ])),
    Room(
      "prompter-sim",
      mayImport: quiet.union([
        "ArgumentParser", "Glibc", "SimulatedDisk", "Simulation", "Synchronization",
      ])),
    Room(
      "prompterd",
      mayImport: quiet.union([
        "ArgumentParser", "CLinux", "CSystemd", "CThreads", "Daemon", "Dispatch",
        "FoundationEssentials",
        "Gate",
        "Glibc", "Host", "Logbook", "Logging", "MessageDigest", "Pictures", "ServiceLifecycle",
        "SoundWire",
        "Speaker",
        "Synchronization",
        "TOMLKit", "UnixSignals",
      ])),
    Room(
      "prompter",
      mayImport: quiet.union([
        "ArgumentParser", "CLinux", "FileSystem", "Glibc", "MessageDigest", "NIOCore", "NIOHTTP1",
        "NIOPosix", "Report", "SoundWire",
        "Synchronization",
      ])),
    Room(
      "prompter-sound",
      mayImport: [
        "CALSA", "CALSAShim", "CEBUR128", "CSampleRate", "CSandbox", "CSndFile", "Confinement",
        "FoundationEssentials",
        "Glibc", "SoundWire", "Synchronization",
      ]),
    Room(
      "prompter-image",
      mayImport: [
        "CEXIF", "CPNG", "CSandbox", "CTurboJPEG", "CWebP", "Confinement",
        "FoundationEssentials", "Glibc",
      ]),
    Room("Confinement", mayImport: ["CLinux", "CSandbox", "Glibc"]),
    Room(
      "prompter-button", mayImport: ["ArgumentParser", "CLinux", "FoundationEssentials", "Glibc"]),
    // The workshop: a pretend world, so it has no clock and no chance of its own either.
    Room(
      "Simulation", mayImport: quiet.union(["Daemon", "Glibc"]),
      banned: world.filter { !$0.word.contains("open") } + sql),
    Room(
      "SimulatedDisk",
      mayImport: quiet.union(["CFaultyDisk", "FileSystem", "Glibc", "Logbook", "Simulation"])),
  ]

  /// The package's directory.
  static let root: URL = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files of Sources, Tests and Benchmarks, read once.
  static let swift: [SourceFile] = ["Sources", "Tests", "Benchmarks"].flatMap {
    files(under: $0, endingIn: ".swift")
  }

  /// The Swift files below a directory of the package.
  static func swift(under directory: String) -> [SourceFile] {
    swift.filter { $0.path.hasPrefix(directory + "/") }
  }

  /// The text files below a directory of the package, by their path within it, in order.
  static func files(under directory: String, endingIn suffix: String = "") -> [SourceFile] {
    let start = root.appending(path: directory).path(percentEncoded: false)
    let walk = FileManager.default.enumerator(atPath: start)
    // What was built beside the benchmarks is not ours.
    let names = (walk?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".build/") }
    return names.sorted().compactMap { file(directory + "/" + $0) }
  }

  /// The text files of the package's own directory; a hidden file there is git's or an editor's.
  static func filesAtTheDoor() throws -> [SourceFile] {
    try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
      .filter { !$0.hasPrefix(".") }.sorted().compactMap { file($0) }
  }

  /// Nil where it is no text, as a recording is not.
  private static func file(_ path: String) -> SourceFile? {
    guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
      return nil
    }
    return SourceFile(path: path, text: text)
  }
}
