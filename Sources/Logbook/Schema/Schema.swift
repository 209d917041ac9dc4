import GRDB

/// The tables of the record: one migration for each version of the record. Never change the
/// migration of a released version. Add a migration for a new version instead.
enum Schema {
  /// The text "PRMT" as a number. This number distinguishes a record of Prompter from a different
  /// SQLite file.
  static let applicationID: Int64 = 0x5052_4D54

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      for statement in version1 { try db.execute(sql: statement) }
    }
    migrator.registerMigration("2") { db in
      for statement in version2 { try db.execute(sql: statement) }
      // The table `prompts` also stores whether a person heard the prompt. Schema version 1
      // computed this value by a different rule, so compute all projections again.
      if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM events)") == true {
        try Logbook.rebuildProjections(in: db)
      }
    }
    migrator.registerMigration("3") { db in
      for statement in version3 { try db.execute(sql: statement) }
    }
    migrator.registerMigration("4") { db in
      // The daemon reads all lists of holidays when it starts. This index makes the read fast.
      try db.execute(
        sql: """
          CREATE INDEX holiday_lists ON events (seq)
          WHERE type IN ('holidays_imported', 'holidays_removed')
          """)
    }
    migrator.registerMigration("5") { db in
      // The salt of the digest that binds a pseudonym to the id of its person (see
      // `IdentityProof`). The salt is null until an event about the person contains such a digest.
      try db.execute(sql: "ALTER TABLE people ADD COLUMN salt TEXT")
    }
    return migrator
  }

  /// The table of the supplies of the home. The column `state` contains a JSON object.
  private static let version3 = [
    """
    CREATE TABLE supplies (
      supply_id TEXT PRIMARY KEY, state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """
  ]

  /// Enables incremental vacuum, so that a purge frees disk space in small pieces.
  ///
  /// A full `VACUUM` would write the whole file again, and rings would have to wait. SQLite can
  /// enable incremental vacuum only for an empty file.
  static func prepareForPurges(_ db: Database) throws {
    guard try Int64.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
    try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
  }

  /// A trigger that forbids the deletion of events. Only a purge deletes events. The purge drops
  /// this trigger and creates the trigger again, in one transaction.
  static let noDeletion = """
    CREATE TRIGGER events_no_delete BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END
    """

  /// The trigger `events_in_order`. The trigger allows a new row only if the sequence number of
  /// this row is the newest sequence number plus 1. The statement INSERT OR REPLACE can delete an
  /// existing row, and SQLite does not run the trigger `events_no_delete` for this deletion. The
  /// trigger `events_in_order` refuses this statement, too.
  private static let onlyAtTheEnd = """
    CREATE TRIGGER events_in_order BEFORE INSERT ON events
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
    BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END
    """

  /// Runs the closure `work` without the trigger `events_in_order`. The closure copies the rows of
  /// a record that a purge has shortened, so some sequence numbers are missing. The trigger would
  /// refuse a row after a missing sequence number. Therefore, the function drops the trigger before
  /// it calls `work`, and creates the trigger again after `work` returns.
  static func copyingHoles(in db: Database, _ work: () throws -> Void) throws {
    try db.execute(sql: "DROP TRIGGER main.events_in_order")
    let result = Result { try work() }
    try db.execute(sql: onlyAtTheEnd)
    try result.get()
  }

  /// Indexes with which the daemon finds all uploads of a user. The daemon compares the size of
  /// these uploads with the storage limit of the user.
  private static let version2 = [
    "CREATE INDEX image_uploads ON events (seq) WHERE type = 'image_added'",
    "CREATE INDEX tone_uploads ON events (seq) WHERE type = 'tone_added'",
  ]

  private static let version1 = [
    "PRAGMA application_id = \(applicationID)",
    // Only the events and their contents are original data. If a projection is lost, the program
    // can compute the projection again from these data.
    """
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY,
      event_id TEXT NOT NULL,
      schema_version INTEGER NOT NULL,
      study_id TEXT NOT NULL,
      person TEXT,
      device TEXT NOT NULL,
      phase TEXT,
      type TEXT NOT NULL,
      prompt_id TEXT,
      ring_no INTEGER,
      alarm_id TEXT,
      alarm_version INTEGER,
      tone_sha256 TEXT,
      actor_role TEXT NOT NULL,
      actor_id TEXT NOT NULL,
      source TEXT NOT NULL,
      wall_utc_ms INTEGER NOT NULL,
      tz_name TEXT NOT NULL,
      utc_offset_s INTEGER NOT NULL,
      tzdata_version TEXT NOT NULL,
      boot_id TEXT NOT NULL,
      boottime_ns INTEGER NOT NULL,
      clock_state TEXT NOT NULL,
      clock_error_ms INTEGER,
      payload TEXT NOT NULL,
      payload_digest TEXT,
      prev_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER events_no_update BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END
    """,
    noDeletion, onlyAtTheEnd,
    "CREATE INDEX events_by_prompt ON events (prompt_id) WHERE prompt_id IS NOT NULL",
    // An index of the events that contain alarm versions.
    """
    CREATE INDEX alarm_versions ON events (alarm_id, alarm_version)
    WHERE type IN ('alarm_created', 'alarm_edited')
    """,
    // An index of the enrolments of persons in studies.
    "CREATE INDEX enrolments ON events (person) WHERE type = 'enrolled'",
    // An index of the responses to questions, for charts.
    """
    CREATE INDEX responses ON events (person, wall_utc_ms) WHERE type = 'response'
    """,
    "CREATE INDEX diary ON events (seq) WHERE type = 'diary'",
    // Indexes of the purges and of the exports. A purge may remove only rows that an export
    // contains.
    "CREATE INDEX purges ON events (seq) WHERE type = 'purged'",
    "CREATE INDEX exports ON events (seq) WHERE type = 'export_made'",
    // The contents of the events. The hash chain does not cover this table. A row of this table can
    // be deleted, but never changed.
    """
    CREATE TABLE contents (
      seq INTEGER PRIMARY KEY REFERENCES events (seq), salt TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER contents_no_update BEFORE UPDATE ON contents
    BEGIN SELECT RAISE(ABORT, 'free text is erased, never changed'); END
    """,
    // The projections: tables that are computed from the events.
    """
    CREATE TABLE alarms (
      alarm_id TEXT PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES events,
      is_deleted INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE prompts (
      prompt_id TEXT PRIMARY KEY,
      alarm_id TEXT NOT NULL,
      nominal_key INTEGER NOT NULL,
      alarm_version INTEGER NOT NULL,
      due_ms INTEGER NOT NULL,
      tz_name TEXT NOT NULL,
      utc_offset_s INTEGER NOT NULL,
      phase TEXT NOT NULL,
      phase_detail TEXT NOT NULL,
      next_step_ms INTEGER,
      outcome TEXT,
      reason TEXT,
      closed_ms INTEGER,
      rings_intended INTEGER NOT NULL,
      rings_sounded INTEGER NOT NULL,
      rings_failed INTEGER NOT NULL,
      delays INTEGER NOT NULL,
      last_sounded_ms INTEGER,
      also_nominal TEXT NOT NULL,
      course TEXT
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX prompts_by_due ON prompts (due_ms, nominal_key, prompt_id)",
    """
    CREATE TABLE tones (
      name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, duration_ms INTEGER NOT NULL,
      loudness_lufs REAL NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // The level during a ring, in percent, for each sound device whose level a caretaker set.
    """
    CREATE TABLE levels (
      device TEXT PRIMARY KEY, percent INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE images (
      sha256 TEXT PRIMARY KEY, media_type TEXT NOT NULL, width INTEGER NOT NULL,
      height INTEGER NOT NULL, bytes INTEGER NOT NULL, prompt_id TEXT
    ) STRICT, WITHOUT ROWID
    """,
    // When a purge deletes a row, SQLite searches for alarms that refer to this row. This index
    // makes the search fast.
    "CREATE INDEX alarms_by_row ON alarms (seq)",
    // The idempotency records: stored replies for repeated requests. The idempotency records are
    // not part of the events, so the daemon may delete them at any time.
    """
    CREATE TABLE receipts (
      number INTEGER PRIMARY KEY AUTOINCREMENT, actor TEXT NOT NULL, key TEXT NOT NULL,
      digest TEXT NOT NULL, status INTEGER NOT NULL, content_type TEXT NOT NULL,
      headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL, UNIQUE (actor, key)
    ) STRICT
    """,
    "CREATE INDEX receipts_by_age ON receipts (at_ms)",
    // The id of the person for each pseudonym. The hash chain does not cover this table, so that an
    // identity can be erased.
    """
    CREATE TABLE people (
      person TEXT PRIMARY KEY, pseudonym TEXT NOT NULL UNIQUE
    ) STRICT, WITHOUT ROWID
    """,
    // The state of each person. The key is the pseudonym of the person. `seq` is the sequence
    // number of the newest `person_added` or `person_changed` event of the person.
    """
    CREATE TABLE persons (
      person TEXT PRIMARY KEY, seq INTEGER REFERENCES events, is_removed INTEGER NOT NULL,
      state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
  ]
}
