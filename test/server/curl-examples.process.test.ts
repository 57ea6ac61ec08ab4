import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AllowedHosts, readAllowedHosts } from '@unrut/server/cua/allowed-hosts';
import { createCuaRuns } from '@unrut/server/cua/cua-runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOf } from '../../packages/server/src/routes.ts';
import { root } from '../../scripts/build.ts';
import { APT_TIMEOUT, fromDebian, programInPath } from '../from-debian.ts';
import { computerUsePages } from '../site/computer-use/pages.ts';
import { startSite } from '../site/site.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

const run = promisify(execFile);
const TOKEN = 'correct-horse-battery';

/** The examples of the pages about the server, each with the status that a comment after it names, else 200. */
const examples = globSync('docs/serve*.md', { cwd: root })
  .sort()
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n')
  .split('\n')
  .filter((line) => /^ {4}curl /.test(line))
  .map((line) => {
    const [, command, status = '200'] = /^ {4}(curl .*?)(?:\s+# (\d{3}))?$/.exec(line)!;
    return { command: command!, status };
  });

const site = await startSite(computerUsePages);
const hosts = readAllowedHosts(new URL(site.url).host) as AllowedHosts;
const cua = createCuaRuns({ hosts });
let server: SeededServer;

beforeAll(async () => {
  fromDebian('curl', () => programInPath('curl'));
  server = await seededServer({ cua, token: TOKEN });
}, APT_TIMEOUT);
afterAll(async () => {
  await cua.close();
  await site.close();
});

/** What a shell gets when it runs an example against the seeded server. */
async function outcome(command: string): Promise<{ status: string; body: string }> {
  const here = command
    .replaceAll('http://127.0.0.1:4717', server.url)
    .replaceAll('http://localhost:3000', site.url)
    .replace(
      /^curl /,
      `curl -s -w '\\n%{http_code}' ${command.includes('$UNRUT_TOKEN') ? '' : '-H "Authorization: Bearer $UNRUT_TOKEN" '}`,
    );
  // A stream that is left after a while is no success for curl.
  const { stdout } = await run('sh', ['-c', `${here} || [ $? = 28 ]`], {
    env: { ...process.env, UNRUT_TOKEN: TOKEN },
    maxBuffer: 1 << 26,
  });
  const end = stdout.lastIndexOf('\n');
  return { status: stdout.slice(end + 1), body: stdout.slice(0, end) };
}

describe('the examples of the pages about the server', () => {
  test('leave no route out', () => {
    const asked = examples.map(({ command }) => {
      const path = /http:\/\/127\.0\.0\.1:4717([^\s?']*)/.exec(command)![1]!;
      return `${/ -d /.test(command) ? 'post' : 'get'} ${path}`;
    });
    const missing = Object.entries(documentOf('').paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => {
          const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`);
          return !asked.some((each) => pattern.test(each));
        })
        .map((method) => `${method} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(examples)('$command gives $status', async ({ command, status: expected }) => {
    const { status, body } = await outcome(command);
    expect(status, body).toBe(expected);
    expect(body).not.toBe('');
  });
});
