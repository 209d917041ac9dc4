/// The SQL statements of version 4: the participants, and the prompts that a study may use.
extension Schema {
  static let consent = notParallel + usablePrompts + promptViews + localDays + participants

  /// Marks two functions, so that PostgreSQL does not use them in a parallel query. These functions
  /// have an exception block, which starts a subtransaction. A parallel query does not permit a
  /// subtransaction. Without this mark, PostgreSQL chose a parallel query for a large table, and
  /// the views failed.
  private static let notParallel = """
    ALTER FUNCTION scheduled_seconds(text) PARALLEL UNSAFE;
    ALTER FUNCTION zone_offset(text, bigint) PARALLEL UNSAFE;
    """

  /// The views without the prompts of people who withdrew and also forbade any use of their data. A
  /// report of exports leaves out the same prompts. The table `events` still contains the rows
  /// about these people.
  private static let usablePrompts = #"""
    DROP VIEW days;
    DROP VIEW prompts;
    DROP VIEW safe_harbor;
    ALTER VIEW prompt_facts RENAME TO recorded_prompts;
    CREATE VIEW barred_people AS
    SELECT DISTINCT s.home, e.person FROM events e JOIN streams s ON s.number = e.stream
    WHERE e.type = 'withdrawn' AND e.person IS NOT NULL
      AND CASE WHEN e.is_json THEN e.payload::jsonb ->> 'data_use' END = 'none';
    CREATE VIEW prompt_facts AS
    SELECT p.* FROM recorded_prompts p LEFT JOIN barred_people barred USING (home, person)
    WHERE barred.home IS NULL;

    """#

  /// The view `days`: one row for each person and day. A day is a local day of the home. The view
  /// does not use UTC days. In most time zones, the change from one UTC day to the next is at a
  /// time at which people are awake.
  private static let localDays = #"""
    DROP VIEW days;
    CREATE VIEW days WITH (security_barrier) AS
    SELECT study, site, home, person,
      CASE WHEN due_ms BETWEEN 0 AND 253402300799999
        THEN (to_timestamp(due_ms / 1000.0) AT TIME ZONE 'UTC'
          + CASE WHEN due_offset BETWEEN -86400 AND 86400 THEN due_offset ELSE 0 END
            * interval '1 second')::date END AS local_date,
      -- If the device was off at the due time, the record has no event `due`.
      count(*) FILTER (WHERE became_due OR outcome LIKE 'missed\_%') AS due,
      count(*) FILTER (WHERE outcome IN ('completed', 'completed_out_of_window')) AS done,
      count(*) FILTER (WHERE outcome LIKE 'missed\_%') AS missed
    FROM prompt_facts GROUP BY study, site, home, person, local_date;
    GRANT SELECT ON days TO prompter_limited, prompter_auditor;

    """#

  /// The view `participants`: one row for each participant. The row describes the newest enrolment
  /// of the participant, and the first withdrawal after this enrolment. While a study is blinded, a
  /// home seals the enrolments that contain an arm. The view then knows only the withdrawal of such
  /// a participant.
  private static let participants = #"""
    CREATE VIEW participants WITH (security_barrier) AS
    WITH rows AS (
      SELECT s.study, h.site, s.home, e.person, e.type, plausible(e.wall_utc_ms) AS wall,
        row_number() OVER (PARTITION BY s.home, e.person ORDER BY e.stream, e.seq) AS number,
        CASE WHEN e.is_json THEN e.payload::jsonb ELSE '{}' END AS payload
      FROM events e JOIN streams s ON s.number = e.stream JOIN homes h USING (home)
      WHERE e.type IN ('enrolled', 'withdrawn') AND e.person IS NOT NULL
    ), newest AS (
      SELECT *, coalesce(max(number) FILTER (WHERE type = 'enrolled')
        OVER (PARTITION BY home, person), 0) AS enrolment FROM rows
    )
    SELECT study, site, home, person,
      max(wall) FILTER (WHERE number = enrolment) AS enrolled_ms,
      max(payload ->> 'arm') FILTER (WHERE number = enrolment) AS arm,
      max(payload ->> 'consent') FILTER (WHERE number = enrolment) AS consent,
      max(payload ->> 'consent_scope') FILTER (WHERE number = enrolment) AS consent_scope,
      min(wall) FILTER (WHERE type = 'withdrawn' AND number > enrolment) AS withdrawn_ms,
      (array_agg(payload ->> 'code' ORDER BY number)
        FILTER (WHERE type = 'withdrawn' AND number > enrolment))[1] AS reason_code,
      CASE WHEN bool_or(payload ->> 'data_use' = 'none') THEN 'none'
        ELSE max(payload ->> 'data_use') FILTER (WHERE number > enrolment) END AS data_use
    FROM newest GROUP BY study, site, home, person;
    GRANT SELECT ON participants TO prompter_limited, prompter_auditor;
    """#
}
