// swift-tools-version:6.1
import PackageDescription

// A package of its own, so that measuring needs none of the daemon's dependencies. CivilTime is a
// link to the very sources the daemon is built from.
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
