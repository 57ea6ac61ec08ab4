import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

/** One Postgres for all files of both projects; tests that stop it start their own. */
export default async function setup({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.getProvidedContext().postgresPort !== undefined) return undefined;
  const postgres = await startPostgres();
  vitest.provide('postgresPort', postgres.port);
  return () => postgres.remove();
}
