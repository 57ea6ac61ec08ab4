import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent, Rung } from '@unrut/engine/event';
import { createGuard, type Guard, type Verdict } from '@unrut/engine/guard';
import { scanFile } from '@unrut/logs/scan/scan-file';
import { hookProcesses, hostNamed } from '@unrut/test/hosts/hook-process';
import { describe, expect, it } from 'vitest';

/** An agent's action: it reads, writes, runs something, or its context is compacted. */
type Deed =
  | { read: string; holds?: string; offset?: number; limit?: number }
  | { edit: string; into: string }
  | { run: string; fails?: string }
  | { tool: string; args: object }
  | 'compacted';

const contentOf = (file: string): string =>
  `// ${file}\nexport const name = '${file}';\nexport const words = 'what ${file} is good for';`;

const FILES = Array.from({ length: 9 }, (_, i) => `src/part-${i}.ts`);
const READS: Deed[] = FILES.map((read) => ({ read }));

/** Laps that each end with a compaction. */
const laps = (count: number, lap: (n: number) => Deed[]): Deed[] =>
  Array.from({ length: count }, (_, n) => [...lap(n), 'compacted' as const]).flat();

const argsOf = (deed: Exclude<Deed, string>): { tool: string; args: object } => {
  if ('tool' in deed) return deed;
  if ('read' in deed) {
    const { read: file_path, offset, limit } = deed;
    return { tool: 'Read', args: { file_path, ...(limit ? { offset, limit } : {}) } };
  }
  if ('edit' in deed)
    return {
      tool: 'Edit',
      args: { file_path: deed.edit, old_string: 'x', new_string: deed.into },
    };
  return { tool: 'Bash', args: { command: deed.run } };
};

const resultOf = (deed: Exclude<Deed, string>): string => {
  if ('tool' in deed) return 'done';
  if ('read' in deed) return deed.holds ?? contentOf(deed.read);
  if ('edit' in deed) return `The file ${deed.edit} has been updated.`;
  return deed.fails ?? 'done';
};

/** Five minutes between two compactions, as in the report. */
function* eventsOf(deeds: readonly Deed[]): Generator<AgentEvent> {
  let at = 1_760_000_000_000;
  for (const [i, deed] of deeds.entries()) {
    at += 30_000;
    const base = { session: 's', at };
    if (deed === 'compacted') {
      yield { ...base, type: 'context-compacted' };
      continue;
    }
    const call = { id: `c${i}`, ...argsOf(deed) };
    const isFailed = 'run' in deed && deed.fails !== undefined;
    yield { ...base, type: 'call-proposed', call };
    yield {
      ...base,
      type: 'call-finished',
      call,
      result: resultOf(deed),
      ...(isFailed ? { exitCode: 1, error: true } : {}),
    };
  }
}

const play = (deeds: readonly Deed[], guard: Guard = createGuard()): Verdict[] =>
  [...eventsOf(deeds)].map((event) => guard.observe(event));

const signalsIn = (verdicts: readonly Verdict[]): string[] => [
  ...new Set(
    verdicts.flatMap(({ signals }) =>
      signals.map(({ detector, variant }) => `${detector}/${variant}`),
    ),
  ),
];
const plansIn = (verdicts: readonly Verdict[]) => verdicts.flatMap(({ plan }) => plan ?? []);
const briefsIn = (verdicts: readonly Verdict[]): string[] =>
  plansIn(verdicts).flatMap(({ toModel }) =>
    toModel.includes('What your calls have done') ? [toModel] : [],
  );

describe('74 compactions in six hours, each followed by the same reads', () => {
  const verdicts = play(laps(74, () => READS));

  it('are amnesia, and nothing else claims them', () => {
    expect(signalsIn(verdicts)).toEqual(['amnesia/laps']);
  });

  it('are reported in the fifth lap, and a human is asked two laps later', () => {
    const first = (rung: Rung): number => {
      const at = verdicts.findIndex(
        ({ plan }) => plan?.rung === rung && plan.reason === 'amnesia/laps',
      );
      // Nine reads are 18 events, and a compaction is one.
      return Math.floor(at / 19) + 1;
    };
    expect(first('note')).toBe(5);
    expect(first('escalate')).toBeLessThanOrEqual(7);
  });

  it('refuse no call and stop no run', () => {
    const rungs = new Set(plansIn(verdicts).map(({ rung }) => rung));
    expect([...rungs].filter((rung) => !['note', 'hint', 'escalate'].includes(rung))).toEqual([]);
  });

  it('say to the human how many compactions it were, and what to do', () => {
    const { toHuman, action } = plansIn(verdicts).find(({ rung }) => rung === 'escalate')!;
    expect(toHuman).toMatch(/the context was compacted \d times in \d+ minutes without a lasting/);
    expect(toHuman).toContain('Split the task, or start a new session with the brief');
    expect(action?.report).toContain('Read, and not changed since: src/part-');
  });
});

