/// The SQL statements of version 4: the participants, and the prompts that a study may use.
extension Schema {
  static let consent = notParallel + usablePrompts + promptViews + localDays + participants

  /// A function with an exception block starts a subtransaction, but a parallel query permits no
  /// subtransaction. With many rows, PostgreSQL chose a parallel query, and the views failed.
  private static let notParallel = """
    ALTER FUNCTION scheduled_seconds(text) PARALLEL UNSAFE;
    ALTER FUNCTION zone_offset(text, bigint) PARALLEL UNSAFE;
    """

  /// A person can withdraw and also forbid each use of the data. As in a report of exports, no
  /// result then counts the prompts of this person in this study. Only the table `events` still
  /// contains the rows.
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

  /// A day is a local day of the home. In most time zones, a UTC day ends or begins in the evening
  /// or the morning, so it would divide the waking hours of a person.
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

  /// One row for each participant. The row describes the newest enrolment, and the first withdrawal
  /// after this enrolment. While a study is blinded, a home seals the enrolments that contain an
  /// arm. In this case, the row contains only the values of a withdrawal.
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
