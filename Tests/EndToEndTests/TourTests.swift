import Foundation
import Testing

extension EndToEnd {
  /// Types the commands of the tour in the README into a terminal.
  @Suite struct Tour {
    @Test func `the README shows the output of the terminal`() async throws {
      let home = try TestHome()
      let tour = try await Running(
        TestHome.repository.appending(path: "Tests/Tour/run").path(), [Programs.directory],
        in: home.directory
      ).finished()
      #expect(tour.code == 0, "\(tour)")
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}
