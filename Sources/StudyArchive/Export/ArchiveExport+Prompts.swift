import CivilTime
import StudyExport

extension ArchiveExport {
  /// The columns of prompts.csv that come before the columns of an export of a home. In a pool of
  /// exports, prompts.csv begins with the same columns.
  static let promptColumns = homeColumns + ["study_day"]

  /// The SQL query that returns, for each stream, the pseudonym of the device in its oldest row
  /// with a device.
  static let devices = """
    SELECT number AS stream, (
      SELECT device FROM events e
      WHERE e.study = s.study AND e.stream = s.number AND device IS NOT NULL
      ORDER BY seq LIMIT 1) AS device
    FROM streams s
    """

  /// Writes prompts.csv. As in a pool of exports, each row contains the study and the study day of
  /// the prompt.
  func writePrompts(
    of homes: [HomeTables], into directory: ExportDirectory, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> ExportedFile {
    let zones = DatabaseZones(connection)
    let studies = Dictionary(
      uniqueKeysWithValues: homes.map { ($0.home, PromptStudies($0, zones.zones)) })
    if let failure = zones.failure { throw failure }
    var table = try ExportTableWriter(
      .prompts, before: Self.promptColumns, try directory.file("prompts.csv"))
    try forEachRow(
      """
      WITH devices AS MATERIALIZED (\(Self.devices)), also AS (
        SELECT DISTINCT ON (stream, prompt_id) stream, prompt_id,
          CASE WHEN is_json THEN payload::jsonb ->> 'also_nominal' END AS also_scheduled
        FROM events WHERE type = 'planned' AND prompt_id IS NOT NULL
        ORDER BY stream, prompt_id, seq DESC
      )
      SELECT p.site, p.home, d.device, \(ExportTableWriter.promptColumns)
      FROM prompt_facts p JOIN devices d USING (stream) LEFT JOIN also o USING (stream, prompt_id)
      WHERE $1::text IS NULL OR p.study = $1 ORDER BY p.study, p.home, p.prompt_id
      """, connection
    ) { row throws(ArchiveError) in
      var cells = Array(row[Self.homeColumns.count...])
      let day = Self.place(&cells, studies[row[1] ?? ""])
      try table.prompt(before: row[..<Self.homeColumns.count] + [day.map(String.init)], cells)
    }
    return try table.finish()
  }

  /// Computes the study and the study day of a prompt. The function writes the study into `cells`,
  /// and returns the study day. The result is nil if a value is missing, or if the person was not
  /// enrolled.
  private static func place(_ cells: inout [String?], _ studies: PromptStudies?) -> Int? {
    typealias Place = ExportTableWriter.PromptPlace
    guard let studies, let person = cells[Place.person], let recorded = cells[Place.study],
      let due = cells[Place.due].flatMap({ Int64($0) }), ExportTableWriter.years.contains(due),
      let offset = cells[Place.dueOffset].flatMap({ Int64($0) }),
      abs(offset) <= ExportTableWriter.largestOffsetSeconds
    else { return nil }
    let instant = Instant(milliseconds: due)
    let study = studies.study(of: person, at: instant, recorded: recorded)
    cells[Place.study] = study
    return studies.day(of: person, study: study, at: instant, offsetSeconds: offset)
  }
}
