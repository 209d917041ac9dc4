import ArchiveProtocol

/// The SQL statements that create the tables of the archive, and change them from version to
/// version.
package enum Schema {
  /// The SQL statements of each version, the first version first. Never change the statements of a
  /// released version. Add a new version instead.
  private static let versions = [
    homes + events + findings + roles + views, erasures, prompts, consent,
  ]

  /// The version of the tables that this program needs.
  package static var newest: Int { versions.count }

  /// Creates the tables, or changes them to the newest version.
  ///
  /// - Returns: the version before the call, and the version after it.
  package static func migrate(
    _ connection: DatabaseConnection
  ) throws(ArchiveError) -> (from: Int, to: Int) {
    try connection.transaction { () throws(ArchiveError) in
      try connection.run(
        """
        SELECT pg_advisory_xact_lock(7266);
        CREATE SCHEMA IF NOT EXISTS prompter;
        CREATE TABLE IF NOT EXISTS prompter.schema_version (
          version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())
        """)
      let before = try version(connection) ?? 0
      guard before <= newest else { throw tooNew(before) }
      for version in before..<newest {
        try connection.run(versions[version])
        try connection.rows("INSERT INTO schema_version VALUES ($1)", ["\(version + 1)"])
      }
      return (before, newest)
    }
  }

  /// Checks that the tables of the database have the version that this program needs.
  ///
  /// - Throws: `refused` if the tables have a different version.
  package static func check(_ connection: DatabaseConnection) throws(ArchiveError) {
    let found: Int
    do throws(ArchiveError) {
      found = try version(connection) ?? 0
    } catch .database(state: "42P01", _) {
      // The table `schema_version` does not exist, so the database is empty.
      found = 0
    }
    guard found <= newest else { throw tooNew(found) }
    guard found == newest else {
      throw .refused(
        "cannot use the database: its tables have version \(found), and this program needs version "
          + "\(newest); run \"prompter-archive migrate\"")
    }
  }

  private static func version(
    _ connection: DatabaseConnection
  ) throws(ArchiveError) -> Int? {
    try connection.rows("SELECT max(version) FROM schema_version").first?[0].flatMap { Int($0) }
  }

  private static func tooNew(_ version: Int) -> ArchiveError {
    .refused(
      "cannot use the database: its tables have version \(version), and this program knows only "
        + "version \(newest); install a newer prompter-archive")
  }

  private static let homes = """
    CREATE TABLE studies (
      study text PRIMARY KEY,
      number integer GENERATED ALWAYS AS IDENTITY UNIQUE);
    CREATE TABLE homes (
      home text PRIMARY KEY,
      site text NOT NULL,
      study text NOT NULL REFERENCES studies,
      state text NOT NULL DEFAULT 'expected'
        CHECK (state IN ('expected', 'enrolled', 'withdrawn', 'revoked')),
      fingerprint text UNIQUE CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
      added_at timestamptz NOT NULL DEFAULT now(),
      enrolled_at timestamptz,
      CHECK (state <> 'enrolled' OR fingerprint IS NOT NULL));
    CREATE TABLE enrolment_codes (
      digest text PRIMARY KEY,
      home text NOT NULL REFERENCES homes,
      expires_at timestamptz NOT NULL,
      used_at timestamptz);
    CREATE TABLE streams (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      stream text NOT NULL UNIQUE,
      home text NOT NULL REFERENCES homes,
      study text NOT NULL REFERENCES studies,
      parent bigint REFERENCES streams,
      parent_seq bigint,
      successor bigint REFERENCES streams,
      start_seq bigint, start_hash text,
      head_seq bigint, head_hash text,
      safe_seq bigint, safe_hash text,
      home_seq bigint,
      newest_wall_ms bigint,
      created_at timestamptz NOT NULL DEFAULT now(),
      contact_at timestamptz,
      received_at timestamptz,
      CHECK ((head_seq IS NULL) = (start_seq IS NULL)),
      CHECK (head_seq > start_seq));
    CREATE INDEX streams_by_home ON streams (home);

    """

  /// The definitions of the columns between `seq` and the two hashes. `seq` and the hashes are not
  /// in this text, because their definitions are different.
  private static let values = RowColumn.all.dropFirst().dropLast(2).map { column in
    "\(column.name) \(column.kind == .integer ? "bigint" : "text")"
  }.joined(separator: ",\n  ")

  /// The table `events`. Each study has one partition. Therefore, after the end of a study, an
  /// administrator can detach the rows of this study with one statement. The partition of a study
  /// is divided by the hash of the stream. A division by time was rejected, because PostgreSQL
  /// could then not enforce that the key (stream, seq) is unique.
  private static let events = """
    CREATE TABLE events (
      study text NOT NULL,
      stream bigint NOT NULL REFERENCES streams,
      seq bigint NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now(),
      is_sealed boolean NOT NULL,
      is_json boolean NOT NULL,
      \(values),
      prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
      hash bytea NOT NULL CHECK (length(hash) = 32),
      PRIMARY KEY (study, stream, seq)
    ) PARTITION BY LIST (study);

    """

  private static let findings = """
    CREATE TABLE findings (
      stream bigint NOT NULL REFERENCES streams,
      kind text NOT NULL
        CHECK (kind IN ('gap', 'fork', 'broken', 'rewound', 'skew', 'unknown_type')),
      seq bigint NOT NULL,
      detail text NOT NULL,
      count bigint NOT NULL DEFAULT 1,
      first_at timestamptz NOT NULL DEFAULT now(),
      last_at timestamptz NOT NULL DEFAULT now(),
      closed_at timestamptz,
      PRIMARY KEY (stream, kind, seq, detail));

    """

  /// The roles and their rights. The role `prompter_archive` can add rows to the table `events`,
  /// but cannot change or remove these rows.
  private static let roles = """
    DO $$ BEGIN
      CREATE ROLE prompter_archive NOLOGIN;
    EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    DO $$ BEGIN
      CREATE ROLE prompter_analyst NOLOGIN;
    EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    DO $$ BEGIN
      CREATE ROLE prompter_auditor NOLOGIN;
    EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT USAGE ON SCHEMA prompter TO prompter_archive, prompter_analyst, prompter_auditor;
    GRANT SELECT ON schema_version, studies TO prompter_archive, prompter_auditor;
    GRANT SELECT, UPDATE ON homes, enrolment_codes TO prompter_archive;
    GRANT SELECT, INSERT, UPDATE ON streams, findings TO prompter_archive;
    GRANT SELECT, INSERT ON events TO prompter_archive;
    GRANT SELECT ON homes, streams, events, findings TO prompter_auditor;

    """

  /// The views of version 1. If a home has a fork, two streams can contain the same prompt. The
  /// view `prompts` shows the prompt of the newer stream, because the home continues the record of
  /// the newer stream.
  private static let views = """
    CREATE VIEW prompts AS
    WITH rows AS (
      SELECT s.home, e.study, e.stream, e.seq, e.prompt_id, e.type, e.person, e.phase, e.alarm_id,
        e.alarm_version, e.actor_role, e.wall_utc_ms,
        CASE WHEN e.is_json THEN e.payload::jsonb END AS payload
      FROM events e JOIN streams s ON s.number = e.stream
      WHERE e.prompt_id IS NOT NULL
    ), prompts AS (
      SELECT home, study, stream, prompt_id,
        (array_agg(person ORDER BY seq DESC) FILTER (WHERE person IS NOT NULL))[1] AS person,
        (array_agg(phase ORDER BY seq DESC) FILTER (WHERE type = 'due'))[1] AS phase,
        (array_agg(alarm_id ORDER BY seq DESC) FILTER (WHERE alarm_id IS NOT NULL))[1] AS alarm_id,
        (array_agg((payload ->> 'due_ms')::bigint ORDER BY seq DESC)
          FILTER (WHERE type = 'planned'))[1] AS due_ms,
        bool_or(type = 'due') AS became_due,
        count(*) FILTER (WHERE type = 'ring_intent') AS rings_intended,
        count(*) FILTER (WHERE type = 'ring_started') AS rings_sounded,
        count(*) FILTER (WHERE type = 'ring_failed') AS rings_failed,
        min(wall_utc_ms) FILTER (WHERE type = 'ring_started') AS first_ring_ms,
        (array_agg(payload ->> 'outcome' ORDER BY seq DESC)
          FILTER (WHERE type = 'correction' OR payload ? 'outcome'))[1] AS outcome,
        (array_agg(payload ->> 'reason' ORDER BY seq DESC)
          FILTER (WHERE type = 'correction' OR payload ? 'outcome'))[1] AS reason,
        (array_agg(CASE WHEN payload ? 'outcome' THEN wall_utc_ms END ORDER BY seq DESC)
          FILTER (WHERE type = 'correction' OR payload ? 'outcome'))[1] AS closed_ms
      FROM rows GROUP BY home, study, stream, prompt_id
    )
    SELECT DISTINCT ON (p.study, p.home, p.prompt_id)
      p.study, h.site, p.home, p.person, p.phase, p.prompt_id, p.alarm_id, p.due_ms, p.became_due,
      p.rings_intended, p.rings_sounded, p.rings_failed, p.first_ring_ms, p.outcome, p.reason,
      p.closed_ms
    FROM prompts p JOIN homes h USING (home)
    ORDER BY p.study, p.home, p.prompt_id, p.stream DESC;

    CREATE VIEW days AS
    SELECT study, site, home, person, to_timestamp(due_ms / 1000.0)::date AS utc_date,
      count(*) FILTER (WHERE became_due) AS due,
      count(*) FILTER (WHERE outcome IN ('completed', 'completed_out_of_window')) AS done,
      count(*) FILTER (WHERE outcome LIKE 'missed_%') AS missed
    FROM prompts GROUP BY study, site, home, person, utc_date;
    GRANT SELECT ON prompts, days TO prompter_analyst, prompter_auditor;
    """

  private static let erasures = """
    CREATE TABLE erasures (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      home text NOT NULL REFERENCES homes,
      person text,
      rows bigint NOT NULL,
      erased_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX erasures_by_home ON erasures (home);
    GRANT SELECT ON erasures TO prompter_archive, prompter_auditor;
    """

  /// The number of parts into which the partition of a study is divided.
  private static let partitions = 8

  /// Creates a study with its partitions. If the study already exists, the function does nothing.
  ///
  /// - Parameter study: the name of the study. `HomeRegistry.add` permits only characters that need
  ///   no escapes in SQL.
  static func addStudy(
    _ study: String, _ connection: DatabaseConnection
  ) throws(ArchiveError) {
    try connection.run("LOCK TABLE studies IN EXCLUSIVE MODE")
    guard
      try connection.rows("SELECT 1 FROM studies WHERE study = $1", [study]).isEmpty,
      let number = try connection.rows(
        "INSERT INTO studies (study) VALUES ($1) RETURNING number", [study]
      ).first?[0]
    else { return }
    let table = "events_\(number)"
    try connection.run(
      """
      CREATE TABLE \(table) PARTITION OF events FOR VALUES IN ('\(study)')
        PARTITION BY HASH (stream)
      """)
    for part in 0..<partitions {
      try connection.run(
        """
        CREATE TABLE \(table)_\(part) PARTITION OF \(table)
          FOR VALUES WITH (MODULUS \(partitions), REMAINDER \(part))
        """)
    }
  }
}
