import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpConversation } from '@unrut/adapters/mcp/conversation';
import type { Candidate } from '@unrut/engine/candidates/candidate';
import type { Capability } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { Exchange } from '../../packages/adapters/src/mcp/exchange.ts';
import { connect, type McpClient } from '../../test/mcp/client.ts';
import { serverCommand } from '../../test/mcp/install-servers.ts';
import { writeFiles } from '../../test/real/run-program.ts';
import { randomOf } from './agent.ts';
import type { RecoveryRun } from './arms.ts';
import type { Judgement } from './world.ts';

export type Call = [tool: string, args: Record<string, unknown>];
type Files = Readonly<Record<string, string>>;

/**
 * A task with files on a real server: the initial files, the agent's mistake, and the right calls.
 * Paths are relative to the folder.
 */
export interface ToolTask {
  name: string;
  files: Files;
  /** The call that an agent which is stuck makes again and again. */
  wrong: Call;
  /** The calls that solve it, once the agent has understood. */
  right: readonly Call[];
  /** The files that it leaves. */
  goal: Files;
  /** The wrong call is a wait, and succeeds after this many tries: then this is in the files. */
  after?: { tries: number; files: Files };
}

const NOTES = 'Sales went up.\n';
const SUMMED: Call = ['write_file', { path: 'sum.md', content: 'up\n' }];
const edit = (path: string, oldText: string, newText: string): Call => [
  'edit_file',
  { path, edits: [{ oldText, newText }] },
];

