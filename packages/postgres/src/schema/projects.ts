import { isolated, TEXT } from './tables-1.ts';
import { GIVEN, writeFunction } from './tables-2.ts';
import { RIGHTS, recordFunction } from './write-1.ts';

/** The project that servers of the previous version gave a session; 1 if it is in no list. */
const shownIn = (state: string): string =>
  `coalesce((SELECT n.project FROM unrut.sessions n WHERE n.org = ${state}.org AND n.session_no = ${state}.session_no), 1)`;

/**
 * Whether a state belongs to this project. Servers of the previous version write 0; then the
 * session's row in `sessions` decides.
 */
export const isOfProject = (state: string, project: string): string =>
  `(${state}.project = ${project} OR ${state}.project = 0 AND ${shownIn(state)} = ${project})`;

/** The project of a state. */
export const projectOfState = (state: string): string =>
  `CASE ${state}.project WHEN 0 THEN ${shownIn(state)} ELSE ${state}.project END`;

/**
 * A session belongs to a project: equal names in two projects are two sessions. `ruled`: rules
 * chose the project, since a sender who may report to every project has written to the session.
 */
const TABLES = `
  ALTER TABLE unrut.states ADD COLUMN project integer NOT NULL DEFAULT 0, ADD COLUMN ruled boolean NOT NULL DEFAULT false;
  CREATE UNIQUE INDEX states_by_name ON unrut.states (org, session, project);
  ALTER TABLE unrut.states DROP CONSTRAINT states_pkey, ADD CONSTRAINT states_pkey PRIMARY KEY USING INDEX states_by_name;
  ALTER TABLE unrut.context_entries ADD COLUMN project integer NOT NULL DEFAULT 1;
  CREATE UNIQUE INDEX context_entries_by_id ON unrut.context_entries (org, project, id);
  ALTER TABLE unrut.context_entries DROP CONSTRAINT context_entries_pkey, ADD CONSTRAINT context_entries_pkey PRIMARY KEY USING INDEX context_entries_by_id;
`;

/** Users' instructions for the sessions of a project: switched off, to be stopped, false alarms. */
const SAID = `
  CREATE TABLE unrut.said (
    org integer NOT NULL, project integer NOT NULL, version bigint NOT NULL DEFAULT 0, said jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (org, project)
  );
  ${isolated('said', 'SELECT, INSERT, UPDATE, DELETE')}
`;

/** First assigns projects to states that servers of the previous version created. */
const ADD_MISSING = `
  CREATE FUNCTION unrut.add_missing_2(p_org integer, p_projects integer[], p_sessions text[], p_ruled boolean[], p_day date) RETURNS void
  LANGUAGE sql SET search_path = unrut, pg_temp AS $$
    UPDATE states s SET project = f.project FROM (
      SELECT t.session_no, given.project FROM unnest(p_sessions, p_projects) AS given (session, project)
      JOIN states t ON t.org = p_org AND t.session = given.session COLLATE "C" AND t.project = 0
      WHERE ${shownIn('t')} = given.project
        AND NOT EXISTS (SELECT FROM states o WHERE o.org = p_org AND o.session = given.session COLLATE "C" AND o.project = given.project)
      ORDER BY t.session_no FOR NO KEY UPDATE OF t
    ) f WHERE s.session_no = f.session_no;
    INSERT INTO states (org, session, project, ruled, born)
    SELECT p_org, given.session, given.project, given.ruled, p_day FROM unnest(p_sessions, p_projects, p_ruled) AS given (session, project, ruled)
    WHERE NOT EXISTS (SELECT FROM states s WHERE s.org = p_org AND s.session = given.session COLLATE "C" AND s.project = given.project)
    ORDER BY given.session COLLATE "C", given.project ON CONFLICT DO NOTHING;
  $$;
`;

