/** The columns shared by rows of events, pieces and findings, and the source of each value. */
const GIVEN = 'session integer, key text, agent text, at double precision, step integer';
const COUNTED = `steps smallint, loops smallint, tokens double precision, usd double precision, wasted_steps integer,
          wasted_tokens double precision, wasted_usd double precision, before double precision`;
const PLACE = 'born, session_no, key, org, agent, at, step';
const place = (row: string): string =>
  `borns[${row}.session], numbers[${row}.session], ${row}.key, p_org, ${row}.agent, to_timestamp(${row}.at / 1000), ${row}.step`;

/**
 * A condition that a table, such as `events e`, has no row with the same key. Each row is looked up
 * separately: for a join, the planner underestimates rows behind row-level security, and hashes the
 * whole day for every write until its statistics are updated.
 */
function isNew(table: string, row: string): string {
  const other = table.at(-1)!;
  return `(SELECT true FROM ${table} WHERE ${other}.born = borns[${row}.session] AND ${other}.session_no = numbers[${row}.session]
        AND ${other}.key = ${row}.key LIMIT 1) IS NULL`;
}

/** How statements identify a session. */
export interface SessionKey {
  /** Of the function. */
  name: string;
  /** Parameters after the names of the sessions. */
  given: string;
  addMissing: string;
  columns: string;
  /** The same as arrays. */
  values: string;
  /** A condition in addition to the name. */
  among: string;
  /** The data reported about a stale session, which is `n`. */
  told: string;
  /** More that changes with every write. */
  updated: string;
  projectOfFinding: string;
  contextColumn: string;
  contextValue: string;
  contextGiven: string;
}

const BY_NAME: SessionKey = {
  name: 'write_1',
  given: '',
  addMissing: 'unrut.add_missing_1(p_org, p_sessions, today)',
  columns: 'session',
  values: 'p_sessions',
  among: '',
  told: 'p_sessions[n]',
  updated: '',
  projectOfFinding: `coalesce(
          (SELECT project FROM sessions WHERE org = p_org AND session_no = numbers[f.session]), 1)`,
  contextColumn: '',
  contextValue: '',
  contextGiven: '',
};

/**
 * A server's transaction in one round trip: creates missing sessions, locks all of them in the
 * order of their numbers, compares versions, adds rows and saves states. `p_expected` has the
 * required version of each session, `p_version` its new one, or null if it was only read.
 * `p_states` has all bases and deltas concatenated, with their lengths; a null length leaves the
 * stored one. Rows refer to sessions by their position in `p_sessions`, from 1; every row must be
 * new. `p_figures` replaces rows of `sessions`. Raises UN001 with the sessions whose version
 * differs, UN002 with the session's position and the key of each existing row, and UN003 if a
 * session was deleted meanwhile; then nothing is written.
 */
