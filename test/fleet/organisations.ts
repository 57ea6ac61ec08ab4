import { addOrganisation as add } from '@unrut/postgres/organisation/organisations';
import pg from 'pg';

/** Adds an organisation, as the owner of the tables does; gives its number. */
export async function addOrganisation(owner: string, name: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: owner, max: 1 });
  try {
    return await add(pool, name);
  } finally {
    await pool.end();
  }
}
