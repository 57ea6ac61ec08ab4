import { describe, expect, test } from 'vitest';
import { readRequested } from '../../packages/engine/src/fingerprint/requested.ts';
import { force, play, type Turn, times } from './play.ts';

const ends = (turns: Turn[], every: number, prompt?: string): boolean =>
  play({ turns, every, attended: false, ...(prompt ? { prompt } : {}) }).stoppedAt !== null;

/** Errors that declare themselves temporary, from undeclared programs and tools. */
const TEMPORARY: readonly string[] = [
  "fatal: Unable to create '/p/.git/index.lock': File exists.",
  'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (apt)',
  'Error: Error acquiring the state lock',
  'Waiting for lock on build directory',
  'Another update is currently in progress',
  'ConditionalCheckFailed: operation already in progress',
  'device is busy',
  'Text file busy',
  'net/http: TLS handshake timeout',
  'Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout',
  'ssh: connect to host box port 22: Operation timed out',
  'ssh: connect to host box port 22: No route to host',
  'ssh: Could not resolve hostname example.com: Temporary failure in name resolution',
  'error connecting to docker: remote builder unreachable',
  'remote: Internal Server Error\nerror: failed to push some refs',
  'error: RPC failed; HTTP 502',
  'The service is currently unavailable (UNAVAILABLE)',
  'rpc error: code = Unavailable desc = transport is closing',
  'FATAL: sorry, too many clients already',
  'FATAL: the database system is starting up',
  'quota exceeded, retry in 30s',
  'Request was turned away. Try again in 5 minutes.',
  'InsufficientInstanceCapacity: no capacity in this zone',
  'adb: device offline',
  'ResourceNotReady',
  'Cannot connect to the Docker daemon at unix:///var/run/docker.sock',
];

describe('a check that another process keeps from beginning', () => {
  const locked =
    'Error: Error acquiring the state lock\n\nLock Info:\n  ID: 7c1d\n  Who: ci@runner-3';
  const plan = (result: string): Turn => ({ run: 'terraform plan -out a', result, exitCode: 1 });

  test('is retried', () => {
    for (const every of [0, 15])
      expect(force(play({ turns: times(9, plan(locked)), every }))).toEqual([]);
  });

  test.each([
    'Error: Unsupported argument\n\n  on main.tf line 3',
    '2 checks ran\nError: Error acquiring the state lock in test/lock.test.ts:3',
  ])('twin: ends if it ran: %s', (result) => expect(ends(times(9, plan(result)), 15)).toBe(true));
});

/** Errors that stay, although they have words of the others. */
const LASTING: readonly string[] = [
  'Error: invalid input, please correct it and try again',
  'error: too many arguments',
  'Error: the option --retry is unknown',
  'fatal: not a git repository',
  'TypeError: lock is not a function',
  'Error: progress bar width must be positive',
  'error: pathspec busy-box did not match any file',
  'Error: port 99999 is out of range',
];

describe('an error that says that it is temporary is retried, whatever the program', () => {
  for (const every of [0, 3, 15])
    test.each(TEMPORARY)(`every ${every} s: %s`, (result) => {
      const program: Turn = { run: './ship.sh prod', result, exitCode: 1 };
      const tool: Turn = { tool: 'ship_app', args: { to: 'prod' }, error: result };
      for (const turn of [program, tool])
        expect(force(play({ turns: times(9, turn), every }))).toEqual([]);
    });

  for (const every of [0, 3, 15])
    test.each(LASTING)(`the twin ends every ${every} s: %s`, (result) => {
      expect(ends(times(16, { run: './ship.sh prod', result, exitCode: 1 }), every)).toBe(true);
    });

  test('a check that prints such words still ends', () => {
    const result = 'src/a.ts(1,7): error TS2322: "device offline" is not assignable to Mode.';
    expect(ends(times(16, { run: 'npx tsc --noEmit', result, exitCode: 2 }), 2)).toBe(true);
  });
});

