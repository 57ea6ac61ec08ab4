import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidate } from '@unrut/engine/candidates/candidate';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installedChromium, LAUNCH_TIMEOUT } from '../browser/chromium.ts';
import { recoveryPages, slowPages } from '../site/recovery/pages.ts';
import { type Site, startSite } from '../site/site.ts';
import {
  CLIENTS,
  connect,
  type Generation,
  type McpClient,
  type ToolResult,
  textOf,
} from './client.ts';
import { installServers, serverCommand } from './install-servers.ts';
import { proxied, removeHome } from './proxied.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-browser-'));
const slow = slowPages();
let site: Site;
beforeAll(async () => {
  await installServers();
  installedChromium();
  site = await startSite(recoveryPages, slow.pages);
}, LAUNCH_TIMEOUT);
afterAll(async () => {
  await site?.close();
  removeHome();
  rmSync(folder, { recursive: true });
});

let client: McpClient;
afterEach(() => client?.close());
const call = (name: string, args: object = {}): Promise<ToolResult> =>
  client.callTool({ name, arguments: args });

/** The same call until a hint with candidates comes: an agent that does not listen. */
async function insist(
  name: string,
  args: object,
): Promise<{ result: ToolResult; offered: Candidate[]; blocked: Candidate[] }> {
  for (let i = 0; i < 6; i++) {
    const result = await call(name, args);
    const candidates = result._meta?.['unrut/candidates'] as Candidate[] | undefined;
    if (!candidates) continue;
    const offered = candidates.filter(({ blockedReason }) => blockedReason === undefined);
    return { result, offered, blocked: candidates.filter((each) => !offered.includes(each)) };
  }
  throw new Error(`${name} was never answered with candidates`);
}

/** What the snapshot calls the element with this name. */
const referenceTo = (name: string, snapshot: ToolResult): string => {
  const line = textOf(snapshot)
    .split('\n')
    .find((each) => each.includes(`"${name}"`))!;
  return /\[ref=(\w+)\]|uid=(\w+)/.exec(line)!.slice(1).find(Boolean)!;
};

