import { HOUR_TABLES } from '@unrut/ledger/figures/hour-changes';
import { isolated, TEXT } from './tables-1.ts';
import { RIGHTS } from './write-1.ts';

/**
 * The columns that lists are sorted by. While a session continues, only `minute` changes, at most
 * once a minute; other updates are in place and touch no index. A trigger fills these columns, so
 * that servers of the previous version need not know them.
 */
const SESSIONS = `
  ALTER TABLE unrut.sessions ADD COLUMN minute integer NOT NULL DEFAULT -1, ADD COLUMN phase smallint NOT NULL DEFAULT 0,
    ADD COLUMN heard double precision NOT NULL DEFAULT 0, ADD COLUMN since double precision NOT NULL DEFAULT 0,
    ADD COLUMN words ${TEXT} NOT NULL DEFAULT '', ADD COLUMN waits_for ${TEXT}, ADD COLUMN waits_since double precision;
  ALTER TABLE unrut.sessions SET (fillfactor = 70);
  CREATE FUNCTION unrut.place_session() RETURNS trigger LANGUAGE plpgsql SET search_path = unrut, pg_temp AS $$
  BEGIN
    NEW.minute := greatest(0, floor(extract(epoch FROM NEW.last) / 60));
    NEW.phase := CASE WHEN NEW.ended THEN 2 WHEN NEW.summary -> 'stopped' IS NOT NULL THEN 1 ELSE 0 END;
    NEW.since := coalesce((NEW.summary ->> 'loopingSince')::double precision, extract(epoch FROM NEW.first) * 1000);
    -- Where a clock is ahead, it was heard of when that was written.
    NEW.heard := extract(epoch FROM least(NEW.last, now())) * 1000;
    NEW.waits_for := NEW.summary -> 'stall' ->> 'of';
    NEW.waits_since := (NEW.summary -> 'stall' ->> 'since')::double precision;
    NEW.words := lower(concat_ws(E'\\n', NEW.session, NEW.host, NEW.folder, NEW.summary ->> 'doing', NEW.summary ->> 'why') COLLATE "default");
    RETURN NEW;
  END $$;
  CREATE TRIGGER place_session BEFORE INSERT OR UPDATE ON unrut.sessions FOR EACH ROW EXECUTE FUNCTION unrut.place_session();
  DROP INDEX unrut.sessions_by_last, unrut.sessions_by_project, unrut.sessions_with_loops, unrut.sessions_by_waste;
  CREATE INDEX sessions_newest ON unrut.sessions (org, minute DESC);
  CREATE INDEX sessions_of_project ON unrut.sessions (org, project, minute DESC);
  CREATE INDEX sessions_by_phase ON unrut.sessions (org, phase, minute DESC);
  CREATE INDEX sessions_by_since ON unrut.sessions (org, since, minute DESC);
  CREATE INDEX sessions_by_wasted ON unrut.sessions (org, wasted_usd DESC, wasted_steps DESC, minute DESC);
  CREATE INDEX sessions_by_host ON unrut.sessions (org, (coalesce(host, '')), minute DESC);
  CREATE INDEX sessions_by_folder ON unrut.sessions (org, (coalesce(folder, '')), minute DESC);
  CREATE INDEX sessions_looped ON unrut.sessions (org, minute DESC) WHERE loops > 0;
`;

/** Fills the sort columns of existing sessions by the trigger. */
export const PLACE_SESSIONS = `
  UPDATE unrut.sessions s SET session = s.session FROM (
    SELECT org, session_no FROM unrut.sessions WHERE minute < 0 LIMIT 2000 FOR UPDATE SKIP LOCKED
  ) f WHERE s.org = f.org AND s.session_no = f.session_no`;

const LOOPS = `
  CREATE TABLE unrut.loops (
    org integer NOT NULL, session_no bigint NOT NULL, agent ${TEXT} NOT NULL, id bigint NOT NULL, at timestamptz NOT NULL,
    detector ${TEXT} NOT NULL, recovery ${TEXT}, rung ${TEXT}, ending ${TEXT},
    PRIMARY KEY (org, session_no, agent, id), FOREIGN KEY (org, session_no) REFERENCES unrut.sessions ON DELETE CASCADE
  );
  CREATE INDEX loops_by_time ON unrut.loops (org, at);
  ${isolated('loops', 'SELECT, INSERT, UPDATE, DELETE')}
`;

/**
 * Hours are summed on write. Servers of the previous version leave that to a job, which now handles
 * only their rows (those that are not `counted`). The job has a new name, so that no old server
 * runs it.
 */
const COUNTED = `
  ALTER TABLE unrut.events ADD COLUMN counted boolean;
  ALTER TABLE unrut.findings ADD COLUMN counted boolean;
  ALTER TABLE unrut.events ALTER counted SET DEFAULT nullif(current_setting('unrut.counted', true), '')::boolean;
  ALTER TABLE unrut.findings ALTER counted SET DEFAULT nullif(current_setting('unrut.counted', true), '')::boolean;
  SELECT set_config('unrut.upkeep', 'on', true);
  INSERT INTO unrut.jobs (org, name, due, ran, mark) SELECT org, 'earlier_hours', due, ran, mark FROM unrut.jobs WHERE name = 'hours';
  INSERT INTO unrut.jobs (org, name, due) SELECT org, 'hours', 'infinity' FROM unrut.organisations
    ON CONFLICT (org, name) DO UPDATE SET due = 'infinity', ran = NULL, mark = NULL;
`;

