import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '@unrut/engine/candidates/candidate';
import { describe, expect, test } from 'vitest';
import { failingPages } from '../site/recovery/failing-pages.ts';
import { recoveryPages } from '../site/recovery/pages.ts';
import { type ToolResult, textOf } from './client.ts';
import { guardedServers, type Place, referenceIn } from './guarded-servers.ts';

const { folder, url, call } = guardedServers([recoveryPages, failingPages]);
const at = (name: string): string => join(folder, name);

type Call = [tool: string, args?: object];

const browse = (tool: string, args: object = {}): Promise<ToolResult> =>
  call('browser', tool, args);
const files = (tool: string, args: object = {}): Promise<ToolResult> => call('files', tool, args);
const open = (page: string): Promise<ToolResult> =>
  browse('browser_navigate', { url: url() + page });
const look = async (): Promise<string> => textOf(await browse('browser_snapshot'));
const click = async (name: string, shown?: string): Promise<ToolResult> =>
  browse('browser_click', { target: referenceIn(shown ?? (await look()), name), element: name });
const wentWell = ({ isError }: ToolResult): boolean => isError !== true;

/** What an agent that does not listen hears first: the candidates of the first note. */
async function firstNote(place: Place, [tool, args]: Call): Promise<Candidate[]> {
  for (let i = 0; i < 4; i++) {
    const result = await call(place, tool, args);
    const candidates = result._meta?.['unrut/candidates'] as Candidate[] | undefined;
    if (candidates) return candidates.filter(({ blockedReason }) => blockedReason === undefined);
  }
  return [];
}

interface Failing {
  place?: Place;
  /** Leads up to the failure, and gives the call that fails. */
  fail(): Promise<Call>;
  /** The move that must come first. */
  first: string;
  /**
   * What became of it, with the candidate carried out as offered; for a question to a person,
   * whether it is the right one.
   */
  solved(shown: string, candidate: Candidate): Promise<boolean>;
}

const clickOn =
  (page: string, name: string): (() => Promise<Call>) =>
  async () => {
    await open(page);
    return ['browser_click', { target: referenceIn(await look(), name) }];
  };
const asks =
  (...words: string[]) =>
  async (_: string, { description, tool }: Candidate): Promise<boolean> =>
    tool === undefined && words.every((word) => description.includes(word));
const shows =
  (...words: string[]) =>
  async (shown: string): Promise<boolean> =>
    words.every((word) => shown.includes(word));
const ASK = 'ask the user';

