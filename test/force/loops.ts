import type { Turn } from './play.ts';

/** A loop that is not exact, so that only its price can end it, and an honest run that resembles it. */
export interface InexactLoop {
  name: string;
  loop(i: number): Turn;
  /** The user's prompt. */
  prompt?: string;
  /** Seconds between the calls. Default: 2. */
  every?: number;
  honest: string;
  twin(i: number): Turn;
  /** A poll or a retry: a human is asked by time alone, and it is never stopped. */
  waits?: true;
}

const WORDS = 'settings config options preferences setup parameters defaults configuration'.split(
  ' ',
);
const word = (i: number): string => WORDS[i % WORDS.length]!;

/** A test that fails in the same way, after another edit each time. */
const editAndTest =
  (result: (round: number) => string, edit: (round: number) => string) =>
  (i: number): Turn => {
    const round = i >> 1;
    return i % 2 === 0
      ? {
          tool: 'Edit',
          args: {
            file_path: '/p/src/sum.ts',
            old_string: edit(round),
            new_string: edit(round + 1),
          },
          result: 'The file /p/src/sum.ts has been updated.',
        }
      : { run: 'npm test', result: result(round), exitCode: 1 };
  };

const missing = (i: number): Turn => {
  const path = `/${['etc', 'opt', 'srv', 'usr/local'][i % 4]}/${word(i)}/site-${word(i * 3)}${i >> 3}.conf`;
  return {
    tool: 'read_file',
    args: { path },
    error: `ENOENT: no such file or directory, open '${path}'`,
  };
};

