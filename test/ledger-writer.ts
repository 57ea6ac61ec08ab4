import { createSqliteLedger } from '@unrut/ledger/sqlite';

/**
 * A process that writes to a ledger: `node ledger-writer.ts <path> <session> <name> <times>`. Each
 * time it adds one to the session's state and appends an entry, and then says so on its output.
 */
const [path, session, name, times] = process.argv.slice(2) as [string, string, string, string];
const ledger = createSqliteLedger({ path });
for (let i = 0; i < Number(times); i++) {
  let count = 0;
  await ledger.update([session], ([saved]) => {
    count = ((saved!.read() as { count: number } | null)?.count ?? 0) + 1;
    return {
      states: [{ count, ballast: `${count} `.repeat(4000) }],
      entries: [
        {
          id: `${session}/${name}/${i}`,
          session,
          at: count,
          kind: 'event',
          step: count,
          data: { type: 'idle' },
        },
      ],
    };
  });
  process.stdout.write(`${count}\n`);
}
await ledger.close();
