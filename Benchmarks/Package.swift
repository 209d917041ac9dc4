// swift-tools-version:6.1
import PackageDescription

// The benchmarks are a separate package, so that they do not need the dependencies of the daemon.
// CivilTime is a link to the sources of the daemon.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "prompter-benchmarks",
  targets: [
    .target(name: "CivilTime", swiftSettings: strict),
    .target(name: "Limit", cSettings: [.unsafeFlags(["-O3"])]),
    .target(name: "Allocations"),
    .systemLibrary(name: "CLibical", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
    .executableTarget(
      name: "civiltime-bench", dependencies: ["CivilTime", "Limit", "Allocations", "CLibical"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
