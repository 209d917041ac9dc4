// A libFuzzer target that reads any bytes as a TZif file. The reader must read or refuse the bytes,
// and must not crash or hang. If the reader accepts a zone, the zone must give plausible offsets.
// Each local time must resolve to an instant that has this local time.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZone(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let file = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let zone = try? Zone(name: "fuzz", tzif: file) else { return 0 }
  var second: Int64 = -3_000_000_000
  while second < 20_000_000_000 {
    check(zone, second)
    second += 1_234_567_891
  }
  // The test checks instants near the first changes of the zone, because gaps and folds are there.
  var change = Instant(milliseconds: .min)
  for _ in 0..<8 {
    guard let next = zone.nextOffsetChange(after: change) else { break }
    precondition(next > change, "changes go back")
    for delta in [-86_400, -1, 0, 1, 3600] as [Int64] { check(zone, next.seconds + delta) }
    change = next
  }
  return 0
}

private func check(_ zone: Zone, _ second: Int64) {
  let reading = zone.civil(at: Instant(seconds: second))
  precondition(abs(reading.offsetSeconds) < 100_000, "an offset of \(reading.offsetSeconds)")
  let place = zone.resolve(reading.dateTime, fold: reading.fold)
  precondition(place.kind != .gap, "\(reading) is shown but does not exist")
  // If two changes are close together, three instants can have the same local time. A program can
  // ask only for the first two instants.
  let shown = zone.civil(at: place.instant).dateTime
  precondition(shown == reading.dateTime, "\(reading) resolves to \(shown)")
}
