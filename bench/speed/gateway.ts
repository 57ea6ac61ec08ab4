import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuard } from '@unrut/engine/guard';
import { hash32 } from '@unrut/engine/hash';
import { createConversations } from '../../packages/adapters/src/frameworks/conversation.ts';
import { turnOf } from '../../packages/adapters/src/frameworks/guarded-answer.ts';
import { chatCompletions } from '../../packages/adapters/src/gateway/chat-completions.ts';
import { root } from '../../scripts/build.ts';
import { processorClock } from '../../test/processor-time.ts';
import { median, rounded } from './median.ts';

const STEPS = 300;
/** Conversations, blocks of requests in each, and requests in a block. */
const RUNS = 5;
const BLOCKS = 3;
const BLOCK = 30;
const KILOBYTES = 4;

const WORDS =
  'the of a function returns value when file line error test import const type string number list first last each call result read write open close path folder name index key map set item state value new old next then else true false null while until with from into over under after before between many few some other same given wanted'.split(
    ' ',
  );
/** Random prose: common words with a few unique names. */
const words = (seed: string, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const drawn = hash32(`${seed} ${i}`);
    return i % 12 === 0 ? `name${drawn.toString(36)}` : WORDS[drawn % WORDS.length];
  }).join(' ');

/** A healthy history: each call and each result is another. */
const stepOf = (n: number): object[] => [
  {
    role: 'assistant',
    content: `Step ${n}: ${words(`said ${n}`, 8)}`,
    tool_calls: [
      {
        id: `call_${n}`,
        type: 'function',
        function: {
          name: 'read',
          arguments: JSON.stringify({ path: `src/${words(`path ${n}`, 1)}.ts` }),
        },
      },
    ],
  },
  {
    role: 'tool',
    tool_call_id: `call_${n}`,
    content: words(`result ${n}`, Math.ceil((KILOBYTES * 1024) / 6)),
  },
];

const ALL = Array.from({ length: STEPS + BLOCKS * BLOCK }, (_, n) => stepOf(n));
const callOf = (n: number) => {
  const [{ id, function: called }] = (
    ALL[n]![0] as { tool_calls: [{ id: string; function: { name: string; arguments: string } }] }
  ).tool_calls;
  return { id, tool: called.name, args: JSON.parse(called.arguments) as unknown };
};
const bodyOf = (steps: number, stream: boolean): Buffer =>
  Buffer.from(
    JSON.stringify({
      model: 'm',
      stream,
      tools: [{ type: 'function', function: { name: 'read' } }],
      messages: [{ role: 'user', content: 'Go.' }, ...ALL.slice(0, steps).flat()],
    }),
  );

/**
 * The gateway's work on a request before forwarding it, alternating with parsing it. CPU time,
 * since machines may be busy.
 */
export async function measureGatewayWork() {
  const [parsing, working]: [number[], number[]] = [[], []];
  /** Work on the answer does not count. */
  const answering: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const conversations = createConversations('bench', { guard: createGuard() });
    const work = async (n: number, bytes: Buffer): Promise<void> => {
      const turn = await turnOf({
        conversations,
        dialect: chatCompletions,
        request: JSON.parse(bytes.toString()),
      });
      const passed = performance.now();
      await conversations.after(turn!, { said: [], calls: [callOf(n)] });
      answering.push(performance.now() - passed);
    };
    for (let n = 0; n < STEPS; n++) await work(n, bodyOf(n, false));
    for (let from = STEPS; from < STEPS + BLOCKS * BLOCK; from += BLOCK) {
      const bodies = Array.from({ length: BLOCK }, (_, i) => bodyOf(from + i, false));
      globalThis.gc?.();
      const parsed = processorClock();
      for (const bytes of bodies) JSON.parse(bytes.toString());
      parsing.push(parsed() / BLOCK);
      globalThis.gc?.();
      const worked = processorClock();
      for (const [i, bytes] of bodies.entries()) await work(from + i, bytes);
      working.push(worked() / BLOCK - median(answering));
    }
  }
  return {
    steps: STEPS,
    'request in KB': Math.round(bodyOf(STEPS, false).length / 1024),
    'JSON.parse in ms': rounded(median(parsing), 3),
    'gateway in ms': rounded(median(working), 3),
    '× JSON.parse': rounded(median(working) / median(parsing), 3),
  };
}

/** Milliseconds that a quick model takes to its first word. */
const THINKS = 100;
const ASKED = 80;
const WARM_UP = 40;
/** Steps of the conversation, which grows by one with each request. */
const HISTORY = 20;

/**
 * Time to the first byte of a healthy stream: through a relay that does nothing, and through `unrut
 * gateway`, in turns.
 */
export async function measureGatewayStream() {
  const home = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  const children: ChildProcess[] = [];
  const start = async (args: string[]): Promise<string> => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, UNRUT_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = (await once(child.stdout!, 'data')) as [Buffer];
    return /http:\/\/[\d.:]+\d/.exec(said.toString())![0];
  };
  const programs = join(root, 'bench/speed/gateway-programs.ts');
  try {
    const rows = [];
    for (const thinks of [0, THINKS]) {
      const model = await start([programs, 'model', String(thinks)]);
      const ways = [
        await start([programs, 'relay', model]),
        await start([
          join(root, 'dist/cli.js'),
          'gateway',
          '--port',
          '0',
          '--upstream',
          `openai=${model}`,
        ]),
      ];
      const times = ways.map((): number[] => []);
      for (let i = 0; i < WARM_UP + ASKED; i++)
        for (const [way, url] of ways.entries()) {
          const took = await firstByte(
            `${url}/openai/v1/chat/completions`,
            bodyOf(HISTORY + i, true),
          );
          if (i >= WARM_UP) times[way]!.push(took);
        }
      rows.push({
        'the model takes': `${thinks} ms`,
        'relay in ms': rounded(median(times[0]!), 3),
        'gateway in ms': rounded(median(times[1]!), 3),
        '× relay': rounded(median(times[1]!) / median(times[0]!), 3),
      });
    }
    return rows;
  } finally {
    const ends = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ends);
    rmSync(home, { recursive: true, force: true });
  }
}

const agent = new Agent({ keepAlive: true });

async function firstByte(url: string, body: Buffer): Promise<number> {
  const begun = performance.now();
  const asked = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  asked.end(body);
  const [answered] = await once(asked, 'response');
  await once(answered, 'readable');
  const took = performance.now() - begun;
  answered.resume();
  await once(answered, 'end');
  return took;
}
