// swift-tools-version:6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house: a library target with its tests beside it.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: strict),
    .testTarget(
      name: "\(name)Tests", dependencies: [.byName(name: name), "Chance"] + dependencies,
      swiftSettings: strict),
  ]
}

func library(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package)
}

let http: [Target.Dependency] = [
  library("Logging", "swift-log"), library("NIOCore", "swift-nio"),
  library("NIOHTTP1", "swift-nio"), library("NIOPosix", "swift-nio"),
  library("ServiceLifecycle", "swift-service-lifecycle"),
]

// The quiet rooms: values in, values out.
let quiet: [Target] =
  room("CivilTime")
  + room("Alarms", ["CivilTime"])
  + room("Wire", ["Alarms", "CivilTime"])
  + room("SoundWire")
  // What a report makes of an export: rows in, a page out.
  + room("Report", ["CivilTime"])

// The hallway and the edges.
let edges: [Target] =
  room("Daemon", ["CivilTime", "Alarms", "Wire"])
  + [.target(name: "MessageDigest", dependencies: ["CGcrypt"], swiftSettings: strict)]
  // Files that other users may have put links in the place of.
  + room("FileSystem")
  + room(
    "Logbook",
    [
      "CivilTime", "Alarms", "Wire", "FileSystem", "MessageDigest", library("GRDB", "GRDB.swift"),
      library("GRDBSQLite", "GRDB.swift"),
    ])
  + [.target(name: "Children", dependencies: ["CLinux"], swiftSettings: strict)]
  + room("Speaker", ["CivilTime", "Alarms", "Children", "SoundWire", "Wire"])
  + [
    .target(name: "Pictures", dependencies: ["Speaker"], swiftSettings: strict),
    // Looks at pixels with the libraries themselves, and runs the program that is tested.
    .testTarget(
      name: "PicturesTests",
      dependencies: ["Pictures", "Chance", "CPNG", "CTurboJPEG", "prompter-image"],
      swiftSettings: strict),
  ]
  + [
    .target(name: "Gate", dependencies: ["Alarms", "Wire"] + http, swiftSettings: strict),
    // Pretend connections of pretend users.
    .testTarget(
      name: "GateTests",
      dependencies: ["Gate", "Chance", "Alarms", "Wire", library("NIOEmbedded", "swift-nio")]
        + http, swiftSettings: strict),
  ]
  + room("Host", ["CivilTime", "Alarms", "Children", "CLinux", "CSystemd", "FileSystem"])

// The workshop: a pretend world from one seed, and its command.
let workshop: [Target] = [
  .target(
    name: "Simulation", dependencies: ["CivilTime", "Alarms", "Daemon"], swiftSettings: strict),
  // The shipped record, on a disk below SQLite that loses power.
  .target(name: "CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
  .target(
    name: "SimulatedDisk",
    dependencies: ["Alarms", "CFaultyDisk", "FileSystem", "Logbook", "Simulation"],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-sim",
    dependencies: [
      "CivilTime", "Alarms", "Simulation", "SimulatedDisk",
      library("ArgumentParser", "swift-argument-parser"),
    ], swiftSettings: strict),
  .testTarget(
    name: "SimulationTests",
    dependencies: [
      "CivilTime", "Alarms", "Daemon", "Logbook", "Simulation", "SimulatedDisk",
      library("GRDB", "GRDB.swift"),
    ],
    swiftSettings: strict),
]

// The doors: wiring only.
let doors: [Target] = [
  .executableTarget(
    name: "prompterd",
    dependencies: [
      "CivilTime", "Alarms", "Wire", "Daemon", "Logbook", "SoundWire", "Speaker", "Pictures",
      "Gate", "Host", "MessageDigest", "CLinux", "CThreads",
      library("ArgumentParser", "swift-argument-parser"), library("Logging", "swift-log"),
      library("TOMLKit", "TOMLKit"), library("ServiceLifecycle", "swift-service-lifecycle"),
      library("UnixSignals", "swift-service-lifecycle"),
    ], swiftSettings: strict),
  .executableTarget(
    name: "prompter",
    dependencies: [
      "CivilTime", "Alarms", "FileSystem", "Report", "SoundWire", "Wire", "MessageDigest", "CLinux",
      library("ArgumentParser", "swift-argument-parser"),
      library("NIOCore", "swift-nio"), library("NIOPosix", "swift-nio"),
      library("NIOHTTP1", "swift-nio"),
    ], swiftSettings: strict),
  .executableTarget(
    name: "prompter-sound",
    dependencies: [
      "CALSA", "CALSAShim", "CSndFile", "CEBUR128", "CSampleRate", "CSandbox", "CLinux",
      "Confinement", "SoundWire",
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-image",
    dependencies: ["CEXIF", "CPNG", "CTurboJPEG", "CWebP", "CSandbox", "Confinement"],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-button",
    dependencies: ["CLinux", library("ArgumentParser", "swift-argument-parser")],
    swiftSettings: strict),
  .testTarget(name: "ButtonTests", dependencies: ["prompter-button"], swiftSettings: strict),
]

// Module maps for system libraries, and three C targets for what Swift cannot say.
let system: [Target] = [
  .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
  .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
  .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
  .systemLibrary(
    name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
  .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(
    name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
  .systemLibrary(name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
  .systemLibrary(name: "CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
  .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
  .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
  .systemLibrary(name: "CLinux"),
  .target(name: "CALSAShim", dependencies: ["CALSA"]),
  .target(name: "CSandbox"),
  .target(name: "CThreads"),
  .target(name: "Confinement", dependencies: ["CLinux", "CSandbox"], swiftSettings: strict),
]

let checks: [Target] = [
  // What chance there is in tests.
  .target(name: "Chance", path: "Tests/Chance", swiftSettings: strict),
  .testTarget(name: "HouseTests", swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "Chance", "CivilTime", "Alarms", "Wire", "Logbook", "prompterd", "prompter",
      "prompter-sound", "prompter-image", "prompter-button",
    ],
    swiftSettings: strict),
]

// What the front door is measured beside; see Benchmarks/door.py.
let benchmarks: [Target] = [
  .executableTarget(
    name: "http-bench",
    dependencies: [
      library("NIOCore", "swift-nio"), library("NIOPosix", "swift-nio"),
      library("NIOHTTP1", "swift-nio"),
    ], path: "Benchmarks/Sources/http-bench", swiftSettings: strict)
]

let package = Package(
  name: "prompter",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: quiet + edges + workshop + doors + system + checks + benchmarks,
  swiftLanguageModes: [.v6]
)