export const recordFunction = (by: SessionKey): string => `
  CREATE FUNCTION unrut.${by.name}(
    p_org integer, p_sessions text[],${by.given} p_expected bigint[], p_version bigint[], p_codec smallint[],
    p_base_length integer[], p_delta_length integer[], p_states bytea,
    p_first double precision[], p_last double precision[], p_added_events integer[], p_added_signals integer[],
    p_events json, p_pieces json, p_findings json, p_context json, p_figures json
  ) RETURNS void LANGUAGE plpgsql SET search_path = unrut, pg_temp AS $$
  DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    numbers bigint[];
    borns date[];
    versions bigint[];
    missing bigint := 0;
    added bigint;
    concerned json;
  BEGIN
    PERFORM set_config('unrut.org', p_org::text, true), set_config('lock_timeout', '4000', true);
    IF current_setting('synchronous_commit') IN ('off', 'local') THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;

    PERFORM ${by.addMissing};
    -- A session of the week before is born again, so that no day is needed for ever.
    WITH locked AS MATERIALIZED (
      SELECT ${by.columns}, session_no, CASE WHEN born < today - 7 THEN today ELSE born END AS born, version FROM states
      WHERE org = p_org AND session = ANY (p_sessions)${by.among} ORDER BY session_no FOR NO KEY UPDATE
    )
    SELECT array_agg(session_no ORDER BY n), array_agg(born ORDER BY n), array_agg(version ORDER BY n)
    INTO numbers, borns, versions
    FROM unnest(${by.values}) WITH ORDINALITY AS given (${by.columns}, n) JOIN locked USING (${by.columns});
    IF cardinality(p_sessions) <> coalesce(cardinality(numbers), 0) THEN
      RAISE EXCEPTION 'a session was deleted meanwhile' USING ERRCODE = 'UN003';
    END IF;
    SELECT json_agg(${by.told}) INTO concerned FROM generate_subscripts(p_sessions, 1) n WHERE p_expected[n] <> versions[n];
    IF concerned IS NOT NULL THEN
      RAISE EXCEPTION 'somebody else was faster' USING ERRCODE = 'UN001', DETAIL = concerned::text;
    END IF;

    IF p_events IS NOT NULL THEN
      INSERT INTO events (${PLACE}, type, tool, failed, plan, rung, steps, loops, tokens, usd, wasted_steps, wasted_tokens, wasted_usd,
        before, data, n)
      SELECT ${place('e')}, e.type, e.tool, e.failed, e.plan, e.rung, e.steps, e.loops, e.tokens, e.usd, e.wasted_steps, e.wasted_tokens,
        e.wasted_usd, to_timestamp(e.before / 1000), e.data, e.n
      FROM json_to_recordset(p_events) AS e (${GIVEN}, type text, tool text, failed boolean, plan text, rung text, ${COUNTED},
        data json, n integer)
      WHERE ${isNew('pieces p', 'e')}
      ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS added = ROW_COUNT;
      missing := missing + json_array_length(p_events) - added;
    END IF;
    IF p_pieces IS NOT NULL THEN
      INSERT INTO pieces (${PLACE})
      SELECT ${place('p')} FROM json_to_recordset(p_pieces) AS p (${GIVEN})
      WHERE ${isNew('events e', 'p')}
      ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS added = ROW_COUNT;
      missing := missing + json_array_length(p_pieces) - added;
    END IF;
    WITH lengths AS (
      SELECT n, coalesce(p_base_length[n], 0) AS base, coalesce(p_delta_length[n], 0) AS delta FROM generate_subscripts(p_sessions, 1) n
    ), places AS (SELECT n, base, delta, 1 + sum(base + delta) OVER (ORDER BY n) - base - delta AS start FROM lengths)
    UPDATE states s SET
      version = p_version[p.n], codec = p_codec[p.n], born = borns[p.n], touched = now(),${by.updated}
      base = CASE WHEN p_base_length[p.n] IS NULL THEN s.base ELSE substring(p_states FROM p.start::integer FOR p.base) END,
      delta = CASE WHEN p_delta_length[p.n] IS NULL THEN s.delta ELSE substring(p_states FROM (p.start + p.base)::integer FOR p.delta) END,
      first = least(s.first, to_timestamp(p_first[p.n] / 1000)), last = greatest(s.last, to_timestamp(p_last[p.n] / 1000)),
      events = s.events + p_added_events[p.n], signals = s.signals + p_added_signals[p.n]
    FROM places p WHERE s.session_no = numbers[p.n] AND p_version[p.n] IS NOT NULL;

    IF p_figures IS NOT NULL THEN
      PERFORM unrut.show_1(p_org, numbers, p_figures);
    END IF;

    IF p_findings IS NOT NULL THEN
      INSERT INTO findings (${PLACE}, project, kind, detector, tool, failure, plan, recovery, rung, outcome, shadow,
        trial, nested, looping, spoke, host, model, release, steps, loops, tokens, usd, wasted_steps, wasted_tokens, wasted_usd, before, data, n)
      SELECT ${place('f')}, ${by.projectOfFinding}, f.kind, f.detector, f.tool, f.failure, f.plan, f.recovery,
        f.rung, f.outcome, f.shadow, f.trial, f.nested, f.looping, to_timestamp(f.spoke / 1000), f.host, f.model, f.release, f.steps, f.loops, f.tokens, f.usd, f.wasted_steps,
        f.wasted_tokens, f.wasted_usd, to_timestamp(f.before / 1000), f.data, f.n
      FROM json_to_recordset(p_findings) AS f (${GIVEN}, kind text, detector text, tool text,
        failure text, plan text, recovery text, rung text, outcome text, shadow boolean, trial boolean,
        nested boolean, looping boolean, spoke double precision, host text,
        model text, release text, ${COUNTED}, data json, n integer)
      ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS added = ROW_COUNT;
      missing := missing + json_array_length(p_findings) - added;
    END IF;
    IF missing > 0 THEN
      concerned := unrut.repeated_1(numbers, borns, p_events, p_pieces, p_findings);
      RAISE EXCEPTION 'an entry is there already' USING ERRCODE = 'UN002', DETAIL = concerned::text;
    END IF;

    IF p_context IS NOT NULL THEN
      INSERT INTO context_entries (org,${by.contextColumn} id, session, timestamp, entry_type, topic, content, related_tasks, confidence, metadata, n)
      SELECT p_org,${by.contextValue} c.id, c.session, to_timestamp(c.timestamp / 1000), c."entryType", c.topic, c.content,
        ARRAY(SELECT json_array_elements_text(c."relatedTasks")), c.confidence, c.metadata, c.n
      FROM json_to_recordset(p_context) AS c (id text, session text, timestamp double precision, "entryType" text, topic text,
        content text, "relatedTasks" json, confidence double precision, metadata json, n integer${by.contextGiven})
      ON CONFLICT DO NOTHING;
    END IF;
  END $$;
`;

/**
 * All columns of `sessions` that are not in `states`. The first two identify the session and never
 * change.
 */
const SHOWN = [
  ...[
    'project',
    'person',
    'host',
    'model',
    'release',
    'repo',
    'team',
    'folder',
    'first',
    'last',
    'last_loop',
    'ended',
    'looping',
  ],
  ...[
    'steps',
    'loops',
    'plans',
    'tokens',
    'usd',
    'wasted_steps',
    'wasted_tokens',
    'wasted_usd',
    'summary',
  ],
];

