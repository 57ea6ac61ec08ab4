import { describe, expect, it } from 'vitest';
import { inPrompt, inRoadmap, TODO, type Toy } from './toy.ts';

/**
 * What an agent that gets on does each time, what it says, and how it is known to be done.
 */
const AT_WORK: Record<string, { work: string; says: string; check?: string }> = {
  'a new file each time': {
    work: 'echo "export const v$n = $n;" > mod$n.ts; git add -A 2>/dev/null && git commit -qm "step $n" 2>/dev/null;',
    says: 'echo "I made progress on the task and committed my changes. More work remains."',
  },
  'a list that is ticked off': {
    work: `sed -i "0,/TODO/s//DONE$n/" todo.md;`,
    says: 'echo "I worked on the list."',
  },
  'a check that fails less each time': {
    work: `sed -i "0,/TODO/s//DONE/" todo.md;`,
    says: 'echo "Fixed the next failing test."',
    check: 'k=$(grep -c TODO todo.md); echo "Tests: $k failed, $((7-k)) passed"; test $k = 0',
  },
  'a report that is nothing but an error, while the check gets better': {
    work: `sed -i "0,/TODO/s//DONE/" todo.md;`,
    says: 'echo "Error: some tests still fail"',
    check: 'k=$(grep -c TODO todo.md); echo "Tests: $k failed, $((7-k)) passed"; test $k = 0',
  },
  'reports by a template': {
    work: 'mkdir -p api; echo "export function handle() { return $n; }" > api/part$n.ts;',
    says: `case $n in 1) w=auth;; 2) w=billing;; 3) w=cart;; 4) w=search;; 5) w=users;; *) w=mail;; esac
printf 'I implemented the %s endpoint and its tests. Everything is green.\\n---RALPH_STATUS---\\nSTATUS: IN_PROGRESS\\nTASKS_COMPLETED_THIS_LOOP: 1\\nFILES_MODIFIED: 3\\nTESTS_STATUS: PASSING\\nWORK_TYPE: IMPLEMENTATION\\nEXIT_SIGNAL: false\\n---END_RALPH_STATUS---\\n' $w`,
  },
};
const DONE = '[ $n -ge 7 ] && echo TASK_COMPLETE;';
const PLACES = [
  ['in git', true],
  ['outside git', false],
] as const;

/**
 * Files are looked at in the same way for a prompt and for a task: where one of them is in git, the
 * other is not.
 */
const inTurn = (i: number) =>
  i % 2 === 0 ? { prompt: true, task: false } : { prompt: false, task: true };
const where = (git: boolean): string => (git ? 'in git' : 'outside git');

describe.each(Object.entries(AT_WORK).map(([name, agent], i) => [name, agent, inTurn(i)] as const))(
  '%s',
  (_, { work, says, check }, git) => {
    const toy = (git: boolean, works: boolean): Toy => ({
      git,
      files: TODO,
      script: `${works ? work : ''} ${says}; ${works && !check ? DONE : ''} true`,
      ...(check ? { check } : {}),
    });

    it('is done at the seventh iteration of a prompt', async () => {
      const { ending, state, reports } = await inPrompt(toy(git.prompt, true));
      expect({ ending, iteration: state.iteration, reports }).toEqual({
        ending: 'done',
        iteration: 7,
        reports: [],
      });
    });

    it('is done at the seventh attempt at a task', async () => {
      const { result, ran, recovered } = await inRoadmap(toy(git.task, true));
      expect({ ending: result.ending, ran: ran.length, recovered }).toEqual({
        ending: 'done',
        ran: 7,
        recovered: [],
      });
    });

    it('is a loop where the same is said and nothing is done', async () => {
      const prompt = await inPrompt(toy(true, false), {
        settings: { maxIterations: 5 },
        choose: async () => 'stop',
      });
      expect(prompt.ending).toBe('loop');
      expect(prompt.state.iteration).toBeLessThanOrEqual(5);
      // Of a task three reports of an error in a row are a broken agent.
      const { result, recovered } = await inRoadmap(toy(false, false));
      if (says.includes('Error:')) expect(result.ending).toBe('limit');
      else expect(recovered).toEqual(['no_progress_repeat → force_next']);
    });
  },
);