describe('honest work across compactions', () => {
  it.each<[string, Deed[]]>([
    [
      'each lap changes files that stay',
      laps(20, (n) => [...READS, { edit: `src/new-${n}.ts`, into: `export const n${n} = ${n};` }]),
    ],
    [
      'each lap ends with a commit',
      laps(20, (n) => [...READS, { run: `git commit -am "Part ${n}"` }]),
    ],
    [
      'others change what is read again',
      laps(20, (n) =>
        FILES.map((read) => ({ read, holds: `${contentOf(read)}\n// review ${n} of ${read}` })),
      ),
    ],
    ['one file is read again after each compaction', [...READS, ...laps(20, () => [READS[0]!])]],
    [
      'a review of 200 files never looks twice',
      laps(20, (n) => Array.from({ length: 10 }, (_, i) => ({ read: `lib/${n}/${i}.ts` }))),
    ],
  ])('is quiet: %s', (_, deeds) => {
    expect(signalsIn(play(deeds)).filter((each) => each.startsWith('amnesia'))).toEqual([]);
    expect(signalsIn(play(deeds)).filter((each) => each.startsWith('idle-spin'))).toEqual([]);
  });
});

describe('the brief', () => {
  const worked: Deed[] = [
    { read: 'src/a.ts' },
    { read: 'src/b.ts', offset: 100, limit: 50 },
    { read: 'src/c.ts' },
    { read: 'src/d.ts' },
    { edit: 'src/c.ts', into: 'export const c = 4;' },
    { run: 'npm test', fails: 'FAIL test/c.test.ts\nTypeError: c is not a function' },
  ];

  it('comes with the first repeated look after a lap of repeated looks', () => {
    const verdicts = play([...laps(2, () => worked), ...worked]);
    const at = verdicts.findIndex(({ plan }) => plan?.recovery === 'brief');
    expect(at).toBe(2 * 13 + 1);
    expect(verdicts[at]!.plan).toMatchObject({ rung: 'hint', reason: 'amnesia/brief' });
  });

  it('says what was read and not changed since, written, checked and run, newest first', () => {
    const [brief] = briefsIn(play([...laps(2, () => worked), ...worked]));
    expect(brief).toBe(
      'Unrut (loop guard): your context was compacted. What your calls have done, newest first. ' +
        'Written: src/c.ts. ' +
        'Checked: `npm test` failed 2 times (TypeError: c is not a function). ' +
        'Read, and not changed since: src/a.ts; src/d.ts; src/b.ts (lines 100 to 149). ' +
        'Continue from here.',
    );
  });

  it('names what was written and has failed again and again, however much was read since', () => {
    const lap: Deed[] = [...worked, ...FILES.slice(0, 9).map((read) => ({ read }))];
    const [brief] = briefsIn(play([...laps(2, () => lap), ...READS]));
    expect(brief).toContain('What your calls have done last, newest first. ');
    expect(brief).toContain('Written: src/c.ts.');
    expect(brief).toContain('Checked: `npm test` failed 2 times (TypeError: c is not a function).');
    expect(brief).toContain('src/part-8.ts; src/part-7.ts;');
  });

  it('does not call a file unchanged after a command that may have changed anything', () => {
    const lap: Deed[] = [...worked.slice(0, 4), { run: 'node scripts/generate.js' }];
    const [brief] = briefsIn(play([...laps(2, () => lap), { read: 'src/a.ts' }]));
    expect(brief).toContain('Read before a command that may have changed it: src/d.ts; src/c.ts');
  });

  it('calls a file unchanged though the agent has changed its own to-do list', () => {
    const list: Deed = {
      tool: 'TodoWrite',
      args: { todos: [{ content: 'Look', status: 'done' }] },
    };
    const lap: Deed[] = [...worked.slice(0, 4), list];
    const [brief] = briefsIn(play([...laps(2, () => lap), { read: 'src/a.ts' }]));
    expect(brief).toContain('Read, and not changed since: src/a.ts; src/d.ts; src/c.ts');
  });

  it('does not call a file written that was put back, and names one file once', () => {
    const edit: Deed = { edit: '/home/dev/src/c.ts', into: 'export const c = 4;' };
    const back: Deed = { run: 'git checkout -- src/c.ts' };
    const undone: Deed[] = [...worked.slice(0, 4), edit, back];
    const [brief] = briefsIn(play([...laps(2, () => undone), { read: 'src/a.ts' }]));
    expect(brief).not.toContain('Written');
    expect(brief).toContain('`git checkout -- src/c.ts` succeeded');
    const append: Deed = { run: 'echo done >> src/c.ts' };
    const twice: Deed[] = [...worked.slice(0, 4), edit, append];
    const [other] = briefsIn(play([...laps(2, () => twice), { read: 'src/a.ts' }]));
    expect(other).toContain('Written: src/c.ts. ');
  });

  it('names the file of a long path, and does not call it unchanged once the host told of a change', () => {
    const folder = '/home/dev/workspace/cli/.worktrees/test-explain-checkpoint-boundaries/cmd/';
    const lap = ['hooks', 'state', 'types'].map((name): Deed => ({ read: `${folder}${name}.go` }));
    const briefAfter = (changed: string[]): string => {
      const guard = createGuard();
      const events = [...eventsOf([...laps(2, () => lap), lap[0]!])];
      const told = { ...events.at(-2)!, changed } as AgentEvent;
      return briefsIn(events.with(-2, told).map((event) => guard.observe(event))).join('\n');
    };
    expect(briefAfter([])).toMatch(
      /Read, and not changed since: …\S+\/hooks\.go; …\S+\/types\.go; …\S+\/state\.go\./,
    );
    expect(briefAfter([`${folder}types.go`])).not.toContain('types.go');
    expect(briefAfter([`${folder}types.go`])).toContain('state.go');
  });

  it('says of a check that a file was written since', () => {
    const lap: Deed[] = [...worked.slice(0, 4), worked[5]!, worked[4]!];
    const [brief] = briefsIn(play([...laps(2, () => lap), ...lap]));
    expect(brief).toContain(
      'failed 2 times (TypeError: c is not a function), before the last write.',
    );
  });

  it('says what was searched for, and nothing of lists and of calls that tell nothing', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const lap: Deed[] = [
      ...worked.slice(0, 4),
      { tool: 'Grep', args: { pattern: 'func.*Condense' } },
      { tool: 'Grep', args: { pattern: `token = ${secret}` } },
      { tool: 'TodoWrite', args: { todos: [{ content: 'fix it', status: 'pending' }] } },
      { tool: 'TaskUpdate', args: { taskId: '3', status: 'completed' } },
      { tool: 'ExitPlanMode', args: { plan: 'x' } },
    ];
    const [brief] = briefsIn(play([...laps(2, () => lap), ...lap]));
    expect(brief).toContain('`Grep func.*Condense` succeeded');
    expect(brief).not.toContain(secret.slice(4, 20));
    for (const noise of ['TodoWrite', 'TaskUpdate', 'ExitPlanMode', '`Grep`'])
      expect(brief).not.toContain(noise);
  });

  it('does not come after a compaction in work that continues', () => {
    const verdicts = play(
      laps(10, (n) => [
        { read: 'PLAN.md' },
        ...Array.from({ length: 5 }, (_, i): Deed => ({ read: `lib/${n}/${i}.ts` })),
      ]),
    );
    expect(briefsIn(verdicts)).toEqual([]);
  });

  it('has at most 1,200 characters, and ends as it should, however long the names are', () => {
    const long = 'a-rather-long-folder-name/'.repeat(6);
    const lap: Deed[] = Array.from({ length: 12 }, (_, i): Deed[] => [
      { read: `${long}${i}.ts` },
      { run: `make ${long}${i}`, fails: `Error: ${long} was not found by ${long}${i}` },
    ]).flat();
    const briefs = briefsIn(play(laps(3, () => lap)));
    expect(briefs.length).toBeGreaterThan(0);
    for (const brief of briefs) {
      const own = brief.slice(brief.indexOf('What your calls have done'));
      expect(own.length).toBeLessThanOrEqual(1150);
      expect(own.endsWith(' Continue from here.')).toBe(true);
    }
  });

  it('holds no secret that a command or a path held', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const lap: Deed[] = [
      ...worked.slice(0, 4),
      { run: `curl -H "Authorization: Bearer ${secret}" https://example.com/${secret}` },
    ];
    const briefs = briefsIn(play(laps(4, () => lap)));
    expect(briefs.length).toBeGreaterThan(0);
    expect(briefs.join('\n')).not.toContain(secret.slice(4, 20));
  });

  it.each([
    ['hunter2xyz', 'login failed: password hunter2xyz rejected'],
    ['ub4dor', 'wrong password: Tr0ub4dor&3 for user bob'],
    ['dor&3', 'wrong password: Tr0ub4dor&3 for user bob'],
    ['swordfish', "could not log in: the password 'swordfish' is wrong"],
    ['hunter2', `cannot log in to ${'a'.repeat(80)}, invalid password hunter2xyz given`],
  ])('holds no %s of the error text %j', (secret, text) => {
    const lap: Deed[] = [...worked.slice(0, 4), { run: 'node login.js', fails: text }];
    const verdicts = play(laps(4, () => lap));
    expect(briefsIn(verdicts).length).toBeGreaterThan(0);
    expect(JSON.stringify(verdicts)).not.toContain(secret);
  });

  it('waits while the host can say nothing', () => {
    const guard = createGuard();
    const mute = guard.with({ can: [] });
    const events = [...eventsOf([...laps(2, () => worked), ...worked.slice(0, 2)])];
    const look = events.length - 3;
    const verdicts = events.map((event, i) => (i <= look ? mute : guard).observe(event));
    expect(verdicts.findIndex(({ plan }) => plan?.recovery === 'brief')).toBe(events.length - 1);
  });
});

