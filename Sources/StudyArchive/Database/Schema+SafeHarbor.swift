extension Schema {
  /// The columns of prompts.csv in the profile `safe_harbor`, for all homes.
  ///
  /// - Day 1 is the local day of the home's first row whose clock state is not `unset`. If the home
  ///   joined the archive after a purge, the archive does not have this row. The view then takes
  ///   day 1 from the row `purged`.
  /// - Within two hours of the due time, the times of a prompt use the prompt's own clock. This clock
  ///   shows the scheduled time at the due time (see `RowClock` in the module Logbook).
  /// - The rows are sorted by the codes of the homes and prompts. If the rows were sorted by the
  ///   names of the homes, a reader could find out which code belongs to which name.
  static let safeHarbor = #"""
    CREATE VIEW safe_harbor WITH (security_barrier) AS
    WITH first AS (
      SELECT s.number AS stream,
        floor((floor(coalesce(purged.wall, known.wall, any_row.wall) / 1000.0)
          + coalesce(purged.utc_offset, known.utc_offset, any_row.utc_offset)) / 86400)::bigint
          AS day
      FROM streams s
      LEFT JOIN LATERAL (
        SELECT plausible(wall_utc_ms) AS wall, plausible(utc_offset_s) AS utc_offset FROM events e
        WHERE e.study = s.study AND e.stream = s.number AND NOT is_sealed
          AND clock_state <> 'unset' ORDER BY seq LIMIT 1) known ON true
      LEFT JOIN LATERAL (
        SELECT plausible(wall_utc_ms) AS wall, plausible(utc_offset_s) AS utc_offset FROM events e
        WHERE e.study = s.study AND e.stream = s.number AND NOT is_sealed
        ORDER BY seq LIMIT 1) any_row ON true
      LEFT JOIN LATERAL (
        SELECT whole(payload::jsonb, 'first_ms') AS wall,
          whole(payload::jsonb, 'first_offset_s') AS utc_offset
        FROM events e
        WHERE s.start_seq > 0 AND e.study = s.study AND e.stream = s.number AND type = 'purged'
          AND is_json ORDER BY seq LIMIT 1) purged ON purged.wall IS NOT NULL
    ), clocks AS (
      SELECT p.*, f.day AS first_day, floor(due_ms / 1000.0)::bigint AS due_s,
        -- A larger difference is not from a clock change: somebody set the clock of the device.
        CASE WHEN abs(scheduled - floor(due_ms / 1000.0) - due_offset) <= 3600
            AND mod((scheduled - floor(due_ms / 1000.0) - due_offset)::bigint, 900) = 0
          THEN (scheduled - floor(due_ms / 1000.0))::bigint ELSE due_offset END AS own_offset
      FROM prompt_facts p JOIN first f USING (stream)
    ), local AS (
      SELECT c.*,
        floor(first_ring_ms / 1000.0)::bigint + CASE
          WHEN first_ring_latency_ms BETWEEN -7200000 AND 7200000 THEN own_offset
          ELSE first_ring_offset END AS first_ring_local,
        floor(answered_ms / 1000.0)::bigint + CASE
          WHEN answer_latency_ms BETWEEN -7200000 AND 7200000 THEN own_offset
          ELSE answered_offset END AS answered_local,
        floor(closed_ms / 1000.0)::bigint + CASE
          WHEN closed_ms - due_ms BETWEEN -7200000 AND 7200000 THEN own_offset
          ELSE coalesce(zone_offset(zone, closed_ms), due_offset) END AS closed_local
      FROM clocks c
    )
    SELECT code(s.secret, 'i', study || ':' || site) AS site, code(s.secret, 'h', home) AS home,
      code(s.secret, 'p', home || ':' || prompt_id) AS prompt_id, study AS study_id,
      code(s.secret, 'P', home || ':' || person) AS person, phase,
      code(s.secret, 'a', home || ':' || alarm_id) AS alarm_id, alarm_version, is_announcement,
      study_day(scheduled, first_day) AS scheduled_day,
      quarter_of_day(scheduled, first_day) AS scheduled_time,
      study_day(due_s + own_offset, first_day) AS due_day,
      quarter_of_day(due_s + own_offset, first_day) AS due_time,
      plans, rounded_ms(late_ms) AS late_ms, rings_intended, rings_sounded,
      rings_failed, rings_uncertain, is_delivered,
      study_day(first_ring_local, first_day) AS first_ring_day,
      quarter_of_day(first_ring_local, first_day) AS first_ring_time,
      rounded_ms(first_ring_latency_ms) AS first_ring_latency_ms,
      rounded_ms(presented_ms) AS presented_ms, first_answer, first_answer_role,
      first_answer_source, study_day(answered_local, first_day) AS answered_day,
      quarter_of_day(answered_local, first_day) AS answered_time,
      rounded_ms(answer_latency_ms) AS answer_latency_ms,
      rounded_ms(answer_after_ring_ms) AS answer_after_ring_ms,
      rounded_ms(completion_latency_ms) AS completion_latency_ms, rings_to_answer,
      contacts_notified, contacts_reached, delays,
      CASE WHEN outcome IS NULL THEN 'open' ELSE 'closed' END AS state, outcome, reason,
      study_day(closed_local, first_day) AS closed_day,
      quarter_of_day(closed_local, first_day) AS closed_time, closed_role, clock_state,
      rounded_ms(clock_error_ms) AS clock_error_ms, boots, corrections
    FROM local CROSS JOIN code_secret s ORDER BY home, prompt_id;

    """#

  /// The rights to read the views. No role can read both the exact times and the codes of the same
  /// prompts. With both, a reader could find out the home to which each code belongs. Therefore the
  /// role `prompter_analyst` can no longer read the view `prompts`. The new role `prompter_limited`
  /// can read this view.
  static let readers = """
    DO $$ BEGIN
      CREATE ROLE prompter_limited NOLOGIN;
    EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT USAGE ON SCHEMA prompter TO prompter_limited;
    GRANT SELECT ON prompts, days TO prompter_limited, prompter_auditor;
    GRANT SELECT ON safe_harbor TO prompter_analyst;
    """
}