describe('failing tests that the agent counts in its own words, work elsewhere', () => {
  it('are progress as long as they become fewer', async () => {
    const { reports, state, ending } = await inPrompt({
      script: `set -- a b c d e f g h; shift $n; echo "$(( 8 - n )) tests failing - $*"; [ $n -ge 7 ] && echo TASK_COMPLETE; true`,
      git: true,
    });
    expect({ ending, iteration: state.iteration, reports }).toEqual({
      ending: 'done',
      iteration: 7,
      reports: [],
    });
  });

  const FALLING = 'set -- a b c d e f g h; shift $n; echo "$(( 8 - n )) tests failing - $*";';

  it('are progress of a task as long as they become fewer', async () => {
    const { result, ran, recovered } = await inRoadmap({
      script: `${FALLING} [ $n -ge 7 ] && echo TASK_COMPLETE; true`,
      git: true,
    });
    expect({ ending: result.ending, ran: ran.length, recovered }).toEqual({
      ending: 'done',
      ran: 7,
      recovered: [],
    });
  });

  it.each([
    ['they stay as many', 'echo "Looked at it again, time $n: 5 tests failing"; true', undefined],
    [
      'the check counts as many each time',
      `${FALLING} true`,
      'echo "Tests: 5 failed, 2 passed"; false',
    ],
  ])('are no progress of a task if %s', async (_, script, check) => {
    const { ran, recovered } = await inRoadmap({ script, git: true, ...(check ? { check } : {}) });
    expect({ ran: ran.length, recovered }).toEqual({
      ran: 5,
      recovered: ['no_progress_repeat → force_next'],
    });
  });

  it('are a loop if they stay as many, whatever else is said', async () => {
    const { reports, ending } = await inPrompt({
      script: `set -- "Looked at the parser" "Read the lexer" "Thought about it" "Tried the cli" "Rested" "Asked around"; shift $(( (n - 1) % 6 )); echo "$1: 5 tests failing";`,
      git: true,
    });
    expect(ending).toBe('loop');
    expect(reports[0]).toContain('Loop Detected');
  });
});

describe('a comment in which only numbers change', () => {
  const polish = (line: string): Toy => ({
    git: true,
    files: { 'main.js': '// version 0\nrun();\n' },
    script: `printf '%s\\nrun();\\n' "${line}" > main.js; echo "Polished main.js a bit more, round $n of it";`,
  });

  it('is no progress', async () => {
    const { ending, state } = await inPrompt(polish('// version $n, polished at $(date +%s)'));
    expect(ending).toBe('loop');
    expect(state.iteration).toBeLessThan(12);
  });

  it('twin: code in which a number changes is progress', async () => {
    const { reports } = await inPrompt(polish('retry({ times: $n });'), {
      settings: { maxIterations: 6 },
    });
    expect(reports).toEqual([]);
  });
});

