import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createApp } from '@unrut/server/create-app';
import { startServer } from '@unrut/server/start-server';

/**
 * A server in its own process, with a ledger file. Reports its port; on any message, collects
 * garbage and reports its megabytes.
 */
const ledger = createSqliteLedger({ path: process.argv[2]!, wait: 1500 });
const app = createApp({
  ledger,
  settingsIn: () => ({ guard: {} }),
  loopbackOnly: true,
  version: '0.0.0',
});
// The same program without what Unrut is for: the request is let in, and its body is read.
app.post('/empty', async (context) => {
  await context.req.json();
  return context.json({ verdicts: [] });
});
const { url } = await startServer({ app, host: '127.0.0.1', port: 0 });
process.send!(Number(new URL(url).port));
process.on('message', () => {
  globalThis.gc?.();
  process.send!(process.memoryUsage().rss / 2 ** 20);
});
