import Foundation
import JSONValue
import MessageDigest
import TestRandom
import Testing

extension EndToEnd {
  /// Manipulates the files of exports at random, each time from a seed.
  ///
  /// `verify --manifest` must find each manipulation that changes a file.
  @Suite struct Manipulation {
    private enum Kind: String, CaseIterable {
      case byteChanged, byteRemoved, byteInserted, bytesSwapped, rowChanged, rowRemoved,
        rowRepeated,
        rowsSwapped, cellsSwapped, fileRemoved, fileEmptied, filesSwapped, manifestChanged
    }

    private static let count = 700

    @Test func `seven hundred manipulations of exports are all found`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "anna", "--name", "Anna")
        _ = try await home.ask("study", "enrol", "anna", "--pseudonym", "P-1")
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--person", "anna")
        try await home.ring(1)
        _ = try await home.run("done")
        let exports = ["limited", "safe_harbor", "identified"].map { profile in
          (profile, home.path("export-\(profile)"))
        }
        for (profile, path) in exports {
          let made = try await home.run("export", path, "--profile", profile)
          #expect(made.code == 0, "\(made)")
        }
        var found: [Kind: Int] = [:]
        var seed: UInt64 = 0
        while found.values.reduce(0, +) < Self.count {
          seed += 1
          let path = exports[Int(seed % 3)].1
          var random = SeededGenerator(seed: seed)
          let kind = Kind.allCases[Int(random.next(upperBound: UInt64(Kind.allCases.count)))]
          // In half of the cases, the manipulation also writes the digests of the changed files
          // into the manifest.
          let isSealed = kind != .manifestChanged && random.next().isMultiple(of: 2)
          let forged = home.path("forged")
          try? FileManager.default.removeItem(atPath: forged)
          try FileManager.default.copyItem(atPath: path, toPath: forged)
          guard try Files(forged).manipulate(kind, &random, isSealed: isSealed) else { continue }
          found[kind, default: 0] += 1
          let verdict = try await home.run("verify", "--manifest", forged)
          #expect(verdict.code != 0, "seed \(seed): \(kind), sealed: \(isSealed)")
        }
        #expect(found.count == Kind.allCases.count, "\(found)")
        for (_, path) in exports {
          #expect(try await home.run("verify", "--manifest", path).code == 0)
        }
      }
    }

    /// The files in a copy of an export.
    private struct Files {
      let directory: String
      let names: [String]

      init(_ directory: String) throws {
        self.directory = directory
        names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      }

      private func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)")))
      }

      private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(directory)/\(name)"))
      }

      /// - Returns: false if the manipulation left the files unchanged.
      func manipulate(
        _ kind: Kind, _ random: inout SeededGenerator, isSealed: Bool
      ) throws -> Bool {
        let listed = names.filter { $0 != "MANIFEST.json" }
        let name =
          kind == .manifestChanged ? "MANIFEST.json" : listed.randomElement(using: &random)!
        let before = try read(name)
        switch kind {
        case .fileRemoved:
          try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
          return true
        case .filesSwapped:
          let other = listed.randomElement(using: &random)!
          let bytes = try read(other)
          if bytes == before { return false }
          try write(other, before)
          try write(name, bytes)
          if isSealed { try seal([name, other]) }
          return true
        default:
          let after = Self.changed(before, kind, &random)
          if after == before { return false }
          try write(name, after)
          if isSealed { try seal([name]) }
          return true
        }
      }

      /// Writes the digests of the changed files into the manifest.
      private func seal(_ changed: [String]) throws {
        var manifest = try JSON(parsing: try read("MANIFEST.json"))
        let files = try (manifest["files"]?.array ?? []).map { file in
          guard let name = file["name"]?.string, changed.contains(name) else { return file }
          let bytes = try read(name)
          var file = file
          file.set("sha256", .string(SHA256Digest.hex(bytes)))
          file.set("bytes", .integer(Int64(bytes.count)))
          return file
        }
        try #require(manifest["files"] != .array(files))
        manifest.set("files", .array(files))
        try write("MANIFEST.json", Array((manifest.description + "\n").utf8))
      }

      private static func changed(
        _ bytes: [UInt8], _ kind: Kind, _ random: inout SeededGenerator
      ) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let (one, other) = (
          Int.random(in: 0..<bytes.count, using: &random),
          Int.random(in: 0..<bytes.count, using: &random)
        )
        switch kind {
        case .byteChanged, .manifestChanged:
          bytes[one] ^= UInt8.random(in: 1...255, using: &random)
          return bytes
        case .byteRemoved:
          bytes.remove(at: one)
          return bytes
        case .byteInserted:
          bytes.insert(.random(in: 0...255, using: &random), at: one)
          return bytes
        case .bytesSwapped:
          bytes.swapAt(one, other)
          return bytes
        case .fileEmptied: return []
        default: break
        }
        var rows = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let (row, second) = (
          Int.random(in: 0..<rows.count, using: &random),
          Int.random(in: 0..<rows.count, using: &random)
        )
        switch kind {
        case .rowChanged: rows[row] = rows[row].reversed()
        case .rowRemoved: rows.remove(at: row)
        case .rowRepeated: rows.insert(rows[row], at: row)
        case .rowsSwapped: rows.swapAt(row, second)
        default:
          var cells = rows[row].split(separator: 0x2C, omittingEmptySubsequences: false)
          cells.reverse()
          rows[row] = Array(cells.joined(separator: [0x2C]))
        }
        return Array(rows.joined(separator: [0x0A]))
      }
    }
  }
}
