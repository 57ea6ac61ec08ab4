import { describe } from 'vitest';
import { name, numbered, prose, source, uuid } from './content.ts';
import { type CallStep, type Item, inTurn, says, scenario, times } from './scenario.ts';
import { ANSWERS } from './vocabulary.ts';

const each = (make: (step: CallStep) => Item[]): Record<string, Item[]> =>
  Object.fromEntries(
    Object.entries(ANSWERS as Record<string, CallStep>).map(([title, step]) => [title, make(step)]),
  );

describe('the same call with the same result', () => {
  scenario(
    'fires at 3',
    3,
    each((step) => inTurn(6, [step])),
  );
  scenario('fires at 3 for a call of no effect whose failure is the same each time', 3, {
    'an error flagged by the host': times(5, () => ({
      tool: 'fetch_record',
      args: { key: 'c-78' },
      error: 'The customer table has no column named c-78.',
    })),
    'a failing command': times(5, () => ({
      tool: 'Bash',
      args: { command: 'npm run build' },
      result: "src/server.ts(40,3): error TS2304: Cannot find name 'createSession'.",
      exitCode: 2,
    })),
  });
});

describe('the same call with a new result each time', () => {
  const percent = (index: number) => (index / 2).toFixed(1);
  const running = (index: number) => ({ state: 'running', done: index + 1, of: 200 });
  scenario('never fires in 200 calls', 'never', {
    'new text from a tool whose name says nothing': times(200, (i) => ({
      tool: 'alpha',
      args: { topic: 'harbours' },
      result: prose(i, 16),
    })),
    'new text from a log': times(200, (i) => ({
      tool: 'Bash',
      args: { command: 'tail -n 5 server.log' },
      result: times(5, (n) => prose(i * 5 + n, 8)).join('\n'),
      exitCode: 0,
    })),
    'new text from a page': times(200, (i) => ({
      tool: 'mcp__playwright__browser_snapshot',
      args: {},
      result: `### Page state\n- Page URL: https://news.example.com/live\n- Page Snapshot:\n- article: ${prose(i, 20)}`,
    })),
    'a state with a count, as JSON, from an unknown tool': times(200, (i) => ({
      tool: 'fetch_record',
      args: { id: 'job-5' },
      result: running(i),
    })),
    'a state with a count, as a JSON string, from a status tool': times(200, (i) => ({
      tool: 'get_job_status',
      args: { job: 5 },
      result: JSON.stringify(running(i)),
    })),
    'a state with a count, from curl': times(200, (i) => ({
      tool: 'Bash',
      args: { command: 'curl -s http://localhost:8080/jobs/5' },
      result: JSON.stringify(running(i)),
      exitCode: 0,
    })),
    'a rising percentage in text': times(200, (i) => ({
      tool: 'alpha',
      args: { upload: 'u-9' },
      result: `Uploading the archive to the eu-west bucket: ${percent(i)} % finished.`,
    })),
    'a rising percentage in JSON': times(200, (i) => ({
      tool: 'check_upload',
      args: { upload: 'u-9' },
      result: { upload: 'u-9', bucket: 'eu-west', percent: i / 2 },
    })),
    'a rising percentage on a page': times(200, (i) => ({
      tool: 'mcp__playwright__browser_snapshot',
      args: {},
      result: `- heading "Import" [ref=e2]\n- progressbar "Import" [ref=e4]: ${percent(i)}%\n- button "Cancel" [ref=e6]`,
    })),
  });
});

describe('noise in the results', () => {
  const time = (index: number) => new Date(1_760_000_000_000 + index * 5_317).toISOString();
  scenario('fires at 3', 3, {
    'in a JSON value': times(6, (i) => ({
      tool: 'lookup_order',
      args: { order_id: 'A-1042' },
      result: {
        request_id: `req_${name(i)}`,
        timestamp: time(i),
        trace: uuid(i),
        order: 'A-1042',
        carrier: 'DHL',
        city: 'Rotterdam',
      },
    })),
    'in a JSON string': times(6, (i) => ({
      tool: 'fetch_record',
      args: { key: 'c-77' },
      result: JSON.stringify({
        key: 'c-77',
        owner: 'Mara Lindqvist',
        meta: { requestId: uuid(i + 50), served: time(i) },
      }),
    })),
    'in a text': times(6, (i) => ({
      tool: 'mcp__crm__get_customer',
      args: { id: 77 },
      result: `[${time(i)}] request ${uuid(i)} (session ${uuid(i + 90)})\nCustomer 77 is Mara Lindqvist of Harbour Street 12, Gothenburg.`,
    })),
    'in the answer of a command': times(6, (i) => ({
      tool: 'Bash',
      args: { command: 'curl -si https://api.example.com/orders/A-1042' },
      result: `HTTP/2 200\ndate: ${time(i)}\nx-request-id: ${uuid(i)}\ncontent-type: application/json\n\n{"order":"A-1042","carrier":"DHL","city":"Rotterdam"}`,
      exitCode: 0,
    })),
  });
});