describe('ten different essays and no file touched', () => {
  const ESSAYS = `set -- "The cache is the heart of the matter." "On the history of login forms." "Testing is a way of thinking." "Three kinds of tokens, and a fourth." "Where do errors come from?" "A short theory of retries." "Names are hard." "Why queues fill up." "In praise of plain text." "An essay on waiting."; shift $(( (n - 1) % 10 )); echo "$1";`;
  const CHECK = 'echo "1 test failing - auth"; exit 1';
  it.each([
    ['in git', '', true, undefined],
    ['outside git', ', with a check that fails alike', false, CHECK],
  ] as const)(
    'are a loop at the fifth iteration, and end the run at the tenth, %s%s',
    async (_where, _how, git, check) => {
      const { ending, state, reports } = await inPrompt({
        script: ESSAYS,
        git,
        ...(check ? { check } : {}),
      });
      expect({ ending, iteration: state.iteration, reports: reports.length }).toEqual({
        ending: 'loop',
        iteration: 10,
        reports: 2,
      });
      expect(reports[0]).toContain('5 iterations in a row changed nothing');
    },
  );

  it.each(PLACES)(
    'lead to a note at the third attempt at a task and are left at the fifth, %s',
    async (_where, git) => {
      const { ran, prompts, recovered } = await inRoadmap({
        script: ESSAYS.replace('echo "$1"', 'echo "WORK: $1"'),
        git,
      });
      expect({ ran: ran.length, recovered }).toEqual({
        ran: 5,
        recovered: ['no_progress_repeat → force_next'],
      });
      expect(prompts[3]).toContain('Note: Task T made no progress in 3 attempts');
    },
  );

  it('are not a loop if one iteration created a file: the honest twin', async () => {
    const script = `[ $(( n % 4 )) = 0 ] && echo "export const part = $n;" > part$n.ts; ${ESSAYS} [ $n = 9 ] && echo TASK_COMPLETE; true`;
    const { ending, reports } = await inPrompt({ script, git: true });
    expect({ ending, reports }).toEqual({ ending: 'done', reports: [] });
  });

  it('six paraphrases of one failing fix are a loop too', async () => {
    const script = `set -- "I updated the null guard in src/auth.ts, but the login test is still red." "Tried another null guard in src/auth.ts. The login test keeps failing." "The guard in src/auth.ts was rewritten; login does not pass." "Login is red in spite of a new check in src/auth.ts." "Once more src/auth.ts, once more no luck with login."; shift $(( (n - 1) % 5 )); echo "$1"`;
    const { reports } = await inPrompt({ script, git: true }, { choose: async () => 'stop' });
    expect(reports).toHaveLength(1);
  });
});

describe('the same content under a new name each time', () => {
  const AGENTS = {
    'in a new file': 'printf "export const fix = 1;\\nexport const mode = 2;\\n" > fix$n.ts;',
    'with another time in it':
      'printf "// made at $(date +%%s%%N)\\nexport const fix = 1;\\n" > fix$n.ts;',
    'in place of the last one': 'rm -f fix*.ts; echo "export const fix = 1;" > fix$n.ts;',
    'committed each time':
      'echo "export const fix = 1;" > fix$n.ts; git add -A 2>/dev/null && git commit -qm "fix $n" 2>/dev/null;',
  };
  const SAYS = 'echo "I wrote the fix into a file of its own."; true';
  const CASES = Object.entries(AGENTS).map(([what, work], i) => {
    // Commits require a git repository.
    const git = what.startsWith('committed') ? { prompt: true, task: true } : inTurn(i);
    return [what, where(git.prompt), where(git.task), `${work} ${SAYS}`, git] as const;
  });

  it.each(CASES)(
    '%s is a loop, of a prompt %s and of a task %s',
    async (_what, _prompt, _task, script, git) => {
      const prompt = await inPrompt({ script, git: git.prompt }, { choose: async () => 'stop' });
      expect({ ending: prompt.ending, iteration: prompt.state.iteration }).toEqual({
        ending: 'loop',
        iteration: 4,
      });
      expect((await inRoadmap({ script, git: git.task })).recovered).toEqual([
        'no_progress_repeat → force_next',
      ]);
    },
  );

  it.each<[string, string]>([
    ['another content each time', 'echo "export const fix = $n;" > fix$n.ts;'],
    [
      'the same small file in every package',
      'mkdir -p packages/p$n; echo "export {};" > packages/p$n/index.ts;',
    ],
    [
      'a copy that then becomes something of its own',
      '[ $n = 1 ] && seq 9 > base.txt; [ $n = 2 ] && cp base.txt other.txt; [ $n -gt 2 ] && echo "export const part = $n;" >> other.txt;',
    ],
    ['another file renamed each time', 'mv old$n.txt new-name$n.txt;'],
  ])('is none where it is %s: the honest twin', async (_what, work) => {
    const files = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((i) => [`old${i}.txt`, `the ${i} of seven\n`]),
    );
    const toy = { script: `${work} ${SAYS}; ${DONE} true`, git: true, files };
    const { ending, state, reports } = await inPrompt(toy);
    expect({ ending, iteration: state.iteration, reports }).toEqual({
      ending: 'done',
      iteration: 7,
      reports: [],
    });
    expect((await inRoadmap(toy)).recovered).toEqual([]);
  });
});

