import type { PoolClient } from 'pg';

/** The partition and the number of a session, by which its rows are found. */
interface SessionPlace {
  session: string;
  session_no: string;
  born: Date;
}

/** Sessions whose rows are deleted at once. */
const SLICE = 500;

/** Deletes everything of the sessions that a condition on `sessions` names; gives how many there were. Sums of hours tell of nobody, and stay. */
export async function forgetSessions(client: PoolClient, condition: string, values: readonly unknown[]): Promise<number> {
  let count = 0;
  for (;;) {
    const { rows } = await client.query<SessionPlace>(
      `SELECT session, session_no, born FROM unrut.sessions WHERE ${condition} ORDER BY session_no LIMIT ${SLICE}`,
      [...values],
    );
    if (rows.length === 0) return count;
    count += rows.length;
    const numbers = rows.map(({ session_no }) => session_no);
    // Servers that hold one of them in memory find another version, and begin it anew.
    await client.query('SELECT FROM unrut.states WHERE session_no = ANY ($1) ORDER BY session_no FOR UPDATE', [numbers]);
    for (const table of ['events', 'pieces', 'findings'])
      await client.query(`DELETE FROM unrut.${table} WHERE born = ANY ($1) AND session_no = ANY ($2)`, [
        rows.map(({ born }) => born),
        numbers,
      ]);
    await client.query('DELETE FROM unrut.context_entries WHERE session = ANY ($1)', [rows.map(({ session }) => session)]);
    await client.query('DELETE FROM unrut.states WHERE session_no = ANY ($1)', [numbers]);
    await client.query('DELETE FROM unrut.sessions WHERE session_no = ANY ($1)', [numbers]);
  }
}