export const LOOPS: readonly InexactLoop[] = [
  {
    name: 'reworded searches that find nothing',
    loop: (i) => ({
      tool: 'search',
      args: { query: `where are the ${word(i)} of the parser number ${i} kept` },
      result: 'No results found.',
    }),
    honest: '30 names of a list, none of them found',
    twin: (i) => ({
      tool: 'lookup_customer',
      args: { name: `Customer${i}x` },
      result: 'not found',
    }),
  },
  {
    name: 'reworded searches that find nothing, with other times',
    loop: (i) => ({
      tool: 'kb_lookup',
      args: { text: `where are the ${word(i)} of the parser number ${i} kept`, top_k: 5 },
      result: JSON.stringify({ hits: [], took_ms: 11 + 7 * i, credits: 9000 - 13 * i }),
    }),
    honest: 'searches that find something else each time',
    twin: (i) => ({
      tool: 'kb_lookup',
      args: { text: `where are the ${word(i)} of the parser number ${i} kept`, top_k: 5 },
      result: JSON.stringify({ hits: [`${word(i)}-${i * 7}.md`], took_ms: 11 + 7 * i }),
    }),
  },
  {
    name: 'invented tools, another name each time',
    loop: (i) => ({
      tool: `${word(i)}_lookup_v${i}`,
      args: { city: 'Bern' },
      error: `Tool '${word(i)}_lookup_v${i}' not found. Available tools: calculator, calendar`,
    }),
    honest: 'a wrong name now and then, between calls that bring something',
    twin: (i) =>
      i % 4 === 3
        ? {
            tool: `${word(i)}_lookup_v${i}`,
            args: { city: 'Bern' },
            error: `Tool '${word(i)}_lookup_v${i}' not found. Available tools: calculator, calendar`,
          }
        : { tool: 'calendar', args: { day: i }, result: `day ${i}: ${word(i)} at ${i * 37}` },
  },
  {
    name: 'guessed paths, none of which exists',
    prompt: 'Show me the configuration of the web server.',
    loop: missing,
    honest: 'a guess now and then that is right',
    twin: (i) =>
      i % 8 === 7
        ? {
            tool: 'read_file',
            args: { path: `/etc/${word(i)}/${i}.conf` },
            result: `# ${word(i)}\nlisten ${i * 37}\nroot /srv/${i}`,
          }
        : missing(i),
  },
  {
    name: 'edit, revert, test',
    loop: editAndTest(
      () => 'FAIL sum.test.ts\n  expected 3, got 4\n1 failed, 9 passed',
      (round) => `const x = ${round % 2};\nconst y = x + ${round % 2};`,
    ),
    honest: 'edits after which fewer tests fail',
    twin: editAndTest(
      (round) =>
        `FAIL sum.test.ts\n  case ${40 - round} fails\n${40 - round} failed, ${round} passed`,
      (round) => `const x = ${round};`,
    ),
  },
  {
    name: 'different edits with the same failing test',
    loop: editAndTest(
      () => 'FAIL sum.test.ts\n  expected 3, got 4\n1 failed, 9 passed',
      (round) => `const x = ${round} * factor${round};`,
    ),
    honest: 'edits after each of which another test fails',
    twin: editAndTest(
      (round) =>
        `FAIL case-${round}.test.ts\n  handler ${WORDS[round % 8]} of module-${round * 7} threw E${round}\n  at module-${round * 7}/${word(round)}.ts\n1 failed`,
      (round) => `const x = ${round} * factor${round};`,
    ),
  },
  {
    name: 'the same file is written with the same text',
    loop: () => ({
      tool: 'Write',
      args: { file_path: '/p/README.md', content: '# App\n\nRun npm start.\n' },
      result: 'The file /p/README.md has been updated successfully.',
    }),
    honest: 'a flag that is switched on and off for a measurement',
    twin: (i) =>
      i % 2 === 0
        ? {
            tool: 'Write',
            args: { file_path: '/p/flags.yaml', content: `new_parser: ${i % 4 === 0}\n` },
            result: 'The file /p/flags.yaml has been updated successfully.',
          }
        : { run: 'npm run measure', result: `${word(i)}-${i * 37} requests, run-${i}` },
  },
  {
    name: 'permission denied with other arguments each time',
    loop: (i) => ({
      run: `cat /etc/secret/${word(i)}/file${i}.txt`,
      result: `cat: /etc/secret/${word(i)}/file${i}.txt: Permission denied`,
      exitCode: 1,
    }),
    honest: 'a list of files, some of which cannot be read',
    twin: (i) =>
      i % 4 === 3
        ? { run: `cat /srv/${i}.txt`, result: `cat: /srv/${i}.txt: Permission denied`, exitCode: 1 }
        : {
            run: `cat /srv/${i}.txt`,
            result: `record ${i} of ${word(i)}: value ${i * 37}`,
            exitCode: 0,
          },
  },
  {
    name: 'a server that turns calls away, asked every 30 s',
    every: 30,
    waits: true,
    loop: () => ({ tool: 'fetch_report', args: { id: 7 }, error: 'HTTP 503 Service Unavailable' }),
    honest: 'a server that turns every third call away',
    twin: (i) =>
      i % 3 === 2
        ? { tool: 'fetch_report', args: { id: i }, error: 'HTTP 503 Service Unavailable' }
        : {
            tool: 'fetch_report',
            args: { id: i },
            result: `report ${i}: ${word(i)} ${i * 31} rows`,
          },
  },
  {
    name: 'a job that stays in one state, asked every 30 s',
    every: 30,
    waits: true,
    loop: () => ({ tool: 'get_job', args: { id: 7 }, result: { status: 'running' } }),
    honest: 'a job that moves on',
    twin: (i) => ({
      tool: 'get_job',
      args: { id: 7 },
      result: { status: 'running', done: `${i} of 60` },
    }),
  },
  {
    name: 'searches in different words with the same page as the answer',
    loop: (i) => ({
      tool: 'ask_docs',
      args: { question: `how do I change the ${word(i)} of the parser, try ${i}` },
      result:
        'The parser reads its file from the project folder. See the guide for the format. '.repeat(
          4,
        ),
    }),
    honest: 'questions that are answered',
    twin: (i) => ({
      tool: 'ask_docs',
      args: { question: `what does option ${i} do` },
      result: `Option ${i} ${word(i)} sets limit-${i * 13}; its default is value-${i * 7} since release-${i}.`,
    }),
  },
];
