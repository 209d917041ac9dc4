// swift-tools-version:6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// For modules in which the tests compute for a long time. The flags keep the assertions.
let optimized: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// A library target, and its test target with the same name and the suffix `Tests`.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], tests: [Target.Dependency] = [],
  isOptimized: Bool = false
) -> [Target] {
  [
    .target(
      name: name, dependencies: dependencies,
      swiftSettings: isOptimized ? strict + optimized : strict),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.byName(name: name), "TestRandom"] + dependencies + tests,
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

// Pure modules: values in, values out. No clock, no file, no socket.
let pure: [Target] =
  module("CivilTime", isOptimized: true)
  // All sentences that a patient reads or hears, in each language.
  + module("Sentences", ["CivilTime"])
  + module("Alarms", ["CivilTime", "Sentences"], isOptimized: true)
  + module("JSONValue", ["Alarms"], isOptimized: true)
  + module(
    "EventCoding", ["Alarms", "CivilTime", "JSONValue"], tests: ["SampleEvents"], isOptimized: true)
  + module(
    "StudyExport", ["Alarms", "CivilTime", "EventCoding", "JSONValue"], tests: ["SampleEvents"],
    isOptimized: true)
  + module(
    "ICalendar", ["Alarms", "CivilTime", "EventCoding", "JSONValue"], tests: ["ICalendarParser"])
  // Reads the bytes of calendar files with libical. Only prompter-calendar uses this module.
  + module("ICalendarParser", ["CICal", "CivilTime", "ICalendar"])
  + module(
    "API", ["Alarms", "CivilTime", "EventCoding", "JSONValue", "StudyExport"],
    tests: ["ICalendar", "ICalendarParser"])
  + module("SoundProtocol")
  // The rows that a home sends to the archive of a study, and the decision about a batch of rows.
  + module("ArchiveProtocol", ["JSONValue"], tests: ["MessageDigest"])
  // Computes the numbers and the page of a report from the rows of an export.
  + module("Report", ["CivilTime", "JSONValue", "StudyExport"])
  // Decides what the patient's screen shows, and writes its pages. The style sheet and the modules
  // of the page become part of the program.
  + [
    .target(
      name: "Pages",
      dependencies: ["Alarms", "CivilTime", "JSONValue", "Sentences", "StudyExport"],
      resources: ["screen.css", "question.css"].map { .embedInCode("Web/\($0)") }
        + [
          "main", "alive", "live", "clock", "swap", "press", "answers", "again", "photo", "refusal",
        ].map { .embedInCode("Web/\($0).js") },
      swiftSettings: strict),
    .testTarget(
      name: "PagesTests",
      dependencies: ["Pages", "Alarms", "CivilTime", "JSONValue", "Sentences"],
      swiftSettings: strict),
  ]

// Writes the caretaker's pages from the replies of the daemon.
let caretakerPages: [Target] = [
  .target(
    name: "CaretakerPages",
    dependencies: [
      "API", "Alarms", "CivilTime", "EventCoding", "JSONValue", "Pages", "Sentences",
      "StudyExport",
    ],
    resources: ["caretaker.css", "caretaker.js", "preview.js", "refresh.js", "voice.js"].map {
      .embedInCode("Web/\($0)")
    },
    swiftSettings: strict),
  .testTarget(
    name: "CaretakerPagesTests",
    dependencies: ["CaretakerPages", "API", "CivilTime", "JSONValue", "Pages", "Sentences"],
    swiftSettings: strict),
]

// Decides which phones may show the caretaker's pages.
let pairing: [Target] = [
  .target(
    name: "Pairing",
    dependencies: ["API", "CaretakerPages", "JSONValue", "Pages", "Sentences", "StudyExport"],
    exclude: ["Web/icon.svg"],
    resources: ["pair.js", "manifest.json", "icon-180.png", "icon-512.png"].map {
      .embedInCode("Web/\($0)")
    }, swiftSettings: strict),
  .testTarget(
    name: "PairingTests", dependencies: ["Pairing", "CaretakerPages", "JSONValue", "Pages"],
    swiftSettings: strict),
]

/// The modules that most other modules need: the domain, and its formats.
let home: [Target.Dependency] = ["CivilTime", "Alarms", "JSONValue", "EventCoding", "API"]

// The decide-record-act loop, and everything that touches a clock, a file or a socket.
let effects: [Target] =
  module("Engine", ["CivilTime", "Alarms"], tests: ["Fakes"], isOptimized: true)
  + module(
    "RequestHandlers", home + ["Engine", "ICalendar", "Sentences", "StudyExport"],
    tests: ["Fakes"])
  + [.target(name: "MessageDigest", dependencies: ["CGcrypt"], swiftSettings: strict)]
  // Opens and creates files without following symbolic links of other users, and writes durable files.
  + module("FileSystem", tests: ["DiskTrace"])
  + module(
    "Logbook",
    [
      "CivilTime", "Alarms", "ArchiveProtocol", "JSONValue", "EventCoding", "StudyExport", "API",
      "FileSystem", "MessageDigest", library("GRDB", "GRDB.swift"),
      library("GRDBSQLite", "GRDB.swift"),
    ], tests: ["DiskTrace"], isOptimized: true)
  + module("Processes", ["CLinux"])
  + module(
    "Speaker",
    [
      "CivilTime", "Alarms", "FileSystem", "Processes", "SoundProtocol", "JSONValue",
      "EventCoding",
    ])
  + [
    .target(name: "Images", dependencies: ["FileSystem", "Processes"], swiftSettings: strict),
    // Reads pixels with the image libraries, and runs the program under test.
    .testTarget(
      name: "ImagesTests",
      dependencies: ["Images", "TestRandom", "CPNG", "CTurboJPEG", "prompter-image"],
      swiftSettings: strict),
  ]
  // Tells systemd that a program is ready and alive.
  + [.target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: strict)]
  + [
    .target(
      name: "HTTPServer", dependencies: ["Alarms", "JSONValue", "API"] + http,
      swiftSettings: strict),
    // Simulates connections of users.
    .testTarget(
      name: "HTTPServerTests",
      dependencies: [
        "HTTPServer", "TestRandom", "Alarms", "JSONValue", "API",
        library("NIOEmbedded", "swift-nio"),
      ] + http, swiftSettings: strict),
  ]
  + module(
    "Platform",
    ["CivilTime", "Alarms", "Processes", "CLinux", "CSupervisor", "CSystemd", "FileSystem"])

