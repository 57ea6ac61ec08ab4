import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { CLIENTS, connect, textOf } from './client.ts';
import { INSTALL_TIMEOUT, installServers, serverCommand } from './install-servers.ts';
import { openPipe, type Pipe } from './pipe.ts';
import { proxied, recorded, removeHome } from './proxied.ts';

beforeAll(installServers, INSTALL_TIMEOUT);
afterAll(removeHome);

const awkward = [process.execPath, join(root, 'test/mcp/servers/awkward.ts')];
const pipes: Pipe[] = [];
const open = (command: readonly string[] = proxied(awkward)): Pipe => {
  const pipe = openPipe(command);
  pipes.push(pipe);
  return pipe;
};
afterEach(async () => {
  for (const pipe of pipes.splice(0)) await pipe.end();
});

describe('what servers do wrong', () => {
  test('lines that are no messages pass as they are, and the answer after them too', async () => {
    const [bare, behind] = [open(awkward), open()];
    for (const pipe of [bare, behind]) await pipe.call('talk');
    expect(behind.lines).toEqual(bare.lines);
    expect(behind.lines).toHaveLength(6);
    expect(behind.stderr()).toBe('a word on stderr\n');
  });

  test('lines of the client that are no messages pass as they are', async () => {
    const pipe = open(proxied(['cat']));
    const lines = [
      'not JSON, tools/call',
      '{"method":"tools/call"',
      '[1,2]',
      'null',
      '{"id":{},"method":"tools/call","params":7}',
      '',
    ];
    for (const line of lines) pipe.send(line);
    await pipe.end();
    expect(pipe.lines).toEqual(lines);
  });

  test.each([
    ['exit', { code: 7, signal: null }, 'exited with code 7'],
    ['kill', { code: null, signal: 'SIGKILL' }, 'was killed by SIGKILL'],
  ])(
    'a server that dies by %s is reported, and the proxy ends as it did',
    async (tool, end, said) => {
      const pipe = open();
      await pipe.call('echo', { text: 'alive' });
      void pipe.call(tool);
      expect(await pipe.ended).toEqual(end);
      expect(pipe.stderr()).toBe(
        `[unrut] The server awkward ${said}; 1 of the client's requests had no answer yet.\n`,
      );
      expect((await recorded('event')).at(-1)?.data).toMatchObject({ type: 'session-ended' });
    },
  );

  test.each([
    [
      'there is none',
      ['/nowhere/at-all'],
      '[unrut] Cannot start the server `/nowhere/at-all`: there is no such command. Expected the command of an MCP server after --.\n',
    ],
  ])('a command that cannot be started is said in one line: %s', async (_, command, said) => {
    const pipe = open(proxied(command));
    expect(await pipe.ended).toEqual({ code: 2, signal: null });
    expect(pipe.stderr()).toBe(said);
  });

  test('a broken config is said in one line, and the calls pass', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-config-'));
    writeFileSync(join(folder, 'unrut.config.json'), '{ "detectors": ');
    const pipe = openPipe(proxied(awkward), folder);
    for (let i = 0; i < 5; i++)
      expect((await pipe.call('echo', { text: 'the same' })).result).toEqual({
        content: [{ type: 'text', text: 'the same' }],
      });
    await pipe.end();
    rmSync(folder, { recursive: true });
    expect(pipe.stderr()).toMatch(/^\[unrut\] [^\n]*unrut\.config\.json[^\n]*\n$/);
  });

  test('signals reach the server, and the proxy ends as it did', async () => {
    const pipe = open();
    await pipe.call('echo', { text: 'alive' });
    pipe.kill('SIGTERM');
    expect(await pipe.ended).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('when the client closes the pipe, the server sees it, and the last answer still comes', async () => {
    const pipe = open();
    const answered = pipe.call('echo', { text: 'the last one' });
    expect(await pipe.end()).toEqual({ code: 0, signal: null });
    expect((await answered).result?.content[0]?.text).toBe('the last one');
  });
});

describe('what servers do rightly', () => {
  test('a result of 20 MB arrives whole, and so does one that is too long to be read', async () => {
    const pipe = open();
    for (const size of [20 << 20, 80 << 20]) {
      const { result } = await pipe.call('big', { size });
      expect(result?.content[0]?.text.length).toBe(size);
      expect(Object.keys(result!)).toEqual(['content']);
    }
    expect((await pipe.call('echo', { text: 'and after it' })).result?.content[0]?.text).toBe(
      'and after it',
    );
  });

  test('a cancelled call is cancelled at the server, and its answer is not waited for', async () => {
    const pipe = open();
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
    const heard = pipe.answer('cancelled');
    pipe.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'no longer needed' },
    });
    expect((await heard).result?.content[0]?.text).toBe('cancelled 1');
    void pipe.call('exit');
    await pipe.ended;
    expect(pipe.stderr()).toContain("; 1 of the client's requests had no answer yet");
  });

  test.each(CLIENTS)(
    'of 100 calls at once each gets its own answer (client %s)',
    async (generation) => {
      const client = await connect(proxied(await serverCommand('everything', 'stdio')), {
        generation,
      });
      const sums = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          client.callTool({ name: 'get-sum', arguments: { a: i, b: i * 1000 } }),
        ),
      );
      expect(sums.map(textOf)).toEqual(
        Array.from({ length: 100 }, (_, i) => `The sum of ${i} and ${i * 1000} is ${i * 1001}.`),
      );
      expect(sums.filter((sum) => sum._meta !== undefined)).toEqual([]);
      await client.close();
    },
  );

  test.each(CLIENTS)(
    'the same call a hundred times at once is no loop (client %s)',
    async (generation) => {
      const client = await connect(proxied(await serverCommand('everything', 'stdio')), {
        generation,
      });
      const same = await Promise.all(
        Array.from({ length: 100 }, () =>
          client.callTool({ name: 'echo', arguments: { message: 'the same' } }),
        ),
      );
      expect(new Set(same.map(textOf))).toEqual(new Set(['Echo: the same']));
      await client.close();
    },
  );
});
