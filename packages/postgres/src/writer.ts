import type { Database } from './database.ts';
import { idOf } from './entry-rows.ts';
import type { KeptSession } from './kept-sessions.ts';
import {
  codeOf,
  DELETED,
  isOfStatement,
  NO_DAY,
  type PostgresError,
  REPEATED,
  STALE,
} from './postgres-error.ts';
import {
  keyIn,
  type PreparedGroup,
  prepareGroup,
  projectIn,
  sessionKeys,
  type WriteRequest,
} from './write-group.ts';

/** Other writers have changed these sessions. Nothing was written. */
export class StaleSessions extends Error {
  /** Of the sessions. */
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    super('somebody else was faster');
    this.keys = keys;
  }
}

/** The ledger has these entries already. Nothing was written. */
export class KnownEntries extends Error {
  /** Of the entries: their projects and ids. */
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>) {
    super('an entry is there already');
    this.keys = keys;
  }
}

/** Writes requests; those that wait are combined into one transaction. */
export interface Writer {
  /**
   * Resolves to the sessions after the write. Fails with `StaleSessions`, `KnownEntries` or the
   * error of the database.
   */
  write(request: WriteRequest): Promise<ReadonlyMap<string, KeptSession>>;
}

/** The counters that a writer reports to. */
export interface WriterMeter {
  group(requests: number, bytes: number, seconds: number): void;
  stale(sessions: number): void;
}

/** Max concurrent transactions: with more, fewer requests would share one. */
const MAX_UNDER_WAY = 4;
const MAX_REQUESTS = 100;

export const CALL_WRITE = `SELECT unrut.write_3(${Array.from({ length: 24 }, (_, i) => `$${i + 1}`).join(', ')})`;

interface Waiting {
  request: WriteRequest;
  /** It must have a transaction of its own, since Postgres may reject its data. */
  alone: boolean;
  resolve(after: ReadonlyMap<string, KeptSession>): void;
  reject(error: unknown): void;
}

export function createWriter(database: Database, meter: WriterMeter): Writer {
  let waiting: Waiting[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let isScheduled = false;

  /** Requests that arrive in the same turn of the event loop are written together. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (underWay < MAX_UNDER_WAY) {
        const group = takeGroup();
        if (group.length === 0) return;
        void run(group);
      }
    });
  }

  /**
   * The waiting requests, in order, that have no session in common with each other or with running
   * transactions.
   */
  function takeGroup(): Waiting[] {
    const claimed = new Set(busy);
    const group: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const each of waiting) {
      const names = sessionKeys(each.request);
      const isFree = names.every((name) => !claimed.has(name));
      for (const name of names) claimed.add(name);
      const fits =
        group.length === 0 || (group.length < MAX_REQUESTS && !each.alone && !group[0]!.alone);
      if (isFree && fits) group.push(each);
      else rest.push(each);
    }
    waiting = rest;
    return group;
  }

  async function run(group: readonly Waiting[]): Promise<void> {
    const names = group.flatMap(({ request }) => sessionKeys(request));
    for (const name of names) busy.add(name);
    underWay++;
    try {
      await perform(group);
    } finally {
      underWay--;
      for (const name of names) busy.delete(name);
      schedule();
    }
  }

  async function perform(group: readonly Waiting[]): Promise<void> {
    let prepared: PreparedGroup;
    try {
      prepared = prepareGroup(group.map(({ request }) => request));
    } catch (error) {
      return void retryEach(group, error);
    }
    try {
      const begun = performance.now();
      await writePrepared(database, prepared);
      meter.group(group.length, prepared.bytes, (performance.now() - begun) / 1000);
      for (const { resolve } of group) resolve(prepared.after);
    } catch (error) {
      settle(group, toConcern(error, prepared));
    }
  }

  /** Only the affected requests fail; the others are written again. */
  function settle(group: readonly Waiting[], error: unknown): void {
    if (error instanceof StaleSessions) {
      meter.stale(error.keys.length);
      const stale = new Set(error.keys);
      return void part(group, error, (request) =>
        sessionKeys(request).some((key) => stale.has(key)),
      );
    }
    if (error instanceof KnownEntries)
      return void part(group, error, ({ entries, scope }) =>
        entries.some(({ id }) => error.keys.has(keyIn(projectIn(scope), id))),
      );
    if (isOfStatement(error)) return void retryEach(group, error);
    for (const { reject } of group) reject(error);
  }

  function part(
    group: readonly Waiting[],
    error: unknown,
    concerns: (request: WriteRequest) => boolean,
  ): void {
    const others = group.filter(({ request }) => !concerns(request));
    for (const each of group) if (!others.includes(each)) each.reject(error);
    waiting = [...others, ...waiting];
  }

  function retryEach(group: readonly Waiting[], error: unknown): void {
    if (group.length === 1) return void group[0]!.reject(error);
    waiting = [...group.map((each) => ({ ...each, alone: true })), ...waiting];
  }

  return {
    write: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, alone: false, resolve, reject });
        schedule();
      }),
  };
}

/** Creates missing day partitions on demand, for today and the seven days before. */
export const makeDays = async (database: Database): Promise<void> =>
  void (await database.query('make_days', MAKE_DAYS, []));

const MAKE_DAYS =
  "SELECT unrut.make_day((now() AT TIME ZONE 'UTC')::date - ago) FROM generate_series(0, 7) ago";

async function writePrepared(database: Database, { values }: PreparedGroup): Promise<void> {
  try {
    await database.query('write_3', CALL_WRITE, values);
  } catch (error) {
    if (codeOf(error) !== NO_DAY) throw error;
    await makeDays(database);
    await database.query('write_3', CALL_WRITE, values);
  }
}

/** Extracts the sessions or ids from an error of `write_3`; returns other errors unchanged. */
export function toConcern(error: unknown, { sessions }: PreparedGroup): unknown {
  const { detail = '[]' } = error as PostgresError;
  const keyOf = ({ project, name }: PreparedGroup['sessions'][number]) => keyIn(project, name);
  if (codeOf(error) === STALE)
    return new StaleSessions(
      (JSON.parse(detail) as number[]).map((place) => keyOf(sessions[place - 1]!)),
    );
  if (codeOf(error) === DELETED) return new StaleSessions(sessions.map(keyOf));
  if (codeOf(error) !== REPEATED) return error;
  const known = (JSON.parse(detail) as [place: number, key: string][]).map(([place, key]) => {
    const { project, name } = sessions[place - 1]!;
    return keyIn(project, idOf(name, key));
  });
  return new KnownEntries(new Set(known));
}
