import type { Connections } from '../database.ts';

/** Adds an organisation with its first project; gives its number. Only the role that owns the tables may. */
export async function addOrganisation(database: Connections, name: string): Promise<number> {
  const client = await database.connect();
  try {
    await client.query("BEGIN; SELECT set_config('unrut.upkeep', 'on', true)");
    const { rows } = await client.query<{ org: number }>('INSERT INTO unrut.organisations (name) VALUES ($1) RETURNING org', [name]);
    const { org } = rows[0]!;
    await client.query("INSERT INTO unrut.projects (org, project, name) VALUES ($1, 1, 'default')", [org]);
    await client.query("INSERT INTO unrut.audit (org, actor, action, target) VALUES ($1, 'cli', 'organisation-added', $2)", [org, name]);
    await client.query('COMMIT');
    client.release();
    return org;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
