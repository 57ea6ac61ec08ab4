import type { AgentEvent } from '@unrut/engine/event';

/** A publicly reported incident, replayed as events, and its honest twin. */
export interface Incident {
  name: string;
  title: string;
  /** Where it was reported. */
  reports: readonly string[];
  /** The report, and which parts are invented here. */
  story: string;
  /** When a careful human would step in, in minutes from the begin. */
  patience: number;
  events(): AgentEvent[];
  /** The last minute to simulate, if there are no events. */
  until?: number;
  twin: { story: string; events(): AgentEvent[] };
  /** No user can be asked. */
  unattended?: true;
}

export const START = 1_760_000_000_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** An event without its session. */
type Told = AgentEvent extends infer Each
  ? Each extends AgentEvent
    ? Omit<Each, 'session' | 'at'> & { agent?: string }
    : never
  : never;

/** Collects events at times in milliseconds from the begin. */
function createTape() {
  const events: AgentEvent[] = [];
  let calls = 0;
  const at = (time: number, told: Told): void => {
    events.push({ session: 'incident', at: START + Math.round(time), ...told } as AgentEvent);
  };
  return {
    at,
    /** A call and its result, some milliseconds later. */
    call(time: number, tool: string, args: object, result: object, took = 400): void {
      const call = { id: `c${++calls}`, tool, args };
      const batch = call.id;
      at(time, { type: 'call-proposed', call, batch });
      at(time + took, { type: 'call-finished', call, batch, ...result });
    },
    events: () => events.sort((one, other) => one.at - other.at),
  };
}

const FILES = 'router session ledger invoice parser worker'.split(' ');
const contentOf = (file: string): string =>
  `export function ${file}(given: Input): Output {\n  return transform(given, '${file}', ${file.length});\n}`;

/** Laps of reading the same six files; `work` adds further steps to a lap. */
function laps(work: (tape: ReturnType<typeof createTape>, lap: number, time: number) => void) {
  const tape = createTape();
  tape.at(0, {
    type: 'user-spoke',
    text: 'Move the booking of invoices into a module of its own.',
  });
  const each = (353 * MINUTE) / 75;
  for (let lap = 0; lap < 75; lap++) {
    const begin = 10 * SECOND + lap * each;
    if (lap > 0) tape.at(begin - 5 * SECOND, { type: 'context-compacted' });
    for (const [i, file] of FILES.entries())
      tape.call(
        begin + i * 20 * SECOND,
        'Read',
        { file_path: `/repo/src/${file}.ts` },
        {
          result: contentOf(file),
        },
      );
    tape.call(
      begin + 140 * SECOND,
      'Read',
      { file_path: `/repo/docs/note-${lap}.md` },
      {
        result: `Note ${lap}: ${words(lap, 12)}.`,
      },
    );
    work(tape, lap, begin + 180 * SECOND);
  }
  return tape.events();
}

const SOUNDS = 'ba ce di fo gu la me ni po ru'.split(' ');
const word = (number: number): string =>
  [...String(1000 + number)].map((digit) => SOUNDS[Number(digit)]).join('');
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, i) => word(seed * count + i)).join(' ');

const LAUNCHED = (agent: string) => ({
  result: `Async agent launched successfully.\nagentId: ${agent} (internal ID)\nThe agent is working in the background.`,
});

function storm(): AgentEvent[] {
  const tape = createTape();
  tape.at(0, { type: 'user-spoke', text: 'Review this repository thoroughly.' });
  for (let i = 0; i < 240; i++)
    tape.call(
      (72 * SECOND * i) / 240,
      'Agent',
      { description: 'review', prompt: `Review the part ${words(i, 4)} and start helpers for it` },
      LAUNCHED(`agent-${i}`),
      20,
    );
  return tape.events();
}

function parallelSearch(): AgentEvent[] {
  const tape = createTape();
  tape.at(0, { type: 'user-spoke', text: 'Review this repository thoroughly.' });
  for (let i = 0; i < 30; i++)
    tape.call(
      SECOND + Math.floor(i / 10) * 45 * SECOND + (i % 10) * 200,
      'Agent',
      { description: 'review', prompt: `Review the part ${words(i, 4)} and report` },
      { result: `In this part: ${words(300 + i, 14)}.` },
      40 * SECOND,
    );
  return tape.events();
}

const NOTHING =
  'Nothing actionable on my end. The migration waits for the review of the database team.';

function endings(between: (tape: ReturnType<typeof createTape>, turn: number) => void) {
  const tape = createTape();
  tape.at(0, { type: 'user-spoke', text: 'Finish the migration. Do not stop before it is done.' });
  tape.call(5 * SECOND, 'Bash', { command: 'git status --short' }, { result: '', exitCode: 0 });
  for (let turn = 1; turn <= 6; turn++) {
    between(tape, turn);
    tape.at(turn * 40 * SECOND, {
      type: 'text-added',
      channel: 'answer',
      done: true,
      text: NOTHING,
      rest: 'idle',
    });
  }
  return tape.events();
}