describe('work in a repository inside the folder', () => {
  const INSIDE = `git init --quiet inside; git -C inside -c user.name=Toy -c user.email=toy@example.org commit --quiet --allow-empty -m start;`;

  it.each(PLACES)('is seen, committed there or not, %s', async (_where, git) => {
    const work =
      '[ $n = 3 ] && git -C inside -c user.name=Toy -c user.email=toy@example.org commit -qam x; echo "export const v$n = $n;" >> inside/a.ts;';
    const script = `[ $n = 1 ] && { ${INSIDE} }; ${work} git -C inside add -A; echo "I worked on it."; ${DONE} true`;
    const { ending, state, reports } = await inPrompt({ script, git });
    expect({ ending, iteration: state.iteration, reports }).toEqual({
      ending: 'done',
      iteration: 7,
      reports: [],
    });
  });

  it.each(PLACES)('that only comes and goes is none: the twin, %s', async (_where, git) => {
    const script = `[ $n = 1 ] && { ${INSIDE} }; [ $(( n % 2 )) = 1 ] && echo "const mode = 1;" > inside/a.ts || rm -f inside/a.ts; echo "I worked on it."; true`;
    expect((await inPrompt({ script, git }, { choose: async () => 'stop' })).ending).toBe('loop');
  });

  it('that was not fetched is an empty folder, and work next to it is seen', async () => {
    const link =
      'mkdir -p sub; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub;';
    const script = `${link} echo "export const v$n = $n;" > mod$n.ts; echo "I worked on it."; ${DONE} true`;
    expect((await inPrompt({ script, git: true })).reports).toEqual([]);
  });

  it('without a commit hides no work next to it', async () => {
    const script = `git init --quiet inside; echo "export const v$n = $n;" > mod$n.ts; echo "I worked on it."; ${DONE} true`;
    expect((await inPrompt({ script, git: true })).reports).toEqual([]);
  });
});

describe('a touched file alone', () => {
  const BLOCKED = 'echo "WORK: looked at auth.ts"; echo "BLOCKED: no access to the token server"';
  const CHECK = 'echo "1 test failing - auth"; exit 1';

  it.each(PLACES)('hides no spin: authority at three, a person at six, %s', async (_where, git) => {
    const { recovered, ran } = await inRoadmap({
      script: `echo "- $(date +%s%N) tried again" >> progress.md; ${BLOCKED}`,
      git,
      check: CHECK,
    });
    expect(recovered).toEqual([
      'blocked_task_spin → unblock_authority',
      'blocked_task_spin → escalate',
    ]);
    expect(ran).toHaveLength(6);
  });

  it('hides none in a source file either, when only the time in it changes', async () => {
    const { recovered } = await inRoadmap({
      script: `echo "// built at $(date +%s%N)" > stamp.ts; ${BLOCKED}`,
      git: true,
      check: CHECK,
    });
    expect(recovered[0]).toBe('blocked_task_spin → unblock_authority');
  });

  it('does not count when it is brought back each time: in a task and in a prompt', async () => {
    const script =
      '[ $(( n % 2 )) = 1 ] && echo "const mode = 1;" > a.ts || rm -f a.ts; echo "I changed the mode in step $n of it.";';
    const { recovered, ran } = await inRoadmap({ script, git: true, check: CHECK });
    expect(recovered).toEqual(['no_progress_repeat → force_next']);
    expect(ran.length).toBeLessThanOrEqual(7);
    expect(
      (await inPrompt({ script, git: false, check: CHECK }, { choose: async () => 'stop' })).ending,
    ).toBe('loop');
  });

  it('is progress where the work grows in spite of the blocker: the honest twin', async () => {
    const script = `echo "export const stub$n = 1;" >> stubs.ts; ${BLOCKED}`;
    const { recovered, result } = await inRoadmap(
      { script, git: true, check: CHECK },
      { limits: { maxIterations: 6 } },
    );
    expect({ recovered, ending: result.ending }).toEqual({ recovered: [], ending: 'limit' });
  });

  it('a note that the task asks for is work, whatever it is called', async () => {
    const { recovered } = await inRoadmap(
      {
        script:
          'echo "- finding $n about part $n" >> notes.md; [ $n = 6 ] && echo TASK_COMPLETE; true',
        git: true,
      },
      {
        roadmap: (await import('../tasks/scripted-run.ts')).roadmapOf({
          id: 'T',
          prompt: 'Write what you find into notes.md.',
        }),
      },
    );
    expect(recovered).toEqual([]);
  });
});