describe('a question about what was just started is a wait', () => {
  test.each([
    ['pg_ctl -D data start', 'pg_isready', 'localhost:5432 - no response', 2],
    ['docker compose up -d db', 'pg_isready -h localhost', 'no attempt', 3],
    [
      'docker compose up -d db',
      'psql -h localhost -c "select 1"',
      'psql: error: connection to server at "localhost", port 5432 failed: FATAL:  starting',
      2,
    ],
    [
      'docker compose up -d mysql',
      'docker compose exec mysql mysqladmin ping',
      "mysqladmin: connect to server at 'localhost' failed",
      1,
    ],
    ['emulator -avd pixel &', 'adb shell getprop sys.boot_completed', 'error: closed', 1],
    ['git push heroku main', "curl -s -o /dev/null -w '%{http_code}' https://a.example", '502', 0],
    ['fly deploy', 'curl -s https://a.example/', 'upstream is not there', 0],
    ['npm publish', 'npm view foo@1.2.0 version', '', 0],
    ['nohup ./render.sh > /dev/null 2>&1 &', 'ls frames | wc -l', '10', 0],
    ['wget -q https://x.example/big.iso &', 'ls -la big.iso', '-rw-r--r-- 1 me me 1000', 0],
    ['wget -q https://x.example/big.iso &', 'du -sh big.iso', '1.1G\tbig.iso', 0],
    ['wget -q https://x.example/big.iso &', 'stat -c %s big.iso', '1000', 0],
  ] as [start: string, look: string, result: string, exitCode: number][])(
    '%s, then %s',
    (start, look, result, exitCode) => {
      for (const every of [0, 3, 10]) {
        const turns = [
          { run: start, result: 'ok', exitCode: 0 },
          ...times(20, { run: look, result, exitCode }),
        ];
        expect(force(play({ turns, every }))).toEqual([]);
      }
    },
  );

  test.each([
    ['nohup ./render.sh &', 'cat src/a.ts', 'export const a = 1;', 0],
    ['git push origin main', 'cat src/a.ts', 'export const a = 1;', 0],
    ['nohup ./render.sh &', 'grep -n foo src/a.ts', 'grep: src/a.ts: No such file', 2],
    ['docker compose up -d', 'npx tsc --noEmit', 'src/a.ts(1,7): error TS2322: x', 2],
    ['echo nothing', 'ls frames', 'a.png\nb.png', 0],
  ] as [string, string, string, number][])(
    'the twin ends: %s, then %s',
    (start, look, result, exitCode) => {
      const turns = [
        { run: start, result: 'ok', exitCode: 0 },
        ...times(18, { run: look, result, exitCode }),
      ];
      expect(ends(turns, 2)).toBe(true);
    },
  );
});

describe('a question about state is one, whatever its words', () => {
  test.each([
    ['az deployment group show -g rg -n d --query properties.provisioningState -o tsv', 'Running'],
    ['gcloud run services describe web --format="value(status)"', 'Unknown'],
    ['heroku releases -n 1', 'v12 Deploy 1234 (release command executing)'],
    ['argocd app get web', 'Health Status: Progressing'],
    ['eas build:view abc', 'Status in queue'],
    ['aws s3 ls s3://b/out/', ''],
    ['cat /proc/mdstat', 'recovery = 12.0%'],
    ['tmux capture-pane -p -t 1', 'compiling...'],
    ['redis-cli llen queue', '(integer) 4'],
    ['rabbitmqctl list_queues', 'q 4'],
    ['kafka-consumer-groups --describe --group g', 'LAG 120'],
    ['condor_q', '1 idle'],
    ['lpq', 'printing'],
    ['kill -0 4242', ''],
    ['curl -s https://ci.example.com/api/builds/7', '{"number":7,"state":"started"}'],
  ])('%s', (run, result) => {
    for (const every of [2, 5, 20])
      expect(force(play({ turns: times(20, { run, result, exitCode: 0 }), every }))).toEqual([]);
  });

  test.each([
    ['gmail_search', { messages: [], resultSizeEstimate: 0 }],
    ['search_appointments', { slots: [] }],
    ['find_devices', []],
    ['read_email', []],
    ['read_inbox', { unread: 0 }],
    ['fetch_messages', { messages: [] }],
    ['list_unread', []],
    ['query_run', { state: 'EXECUTING' }],
    ['fetch_run', { status: 'requires_input' }],
    ['find_booking', { status: 'ON_REQUEST' }],
    ['retrieve_file', { id: 'f', status: 'uploaded' }],
    ['get_page', 'Please wait while we process your request'],
    ['browser_snapshot', '- heading "Uploading…"\n- progressbar "Processing file"'],
  ] as [string, unknown][])('%s: %j', (tool, result) => {
    for (const every of [5, 30])
      expect(
        force(play({ turns: times(20, { tool, args: { id: 'x1' }, result }), every })),
      ).toEqual([]);
  });

  test.each([
    ['search_docs', []],
    ['find_references', []],
    ['search_code', { matches: [] }],
    ['lookup_order', 'The lamp was paid by Ada and goes to Berlin.'],
    ['search_messages', [{ from: 'bob', text: 'See you at the station at noon.' }]],
    ['fetch_page', 'Release notes\n\nVersion 2 adds tables.'],
    ['query_run', { state: 'COMPLETED', rows: 12 }],
  ] as [string, unknown][])('the twin ends: %s: %j', (tool, result) => {
    for (const every of [2, 5])
      expect(ends(times(18, { tool, args: { id: 'x1' }, result }), every)).toBe(true);
  });
});

