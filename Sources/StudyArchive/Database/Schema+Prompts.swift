/// The SQL statements of version 3: views that compute the prompts from the rows. The values are
/// the same as in an export of a home.
///
/// The view `prompt_facts` computes the prompts, and two views for people read it. The view
/// `prompts` shows exact times to the auditors and to analysts with a data use agreement. The view
/// `safe_harbor` hides the exact times with the same rules as the profile `safe_harbor` of an
/// export (docs/reference/LOG.md). No role may read `prompt_facts` directly. The two views can read
/// `prompt_facts`, because a view reads with the rights of its owner.
extension Schema {
  static let prompts =
    "DROP VIEW days; DROP VIEW prompts;\n" + functions + secret + promptFacts + promptViews

  /// The views that people can read.
  static let promptViews = promptView + safeHarbor + readers

  /// The SQL functions that the views use.
  ///
  /// A function never fails, even if a home sent a wrong value. Otherwise, one wrong row of one
  /// home could make a whole view unusable.
  ///
  /// The body of each function in the language SQL is a RETURN statement and not a string.
  /// PostgreSQL would interpret a string with the search path of the user who reads the view. With
  /// this search path, it would not find the other functions.
  private static let functions = #"""
    CREATE FUNCTION whole(document jsonb, member text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN document ->> member ~ '^-?[0-9]{1,15}$' THEN (document ->> member)::bigint END;
    CREATE FUNCTION plausible(number bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number BETWEEN -999999999999999 AND 999999999999999 THEN number END;
    CREATE FUNCTION scheduled_seconds(prompt text) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      RETURN extract(epoch FROM substring(
        prompt FROM '@([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:~2)?$')::timestamp);
    EXCEPTION WHEN data_exception THEN RETURN NULL;
    END $$;
    CREATE FUNCTION zone_offset(zone text, milliseconds bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
    DECLARE instant timestamptz;
    BEGIN
      instant := to_timestamp(floor(milliseconds / 1000.0));
      RETURN extract(epoch FROM (instant AT TIME ZONE zone) - (instant AT TIME ZONE 'UTC'));
    EXCEPTION WHEN data_exception THEN RETURN NULL;
    END $$;
    CREATE FUNCTION rounded_ms(number bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number BETWEEN -2678400000 AND 2678400000 THEN
        (sign(number::numeric) * ceil(abs(number) / 10 ^ greatest(length(abs(number)::text) - 2, 0)::numeric)
          * 10 ^ greatest(length(abs(number)::text) - 2, 0)::numeric)::bigint END;
    CREATE FUNCTION study_day(local_seconds bigint, first_day bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN floor(local_seconds / 86400.0) >= first_day
        THEN (floor(local_seconds / 86400.0) - first_day + 1)::bigint END;
    CREATE FUNCTION quarter_of_day(local_seconds bigint, first_day bigint) RETURNS time
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN study_day(local_seconds, first_day) IS NOT NULL
        THEN time '00:00' + mod(floor(local_seconds / 900.0)::bigint, 96) * interval '15 minutes' END;
    CREATE FUNCTION code(secret bytea, letter text, name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN letter || '-' || left(encode(sha256(secret || sha256(secret || convert_to(
        letter || ':' || name, 'UTF8'))), 'hex'), 20);

    """#

  /// The table with the secret from which the view `safe_harbor` computes its codes. No role can
  /// read the secret. The code of a name stays the same until the secret changes.
  private static let secret = """
    CREATE TABLE code_secret (secret bytea NOT NULL);
    INSERT INTO code_secret
    SELECT sha256(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8'))
    FROM generate_series(1, 4);

    """

  /// The view `prompt_facts`: one row for each prompt. If a home has a fork, two streams can
  /// contain the same prompt. The view then uses the prompt of the newer stream, because the home
  /// continues the record of the newer stream.
  private static let promptFacts = #"""
    CREATE VIEW prompt_facts AS
    WITH rows AS (
      SELECT s.home, e.study, e.stream, e.seq, e.prompt_id, e.type, e.person, e.phase, e.alarm_id,
        e.alarm_version, e.ring_no, e.actor_role, e.source, plausible(e.wall_utc_ms) AS wall,
        plausible(e.utc_offset_s) AS utc_offset, e.tz_name, e.boot_id, e.boottime_ns,
        CASE e.clock_state WHEN 'synced' THEN 0 WHEN 'unsynced' THEN 1 ELSE 2 END AS clock_rank,
        plausible(e.clock_error_ms) AS clock_error_ms,
        CASE WHEN e.is_json THEN e.payload::jsonb ELSE '{}' END AS payload,
        -- Planning a prompt again replaces the prompt with its counts.
        coalesce(max(e.seq) FILTER (WHERE e.type = 'planned')
          OVER (PARTITION BY e.stream, e.prompt_id), 0) AS plan_seq
      FROM events e JOIN streams s ON s.number = e.stream
      WHERE e.prompt_id IS NOT NULL AND e.type <> 'diary'
    ), prompts AS (
      SELECT home, study, stream, prompt_id,
        (array_agg(person ORDER BY seq DESC) FILTER (WHERE person IS NOT NULL))[1] AS person,
        (array_agg(phase ORDER BY seq DESC))[1] AS recorded_phase,
        (array_agg(alarm_id ORDER BY seq DESC) FILTER (WHERE alarm_id IS NOT NULL))[1] AS alarm_id,
        coalesce(
          (array_agg(alarm_version ORDER BY seq DESC) FILTER (WHERE type IN ('planned', 'revised')))[1],
          (array_agg(alarm_version ORDER BY seq DESC) FILTER (WHERE alarm_version IS NOT NULL))[1])
          AS alarm_version,
        -- If the home joined after the planning, the row `due` says when the prompt was due.
        coalesce(
          (array_agg(whole(payload, 'due_ms')) FILTER (WHERE seq = plan_seq))[1],
          (array_agg(wall - whole(payload, 'late_ms') ORDER BY seq DESC)
            FILTER (WHERE type = 'due'))[1]) AS due_ms,
        coalesce(
          (array_agg(whole(payload, 'utc_offset_s')) FILTER (WHERE seq = plan_seq))[1],
          (array_agg(utc_offset ORDER BY seq DESC) FILTER (WHERE type = 'due'))[1]) AS due_offset,
        coalesce(
          (array_agg(payload ->> 'zone') FILTER (WHERE seq = plan_seq))[1],
          (array_agg(tz_name ORDER BY seq DESC) FILTER (WHERE type = 'due'))[1]) AS zone,
        bool_or(type = 'due') AS became_due,
        count(*) FILTER (WHERE type = 'planned') AS plans,
        (array_agg(whole(payload, 'late_ms') ORDER BY seq DESC) FILTER (WHERE type = 'due'))[1]
          AS late_ms,
        coalesce(
          (array_agg(ring_no ORDER BY seq DESC)
            FILTER (WHERE type = 'ring_intent' AND seq > plan_seq))[1],
          (array_agg(whole(payload, 'rings_intended')) FILTER (WHERE seq = plan_seq))[1], 0)
          AS rings_intended,
        count(*) FILTER (WHERE type = 'ring_started' AND seq > plan_seq) + coalesce(
          (array_agg(whole(payload, 'rings_sounded')) FILTER (WHERE seq = plan_seq))[1], 0)
          AS rings_sounded,
        count(*) FILTER (WHERE type = 'ring_failed' AND seq > plan_seq) + coalesce(
          (array_agg(whole(payload, 'rings_failed')) FILTER (WHERE seq = plan_seq))[1], 0)
          AS rings_failed,
        count(DISTINCT ring_no) FILTER (WHERE type = 'ring_uncertain') AS rings_uncertain,
        bool_or(type = 'ring_started' AND seq > plan_seq) AND bool_or(seq > plan_seq AND (
          type = 'ring_ended' AND coalesce(whole(payload, 'frames'), 0) > 0
            AND coalesce(payload ->> 'stopped', '') = 'false'
          OR type IN ('acknowledged', 'delayed', 'completed', 'declined')
            AND coalesce(payload ->> 'sounding', '') = 'true')) AS is_delivered,
        (array_agg(wall ORDER BY seq) FILTER (WHERE type = 'ring_started'))[1] AS first_ring_ms,
        (array_agg(utc_offset ORDER BY seq) FILTER (WHERE type = 'ring_started'))[1]
          AS first_ring_offset,
        (array_agg(boot_id ORDER BY seq) FILTER (WHERE type = 'ring_started'))[1] AS ring_boot,
        (array_agg(boottime_ns ORDER BY seq) FILTER (WHERE type = 'ring_started'))[1]
          AS ring_boottime,
        (array_agg(wall ORDER BY seq) FILTER (WHERE type = 'presented'))[1] AS presented_wall,
        count(*) FILTER (WHERE type = 'escalated') AS contacts_notified,
        count(*) FILTER (WHERE type IN ('notified', 'told')) AS contacts_reached,
        count(*) FILTER (WHERE type = 'delayed' AND seq > plan_seq) - count(*) FILTER (
          WHERE type = 'correction' AND payload ->> 'undone' = 'delayed' AND seq > plan_seq)
          + coalesce((array_agg(whole(payload, 'delays')) FILTER (WHERE seq = plan_seq))[1], 0)
          AS delays,
        -- An undone answer and a new plan open the prompt again.
        (array_agg(payload ->> 'outcome' ORDER BY seq DESC)
          FILTER (WHERE type IN ('correction', 'planned') OR payload ? 'outcome'))[1] AS outcome,
        (array_agg(payload ->> 'reason' ORDER BY seq DESC)
          FILTER (WHERE type IN ('correction', 'planned') OR payload ? 'outcome'))[1] AS reason,
        (array_agg(CASE WHEN payload ? 'outcome' THEN wall END ORDER BY seq DESC)
          FILTER (WHERE type IN ('correction', 'planned') OR payload ? 'outcome'))[1] AS closed_ms,
        (array_agg(CASE WHEN payload ? 'outcome' THEN actor_role END ORDER BY seq DESC)
          FILTER (WHERE type IN ('correction', 'planned') OR payload ? 'outcome'))[1]
          AS closed_role,
        max(clock_rank) AS clock_rank, max(clock_error_ms) AS clock_error_ms,
        count(DISTINCT boot_id) AS boots,
        count(*) FILTER (WHERE type = 'correction') AS corrections
      FROM rows GROUP BY home, study, stream, prompt_id
    ), answers AS (
      SELECT DISTINCT ON (a.stream, a.prompt_id) a.stream, a.prompt_id, a.seq, a.type,
        a.actor_role, a.source, a.wall, a.utc_offset, a.boot_id, a.boottime_ns
      FROM rows a
      WHERE a.type IN ('acknowledged', 'delayed', 'completed', 'declined') AND NOT EXISTS (
        SELECT 1 FROM rows c
        WHERE c.stream = a.stream AND c.prompt_id = a.prompt_id AND c.type = 'correction'
          AND c.seq > a.seq AND whole(c.payload, 'answered_ms') = a.wall)
      ORDER BY a.stream, a.prompt_id, a.seq
    ), sounds AS (
      SELECT a.stream, a.prompt_id, count(r.seq) AS rings_to_answer
      FROM answers a LEFT JOIN rows r ON r.stream = a.stream AND r.prompt_id = a.prompt_id
        AND r.type = 'ring_started' AND r.seq < a.seq
      GROUP BY a.stream, a.prompt_id
    ), people AS (
      SELECT DISTINCT ON (stream, person) stream, person, payload::jsonb -> 'phases' AS phases
      FROM events WHERE type = 'phase_changed' AND person IS NOT NULL AND is_json
      ORDER BY stream, person, seq DESC
    ), alarms AS (
      SELECT DISTINCT ON (stream, alarm_id, alarm_version) stream, alarm_id, alarm_version,
        payload::jsonb ->> 'announcement' = 'true' AS is_announcement
      FROM events WHERE type IN ('alarm_created', 'alarm_edited') AND is_json
      ORDER BY stream, alarm_id, alarm_version, seq
    )
    SELECT DISTINCT ON (p.study, p.home, p.prompt_id) p.*, h.site,
      -- The newest list of phases says in which phase each earlier prompt was due.
      CASE WHEN jsonb_typeof(w.phases) = 'array' AND w.phases <> '[]' AND p.due_ms IS NOT NULL
        THEN (
          SELECT item ->> 'kind' FROM jsonb_array_elements(w.phases) WITH ORDINALITY list(item, n)
          WHERE whole(item, 'from_ms') <= p.due_ms
            AND p.due_ms < coalesce(whole(item, 'to_ms'), p.due_ms + 1)
          ORDER BY n DESC LIMIT 1)
        ELSE p.recorded_phase END AS phase,
      CASE WHEN l.alarm_id IS NOT NULL THEN coalesce(l.is_announcement, false) END
        AS is_announcement,
      scheduled_seconds(p.prompt_id) AS scheduled,
      p.presented_wall - p.due_ms AS presented_ms, p.first_ring_ms - p.due_ms AS first_ring_latency_ms,
      a.type AS first_answer, a.actor_role AS first_answer_role, a.source AS first_answer_source,
      a.wall AS answered_ms, a.utc_offset AS answered_offset,
      a.wall - p.due_ms AS answer_latency_ms,
      CASE WHEN a.boot_id = p.ring_boot THEN (a.boottime_ns - p.ring_boottime) / 1000000 END
        AS answer_after_ring_ms,
      CASE WHEN p.outcome LIKE 'completed%' THEN p.closed_ms - p.due_ms END
        AS completion_latency_ms,
      o.rings_to_answer,
      (ARRAY['synced', 'unsynced', 'unset'])[p.clock_rank + 1] AS clock_state
    FROM prompts p JOIN homes h USING (home)
      LEFT JOIN answers a USING (stream, prompt_id) LEFT JOIN sounds o USING (stream, prompt_id)
      LEFT JOIN people w ON w.stream = p.stream AND w.person = p.person
      LEFT JOIN alarms l ON l.stream = p.stream AND l.alarm_id = p.alarm_id
        AND l.alarm_version = p.alarm_version
    ORDER BY p.study, p.home, p.prompt_id, p.stream DESC;

    """#

  private static let promptView = #"""
    CREATE VIEW prompts WITH (security_barrier) AS
    SELECT study, site, home, person, phase, prompt_id, alarm_id, alarm_version, is_announcement,
      due_ms, became_due, plans, late_ms, rings_intended, rings_sounded, rings_failed,
      rings_uncertain, is_delivered, first_ring_ms, first_ring_latency_ms, presented_ms,
      first_answer, first_answer_role, first_answer_source, answered_ms, answer_latency_ms,
      answer_after_ring_ms, completion_latency_ms, rings_to_answer, contacts_notified,
      contacts_reached, delays, outcome, reason, closed_ms, closed_role, clock_state,
      clock_error_ms, boots, corrections
    FROM prompt_facts;

    CREATE VIEW days WITH (security_barrier) AS
    SELECT study, site, home, person,
      CASE WHEN due_ms BETWEEN 0 AND 253402300799999
        THEN (to_timestamp(due_ms / 1000.0) AT TIME ZONE 'UTC')::date END AS utc_date,
      -- If the device was off at the due time, the record has no event `due`.
      count(*) FILTER (WHERE became_due OR outcome LIKE 'missed\_%') AS due,
      count(*) FILTER (WHERE outcome IN ('completed', 'completed_out_of_window')) AS done,
      count(*) FILTER (WHERE outcome LIKE 'missed\_%') AS missed
    FROM prompts GROUP BY study, site, home, person, utc_date;

    """#
}