const PARTS = `
  CREATE FUNCTION unrut.add_missing_1(p_org integer, p_sessions text[], p_day date) RETURNS void
  LANGUAGE sql SET search_path = unrut, pg_temp AS $$
    INSERT INTO states (org, session, born)
    SELECT p_org, given.session, p_day FROM unnest(p_sessions) AS given (session)
    WHERE NOT EXISTS (SELECT FROM states s WHERE s.org = p_org AND s.session = given.session COLLATE "C")
    ORDER BY given.session COLLATE "C" ON CONFLICT DO NOTHING;
  $$;

  CREATE FUNCTION unrut.repeated_1(p_numbers bigint[], p_borns date[], p_events json, p_pieces json, p_findings json) RETURNS json
  LANGUAGE sql SET search_path = unrut, pg_temp AS $$
    WITH given AS (
      SELECT 'event' AS kind, session, key FROM json_to_recordset(p_events) AS e (session integer, key text)
      UNION ALL SELECT 'piece', session, key FROM json_to_recordset(p_pieces) AS p (session integer, key text)
      UNION ALL SELECT 'finding', session, key FROM json_to_recordset(p_findings) AS f (session integer, key text)
    ), mine AS (SELECT pg_current_xact_id()::xid AS xid)
    SELECT json_agg(json_build_array(g.session, g.key)) FROM given g, mine
    WHERE EXISTS (SELECT FROM events e WHERE e.born = p_borns[g.session] AND e.session_no = p_numbers[g.session] AND e.key = g.key
        AND e.xmin <> mine.xid)
      OR EXISTS (SELECT FROM pieces p WHERE p.born = p_borns[g.session] AND p.session_no = p_numbers[g.session] AND p.key = g.key
        AND p.xmin <> mine.xid)
      OR EXISTS (SELECT FROM findings f WHERE f.born = p_borns[g.session] AND f.session_no = p_numbers[g.session] AND f.key = g.key
        AND f.xmin <> mine.xid)
  $$;

  CREATE FUNCTION unrut.show_1(p_org integer, p_numbers bigint[], p_figures json) RETURNS void
  LANGUAGE sql SET search_path = unrut, pg_temp AS $$
    INSERT INTO sessions AS shown (org, session_no, session, born, events, signals, ${SHOWN.join(', ')})
    SELECT p_org, s.session_no, s.session, s.born, s.events, s.signals, coalesce(f.project, 1), f.person, f.host, f.model, f.release, f.repo,
      f.team, f.folder, to_timestamp(f.first / 1000), to_timestamp(f.last / 1000), to_timestamp(f.last_loop / 1000),
      coalesce(f.ended, false), coalesce(f.looping, false), f.steps, f.loops, f.plans, f.tokens, f.usd,
      f.wasted_steps, f.wasted_tokens, f.wasted_usd, coalesce(f.summary, '{}')
    FROM json_to_recordset(p_figures) AS f (session integer, project integer, person text, host text, model text, release text, repo text,
      team text, folder text, first double precision, last double precision, last_loop double precision, ended boolean, looping boolean,
      steps integer, loops integer, plans integer, tokens double precision, usd double precision, wasted_steps integer,
      wasted_tokens double precision, wasted_usd double precision, summary jsonb)
    JOIN states s ON s.session_no = p_numbers[f.session]
    ORDER BY s.session_no
    ON CONFLICT (org, session_no) DO UPDATE SET born = excluded.born, events = excluded.events, signals = excluded.signals,
      xid = pg_current_xact_id(), person = coalesce(shown.person, excluded.person), ${SHOWN.slice(2)
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')};
  $$;
`;

/**
 * Reads the states of sessions in one round trip. With `p_lock`, missing sessions are created, and
 * nobody else changes any of them until the transaction ends.
 */
const LOAD = `
  CREATE FUNCTION unrut.load_1(p_org integer, p_sessions text[], p_lock boolean)
  RETURNS TABLE (session text, version bigint, codec smallint, base bytea, delta bytea)
  LANGUAGE plpgsql SET search_path = unrut, pg_temp AS $$
  BEGIN
    PERFORM set_config('unrut.org', p_org::text, true);
    IF p_lock THEN
      PERFORM unrut.add_missing_1(p_org, p_sessions, (now() AT TIME ZONE 'UTC')::date);
      RETURN QUERY SELECT s.session::text, s.version, s.codec, s.base, s.delta FROM states s
        WHERE s.org = p_org AND s.session = ANY (p_sessions) ORDER BY s.session_no FOR NO KEY UPDATE;
    ELSE
      RETURN QUERY SELECT s.session::text, s.version, s.codec, s.base, s.delta FROM states s
        WHERE s.org = p_org AND s.session = ANY (p_sessions) AND s.version <> 0;
    END IF;
  END $$;
`;

export const RIGHTS = `
  REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA unrut FROM PUBLIC;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA unrut TO unrut_server;
`;

/** The functions that servers call. A published function is never changed; a new one is added. */
export const WRITE_1: string = [PARTS, recordFunction(BY_NAME), LOAD, RIGHTS].join('');
