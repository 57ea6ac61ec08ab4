import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Candidate } from '@unrut/engine/candidates/candidate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failingPages } from '../site/recovery/failing-pages.ts';
import { workingPages } from '../site/recovery/working-pages.ts';
import { type ToolResult, textOf } from './client.ts';
import { guardedServers, type Place, referenceIn } from './guarded-servers.ts';

/**
 * Findings of the field study with real servers behind the proxy, which sees only a part of the
 * world: each with its honest twin.
 */
const { folder, url, call, later } = guardedServers([failingPages, workingPages], {
  partial: true,
});
const browse = (tool: string, args: object = {}): Promise<ToolResult> =>
  call('browser', tool, args);
const files = (tool: string, args: object = {}): Promise<ToolResult> => call('files', tool, args);
const look = async (): Promise<string> => textOf(await browse('browser_snapshot'));
const open = (page: string): Promise<ToolResult> =>
  browse('browser_navigate', { url: url() + page });

/** The rung of the message about a call. */
const rungOf = ({ _meta: meta }: ToolResult): string =>
  (meta?.['unrut/signal'] as { rung: string } | undefined)?.rung ?? '-';
const isRefused = (result: ToolResult): boolean => rungOf(result) === 'block';
async function times(count: number, make: () => Promise<ToolResult>): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (let i = 0; i < count; i++) results.push(await make());
  return results;
}

/** A call with four equal results, a change of the answer, and the result after that. */
interface Changed {
  repeat(): Promise<() => Promise<ToolResult>>;
  change(): Promise<unknown>;
  worked(result: ToolResult): Promise<boolean> | boolean;
}

const file = (name: string): string => join(folder, name);
const shows =
  (text: string) =>
  (result: ToolResult): boolean =>
    textOf(result).includes(text);
const clickOn = (page: string, name: string) => async () => {
  await open(page);
  const target = referenceIn(await look(), name);
  return () => browse('browser_click', { target, element: name });
};
let port = 0;
let listening: Server | undefined;

const CHANGED: Readonly<Record<string, Changed>> = {
  'reading a file that is then written': {
    repeat: async () => () => files('read_text_file', { path: file('late.txt') }),
    change: () => files('write_file', { path: file('late.txt'), content: 'here now' }),
    worked: shows('here now'),
  },
  'listing a folder into which a file is then written': {
    repeat: async () => {
      await files('create_directory', { path: file('box') });
      return () => files('list_directory', { path: file('box') });
    },
    change: () => files('write_file', { path: file('box/first.txt'), content: '1' }),
    worked: shows('first.txt'),
  },
  'searching for a name that is then there': {
    repeat: async () => () => files('search_files', { path: folder, pattern: '**/wanted.txt' }),
    change: () => files('write_file', { path: file('wanted.txt'), content: '1' }),
    worked: shows('wanted.txt'),
  },
  'clicking below a dialog that is then handled': {
    async repeat() {
      await open('/fails/dialog');
      const shown = await look();
      await browse('browser_click', { target: referenceIn(shown, 'Clear') });
      return () => browse('browser_click', { target: referenceIn(shown, 'Show') });
    },
    change: () => browse('browser_handle_dialog', { accept: false }),
    worked: async () => (await look()).includes('"Shown"'),
  },
  'opening a server that is then started': {
    async repeat() {
      const taken = createServer().listen(0, '127.0.0.1');
      await new Promise((done) => taken.once('listening', done));
      port = (taken.address() as { port: number }).port;
      await new Promise((done) => taken.close(done));
      return () => browse('browser_navigate', { url: `http://127.0.0.1:${port}/` });
    },
    async change() {
      listening = createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<h1>Up</h1>'),
      );
      onTestFinished(() => void listening?.close());
      await new Promise<void>((done) => listening!.listen(port, '127.0.0.1', done));
      await browse('browser_wait_for', { time: 1 });
    },
    worked: async () => (await look()).includes('"Up"'),
  },
  'signing in with a field that is then filled': {
    repeat: clickOn('/works/form', 'Sign in'),
    change: async () =>
      browse('browser_type', { target: referenceIn(await look(), 'E-mail'), text: 'ada' }),
    worked: async () => (await look()).includes('Hello ada'),
  },
  'clicking a stale reference in a frame, after a fresh look': {
    async repeat() {
      await open('/fails/framed');
      let target = referenceIn(await look(), 'Mark');
      await browse('browser_evaluate', {
        function: '() => frames[0].document.getElementById("sort").click()',
      });
      return async () => {
        const result = await browse('browser_click', { target });
        if (rungOf(result) === 'hint') target = referenceIn(await look(), 'Mark');
        return result;
      };
    },
    change: async () => undefined,
    worked: async () => (await look()).includes('Marked.'),
  },
};