describe('Claude Code', () => {
  const session = { session_id: 's', cwd: '/w', transcript_path: '/t' };

  function play(lapsToPlay: number, files: (n: number) => string[]): string[] {
    const hook = hookProcesses(hostNamed('claude-code'));
    const said: string[] = [];
    const tell = (payload: Record<string, unknown>) => {
      const out = hook({ ...session, ...payload }).answer?.stdout as
        | { hookSpecificOutput?: { additionalContext?: string } }
        | undefined;
      const text = out?.hookSpecificOutput?.additionalContext;
      if (text !== undefined) said.push(`${payload.hook_event_name}: ${text}`);
    };
    for (let n = 0; n < lapsToPlay; n++) {
      for (const [i, file_path] of files(n).entries()) {
        const call = { tool_name: 'Read', tool_input: { file_path }, tool_use_id: `c${n}-${i}` };
        tell({ hook_event_name: 'PreToolUse', ...call });
        tell({ hook_event_name: 'PostToolUse', ...call, tool_response: contentOf(file_path) });
      }
      tell({ hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: '' });
      tell({ hook_event_name: 'PostCompact', trigger: 'auto', compact_summary: 'Read files.' });
      tell({ hook_event_name: 'SessionStart', source: 'compact' });
    }
    return said;
  }

  it('gives the brief when the session starts again, and the note with the first look', () => {
    const said = play(5, () => FILES);
    expect(said[0]).toMatch(/^SessionStart: Unrut \(loop guard\): your context was compacted/);
    const note = said.findIndex((each) => each.startsWith('PostToolUse'));
    expect(note).toBe(3);
    expect(said[note]).toContain('the context was compacted 3 times');
    expect(said[note]).not.toContain('What your calls have done');
  });

  it('says nothing when no lap looks at what another one did', () => {
    expect(play(6, (n) => FILES.map((file) => `${n}/${file}`))).toEqual([]);
  });
});

