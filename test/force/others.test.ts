import { describe, test } from 'vitest';
import { ends, quiet } from './expected.ts';
import { type Turn, times } from './play.ts';

const WORDS = 'logo brand icon header banner badge mark sign'.split(' ');

describe('what others bring', () => {
  const looks: [string, Turn, string?][] = [
    ['commits', { run: 'git pull', result: 'Already up to date.', exitCode: 0 }],
    ['a device', { run: 'lsblk', result: 'sda 8:0 0 477G disk', exitCode: 0 }],
    ['a review', { run: 'gh api repos/a/b/pulls/7/reviews', result: '[]', exitCode: 0 }],
    ['a deployed version', { run: 'curl -s https://a.test/version', result: '{"version":"2.2"}' }],
    ['a position', { run: 'psql -Atc "select pg_last_wal_replay_lsn()"', result: '0/3000148' }],
    [
      'an answer in a thread',
      { tool: 'get_thread_replies', args: { ts: '1' }, result: 'bot: Kim?' },
    ],
    ['a code', { tool: 'fetch_otp', args: { phone: 'x' }, result: { code: null } }],
    ['a screen', { tool: 'screenshot', args: {}, result: 'Page of Notes. Button: Installing…' }],
    [
      'checks of a merge',
      { run: 'gh pr merge 7', error: 'X not mergeable: 2 checks pending', exitCode: 1 },
    ],
    [
      'an image',
      { run: 'docker pull a/b:2', error: 'manifest for a/b:2 not found', exitCode: 1 },
      'CI is pushing a/b:2. Start it once it is there.',
    ],
    [
      'a file',
      { tool: 'Read', args: { file_path: '/p/f.csv' }, result: 'jan,12' },
      'A colleague enters the figures in f.csv right now. Add them up.',
    ],
  ];

  test.each(looks)('is waited for: %s', (_, turn, prompt) => {
    quiet({ turns: times(20, turn), every: 5, ...(prompt ? { prompt } : {}) });
  });

  test.each<[string, Turn, string?]>([
    ['a file', looks.at(-1)![1], 'Add up the figures of f.csv.'],
    ['a page', { run: 'curl -s https://a.test/guide', result: 'The guide of the lamp' }],
    ['rows', { run: 'psql -c "select name from lamps"', result: 'red\ngreen' }],
    ['an image', looks.at(-2)![1], 'Start a/b:2.'],
    ['a found message', { tool: 'search_threads', args: { q: 'Kim' }, result: 'bot: Kim, when?' }],
  ])('twin: nobody brings %s', (_, turn, prompt) => {
    ends({ turns: times(20, turn), every: 5, ...(prompt ? { prompt } : {}) });
  });
});

describe('searches through files that match nothing', () => {
  const grep = (pattern: string): Turn => ({
    run: `grep -rn "${pattern}" .`,
    exitCode: 1,
    result: '',
  });
  const verbs = ['handle', 'process', 'perform', 'check'];
  const nouns = ['Login', 'SignIn', 'Auth', 'Session', 'Logon'];
  const same = (i: number): Turn =>
    grep(`${verbs[i % 4]}${nouns[(i >> 2) % 5]}${i > 19 ? 'Fn' : ''}`);

  test('for one thing in many words end', () => {
    ends({ turns: times(60, same), prompt: 'Fix the login.' });
  });

  test('end in words of the host, too', () => {
    const silent = (i: number): Turn => ({
      run: same(i).run!,
      result: '(Bash completed with no output)',
    });
    ends({ turns: times(60, silent), prompt: 'Fix the login.' });
  });

  test('twin: for one thing after another', () => {
    quiet({ turns: times(30, (i) => grep(`${WORDS[i % 8]}${['', '(', ' ='][i % 3]}`)) });
  });

  test('twin: for the names in a list', () => {
    quiet({ turns: times(40, same), prompt: 'Check that all of these names are gone.' });
  });
});

describe('a lock', () => {
  const install = (result: string): Turn => ({
    run: 'apt-get install -y jq',
    result,
    exitCode: 100,
  });

  test('that another program holds is waited for', () => {
    const held = 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812';
    quiet({ turns: times(20, install(held)), every: 5 });
  });

  test('twin: that may not be opened is not', () => {
    const denied =
      'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\nE: Unable to acquire the dpkg frontend lock, are you root?';
    ends({ turns: times(20, install(denied)), every: 5 });
  });
});

test('"how many" names no list, so addresses that are guessed end', () => {
  const page = (i: number): Turn => ({
    run: `curl -s https://a.test/${WORDS[i % 8]}/${WORDS[(i >> 3) % 8]}${i > 40 ? i : ''}`,
    result: '{"error":"Not Found"}',
  });
  ends({ turns: times(70, page), prompt: 'How many users are there?' });
  quiet({ turns: times(40, page), prompt: 'Which of these pages are there?' });
});