describe('the call that would show that the advice worked runs', () => {
  test.each(Object.entries(CHANGED))('%s', async (_, { repeat, change, worked }) => {
    const again = await repeat();
    expect((await times(4, again)).filter(isRefused)).toEqual([]);
    await change();
    const result = await again();
    expect(isRefused(result), textOf(result)).toBe(false);
    expect(await worked(result)).toBe(true);
  });

  test.each(['reading a file that is then written', 'searching for a name that is then there'])(
    'twin: %s, but nothing changes, and the fifth is refused',
    async (name) => {
      rmSync(file('late.txt'), { force: true });
      rmSync(file('wanted.txt'), { force: true });
      const rungs = (await times(5, await CHANGED[name]!.repeat())).map(rungOf);
      expect(rungs).toEqual(['-', '-', 'note', 'hint', 'block']);
    },
  );

  test('a server that does not answer yet is never refused', async () => {
    const again = await CHANGED['opening a server that is then started']!.repeat();
    expect((await times(8, again)).map(rungOf)).not.toContain('block');
  });

  test('what came after a pause is seen at the second look at the latest', async () => {
    const path = file('paused.txt');
    const read = () => files('read_text_file', { path });
    await times(4, read);
    writeFileSync(path, 'created now: 42');
    later(20);
    const [, second] = [await read(), await read()].map(textOf);
    expect(second).toContain('created now: 42');
    rmSync(path);
  });
});

describe('what changes outside is seen after two refusals at most', () => {
  const untilNew = async (read: () => Promise<ToolResult>, news: string): Promise<number> => {
    for (let i = 1; i < 20; i++) if (textOf(await read()).includes(news)) return i;
    return Number.POSITIVE_INFINITY;
  };

  test('a file that somebody else changes', async () => {
    const path = file('outside.txt');
    writeFileSync(path, 'as it was');
    const read = () => files('read_text_file', { path });
    await times(4, read);
    writeFileSync(path, 'as it is');
    expect(await untilNew(read, 'as it is')).toBeLessThanOrEqual(3);
  });

  test('a log that is looked at every three seconds', async () => {
    const path = file('build.log');
    writeFileSync(path, 'compiling...');
    const read = async () => {
      later(3);
      return files('read_text_file', { path });
    };
    await times(4, read);
    writeFileSync(path, 'compiling...\nBUILD DONE');
    expect(await untilNew(read, 'BUILD DONE')).toBeLessThanOrEqual(3);
  });

  test('twin: while it stays the same, it is let through at growing intervals', async () => {
    const path = file('same.txt');
    writeFileSync(path, 'as ever');
    const refused = (await times(24, () => files('read_text_file', { path }))).map(isRefused);
    expect(refused.map((each) => (each ? 'x' : '.')).join('')).toMatch(/^\.{4}x\.xx\.x{4}\.x{8}\./);
  });
});

/** Opens a page in Chrome's own server. */
async function openInChrome(page: string): Promise<{ pageId: number; shown: string }> {
  const opened = textOf(await call('devtools', 'new_page', { url: url() + page }));
  const pageId = Number(/(\d+): [^\n]*\[selected\]/.exec(opened)![1]);
  return { pageId, shown: textOf(await call('devtools', 'take_snapshot', { pageId })) };
}

describe('work in a browser gets a note at most', () => {
  test.each<[string, () => Promise<() => Promise<ToolResult>>, number]>([
    ['going through a wizard', clickOn('/works/wizard', 'Next'), 6],
    [
      'going down a list by key',
      async () => {
        await open('/works/list');
        return () => browse('browser_press_key', { key: 'ArrowDown' });
      },
      8,
    ],
    [
      "the same in Chrome's own server",
      async () => {
        const { pageId } = await openInChrome('/works/list');
        return () => call('devtools', 'press_key', { pageId, key: 'ArrowDown' });
      },
      8,
    ],
    ['loading a page again that is being written', async () => () => open('/works/fresh'), 6],
    [
      'the same with a picture in between',
      async () => async () => {
        await browse('browser_take_screenshot');
        return open('/works/fresh');
      },
      6,
    ],
  ])('%s', async (_, start, count) => {
    const results = await times(count, await start());
    // The effect of a key press is in no result, so it is unknown.
    expect(results.map(rungOf).filter((rung) => rung !== '-' && rung !== 'note')).toEqual([]);
  });

  test('twin: a button that does nothing is reported', async () => {
    const rungs = (await times(6, await clickOn('/works/dead', 'Next')())).map(rungOf);
    expect(rungs).toContain('note');
  });
});