const RECORD = recordFunction({
  name: 'record_3',
  given: ' p_projects integer[], p_ruled boolean[],',
  addMissing: 'unrut.add_missing_2(p_org, p_projects, p_sessions, p_ruled, today)',
  columns: 'session, project',
  values: 'p_sessions, p_projects',
  among: ' AND project = ANY (p_projects)',
  told: 'n',
  updated: ' ruled = s.ruled OR p_ruled[p.n],',
  projectOfFinding: 'p_projects[f.session]',
  contextColumn: ' project,',
  contextValue: ' c.project,',
  contextGiven: ', project integer',
});

const WASTED = ['wasted_steps', 'wasted_tokens', 'wasted_usd'];
const ofLoop = (write: (name: string) => string): string =>
  WASTED.map((name) => `, ${write(name)}`).join('');

/** The cost of a loop, and the tool that was called when the loop was noticed. */
const LOOPS = `
  ALTER TABLE unrut.loops ADD COLUMN tool ${TEXT}, ADD COLUMN wasted_steps integer NOT NULL DEFAULT 0,
    ADD COLUMN wasted_tokens double precision NOT NULL DEFAULT 0, ADD COLUMN wasted_usd double precision NOT NULL DEFAULT 0;
`;

/**
 * The columns that sessions are grouped and filtered by, in one covering index. Except for
 * `minute`, they seldom change.
 */
const INDEXES = `
  CREATE INDEX sessions_by_origin ON unrut.sessions (org, minute DESC)
    INCLUDE (project, session_no, person, host, model, release, repo, team, loops, wasted_steps, wasted_tokens, wasted_usd);
  CREATE INDEX sessions_by_release ON unrut.sessions (org, release, first) INCLUDE (project, minute) WHERE release IS NOT NULL;
`;

const WRITE = writeFunction({
  name: 'write_3',
  record: 'record_3',
  named: ['p_org integer', 'p_sessions text[]', 'p_projects integer[]'],
  types: ['boolean[]', ...GIVEN],
  states: `unnest(p_sessions, p_projects) WITH ORDINALITY AS given (session, project, n)
      JOIN states s ON s.org = p_org AND s.session = given.session COLLATE "C" AND s.project = given.project`,
  project: 'p_projects[h.session]',
  loops: {
    columns: `, tool${ofLoop((name) => name)}`,
    given: `, tool text${ofLoop((name) => `${name} double precision`)}`,
    values: `, g.tool${ofLoop((name) => `g.${name}`)}`,
    updated: `, tool = coalesce(known.tool, excluded.tool)${ofLoop((name) => `${name} = excluded.${name}`)}`,
  },
});

/** As `load_1`, of the sessions of one project. */
const LOAD = `
  CREATE FUNCTION unrut.load_2(p_org integer, p_project integer, p_sessions text[], p_lock boolean)
  RETURNS TABLE (session text, version bigint, codec smallint, base bytea, delta bytea)
  LANGUAGE plpgsql SET search_path = unrut, pg_temp AS $$
  DECLARE
    many integer := cardinality(p_sessions);
  BEGIN
    PERFORM set_config('unrut.org', p_org::text, true);
    IF p_lock THEN
      PERFORM unrut.add_missing_2(p_org, array_fill(p_project, ARRAY[many]), p_sessions, array_fill(false, ARRAY[many]),
        (now() AT TIME ZONE 'UTC')::date);
      RETURN QUERY SELECT s.session::text, s.version, s.codec, s.base, s.delta FROM states s
        WHERE s.org = p_org AND s.session = ANY (p_sessions) AND s.project = p_project ORDER BY s.session_no FOR NO KEY UPDATE;
    ELSE
      RETURN QUERY SELECT s.session::text, s.version, s.codec, s.base, s.delta FROM states s
        WHERE s.org = p_org AND s.session = ANY (p_sessions) AND ${isOfProject('s', 'p_project')} AND s.version <> 0;
    END IF;
  END $$;
`;

/** Schema version in which sessions belong to projects. */
export const SESSIONS_OF_PROJECTS: string = [
  TABLES,
  SAID,
  ADD_MISSING,
  LOOPS,
  INDEXES,
  RECORD,
  WRITE,
  LOAD,
  RIGHTS,
].join('');
