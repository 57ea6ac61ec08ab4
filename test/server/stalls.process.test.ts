import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SessionsAnswer } from '@unrut/server/api/answers';
import { expect, onTestFinished, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { ask } from './request.ts';
import { startProgram, tellEvents } from './served.ts';

/** A webhook, and what it is told first. */
async function webhook() {
  let tell: (body: unknown) => void = () => undefined;
  const told = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  const server = createServer(async (request, response) => {
    tell(await json(request));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

test('serve tells a webhook of a call that is open for too long, and lists its session as stalled', async () => {
  const { url: hook, told } = await webhook();
  const { url } = await startProgram(bundledPrograms().cli, newFolder(), 0, {
    UNRUT_NOTIFY_WEBHOOK: hook,
    UNRUT_STALL_CALL: '0.005',
  });
  const proposed = (session: string, tool: string, args: object) => ({
    type: 'call-proposed',
    session,
    at: Date.now(),
    call: { id: 'c1', tool, args },
  });
  await tellEvents(url, [
    proposed('builds', 'Bash', { command: 'cargo build' }),
    proposed('hangs', 'fetch_prices', { supplier: 'lamps' }),
  ]);
  expect(await told).toMatchObject({
    session: 'hangs',
    reason: 'stall/call',
    text: expect.stringMatching(
      /^Unrut: the session stalls: the call `fetch_prices.*` has been open for/,
    ),
  });
  const { text } = await ask(`${url}/v1/sessions?state=stalled`, { method: 'GET' });
  expect((JSON.parse(text) as SessionsAnswer).sessions).toMatchObject([
    { session: 'hangs', state: 'stalled', stall: { of: 'call' } },
  ]);
});