describe('the end of an agent that reports', () => {
  it.each([
    'Fixed error: missing null check in auth.ts. All tests pass.',
    'Type error (TS2304) resolved; the build is green now.',
  ])(
    '%j and the promise is done at once, and the last line says that nothing checked it',
    async (report) => {
      const { ending, reason, state } = await inPrompt({
        script: `printf '${report}\\n\\nTASK_COMPLETE\\n'`,
        git: false,
      });
      expect({ ending, iteration: state.iteration }).toEqual({ ending: 'done', iteration: 1 });
      expect(reason).toBe(
        'The agent reported that it is done; nothing checked it. To have it checked, add --check <command>.',
      );
    },
  );

  it('nothing but an error, with exit code 0, is a failure: a loop where it is the same, else errors in a row', async () => {
    const same = await inPrompt({ script: `echo 'Error: cannot read the project'`, git: false });
    expect({ ending: same.ending, iteration: same.state.iteration }).toEqual({
      ending: 'loop',
      iteration: 6,
    });
    const script = `set -- 'no route to the host' 'the disk is full' 'segment is missing'; shift $((n - 1)); echo "Error: $1"`;
    const others = await inPrompt({ script, git: false });
    expect({ ending: others.ending, iteration: others.state.iteration }).toEqual({
      ending: 'limit',
      iteration: 3,
    });
    expect(others.reason).toMatch(/^consecutive_errors: /);
  });

  it('the promise with exit code 1 is not done, with a check that passes it is', async () => {
    const script = 'echo TASK_COMPLETE; exit 1';
    expect(
      (await inPrompt({ script, git: false }, { settings: { maxIterations: 1 } })).ending,
    ).toBe('limit');
    expect((await inPrompt({ script, git: false, check: 'true' })).ending).toBe('done');
  });

  it('a promise before the last line is reported, and tags around it do not matter', async () => {
    const early = await inPrompt(
      { script: 'echo TASK_COMPLETE; echo "Have a nice day."', git: false },
      { settings: { maxIterations: 2 } },
    );
    expect(early.prompts[1]).toContain(
      'it wrote TASK_COMPLETE, but not at the end of its last line',
    );
    const settings = { promise: 'COMPLETE' };
    expect(
      (await inPrompt({ script: 'echo "<promise>COMPLETE</promise>"', git: false }, { settings }))
        .ending,
    ).toBe('done');
  });
});

describe('a command that is broken', () => {
  it.each([
    ['echo "the input device is not a TTY"; exit 1', 'the input device is not a TTY'],
    ['echo "compiling $$"; exit 137', 'it was killed, perhaps because memory ran out'],
  ])('%s ends after three errors, and is no loop', async (script, said) => {
    const { ending, state, reason, reports } = await inPrompt({ script, git: false });
    expect({ ending, iteration: state.iteration, reports }).toEqual({
      ending: 'limit',
      iteration: 3,
      reports: [],
    });
    expect(reason).toContain(said);
  });
});
