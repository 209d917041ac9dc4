import DiskTrace
import Testing

@Suite struct `A trace of the disk` {
  @Test(
    arguments: [
      ([.write("d/a"), .sync("d/a"), .sync("d")], []),
      ([.write("d/a"), .sync("d/a")], ["the end, before fsync of [\"d\"]"]),
      ([.write("d/a"), .sync("d")], ["the end, before fsync of [\"d/a\"]"]),
      // The program replaces an old file with a new file.
      (
        [.write("d/a"), .rename("d/a", "d/old"), .sync("d")],
        ["rename to d/old, before fsync of [\"d/a\"]"]
      ),
      (
        [.write("d/a"), .sync("d/a"), .rename("d/a", "d/old")],
        ["the end, before fsync of [\"d\"]"]
      ),
      (
        [.create("d/e"), .write("d/a"), .sync("d/a"), .rename("d/a", "d/old"), .sync("d")],
        ["rename to d/old, before fsync of [\"d\"]"]
      ),
      // The program gives an old file a second name, and then removes the first name.
      ([.link("d/old", "d/kept"), .sync("d"), .unlink("d/old")], []),
      (
        [.link("d/old", "d/kept"), .unlink("d/old"), .sync("d")],
        ["unlink of d/old, before fsync of [\"d\"]"]
      ),
      // The program removes files.
      ([.unlink("d/old"), .unlink("d/older")], []),
      (
        [.unlink("d/old"), .write("d/a"), .sync("d/a"), .rename("d/a", "d/older"), .sync("d")],
        ["rename to d/older, before fsync of [\"d\"]"]
      ),
      ([.write("d/a"), .unlink("d/a")], []),
    ] as [([DiskTrace.Call], [String])])
  func `names each step that a power failure can break`(calls: [DiskTrace.Call], steps: [String]) {
    #expect(DiskTrace(calls: calls, existing: ["d", "d/old", "d/older"]).unsafeSteps == steps)
  }

  @Test func `names each fsync that protects nothing`() {
    let calls: [DiskTrace.Call] = [.write("d/a"), .sync("d/a"), .sync("d"), .sync("d")]
    #expect(DiskTrace(calls: calls).unneededSyncs == ["d", "d"])
    #expect(DiskTrace(calls: Array(calls.dropLast())).unneededSyncs == [])
  }
}
