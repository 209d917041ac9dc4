import EventCoding
import JSONValue
import StudyExport

extension ArchiveExport {
  /// Writes rings.csv: the rings of the prompts in prompts.csv.
  ///
  /// A home can send any number as a time. The function leaves out a row of the record if its time
  /// or its UTC offset is outside the possible range.
  func writeRings(
    into directory: ExportDirectory, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> ExportedFile {
    var table = try ExportTableWriter(
      .rings, before: Self.homeColumns, try directory.file("rings.csv"))
    var rings = PromptRings()
    let types = RingList.types.sorted().map { "'\($0)'" }.joined(separator: ", ")
    let years = ExportTableWriter.years
    try forEachRow(
      """
      WITH devices AS MATERIALIZED (\(Self.devices)), chosen AS MATERIALIZED (
        -- As in prompt_facts, the newest stream of each prompt counts.
        SELECT e.study, s.home, e.prompt_id, max(e.stream) AS stream,
          (array_agg(e.person ORDER BY e.stream DESC, e.seq DESC)
            FILTER (WHERE e.person IS NOT NULL))[1] AS person
        FROM events e JOIN streams s ON s.number = e.stream
        WHERE e.prompt_id IS NOT NULL AND e.type <> 'diary' AND ($1::text IS NULL OR e.study = $1)
        GROUP BY e.study, s.home, e.prompt_id
      )
      SELECT h.site, c.home, d.device, c.prompt_id, e.type, e.ring_no, e.tone_sha256,
        CASE WHEN e.is_json THEN e.payload ELSE '{}' END, e.wall_utc_ms, e.utc_offset_s, e.boot_id,
        e.boottime_ns
      FROM chosen c JOIN homes h USING (home) JOIN devices d USING (stream)
        JOIN events e ON e.study = c.study AND e.stream = c.stream AND e.prompt_id = c.prompt_id
        LEFT JOIN barred_people b ON b.home = c.home AND b.person = c.person
      WHERE b.home IS NULL AND e.type IN (\(types))
        AND e.wall_utc_ms BETWEEN \(years.lowerBound) AND \(years.upperBound)
        AND abs(e.utc_offset_s) <= \(ExportTableWriter.largestOffsetSeconds)
        AND e.boottime_ns BETWEEN 0 AND 1000000000000000000
      ORDER BY c.study, c.home, c.prompt_id, e.seq
      """, connection
    ) { row throws(ArchiveError) in
      if !rings.isOf(row) {
        try rings.write(to: &table)
        rings = PromptRings(row)
      }
      rings.add(row)
    }
    try rings.write(to: &table)
    return try table.finish()
  }
}

/// The rings of one prompt, computed from the rows that the query in `writeRings` returns.
private struct PromptRings {
  private var before: [String?] = []
  private var prompt: String?
  private var list = RingList()
  private var boots: [String: Int] = [:]

  init() {}

  init(_ row: [String?]) {
    before = Array(row[..<3])
    prompt = row[3]
  }

  /// Returns true if a row is about the prompt whose rings this value contains.
  func isOf(_ row: [String?]) -> Bool { !before.isEmpty && before[1] == row[1] && prompt == row[3] }

  mutating func add(_ row: [String?]) {
    func integer(_ place: Int) -> Int64 { row[place].flatMap { Int64($0) } ?? 0 }
    let boot = boots[row[10] ?? "", default: boots.count]
    boots[row[10] ?? ""] = boot
    let stamp = Stamp(
      wallMilliseconds: integer(8), offsetSeconds: integer(9), boot: boot,
      bootNanoseconds: integer(11))
    list.add(
      row[4] ?? "", number: integer(5), toneSHA256: row[6], StoredPayload(row[7] ?? ""), at: stamp)
  }

  func write(to table: inout ExportTableWriter) throws(ArchiveError) {
    for ring in list.rings {
      try table.write(before: before) { line in
        line.text(prompt)
        ring.write(to: &line)
      }
    }
  }
}

/// The payload of a row. If a payload is not JSON, the value has no members. The views of the
/// database use the same rule.
private struct StoredPayload: RingPayload {
  private let json: JSON

  init(_ text: String) { json = (try? JSON(stored: text)) ?? .members([]) }

  func integer(_ name: StaticString) -> Int64? { json["\(name)"]?.integer }
  func double(_ name: StaticString) -> Double? { json["\(name)"]?.double }
  func bool(_ name: StaticString) -> Bool? { json["\(name)"]?.bool }
  func word(_ name: StaticString) -> String? { json["\(name)"]?.string }
}