function openCall(tool: string, args: object): AgentEvent[] {
  const tape = createTape();
  tape.at(0, { type: 'user-spoke', text: 'Compare our prices with those of the supplier.' });
  tape.call(
    20 * SECOND,
    'Read',
    { file_path: '/repo/prices.csv' },
    { result: 'article,price\nlamp,12' },
  );
  const call = { id: 'open', tool, args };
  tape.at(40 * SECOND, { type: 'call-proposed', call, batch: 'open' });
  return tape.events();
}

const TESTS = [
  'npm test',
  'npm run test',
  'npx vitest run',
  'npm test -- --silent',
  'yarn test',
  'npm t',
];

function denials(count: number, then: (tape: ReturnType<typeof createTape>) => void): AgentEvent[] {
  const tape = createTape();
  tape.at(0, { type: 'user-spoke', text: 'Fix the failing test of the cart, and run the tests.' });
  for (let i = 0; i < count; i++) {
    const command = TESTS[i % 7 === 3 ? 1 + (i % 5) : 0]!;
    tape.call(
      10 * SECOND + i * 30 * SECOND,
      'Bash',
      { command },
      {
        result: 'This command requires approval',
        error: true,
        refusedBy: 'host',
        allow: `add "Bash(${command})" to permissions.allow in .claude/settings.json`,
      },
    );
  }
  then(tape);
  return tape.events();
}

export const INCIDENTS: readonly Incident[] = [
  {
    name: 'compactions',
    title: '74 compactions in six hours',
    reports: ['openai/codex#36665', 'openai/codex#36056'],
    story:
      'A session was compacted 74 times in 5.9 hours. Nearly every time it read files again that it had read before, and then it was compacted again. Here each lap reads the same six files and one new note.',
    patience: 30,
    events: () => laps(() => {}),
    twin: {
      story: 'the same laps, in each of which something is written that stays',
      events: () =>
        laps((tape, lap, time) =>
          tape.call(
            time,
            'Edit',
            {
              file_path: `/repo/src/part-${lap}.ts`,
              old_string: words(lap, 3),
              new_string: words(90 + lap, 6),
            },
            { result: 'The file has been updated.' },
          ),
        ),
    },
  },
  {
    name: 'agents',
    title: '240 agents in 72 seconds',
    reports: ['anthropics/claude-code#69332', 'anthropics/claude-code#69395'],
    story:
      'An agent started agents that started agents: 188 within a minute in one report, 905 in another ($81). Here one session starts 240 in the background within 72 seconds, each with a task of its own.',
    patience: 0.5,
    events: storm,
    twin: { story: 'three rounds of ten agents that search in parallel', events: parallelSearch },
  },
  {
    name: 'nothing-to-do',
    title: 'Nothing actionable on my end',
    reports: ['anthropics/claude-code#64447', 'anthropics/claude-code#67665'],
    story:
      'A goal or a Stop hook sends an agent back to work that waits for somebody else. It ends each turn with the same words, for an hour. Here are the first six turns.',
    patience: 3,
    events: () => endings(() => {}),
    twin: {
      story: 'the same words at the end of turns in each of which something was done',
      events: () =>
        endings((tape, turn) =>
          tape.call(
            turn * 40 * SECOND - 20 * SECOND,
            'Edit',
            {
              file_path: `/repo/migrations/${turn}.sql`,
              old_string: words(turn, 2),
              new_string: words(50 + turn, 5),
            },
            { result: 'The file has been updated.' },
          ),
        ),
    },
  },
  {
    name: 'open-call',
    title: 'A call that never returns',
    reports: ['snomiao/agent-yes#89', 'openai/codex#27656'],
    story:
      'A connection died, and the session sat there at 0 % CPU, for 15 hours in one report. Here a call of an MCP server is open for an hour.',
    patience: 20,
    events: () => openCall('mcp__supplier__download_prices', { catalogue: 'lamps' }),
    until: 60,
    twin: {
      story: 'a build that takes an hour',
      events: () => openCall('Bash', { command: 'cargo build --release' }),
    },
  },
  {
    name: 'denials',
    title: '37 minutes of denials',
    reports: ['anthropics/claude-code#37935', 'frankbria/ralph-claude-code#101'],
    story:
      'An agent that nobody attends is denied a command and tries for 37 minutes. Here it asks for the tests every 30 seconds, now and then in other words.',
    patience: 6,
    unattended: true,
    events: () => denials(74, () => {}),
    twin: {
      story: 'two denials, after which the agent reports what it could not do',
      events: () =>
        denials(2, (tape) =>
          tape.at(90 * SECOND, {
            type: 'text-added',
            channel: 'answer',
            done: true,
            text: 'The fix is in cart.ts. I may not run the tests here, so please run npm test.',
            rest: 'idle',
          }),
        ),
    },
  },
];