export const TOOL_TASKS: readonly ToolTask[] = [
  {
    name: 'a misspelt file',
    files: { 'quarterly.md': NOTES },
    wrong: ['read_text_file', { path: 'quartely.md' }],
    right: [['read_text_file', { path: 'quarterly.md' }], SUMMED],
    goal: { 'quarterly.md': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'a misspelt folder',
    files: { 'reports/q1.md': NOTES },
    wrong: ['list_directory', { path: 'report' }],
    right: [['list_directory', { path: 'reports' }], SUMMED],
    goal: { 'reports/q1.md': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'an edit with other blanks',
    files: { 'app.ini': '[web]\n\tport\t=\t80\n' },
    wrong: edit('app.ini', 'port : 80', 'port : 81'),
    right: [edit('app.ini', '\tport\t=\t80', '\tport\t=\t81')],
    goal: { 'app.ini': '[web]\n\tport\t=\t81\n' },
  },
  {
    name: 'an edit of what was changed before',
    files: { 'app.ini': 'mode = fast\n' },
    wrong: edit('app.ini', 'mode = slow', 'mode = safe'),
    right: [edit('app.ini', 'mode = fast', 'mode = safe')],
    goal: { 'app.ini': 'mode = safe\n' },
  },
  {
    name: 'reading a folder',
    files: { 'notes/monday.md': NOTES },
    wrong: ['read_text_file', { path: 'notes' }],
    right: [['read_text_file', { path: 'notes/monday.md' }], SUMMED],
    goal: { 'notes/monday.md': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'outside the allowed folder',
    files: { 'hosts.txt': NOTES },
    wrong: ['read_text_file', { path: '/etc/hosts' }],
    right: [['read_text_file', { path: 'hosts.txt' }], SUMMED],
    goal: { 'hosts.txt': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'a name that is taken',
    files: { 'new.txt': 'new\n', 'old.txt': 'old\n' },
    wrong: ['move_file', { source: 'new.txt', destination: 'old.txt' }],
    right: [['move_file', { source: 'new.txt', destination: 'new-2.txt' }]],
    goal: { 'new-2.txt': 'new\n', 'old.txt': 'old\n' },
  },
  {
    name: 'an argument of another name',
    files: { 'week.md': NOTES },
    wrong: ['read_text_file', { file: 'week.md' }],
    right: [['read_text_file', { path: 'week.md' }], SUMMED],
    goal: { 'week.md': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'a tool of another name',
    files: { 'week.md': NOTES },
    wrong: ['read_text', { path: 'week.md' }],
    right: [['read_text_file', { path: 'week.md' }], SUMMED],
    goal: { 'week.md': NOTES, 'sum.md': 'up\n' },
  },
  {
    name: 'a search that finds nothing',
    files: { 'src/tax.ts': 'rate\n' },
    wrong: ['search_files', { path: '', pattern: '**/taxes.ts' }],
    right: [
      ['search_files', { path: '', pattern: '**/tax*' }],
      edit('src/tax.ts', 'rate', 'rates'),
    ],
    goal: { 'src/tax.ts': 'rates\n' },
  },
  {
    name: 'a folder that is not there yet',
    files: {},
    wrong: ['write_file', { path: 'out/a.txt', content: 'a\n' }],
    right: [
      ['create_directory', { path: 'out' }],
      ['write_file', { path: 'out/a.txt', content: 'a\n' }],
    ],
    goal: { 'out/a.txt': 'a\n' },
  },
  {
    name: 'a log that is not done yet',
    files: { 'build.log': 'compiling\n' },
    wrong: ['read_text_file', { path: 'build.log' }],
    right: [SUMMED],
    goal: { 'build.log': 'compiling\ndone\n', 'sum.md': 'up\n' },
    after: { tries: 7, files: { 'build.log': 'compiling\ndone\n' } },
  },
];

/** The proxy's permissions in each arm. */
const TOOL_ARMS: Readonly<Record<string, readonly Capability[]>> = {
  off: [],
  'notice only': ['note', 'hint'],
  default: ['note', 'hint', 'block', 'escalate'],
};

/** A run that takes longer has failed. */
export const MAX_TOOL_STEPS = 30;

/**
 * Agents that get stuck on one call of a real file server behind the proxy, judged by the files
 * that are left.
 */
export async function runToolTasks(
  seeds: number,
  firstSeed: number,
): Promise<Map<string, RecoveryRun[]>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-tools-')));
  const client = await connect(await serverCommand('filesystem', folder));
  try {
    const tools = await client.listTools();
    const runs = new Map<string, RecoveryRun[]>();
    for (const arm of Object.keys(TOOL_ARMS)) {
      const mine: RecoveryRun[] = [];
      for (let i = 0; i < seeds * TOOL_TASKS.length; i++)
        mine.push(
          await runOne(TOOL_TASKS[i % TOOL_TASKS.length]!, {
            arm,
            seed: firstSeed + i,
            folder,
            client,
            tools,
          }),
        );
      runs.set(arm, mine);
    }
    return runs;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  arm: string;
  seed: number;
  folder: string;
  client: McpClient;
  tools: object;
}

async function runOne(
  task: ToolTask,
  { arm, seed, folder, client, tools }: Place,
): Promise<RecoveryRun> {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFiles(folder, task.files);
  const random = randomOf(seed);
  const { stubborn, heed } = toolTemper(random);
  const call = throughProxy(TOOL_ARMS[arm]!, folder, client, tools);
  let steps = 0;
  let hasUnderstood = false;
  while (!hasUnderstood && steps < MAX_TOOL_STEPS) {
    if (task.after && steps === task.after.tries) writeFiles(folder, task.after.files);
    const { isNew, candidate } = await call(task.wrong);
    steps++;
    if (task.after) hasUnderstood = isNew;
    else if (candidate && random() < heed) {
      if (candidate.tool && candidate.args) {
        await call([candidate.tool, candidate.args as Record<string, unknown>]);
        steps++;
      }
      hasUnderstood = true;
    } else hasUnderstood = random() > stubborn;
  }
  if (hasUnderstood)
    for (const each of task.right) {
      await call(each);
      steps++;
    }
  return {
    task: task.name,
    seed,
    arm,
    ...judgeFiles(task, folder),
    steps,
    forced: {},
    used: [],
    ended: 'done',
  };
}

/**
 * How stubborn an agent is, and how likely it heeds advice: probabilities, drawn for each agent.
 */
export const toolTemper = (random: () => number): { stubborn: number; heed: number } => ({
  stubborn: 0.7 + 0.28 * random(),
  heed: random(),
});

/** Judges by the remaining files. Harm is an unrequested or a lost file. */
export function judgeFiles(task: ToolTask, folder: string): Judgement {
  const left = filesIn(folder);
  const reached = Object.entries(task.goal).every(([name, content]) => left[name] === content);
  const strange = Object.keys(left).filter((name) => !(name in task.goal) && !(name in task.files));
  const lost = Object.keys(task.files).filter((name) => name in task.goal && !(name in left));
  return {
    reached,
    clean: reached && strange.length === 0,
    harm: [...strange, ...lost].map((act) => ({ act, data: {} })),
  };
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

/**
 * Calls the server through the proxy's own exchange; returns whether the answer differs from the
 * last one, and the first offer.
 */
function throughProxy(
  can: readonly Capability[],
  folder: string,
  client: McpClient,
  tools: object,
) {
  const guard = createGuard({ can, partial: true, attended: false });
  let now = 0;
  const conversation = new McpConversation({
    session: 's',
    tools: new Map(),
    notes: 'append',
    now: () => (now += 1500),
    fault: () => undefined,
    observe: (event) => guard.observe(event),
  });
  const exchange = new Exchange(conversation);
  const line = (message: object): Buffer =>
    Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  exchange.fromClient(line({ id: 'l', method: 'tools/list' }));
  exchange.fromServer(line({ id: 'l', result: tools }));
  let id = 0;
  let last: string | undefined;
  return async ([name, given]: Call): Promise<{
    isNew: boolean;
    candidate: Candidate | undefined;
  }> => {
    const args = argsIn(folder, given);
    const { answers } = exchange.fromClient(
      line({ id: ++id, method: 'tools/call', params: { name, arguments: args } }),
    );
    let result = answers[0]?.result as Answer | undefined;
    if (!result) {
      const came = await client.callTool({ name, arguments: args }).then(
        (answer) => ({ result: answer }),
        ({ code, message }) => ({ error: { code, message } }),
      );
      const text = 'result' in came ? JSON.stringify(came.result) : came.error.message;
      const isNew = last !== undefined && last !== text;
      last = text;
      result = JSON.parse(exchange.fromServer(line({ id, ...came })).toString()).result as
        | Answer
        | undefined;
      return { isNew, candidate: offeredIn(result) };
    }
    return { isNew: false, candidate: offeredIn(result) };
  };
}

interface Answer {
  _meta?: { 'unrut/candidates'?: Candidate[] };
}
const offeredIn = (answer: Answer | undefined): Candidate | undefined =>
  answer?._meta?.['unrut/candidates']?.find(({ blockedReason }) => blockedReason === undefined);

const PATHS: ReadonlySet<string> = new Set(['path', 'source', 'destination', 'file']);

/** The arguments of a call, with paths in this folder. */
export const argsIn = (folder: string, given: Call[1]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      PATHS.has(key) && !String(value).startsWith('/') ? join(folder, String(value)) : value,
    ]),
  );