describe('Playwright', () => {
  const open = async (
    generation: Generation,
    options: string[] = [],
    ours: string[] = [],
  ): Promise<void> => {
    const browser = [
      '--executable-path',
      installedChromium(),
      '--headless',
      '--isolated',
      '--no-sandbox',
      '--output-dir',
      folder,
    ];
    client = await connect(
      proxied(await serverCommand('playwright', ...browser, ...options), ...ours),
      { generation },
    );
    await client.listTools();
  };

  test.each(CLIENTS)(
    'a stale reference: a fresh snapshot is ranked first, and following it recovers (client %s)',
    async (generation) => {
      await open(generation);
      await call('browser_navigate', { url: `${site.url}/recovery/stale-ref` });
      const target = referenceTo('Mark Rent as read', await call('browser_snapshot'));
      await call('browser_evaluate', { function: '() => document.getElementById("sort").click()' });
      const before = await call('browser_click', { target });
      expect(textOf(before)).toBe(
        `### Error\nError: Ref ${target} not found in the current page snapshot. Try capturing new snapshot.`,
      );

      const { result, offered, blocked } = await insist('browser_click', { target });
      expect(textOf(result)).toContain(' Try next: 1. `browser_snapshot`: ');
      expect(textOf(result).startsWith(textOf(before)), 'what the server said stands first').toBe(
        true,
      );
      expect(offered[0]).toMatchObject({ tool: 'browser_snapshot', risk: 'read_only' });
      const blind = [...offered, ...blocked].filter(({ tool }) => tool === 'browser_click');
      for (const again of blind)
        expect(again.score, 'a second blind click is ranked down').toBeLessThan(0);

      const fresh = await call(offered[0]!.tool!, offered[0]!.args ?? {});
      await call('browser_click', { target: referenceTo('Mark Rent as read', fresh) });
      expect(textOf(await call('browser_snapshot'))).toContain('Rent was marked as read.');
    },
  );

  test('with --hint-failures the first stale click gets a hint', async () => {
    await open('v1', [], ['--hint-failures']);
    await call('browser_navigate', { url: `${site.url}/recovery/stale-ref` });
    const target = referenceTo('Mark Rent as read', await call('browser_snapshot'));
    await call('browser_evaluate', { function: '() => document.getElementById("sort").click()' });
    const [first] = (await call('browser_click', { target }))._meta![
      'unrut/candidates'
    ] as Candidate[];
    const fresh = await call(first!.tool!);
    await call('browser_click', { target: referenceTo('Mark Rent as read', fresh) });
    expect(textOf(await call('browser_snapshot'))).toContain('Rent was marked as read.');
  });

  test('a page that asks for a proof: no click, type or retry is offered, handing over is', async () => {
    await open('v1');
    await call('browser_navigate', { url: `${site.url}/recovery/blocking-page` });
    const target = referenceTo('Continue', await call('browser_snapshot'));
    const { result, offered, blocked } = await insist('browser_click', { target });
    expect(offered.map(({ name }) => name)).toContain('hand-over');
    expect(offered.every(({ risk }) => risk === 'read_only')).toBe(true);
    expect(offered.filter(({ tool }) => tool !== undefined && tool !== 'browser_snapshot')).toEqual(
      [],
    );
    expect(blocked.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['retry-blindly', 'click-blindly']),
    );
    for (const { description } of blocked) expect(textOf(result)).not.toContain(description);
  });

  test('a page to sign in to: handing over is offered, typing into it is not', async () => {
    await open('v1');
    await call('browser_navigate', { url: `${site.url}/recovery/sign-in` });
    const target = referenceTo('Sign in', await call('browser_snapshot'));
    const { offered } = await insist('browser_click', { target });
    expect(offered.map(({ name }) => name)).toContain('hand-over');
    expect(
      offered.map(({ tool }) => tool).filter((tool) => /type|fill|click|press/.test(tool ?? '')),
    ).toEqual([]);
  });

  test('an article about such pages is not such a page', async () => {
    await open('v1');
    await call('browser_navigate', { url: `${site.url}/recovery/article` });
    const target = referenceTo('Like this article', await call('browser_snapshot'));
    const { offered } = await insist('browser_click', { target });
    expect(offered.map(({ name }) => name)).not.toContain('hand-over');
    expect(offered[0]).toMatchObject({ name: 'verify-hit-target', tool: 'browser_snapshot' });
  });

  test('a click without effect: the first candidate shows what the page is waiting for', async () => {
    await open('v1');
    await call('browser_navigate', { url: `${site.url}/recovery/click-does-nothing` });
    const target = referenceTo('Save settings', await call('browser_snapshot'));
    const { offered } = await insist('browser_click', { target });
    const look = await call(offered[0]!.tool!, offered[0]!.args ?? {});
    await call('browser_click', { target: referenceTo('Yes, save for everybody', look) });
    expect(textOf(await call('browser_snapshot'))).toContain('Settings saved.');
  });

  test('a page that is too slow: the first candidate waits for it, and it comes', async () => {
    await open('v1', ['--timeout-navigation', '500']);
    const { offered } = await insist('browser_navigate', { url: `${site.url}/recovery/slow` });
    expect(offered[0]).toMatchObject({ name: 'wait-for-condition', tool: 'browser_wait_for' });
    const waited = call(offered[0]!.tool!, { text: 'The report is ready.' });
    slow.finish();
    expect((await waited).isError ?? false).toBe(false);
    expect(textOf(await call('browser_snapshot'))).toContain('The report is ready.');
  });
});

describe("Chrome's own server", () => {
  const visit = async (page: string, generation: Generation): Promise<ToolResult> => {
    const browser = [
      '--executablePath',
      installedChromium(),
      '--headless',
      '--isolated',
      '--chromeArg=--no-sandbox',
    ];
    client = await connect(proxied(await serverCommand('chrome-devtools', ...browser)), {
      generation,
    });
    await client.listTools();
    return call('new_page', { url: `${site.url}/recovery/${page}` });
  };
  const look = (): Promise<ToolResult> => call('take_snapshot', { pageId: 2 });

  test('a stale reference: a fresh snapshot is ranked first, and following it recovers', async () => {
    await visit('stale-ref', 'v2');
    const uid = referenceTo('Mark Rent as read', await look());
    await call('evaluate_script', {
      pageId: 2,
      function: '() => document.getElementById("sort").click()',
    });
    const { offered } = await insist('click', { pageId: 2, uid });
    expect(offered[0]).toMatchObject({ tool: 'take_snapshot', risk: 'read_only' });
    await call('click', {
      pageId: 2,
      uid: referenceTo('Mark Rent as read', await call(offered[0]!.tool!, { pageId: 2 })),
    });
    expect(textOf(await look())).toContain('Rent was marked as read.');
  });

  test('a page that asks for a proof: handing over is offered, clicking is not', async () => {
    await visit('blocking-page', 'v1');
    const uid = referenceTo('Continue', await look());
    const { offered } = await insist('click', { pageId: 2, uid, includeSnapshot: true });
    expect(offered.map(({ name }) => name)).toContain('hand-over');
    expect(offered.map(({ tool }) => tool)).not.toContain('click');
  });
});