describe('scan', () => {
  const line = (type: string, content: unknown, at: number, more: object = {}) =>
    JSON.stringify({
      type,
      message: { role: type, id: `m${at}`, content },
      uuid: `u${at}`,
      parentUuid: null,
      isSidechain: false,
      sessionId: 's',
      timestamp: new Date(1_760_000_000_000 + at * 30_000).toISOString(),
      ...more,
    });

  async function scanned(deeds: readonly Deed[]) {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-amnesia-'));
    const lines = deeds.flatMap((deed, i): string[] => {
      if (deed === 'compacted')
        return [
          line('user', 'This session is being continued.', 2 * i, { isCompactSummary: true }),
        ];
      const { tool: name, args: input } = argsOf(deed);
      const id = `toolu_${i}`;
      return [
        line('assistant', [{ type: 'tool_use', id, name, input }], 2 * i),
        line(
          'user',
          [{ type: 'tool_result', tool_use_id: id, content: resultOf(deed) }],
          2 * i + 1,
        ),
      ];
    });
    writeFileSync(join(folder, 's.jsonl'), `${lines.join('\n')}\n`);
    const { trajectories } = await scanFile(join(folder, 's.jsonl'), {});
    rmSync(folder, { recursive: true });
    return trajectories[0]!;
  }

  it('finds one loop in a transcript of 14 laps with a new file in each, and its waste', async () => {
    const { loops } = await scanned(laps(14, (n) => [...READS.slice(1), { read: `new/${n}.ts` }]));
    expect(loops.map(({ detector }) => detector)).toEqual(['amnesia']);
    expect(loops[0]!.wastedSteps).toBeGreaterThanOrEqual(95);
  });

  it('finds none in a transcript whose laps change something', async () => {
    const { loops } = await scanned(
      laps(14, (n) => [...READS, { edit: `src/new-${n}.ts`, into: `export const n${n} = ${n};` }]),
    );
    expect(loops).toEqual([]);
  });
});