describe('a user who asks to wait', () => {
  const config: Turn = { run: 'cat config.yml', result: 'port: 80a', exitCode: 0 };
  const missing: Turn = {
    run: 'ls /tmp/ready',
    result: "ls: cannot access '/tmp/ready': No such file or directory",
    exitCode: 2,
  };
  const quote: Turn = { tool: 'get_quote', args: { symbol: 'ACME' }, result: { price: 198.2 } };
  test.each([
    ['Wait until the colleague has fixed config.yml, then deploy.', config],
    ['I am running the export in another terminal. Tell me when it is in config.yml.', config],
    ['Wait until /tmp/ready exists', missing],
    ['Keep an eye on ACME and tell me when it passes 200', quote],
    ['Log the price every 30 seconds', quote],
    ['Log the price every minute for half an hour', quote],
    ['Watch the quote of ACME for half an hour.', quote],
    ['Please monitor config.yml: a colleague edits it.', config],
  ] as [string, Turn][])('%s', (prompt, turn) => {
    for (const modelSeconds of [undefined, 2])
      for (const every of [15, 30])
        expect(
          force(
            play({
              turns: times(20, turn),
              every,
              prompt,
              ...(modelSeconds ? { modelSeconds } : {}),
            }),
          ),
        ).toEqual([]);
  });

  test.each([
    ['Fix config.yml', config, 15],
    ['Tell me when you are done', config, 15],
    ['Fix config.yml and watch the tests', config, 15],
    ['Wait for my approval before you push', config, 15],
    ['Wait until the colleague has fixed config.yml', config, 0],
    [
      'Keep trying until the tests pass',
      { run: 'npm test', result: '1 failed\nError: boom', exitCode: 1 },
      15,
    ],
  ] as [string, Turn, number][])('the twin ends: %s', (prompt, turn, every) => {
    expect(ends(times(18, turn), every, prompt)).toBe(true);
  });
});

describe('requested counts', () => {
  test.each([
    ['Run `./flip` a dozen times', 12],
    ['run ./flip x15', 15],
    ['Führe ./flip 15 Mal aus', 15],
    ['Call roll_dice twenty times', 20],
    ['do it 14 more times', 14],
    ['Run ./flip 100x', 100],
    ['make it a hundred runs', 100],
    ['resize it to 640x480', 0],
    ['it is 3 times faster', 0],
    ['the last 5 runs failed', 0],
    ['add a prefix x2 to names', 2],
  ])('%s: %i', (prompt, count) => {
    expect(readRequested(prompt).times).toBe(count);
  });

  test('hold for a tool that is not a program', () => {
    const turns = times(20, (i) => ({
      tool: 'roll_dice',
      args: { sides: 2 },
      result: { value: (i * 7 + (i >> 2)) % 3 ? 1 : 2 },
    }));
    const prompt = 'Call roll_dice twenty times and give me the distribution';
    expect(force(play({ turns, prompt, every: 1 }))).toEqual([]);
  });

  test('the twin: without a count, the same answer of the same tool ends', () => {
    const turns = times(18, { tool: 'roll_dice', args: { sides: 2 }, result: { value: 'one' } });
    expect(ends(turns, 1, 'Roll the dice')).toBe(true);
  });
});