const isReal = (name: string): boolean => /tokens|usd/.test(name);

/** Adds to the hours of one table. Rows are locked in a fixed order, which prevents deadlocks. */
function adding(table: keyof typeof HOUR_TABLES, project: string): string {
  const { keys, sums } = HOUR_TABLES[table];
  const typed = [
    ...keys.map((name) => `${name} ${name === 'shadow' ? 'boolean' : 'text'}`),
    ...sums.map((name) => `${name} ${isReal(name) ? 'double precision' : 'bigint'}`),
  ];
  const isDetector = table === 'detector_hours';
  const places = ['project', 'hour', ...keys];
  return `
    IF p_${table} IS NOT NULL THEN
      INSERT INTO ${table} AS known (org, ${[...places, ...sums].join(', ')}${isDetector ? ', last' : ''})
      SELECT p_org, ${project} AS project, to_timestamp(h.hour / 1000), ${keys.map((name) => `h.${name}`).join(', ')},
        ${sums.map((name) => `coalesce(sum(h.${name}), 0)`).join(', ')}${isDetector ? ', max(to_timestamp(h.last / 1000))' : ''}
      FROM json_to_recordset(p_${table}) AS h (session integer, hour double precision, last double precision, ${typed.join(', ')})
      LEFT JOIN sessions s ON s.org = p_org AND s.session_no = numbers[h.session]
      GROUP BY ${places.map((_, i) => i + 2).join(', ')} ORDER BY ${places.map((_, i) => i + 2).join(', ')}
      ON CONFLICT (org, ${places.join(', ')}) DO UPDATE SET
        ${sums.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}${isDetector ? ', last = greatest(known.last, excluded.last)' : ''};
    END IF;`;
}

/** The columns written for a session, after those that identify it. */
export const GIVEN = [
  ...['bigint[]', 'bigint[]', 'smallint[]', 'integer[]', 'integer[]', 'bytea'],
  ...['double precision[]', 'double precision[]', 'integer[]', 'integer[]'],
  ...['json', 'json', 'json', 'json', 'json'],
];

/** The parameters of a function that writes, and how it identifies sessions. */
export interface WriteWords {
  name: string;
  /** The function that records. */
  record: string;
  /** The types of unnamed parameters, and the preceding ones. */
  named: readonly string[];
  types: readonly string[];
  /** The session names as rows of `given`, and the state of each. */
  states: string;
  /** The project of a row of hours. */
  project: string;
  /** Further columns of a loop. */
  loops?: { columns: string; given: string; values: string; updated: string };
}

/**
 * Like the recording function, and also adds to hours and loops. Many transactions update the same
 * hours, so these come last, right before the commit.
 */
export const writeFunction = ({
  name,
  record,
  named,
  types,
  states,
  project,
  loops = { columns: '', given: '', values: '', updated: '' },
}: WriteWords) => `
  CREATE FUNCTION unrut.${name}(
    ${[...named, ...types].join(', ')},
    p_hours json, p_tool_hours json, p_detector_hours json, p_plan_hours json, p_loops json
  ) RETURNS void LANGUAGE plpgsql SET search_path = unrut, pg_temp AS $$
  DECLARE
    numbers bigint[];
  BEGIN
    PERFORM set_config('unrut.counted', 'on', true);
    PERFORM unrut.${record}(${[...named, ...types].map((_, i) => `$${i + 1}`).join(', ')});
    SELECT array_agg(s.session_no ORDER BY n) INTO numbers
    FROM ${states};
    IF p_loops IS NOT NULL THEN
      DELETE FROM loops l USING json_to_recordset(p_loops) AS g (session integer, agent text, also json), json_array_elements_text(g.also) AS other (id)
      WHERE l.org = p_org AND l.session_no = numbers[g.session] AND l.agent = g.agent AND l.id = other.id::bigint;
      INSERT INTO loops AS known (org, session_no, agent, id, at, detector, recovery, rung, ending${loops.columns})
      SELECT p_org, numbers[g.session], g.agent, g.id, to_timestamp(g.at / 1000), g.detector, g.recovery, g.rung, g.ending${loops.values}
      FROM json_to_recordset(p_loops) AS g (session integer, agent text, id bigint, at double precision, detector text, recovery text,
        rung text, ending text${loops.given})
      ON CONFLICT (org, session_no, agent, id) DO UPDATE SET at = excluded.at, detector = excluded.detector,
        recovery = excluded.recovery, rung = excluded.rung, ending = excluded.ending${loops.updated};
    END IF;
    ${(Object.keys(HOUR_TABLES) as (keyof typeof HOUR_TABLES)[]).map((table) => adding(table, project)).join('')}
  END $$;
  ${RIGHTS}`;

const WRITE = writeFunction({
  name: 'write_2',
  record: 'write_1',
  named: ['p_org integer', 'p_sessions text[]'],
  types: GIVEN,
  states: `unnest(p_sessions) WITH ORDINALITY AS given (session, n) JOIN states s ON s.org = p_org AND s.session = given.session COLLATE "C"`,
  project: 'coalesce(s.project, 1)',
});

/** Version 2: figures are summed when they are written. */
export const TABLES_2: string = [SESSIONS, LOOPS, COUNTED, WRITE].join('');