const THIRTY: Readonly<Record<string, Failing>> = {
  '1 a stale reference': {
    async fail() {
      await open('/recovery/stale-ref');
      const target = referenceIn(await look(), 'Mark Rent as read');
      await browse('browser_evaluate', {
        function: '() => document.getElementById("sort").click()',
      });
      return ['browser_click', { target }];
    },
    first: 'look-afresh',
    async solved(shown) {
      await click('Mark Rent as read', shown);
      return (await look()).includes('Rent was marked as read.');
    },
  },
  '2 a stale reference in a frame': {
    async fail() {
      await open('/fails/framed');
      const target = referenceIn(await look(), 'Mark');
      await browse('browser_evaluate', {
        function: '() => frames[0].document.getElementById("sort").click()',
      });
      return ['browser_click', { target }];
    },
    first: 'look-afresh',
    async solved(shown) {
      await click('Mark', shown);
      return (await look()).includes('Marked.');
    },
  },
  '3 a cookie banner over the button': {
    fail: clickOn('/fails/overlay', 'Keep for later'),
    first: 'look-at-cover',
    async solved(shown, { description }) {
      await click('Reject all', shown);
      await click('Keep for later');
      return description.includes('<div id="cb">') && (await look()).includes('"Kept"');
    },
  },
  '4 a disabled button': {
    fail: clickOn('/fails/disabled', 'Next'),
    first: 'look-afresh',
    async solved(shown) {
      await click('I have read this', shown);
      await click('Next');
      return shown.includes('[disabled]') && (await look()).includes('Second page.');
    },
  },
  '5 a login that does not let in': {
    fail: clickOn('/fails/account', 'Sign in'),
    first: 'hand-over',
    solved: asks(ASK, 'a login'),
  },
  '6 a wrong selector on a login page': {
    async fail() {
      await open('/fails/account');
      return ['browser_type', { target: '#nosuch', text: 'x' }];
    },
    first: 'look-afresh',
    solved: async (shown) =>
      wentWell(
        await browse('browser_type', { target: referenceIn(shown, 'E-mail'), text: 'a@b.example' }),
      ),
  },
  '7 sent to a login': {
    fail: async () => ['browser_navigate', { url: `${url()}/fails/private` }],
    first: 'hand-over',
    solved: asks(ASK, 'a login'),
  },
  '8 a page for members only': {
    fail: async () => ['browser_navigate', { url: `${url()}/fails/denied` }],
    first: 'hand-over',
    solved: asks(ASK, 'access denied'),
  },
  '9 a CAPTCHA in a form': {
    fail: clickOn('/fails/contact', 'Send message'),
    first: 'hand-over',
    solved: asks(ASK, 'a CAPTCHA'),
  },
  '10 a dead button below a history of CAPTCHAs': {
    fail: clickOn('/fails/history', 'Like'),
    first: 'verify-hit-target',
    solved: shows('button "Like"'),
  },
  '11 a dead button below a guide to signing in': {
    fail: clickOn('/fails/apple', 'Like'),
    first: 'verify-hit-target',
    solved: shows('button "Like"'),
  },
  '12 an open dialog': {
    async fail() {
      await open('/fails/dialog');
      const shown = await look();
      await click('Clear', shown);
      return ['browser_click', { target: referenceIn(shown, 'Show') }];
    },
    first: 'close-dialog',
    async solved() {
      await click('Show');
      return (await look()).includes('"Shown"');
    },
  },
  '13 an open file chooser': {
    async fail() {
      await open('/fails/chooser');
      const shown = await look();
      await click('File', shown);
      return ['browser_click', { target: referenceIn(shown, 'Show') }];
    },
    first: 'close-dialog',
    async solved() {
      await click('Show');
      return (await look()).includes('"Shown"');
    },
  },
  '14 selecting in a list that is none': {
    async fail() {
      await open('/fails/combobox');
      return [
        'browser_select_option',
        { target: referenceIn(await look(), 'Colour'), values: ['Red'] },
      ];
    },
    first: 'click-control',
    async solved() {
      await click('Red');
      return (await look()).includes('Red it is.');
    },
  },
  '15 an option that is not there': {
    async fail() {
      await open('/fails/select');
      return [
        'browser_select_option',
        { target: referenceIn(await look(), 'Size'), values: ['Medium'] },
      ];
    },
    first: 'read-options',
    solved: async (shown) =>
      shown.includes('option "Large"') &&
      wentWell(
        await browse('browser_select_option', {
          target: referenceIn(shown, 'Size'),
          values: ['Large'],
        }),
      ),
  },
  '16 a host that does not exist': {
    fail: async () => ['browser_navigate', { url: 'http://no-such-host.invalid/' }],
    first: 'correct-address',
    solved: asks(ASK, 'no-such-host.invalid'),
  },
  '17 a port where nobody listens': {
    fail: async () => ['browser_navigate', { url: 'http://127.0.0.1:59999/' }],
    first: 'check-listening',
    solved: asks('127.0.0.1:59999'),
  },
  '18 a file in the browser': {
    fail: async () => ['browser_navigate', { url: 'file:///etc/hosts' }],
    first: 'read-otherwise',
    solved: asks('read it otherwise', 'file:'),
  },
  '19 a selector that fits two': {
    async fail() {
      await open('/fails/twice');
      return ['browser_click', { target: 'button' }];
    },
    first: 'use-offered-name',
    async solved(_, { description }) {
      await browse('browser_click', { target: /`(.+)`/.exec(description)![1] });
      return (await look()).includes('First.');
    },
  },
  '20 a selector that fits nothing': {
    async fail() {
      await open('/fails/twice');
      return ['browser_click', { target: '#nosuch' }];
    },
    first: 'look-afresh',
    solved: async (shown) => wentWell(await click('One', shown)),
  },
  '21 a script with an error': {
    async fail() {
      await open('/fails/twice');
      return ['browser_evaluate', { function: '() => nothing.title' }];
    },
    first: 'fix-script',
    solved: async (_, { description }) =>
      description.includes('nothing is not defined') &&
      wentWell(await browse('browser_evaluate', { function: '() => document.title' })),
  },
  '22 a tab that is not there': {
    fail: async () => ['browser_tabs', { action: 'select', index: 7 }],
    first: 'list-tabs',
    solved: shows('0:'),
  },
  '23 a file that is not there': {
    place: 'files',
    async fail() {
      writeFileSync(at('quarterly-report.md'), 'Sales went up.\n');
      return ['read_text_file', { path: at('quartely-report.md') }];
    },
    first: 'list-folder',
    solved: shows('quarterly-report.md'),
  },
  '24 an edit that does not match': {
    place: 'files',
    async fail() {
      writeFileSync(at('settings.ini'), '[server]\n\tport\t=\t8080\n');
      return [
        'edit_file',
        { path: at('settings.ini'), edits: [{ oldText: 'port : 8080', newText: 'port : 9090' }] },
      ];
    },
    first: 'read-exact-lines',
    async solved(shown) {
      const exact = shown.split('\n').find((line) => line.includes('port'))!;
      await files('edit_file', {
        path: at('settings.ini'),
        edits: [{ oldText: exact, newText: exact.replace('8080', '9090') }],
      });
      return readFileSync(at('settings.ini'), 'utf8').includes('9090');
    },
  },
  '25 outside the allowed folders': {
    place: 'files',
    fail: async () => ['read_text_file', { path: '/etc/hosts' }],
    first: 'list-allowed',
    solved: async (shown) => shown.includes(folder),
  },
  '26 reading a folder': {
    place: 'files',
    async fail() {
      mkdirSync(at('notes'));
      writeFileSync(at('notes/monday.md'), '');
      return ['read_text_file', { path: at('notes') }];
    },
    first: 'list-it',
    solved: shows('monday.md'),
  },
  '27 moving onto what is there': {
    place: 'files',
    async fail() {
      for (const name of ['old.txt', 'new.txt']) writeFileSync(at(name), name);
      return ['move_file', { source: at('old.txt'), destination: at('new.txt') }];
    },
    first: 'use-another-name',
    solved: asks(ASK, 'another name'),
  },
  '28 an argument of another name': {
    place: 'files',
    async fail() {
      writeFileSync(at('week.md'), 'Monday');
      return ['read_text_file', { file: at('week.md') }];
    },
    first: 'fix-argument',
    solved: async (_, { description }) =>
      wentWell(
        await files('read_text_file', { [/`(\w+)`/.exec(description)![1]!]: at('week.md') }),
      ),
  },
  "29 a stale reference in Chrome's own server": {
    place: 'devtools',
    async fail() {
      await call('devtools', 'new_page', { url: `${url()}/recovery/stale-ref` });
      const uid = referenceIn(
        textOf(await call('devtools', 'take_snapshot', { pageId: 2 })),
        'Mark Rent as read',
      );
      await call('devtools', 'evaluate_script', {
        pageId: 2,
        function: '() => document.getElementById("sort").click()',
      });
      return ['click', { pageId: 2, uid }];
    },
    first: 'look-afresh',
    solved: async (shown) =>
      wentWell(
        await call('devtools', 'click', {
          pageId: 2,
          uid: referenceIn(shown, 'Mark Rent as read'),
        }),
      ),
  },
  '30 waiting for a text that never comes': {
    async fail() {
      await open('/fails/twice');
      return ['browser_wait_for', { text: 'The order has been sent' }];
    },
    first: 'read-afresh',
    solved: shows('button "One"'),
  },
  'and a tool that there is not': {
    fail: async () => ['browser_press', { key: 'Tab' }],
    first: 'use-nearest-tool',
    solved: async (_, { tool }) =>
      tool === 'browser_press_key' && wentWell(await browse(tool, { key: 'Tab' })),
  },
};

