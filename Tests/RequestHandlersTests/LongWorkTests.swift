import API
import Fakes
import JSONValue
import Synchronization
import Testing

@Test func `the status gives each long operation a kind, by which clients find it`() async throws {
  let home = await ServedHome()
  #expect(try await home.ask(.status).document["work"]?.array == [])
  home.fakes.state.withLock {
    $0.work = LongWork.Kind.allCases.map { LongWork($0, done: 2, total: 5) }
  }
  let work = try #require(try await home.ask(.status).document["work"]?.array)
  #expect(work.map { $0["kind"]?.string } == ["verify", "export", "backup"])
  #expect(work.map { $0["what"]?.string } == ["verify", "export", "backup"])
  #expect(work.allSatisfy { $0["done"]?.integer == 2 && $0["total"]?.integer == 5 })
}
