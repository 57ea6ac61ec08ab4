import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { lookup } from './server/lookup.ts';

/**
 * A process that records events: `node recorder-process.ts <path> <from> <to>`. Says on its output
 * which are kept, and which are not.
 */
const [path, from, to] = process.argv.slice(2) as [string, string, string];
const ledger = createSqliteLedger({ path });
const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
for (let i = Number(from); i < Number(to); i++) {
  const { error } = await recorder.record([
    lookup(i, { result: `Order ${i} was shipped on day ${i}.` }),
  ]);
  process.stdout.write(`${error === undefined ? 'kept' : 'lost'} ${i}\n`);
}
await ledger.close();