describe('thirty real failures: the first candidate of the first note, carried out as offered, solves it or is the right question', () => {
  test.each(Object.entries(THIRTY))('%s', async (_, { place = 'browser', fail, first, solved }) => {
    const [candidate] = await firstNote(place, await fail());
    expect(candidate?.name).toBe(first);
    expect(candidate!.risk, 'it harms nothing').not.toBe('side_effect_possible');
    const isLook =
      candidate!.tool !== undefined &&
      candidate!.tool !== 'browser_press_key' &&
      !/^fix-/.test(candidate!.name);
    const followed = isLook
      ? await call(place, candidate!.tool!, candidate!.args ?? {})
      : undefined;
    if (followed) expect(followed.isError ?? false, textOf(followed)).toBe(false);
    expect(await solved(followed ? textOf(followed) : '', candidate!)).toBe(true);
  });
});

describe('and where it could harm', () => {
  test('a dead button that deletes an account: only looks are offered', async () => {
    const offered = await firstNote('browser', await clickOn('/fails/danger', 'Delete account')());
    expect(offered.map(({ risk }) => risk)).toEqual(['read_only']);
  });

  test('a dead button on a front page with a login box is no wall', async () => {
    const [first] = await firstNote('browser', await clickOn('/fails/news', 'Like')());
    expect(first!.name).toBe('verify-hit-target');
  });
});