// The simulator and its command: a home that is computed from one seed.
let simulator: [Target] = [
  .target(
    name: "Simulation", dependencies: ["CivilTime", "Alarms", "Engine", "FileSystem"],
    swiftSettings: strict + optimized),
  // The real record, on a disk below SQLite that can lose power.
  .target(
    name: "CFaultyDisk", path: "Sources/C/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
  .target(
    name: "SimulatedDisk",
    dependencies: ["Alarms", "CFaultyDisk", "FileSystem", "Logbook", "Simulation"],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-sim",
    dependencies: [
      "CivilTime", "Alarms", "Engine", "FileSystem", "Logbook", "Simulation", "SimulatedDisk",
      "StudyExport",
      library("ArgumentParser", "swift-argument-parser"),
    ], swiftSettings: strict),
  .testTarget(
    name: "SimulationTests",
    dependencies: [
      "CivilTime", "Alarms", "Engine", "Logbook", "Simulation", "SimulatedDisk",
      library("GRDB", "GRDB.swift"),
    ],
    swiftSettings: strict),
]

// The code of the programs. Each program is a short main function that calls one of these modules.
let applications: [Target] =
  module(
    "DaemonApp",
    home + [
      "Engine", "RequestHandlers", "ICalendar", "StudyExport", "FileSystem", "Logbook",
      "SoundProtocol", "Speaker", "Images", "HTTPServer", "Platform", "Processes", "MessageDigest",
      "Systemd", "CLinux",
      "CThreads",
      library("ArgumentParser", "swift-argument-parser"), library("Logging", "swift-log"),
      library("TOMLKit", "TOMLKit"), library("ServiceLifecycle", "swift-service-lifecycle"),
      library("UnixSignals", "swift-service-lifecycle"),
    ])
  + module(
    "ClientKit",
    home + [
      "FileSystem", "ICalendar", "Processes", "Sentences", "SoundProtocol", "MessageDigest",
      library("ArgumentParser", "swift-argument-parser"),
      library("NIOCore", "swift-nio"), library("NIOPosix", "swift-nio"),
      library("NIOHTTP1", "swift-nio"),
    ])

// Serves the pages of the patient's screen to a browser on the same machine.
let screens: [Target] = module(
  "ScreenServer",
  home + [
    "CaretakerPages", "ClientKit", "ICalendar", "Pages", "Report", "Sentences",
    library("ArgumentParser", "swift-argument-parser"),
    library("NIOCore", "swift-nio"), library("NIOHTTP1", "swift-nio"),
    library("NIOPosix", "swift-nio"),
  ], tests: [library("NIOEmbedded", "swift-nio")])

// Stores the records of a study's homes in PostgreSQL.
let archive: [Target] =
  module("Compression", ["CZlib"])
  + module(
    "StudyArchive",
    [
      "Alarms", "ArchiveProtocol", "CPQ", "CivilTime", "Compression", "EventCoding", "FileSystem",
      "JSONValue", "MessageDigest", "StudyExport", library("NIOCore", "swift-nio"),
      library("NIOHTTP1", "swift-nio"), library("NIOPosix", "swift-nio"),
    ])
  // Starts each contact of a home with the archive at its time.
  + module("LinkTimer", ["Processes"])
  // Sends the record of a home to the archive.
  + module(
    "StudyLink",
    [
      "ArchiveProtocol", "CCurl", "Compression", "FileSystem", "JSONValue", "LinkTimer",
      "Processes",
    ])
  + [
    .executableTarget(
      name: "prompter-link",
      dependencies: [
        "ArchiveProtocol", "CLinux", "EventCoding", "LinkTimer", "Processes", "StudyLink",
        library("ArgumentParser", "swift-argument-parser"), library("TOMLKit", "TOMLKit"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "prompter-link-timer", dependencies: ["LinkTimer", "Processes", "Systemd"],
      swiftSettings: strict),
    .executableTarget(
      name: "prompter-archive",
      dependencies: [
        "EventCoding", "StudyArchive", library("ArgumentParser", "swift-argument-parser"),
      ], swiftSettings: strict),
  ]

// Serves the caretaker's pages to phones.
let web: [Target] = module(
  "WebServer",
  home + [
    "CQREncode", "CaretakerPages", "ClientKit", "FileSystem", "MessageDigest", "Pages", "Pairing",
    "Platform", "ScreenServer", "Sentences", library("TOMLKit", "TOMLKit"),
    library("NIOCore", "swift-nio"), library("NIOHTTP1", "swift-nio"),
    library("NIOPosix", "swift-nio"),
  ])

// The programs.
let programs: [Target] = [
  .executableTarget(
    name: "prompterd",
    dependencies: [
      "DaemonApp", "EventCoding", "Logbook", "CLinux", "CThreads",
      library("ArgumentParser", "swift-argument-parser"),
    ], swiftSettings: strict),
  .executableTarget(
    name: "prompter",
    dependencies: home + [
      "ClientKit", "StudyExport", "ICalendar", "FileSystem", "Pages", "Report", "ScreenServer",
      "SoundProtocol", "MessageDigest", "CLinux",
      library("ArgumentParser", "swift-argument-parser"),
    ], swiftSettings: strict),
  .executableTarget(
    name: "prompter-sound",
    dependencies: [
      "CALSA", "CALSAShim", "CSndFile", "CSandbox", "CLinux", "Sandbox", "SoundProcessing",
      "SoundProtocol",
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-formats",
    dependencies: ["CAV", "CSandbox", "Sandbox", "SoundProcessing"], swiftSettings: strict),
  .executableTarget(
    name: "prompter-image",
    dependencies: [
      "CEXIF", "CHEIF", "CPNG", "CPNGRows", "CTurboJPEG", "CWebP", "CSandbox", "Sandbox",
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-calendar",
    dependencies: [
      "CivilTime", "ICalendar", "ICalendarParser", "JSONValue", "CSandbox", "Sandbox",
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-button",
    dependencies: [
      "Alarms", "CLinux", "Processes", "Sentences",
      library("ArgumentParser", "swift-argument-parser"),
    ],
    swiftSettings: strict),
  .testTarget(
    name: "ButtonTests", dependencies: ["Sentences", "prompter-button"], swiftSettings: strict),
  .executableTarget(
    name: "prompter-screen",
    dependencies: home + [
      "ClientKit", "Pages", "Processes", "ScreenServer", "Systemd",
      library("ArgumentParser", "swift-argument-parser"),
      library("NIOCore", "swift-nio"),
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "prompter-web",
    dependencies: [
      "ClientKit", "EventCoding", "ScreenServer", "Systemd", "WebServer",
      library("ArgumentParser", "swift-argument-parser"), library("NIOCore", "swift-nio"),
    ],
    swiftSettings: strict),
  .testTarget(
    name: "ScreenProgramTests", dependencies: ["prompter-screen"], swiftSettings: strict),
]

// Module maps for system libraries, and C targets for code that cannot be written in Swift.
let system: [Target] = [
  .systemLibrary(
    name: "CALSA", path: "Sources/C/CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]
  ),
  .systemLibrary(
    name: "CSndFile", path: "Sources/C/CSndFile", pkgConfig: "sndfile",
    providers: [.apt(["libsndfile1-dev"])]),
  .systemLibrary(
    name: "CAV", path: "Sources/C/CAV",
    pkgConfig: "libavformat libavcodec libswresample libavutil",
    providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libavutil-dev"])]),
  .systemLibrary(
    name: "CEBUR128", path: "Sources/C/CEBUR128", pkgConfig: "libebur128",
    providers: [.apt(["libebur128-dev"])]),
  .systemLibrary(
    name: "CSampleRate", path: "Sources/C/CSampleRate", pkgConfig: "samplerate",
    providers: [.apt(["libsamplerate0-dev"])]),
  .systemLibrary(
    name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(
    name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
    providers: [.apt(["libturbojpeg0-dev"])]),
  .systemLibrary(
    name: "CWebP", path: "Sources/C/CWebP", pkgConfig: "libwebpdemux",
    providers: [.apt(["libwebp-dev"])]),
  .systemLibrary(
    name: "CEXIF", path: "Sources/C/CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]
  ),
  .systemLibrary(
    name: "CICal", path: "Sources/C/CICal", providers: [.apt(["libical-dev"])]),
  .systemLibrary(
    name: "CQREncode", path: "Sources/C/CQREncode", pkgConfig: "libqrencode",
    providers: [.apt(["libqrencode-dev"])]),
  .systemLibrary(
    name: "CCurl", path: "Sources/C/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CPQ", path: "Sources/C/CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
  .systemLibrary(
    name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  .systemLibrary(
    name: "CSystemd", path: "Sources/C/CSystemd", pkgConfig: "libsystemd",
    providers: [.apt(["libsystemd-dev"])]),
  .systemLibrary(
    name: "CGcrypt", path: "Sources/C/CGcrypt", pkgConfig: "libgcrypt",
    providers: [.apt(["libgcrypt20-dev"])]),
  .systemLibrary(name: "CLinux", path: "Sources/C/CLinux"),
  .target(name: "CALSAShim", dependencies: ["CALSA"], path: "Sources/C/CALSAShim"),
  .target(name: "CSandbox", path: "Sources/C/CSandbox"),
  .target(name: "CThreads", path: "Sources/C/CThreads"),
  .target(
    name: "CPNGRows", path: "Sources/C/CPNGRows", linkerSettings: [.linkedLibrary("png")]),
  .target(
    name: "CHEIF", path: "Sources/C/CHEIF", linkerSettings: [.linkedLibrary("heif")]),
  .target(name: "CSupervisor", path: "Sources/C/CSupervisor"),
  .target(name: "Sandbox", dependencies: ["CLinux", "CSandbox"], swiftSettings: strict),
  // The checks, the loudness and the report of the programs that decode recordings.
  .target(
    name: "SoundProcessing",
    dependencies: [
      "CEBUR128", "CLinux", "CSampleRate", "CSandbox", "Sandbox", "SoundProtocol",
    ],
    // Without optimisation, the loops over all samples are thirty times slower, and the limit of
    // the processor time would end the decoder in tests.
    swiftSettings: strict + optimized),
]

let checks: [Target] = [
  // Seeded random numbers for tests.
  .target(name: "TestRandom", path: "Tests/Support/TestRandom", swiftSettings: strict),
  // One event of each type.
  .target(
    name: "SampleEvents", dependencies: ["Alarms", "TestRandom", "CivilTime", "EventCoding"],
    path: "Tests/Support/SampleEvents", swiftSettings: strict),
  // A clock that the test sets, a record in memory, and a speaker that stores its commands.
  .target(
    name: "Fakes", dependencies: home + ["Engine", "RequestHandlers", "StudyExport"],
    path: "Tests/Support/Fakes", swiftSettings: strict),
  // The calls that change files, in their order, for tests of the order of write, fsync and rename.
  .target(name: "CDiskTrace", path: "Tests/Support/CDiskTrace"),
  .target(
    name: "DiskTrace", dependencies: ["CDiskTrace"], path: "Tests/Support/DiskTrace",
    swiftSettings: strict),
  // A wall clock that stands still, for programs that a test starts.
  .target(name: "CFixedClock", path: "Tests/Support/CFixedClock"),
  .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: home + [
      "TestRandom", "StudyExport", "Logbook", "Processes", "prompterd", "prompter",
      "prompter-sound", "prompter-formats", "prompter-image", "prompter-calendar",
      "prompter-button", "prompter-screen", "prompter-web",
      // The week of a family: the handlers, with a clock that the test sets.
      "ClientKit", "Engine", "Fakes", "HTTPServer", "MessageDigest", "RequestHandlers",
    ] + http,
    swiftSettings: strict),
]

// A minimal server and clients for comparison with the HTTP server; see Benchmarks/http_server.py.
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
  // For tests only, which load this library into a program that they start.
  products: [.library(name: "FixedClock", type: .dynamic, targets: ["CFixedClock"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: pure + caretakerPages + pairing + effects + simulator + applications + screens + web
    + archive + programs + system + checks + benchmarks,
  swiftLanguageModes: [.v6]
)