/** The candidates of the first note. */
async function firstNote(
  place: Place,
  tool: string,
  args: object,
): Promise<{ text: string; offered: Candidate[] }> {
  for (let i = 0; i < 6; i++) {
    const result = await call(place, tool, args);
    const all = result._meta?.['unrut/candidates'] as Candidate[] | undefined;
    if (all)
      return {
        text: textOf(result),
        offered: all.filter(({ blockedReason }) => blockedReason === undefined),
      };
  }
  return { text: '', offered: [] };
}
const WALL = ['hand-over', 'stop-trying'];
const isWall = (offered: readonly Candidate[]): boolean =>
  offered.some(({ name }) => WALL.includes(name));

describe('a wall is one by what is on the page', () => {
  test.each(['/works/patterns', '/works/short', '/fails/apple', '/works/codes', '/fails/news'])(
    'no wall: a dead button on %s',
    async (page) => {
      await open(page);
      const { offered } = await firstNote('browser', 'browser_click', {
        target: referenceIn(await look(), 'Like'),
      });
      expect(offered.length).toBeGreaterThan(0);
      expect(isWall(offered)).toBe(false);
    },
  );

  test.each(['/works/codes', '/fails/news'])(
    "no wall in Chrome's own server: a dead button on %s",
    async (page) => {
      const { pageId, shown } = await openInChrome(page);
      const { offered } = await firstNote('devtools', 'click', {
        pageId,
        uid: referenceIn(shown, 'Like'),
      });
      expect(offered.length).toBeGreaterThan(0);
      expect(isWall(offered)).toBe(false);
    },
  );

  test('twin: the same click on a form with a CAPTCHA is one, though the result shows no page', async () => {
    await open('/fails/contact');
    const { offered } = await firstNote('browser', 'browser_click', {
      target: referenceIn(await look(), 'Send message'),
    });
    expect(offered[0]!.name).toBe('hand-over');
  });
});

describe('candidates that the server has', () => {
  test("an open dialog in Chrome's own server is closed by the tool that the server names", async () => {
    const { pageId, shown } = await openInChrome('/fails/dialog');
    await call('devtools', 'click', { pageId, uid: referenceIn(shown, 'Clear') });
    const { offered } = await firstNote('devtools', 'click', {
      pageId,
      uid: referenceIn(shown, 'Show'),
    });
    expect(offered[0]).toMatchObject({ name: 'close-dialog', tool: 'handle_dialog' });
    expect(
      (await call('devtools', offered[0]!.tool!, offered[0]!.args ?? {})).isError ?? false,
    ).toBe(false);
  });

  test.each(['http://no-such-host.invalid/', 'http://127.0.0.1:6000/'])(
    '%s is not waited for',
    async (address) => {
      const { offered } = await firstNote('browser', 'browser_navigate', { url: address });
      expect(offered.length).toBeGreaterThan(0);
      expect(offered.map(({ tool }) => tool)).not.toContain('browser_wait_for');
    },
  );

  test('every candidate with a tool can be called as it is offered', async () => {
    writeFileSync(file('b.txt'), '1');
    const { offered } = await firstNote('files', 'read_text_file', { path: file('sub/b.txt') });
    const named = offered.filter(({ tool, args }) => tool !== undefined && args !== undefined);
    expect(named.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['list_directory', 'search_files']),
    );
    for (const { tool, args } of named)
      expect(textOf(await files(tool!, args!))).not.toMatch(/-32602|invalid arguments|required/i);
  });

  test('no tool that its server calls deprecated is offered', async () => {
    writeFileSync(file('settings.ini'), 'a = 1');
    const edit = { path: file('settings.ini'), edits: [{ oldText: 'b', newText: 'c' }] };
    const { offered } = await firstNote('files', 'edit_file', edit);
    expect(offered[0]).toMatchObject({
      tool: 'read_text_file',
      args: { path: file('settings.ini') },
    });
  });

  test('a key may be pressed where a click does nothing, though the server calls all that acts destructive', async () => {
    await open('/works/dead');
    const { offered } = await firstNote('browser', 'browser_click', {
      target: referenceIn(await look(), 'Next'),
    });
    expect(offered.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['browser_snapshot', 'browser_press_key']),
    );
  });

  test('what covers the element is named, and to be closed', async () => {
    await open('/fails/overlay');
    const { text } = await firstNote('browser', 'browser_click', {
      target: referenceIn(await look(), 'Keep for later'),
    });
    expect(text).toMatch(
      /find the button that closes what covers the element \(`<div id="cb">`\)/i,
    );
  });

  test('candidates come with the first note, and are still there when the call is refused', async () => {
    const results = await times(5, () => files('read_text_file', { path: file('nowhere/c.txt') }));
    expect(results.map(rungOf)).toEqual(['-', '-', 'note', 'hint', 'block']);
    for (const result of results.slice(2)) expect(textOf(result)).toContain('`list_directory {');
  });
});
