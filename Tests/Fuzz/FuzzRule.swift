// A libFuzzer target that reads any bytes as a recurrence rule. The parser must read or refuse the
// bytes, and must not crash or hang. If the parser reads a rule, it must read the printed form of
// this rule as the same rule. The compiler must compile or refuse the rule. The occurrences must be
// in the order of time.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRule(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return 0 }
  // Two bytes choose the start. For some of these starts, the rule reaches leap days and clock
  // changes.
  let start = CivilDateTime(
    localSeconds: Int64(bytes[0]) * 6_307_200 + Int64(bytes[1]) * 1801)
  let text = String(
    decoding: UnsafeBufferPointer(start: bytes + 2, count: count - 2), as: UTF8.self)
  guard let rule = try? RecurrenceRule(parsing: text) else { return 0 }
  guard let again = try? RecurrenceRule(parsing: rule.description), again == rule else {
    fatalError("\(text) does not read back")
  }
  guard let recurrence = try? Recurrence(rule: rule, start: start, zone: fuzzZone) else { return 0 }
  var last = Instant(milliseconds: .min)
  for _ in 0..<20 {
    guard let next = recurrence.next(after: last) else { break }
    precondition(next.instant > last, "\(text) goes back")
    last = next.instant
  }
  return 0
}

/// The zone of New York. The zone is not read from a file, and contains only the rule in the
/// footer.
nonisolated(unsafe) private let fuzzZone: Zone = {
  let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
  let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
  let block: [UInt8] = [0xFF, 0xFF, 0xB9, 0xB0, 0, 0] + Array("EST\0".utf8)
  let footer = Array("\nEST5EDT,M3.2.0,M11.1.0\n".utf8)
  let file = header + counts + block + header + counts + block + footer
  guard let zone = try? Zone(name: "New York", tzif: file) else { return .utc }
  return zone
}()
