import type { PoolClient, QueryResultRow } from 'pg';
import type { Connections } from '../database.ts';
import { toPostgresFault } from '../postgres-error.ts';
import { inOrganisation } from '../transaction.ts';

/** Whose sessions are told of. */
export interface ReportScope {
  org: number;
  /** Only those of these projects. Default: all of the organisation. */
  projects?: readonly number[];
  /** Sessions of others than this person keep their figures and lose their names and words. */
  hideFrom?: string;
}

/** Milliseconds: a question that takes longer is given up. */
const TIMEOUT = 2000;

/** What the questions of one report are asked with. */
export interface Asking {
  /**
   * In the text, `:org` is the organisation, and `:projects(t)` a condition on the project of the
   * table `t`.
   */
  ask<Row extends QueryResultRow>(sql: string, ...values: readonly unknown[]): Promise<Row[]>;
}

/** Reads in one transaction. */
export type Read = <T>(act: (asking: Asking) => Promise<T>) => Promise<T>;

export function createRead(
  connections: Connections & { where?: string },
  { org, projects }: ReportScope,
): Read {
  // Whole numbers are written out, so that each statement has only the values of its own.
  const own = String(Math.trunc(org));
  const among =
    projects && `IN (${[...projects, 0].map((project) => Math.trunc(project)).join(', ')})`;
  const scoped = (sql: string): string =>
    sql
      .replaceAll(/:org\b/g, own)
      .replaceAll(/:projects\((\w+)\)/g, (_, table: string) =>
        among ? `${table}.project ${among}` : 'true',
      );
  const asking = (client: PoolClient): Asking => ({
    ask: async (sql, ...values) => (await client.query(scoped(sql), [...values])).rows,
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
export const inScope = (table: string): string => `${table}.org = :org AND :projects(${table})`;