describe('an unlisted field that changes in every result', () => {
  const n = (index: number) => 4000 + 3 * index;
  scenario(
    'fires between 4 and 6',
    { from: 4, to: 6 },
    {
      'in a JSON value': times(9, (i) => ({
        tool: 'lookup_order',
        args: { order_id: 'A-1042' },
        result: { order: 'A-1042', carrier: 'DHL', city: 'Rotterdam', n: n(i) },
      })),
      'in a JSON string': times(9, (i) => ({
        tool: 'fetch_record',
        args: { key: 'c-77' },
        result: JSON.stringify({ n: n(i), key: 'c-77', owner: 'Mara Lindqvist' }),
      })),
      'in a text': times(9, (i) => ({
        tool: 'alpha',
        args: { left: 'copper' },
        result: `The lantern hangs above the table. n=${n(i)}`,
      })),
      'in the text of a command': times(9, (i) => ({
        tool: 'Bash',
        args: { command: 'cat /srv/harbour/banner' },
        result: `harbour banner n=${n(i)} berths open daily`,
        exitCode: 0,
      })),
    },
  );
});

describe('the same call written differently', () => {
  const { result } = ANSWERS['a JSON record'];
  const shell = (...commands: string[]): Item[] =>
    commands.map((command, i) => ({
      tool: 'Bash',
      args:
        i % 2 === 0
          ? { command, description: prose(i, 6) }
          : { description: prose(i + 40, 4), command },
      result: 'src/auth.ts:12:  createSession(user)\nsrc/server.ts:40:  createSession(guest)',
      exitCode: 0,
    }));
  scenario('fires at 3', 3, {
    'shuffled keys': [
      {
        tool: 'lookup_order',
        args: { order_id: 'A-1', filter: { from: 1, to: 9 }, limit: 5 },
        result,
      },
      {
        tool: 'lookup_order',
        args: { limit: 5, filter: { to: 9, from: 1 }, order_id: 'A-1' },
        result,
      },
      {
        tool: 'lookup_order',
        args: { filter: { from: 1, to: 9 }, order_id: 'A-1', limit: 5 },
        result,
      },
      {
        tool: 'lookup_order',
        args: { filter: { to: 9, from: 1 }, limit: 5, order_id: 'A-1' },
        result,
      },
    ],
    'another description': shell(
      'grep -rn createSession src',
      'grep -rn createSession src',
      'grep -rn createSession src',
      'grep -rn createSession src',
    ),
    'other whitespace': shell(
      'grep -rn createSession src',
      'grep  -rn   createSession src ',
      '  grep -rn createSession  src',
      'grep -rn createSession\tsrc',
    ),
    'other quoting, cd prefix and output limits': shell(
      'grep -rn createSession src | head -50',
      "cd /repo && grep -rn 'createSession' src | head -100",
      'grep -rn "createSession" src 2>&1',
      'grep -rn createSession src; echo done',
    ),
    'noise in the arguments': times(5, (i) => ({
      tool: 'fetch_record',
      args: { key: 'c-77', request_id: uuid(i), timestamp: 1_760_000_000_000 + i * 5_000 },
      result,
    })),
  });
});

describe('arguments redacted by the host', () => {
  scenario('never fires while the results differ', 'never', {
    'a record': times(30, (i) => ({
      tool: 'fetch_record',
      args: { id: '[REDACTED]' },
      result: { owner: name(i), remark: prose(i, 10) },
    })),
    'a file': times(30, (i) => ({
      tool: 'Read',
      args: { file_path: '<redacted>' },
      result: numbered(source(i, 12)),
    })),
    'a request': times(30, (i) => ({
      tool: 'http_request',
      args: { method: 'GET', url: '***', headers: { authorization: '***' } },
      result: prose(i + 500, 20),
    })),
    'no arguments at all': times(30, (i) => ({ tool: 'alpha', result: prose(i + 900, 12) })),
  });
});

describe('the user asks for the repetition each time', () => {
  const asks = [
    'Again, please.',
    'Once more.',
    'run it again',
    'And again?',
    'Please repeat that.',
  ];
  scenario(
    'never fires',
    'never',
    each((step) => times(10, (i) => [says(asks[i % asks.length]!), { ...step }]).flat()),
  );
});

describe('a failing call with 40 s of model time before each repeat', () => {
  scenario('fires at 3', 3, {
    'a flagged error': times(5, () => ({
      wait: 40,
      tool: 'fetch_record',
      args: { key: 'c-78' },
      error: 'The customer table has no column named c-78.',
    })),
    'a failing command': times(5, () => ({
      wait: 40,
      tool: 'Bash',
      args: { command: 'npm run build' },
      result: "src/server.ts(40,3): error TS2304: Cannot find name 'createSession'.",
      exitCode: 2,
      durationMs: 4_000,
    })),
    'a click on a page': times(5, () => ({
      wait: 40,
      tool: 'mcp__playwright__browser_click',
      args: { element: 'Apply button', ref: 'e8' },
      error: 'Error: Ref e8 not found in the current page snapshot. Try capturing new snapshot.',
    })),
  });
});
