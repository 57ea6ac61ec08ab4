import type { Asking, Read, SqlDialect } from '@unrut/ledger/reports/sql/asking';
import type { Hidden } from '@unrut/ledger/reports/sql/session-rows';
import type { PoolClient } from 'pg';
import type { Connections } from '../database.ts';
import { toPostgresFault } from '../postgres-error.ts';
import { epochMilliseconds, timeOf } from '../sql.ts';
import { inOrganisation } from '../transaction.ts';

/** The sessions that a report covers. */
export interface ReportScope {
  org: number;
  /** Only these projects. Default: the whole organisation. */
  projects?: readonly number[];
  hidden?: Hidden;
  /** Returns the name of a project. Default: projects are not shown. */
  projectName?: (project: number) => string | undefined;
}

/** Milliseconds after which a query is cancelled. */
const TIMEOUT = 2000;

export const POSTGRES: SqlDialect = {
  scope: (row) => `${row}.org = :org AND :projects(${row})`,
  milliseconds: epochMilliseconds,
  time: timeOf,
  day: (hour) => `date_trunc('day', ${hour}, 'UTC')`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  // The planner's statistics choose the best index.
  aside: (column) => column,
  key: 'session_no',
  keyIn: (given) => (/^\d{1,18}$/.test(given) ? given : '0'),
  project: (row) => `${row}.project`,
};

/**
 * Fills the scope into a statement: `:org` is the organisation, and `:projects(t)` a condition on
 * the project of the table `t`.
 */
export function scopedTo({
  org,
  projects,
}: Pick<ReportScope, 'org' | 'projects'>): (sql: string) => string {
  // Whole numbers are inlined, so that each statement has only its own parameters.
  const own = String(Math.trunc(org));
  const among =
    projects && `IN (${[...projects, 0].map((project) => Math.trunc(project)).join(', ')})`;
  return (sql) =>
    sql
      .replaceAll(/:org\b/g, own)
      .replaceAll(/:projects\((\w+)\)/g, (_, table: string) =>
        among ? `${table}.project ${among}` : 'true',
      );
}

/** Reads within a scope. */
export function createRead(
  connections: Connections & { where?: string },
  scope: ReportScope,
): Read {
  const { org } = scope;
  const scoped = scopedTo(scope);
  const asking = (client: PoolClient): Asking => ({
    ask: async (sql, ...values) => (await client.query(scoped(sql), [...values])).rows,
    dialect: POSTGRES,
  });
  return async (act) => {
    try {
      return await inOrganisation(connections, org, (client) => act(asking(client)), {
        readOnly: true,
        timeout: TIMEOUT,
      });
    } catch (error) {
      throw toPostgresFault(connections.where ?? 'the database', error);
    }
  };
}

/** The condition that every statement begins with. */
export const inScope = POSTGRES.scope;
