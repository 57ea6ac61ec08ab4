import { describe } from 'vitest';
import { name, numbered, prose, source } from './content.ts';
import { type CallStep, type Item, scenario, times } from './scenario.ts';

type Edit = (index: number, file: string) => CallStep;

/** An edit of another place each time, in the words of different hosts. */
const EDITS: Record<string, Edit> = {
  'Claude Code Edit': (i, file) => ({
    tool: 'Edit',
    args: {
      file_path: `/repo/${file}`,
      old_string: source(i + 50, 2),
      new_string: source(i + 2_050, 3),
    },
    result: `The file /repo/${file} has been updated successfully.`,
  }),
  'an unknown edit_file': (i, file) => ({
    tool: 'edit_file',
    args: {
      path: file,
      start_line: i * 20 + 1,
      end_line: i * 20 + 4,
      content: source(i + 2_050, 4),
    },
    result: `Applied 1 edit to ${file}`,
  }),
  'a text editor tool': (i, file) => ({
    tool: 'str_replace_based_edit_tool',
    args: {
      command: 'str_replace',
      path: `/repo/${file}`,
      old_str: source(i + 50, 1),
      new_str: source(i + 2_050, 2),
    },
    result: `The file /repo/${file} has been edited. Here's the result of running \`cat -n\` on a snippet:\n${numbered(source(i + 2_050, 5))}`,
  }),
};

type Check = (text: string, failing: boolean) => CallStep;

const CHECKS: Record<string, Check> = {
  'npm test in Bash': (result, failing) => ({
    tool: 'Bash',
    args: { command: 'npm test', description: 'Run the tests' },
    result,
    exitCode: failing ? 1 : 0,
  }),
  'an unknown run_tests': (result, failing) => ({
    tool: 'run_tests',
    args: { suite: 'unit' },
    result,
    ...(failing ? { error: true } : {}),
  }),
};

const one = () => 'src/auth/session.ts';
const several = (index: number) => `src/${name(index)}.ts`;

/** Every edit tool with every check. */
function pairs(make: (edit: Edit, check: Check) => Item[]): Record<string, Item[]> {
  return Object.fromEntries(
    Object.entries(EDITS).flatMap(([editor, edit]) =>
      Object.entries(CHECKS).map(([checker, check]) => [
        `${editor}, ${checker}`,
        make(edit, check),
      ]),
    ),
  );
}

const failure = (index: number, file = 'session') =>
  ` FAIL  test/${file}.test.ts > ${prose(index, 4)}\nAssertionError: expected '${name(index)}' to be '${name(index + 60)}'\n ❯ test/${file}.test.ts:${20 + index}:9\n\n Tests  1 failed | 24 passed (25)`;

describe('edit and test, failing in a new way each time', () => {
  scenario(
    'never fires, one file',
    'never',
    pairs((edit, check) => times(20, (i) => [edit(i, one()), check(failure(i), true)]).flat()),
  );
  scenario(
    'never fires, several files',
    'never',
    pairs((edit, check) =>
      times(20, (i) => [edit(i, several(i)), check(failure(i, name(i)), true)]).flat(),
    ),
  );
});

describe('edit one file and test, failing in exactly the same way', () => {
  scenario(
    'fires at the 3rd or 4th test',
    { oneOf: [6, 8] },
    pairs((edit, check) => times(6, (i) => [edit(i, one()), check(failure(1), true)]).flat()),
  );
  scenario(
    'fires at the 3rd or 4th test with other timings',
    { oneOf: [6, 8] },
    {
      'npm test': times(6, (i) => [
        EDITS['Claude Code Edit']!(i, one()),
        CHECKS['npm test in Bash']!(
          `${failure(1)}\n   Start at  10:0${i}:1${i}\n   Duration  ${1.1 + i / 7}s`,
          true,
        ),
      ]).flat(),
    },
  );
});

describe('edit and build, green with identical output', () => {
  const builds: Record<string, CallStep> = {
    'npm run build': {
      tool: 'Bash',
      args: { command: 'npm run build' },
      result: '> harbour@2.1.0 build\n> tsc -p .\n\nBuild finished without problems.',
      exitCode: 0,
    },
    'a silent compiler': {
      tool: 'Bash',
      args: { command: 'npx tsc --noEmit' },
      result: '',
      exitCode: 0,
    },
    'an unknown build tool': {
      tool: 'build_project',
      args: { target: 'web' },
      result: 'Build finished without problems.',
    },
  };
  for (const [builder, build] of Object.entries(builds)) {
    for (const [editor, edit] of Object.entries(EDITS)) {
      scenario('never fires', 'never', {
        [`${editor}, ${builder}, one file`]: times(30, (i) => [
          edit(i, one()),
          { ...build },
        ]).flat(),
        [`${editor}, ${builder}, 30 files`]: times(30, (i) => [
          edit(i, several(i)),
          { ...build },
        ]).flat(),
      });
    }
  }
});

describe('the same tests, failures falling from 9 to 0', () => {
  const failures = [9, 7, 4, 2, 0];
  const texts: Record<string, (failed: number) => string> = {
    vitest: (failed) =>
      [
        ' RUN  v3.2.4 /repo',
        ...times(
          failed,
          (i) =>
            ` FAIL  test/session.test.ts > session > case ${name(i)}\nAssertionError: expected undefined to be '${name(i + 30)}'`,
        ),
        ` Test Files  ${failed > 0 ? '1 failed' : '1 passed'} (1)`,
        `      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${25 - failed} passed (25)`,
      ].join('\n'),
    jest: (failed) =>
      [
        failed > 0 ? 'FAIL test/session.test.js' : 'PASS test/session.test.js',
        ...times(
          failed,
          (i) =>
            `  ● session › case ${name(i)}\n\n    expect(received).toBe(expected) // Object.is equality`,
        ),
        `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${25 - failed} passed, 25 total`,
        'Snapshots:   0 total',
      ].join('\n'),
    pytest: (failed) =>
      [
        '============================= test session starts ==============================',
        ...times(
          failed,
          (i) =>
            `FAILED tests/test_session.py::test_${name(i).replace('-', '_')} - AssertionError: assert None == 3`,
        ),
        `========================= ${failed > 0 ? `${failed} failed, ` : ''}${25 - failed} passed in 1.24s =========================`,
      ].join('\n'),
    'a summary only': (failed) =>
      `> harbour@2.1.0 test\n> node --test\n\n# tests 25\n# pass ${25 - failed}\n# fail ${failed}`,
  };
  const flags: Record<string, (failed: number, text: string) => Partial<CallStep>> = {
    'exit code': (failed, result) => ({ result, exitCode: failed > 0 ? 1 : 0 }),
    'error flag': (failed, result) => ({ result, ...(failed > 0 ? { error: true } : {}) }),
    'error text': (failed, text) => (failed > 0 ? { error: text } : { result: text }),
    'flagged to the last': (_, result) => ({ result, error: true, exitCode: 1 }),
  };
  for (const [runner, text] of Object.entries(texts)) {
    for (const [flag, answer] of Object.entries(flags)) {
      scenario('never fires', 'never', {
        [`${runner}, ${flag}`]: failures.flatMap((failed, i) => [
          EDITS['Claude Code Edit']!(i, i % 2 === 0 ? one() : several(i)),
          { tool: 'Bash', args: { command: 'npm test' }, ...answer(failed, text(failed)) },
        ]),
      });
    }
  }
});

describe('git status across a long session with edits between', () => {
  const statuses: Record<string, (text: string) => CallStep> = {
    Bash: (result) => ({
      tool: 'Bash',
      args: { command: 'git status --short' },
      result,
      exitCode: 0,
    }),
    'a git server': (result) => ({
      tool: 'mcp__git__git_status',
      args: { repo_path: '/repo' },
      result: `Repository status:\n${result}`,
    }),
    'an unknown git_status': (result) => ({ tool: 'git_status', result }),
  };
  const equal = () => ' M src/auth/session.ts\n M src/server.ts\n?? notes.md';
  const growing = (index: number) => times(index + 1, (i) => ` M src/${name(i)}.ts`).join('\n');
  for (const [title, status] of Object.entries(statuses)) {
    const session = (file: (index: number) => string, text: (index: number) => string): Item[] =>
      times(12, (i) => [
        EDITS[i % 2 === 0 ? 'Claude Code Edit' : 'an unknown edit_file']!(i, file(i)),
        status(text(i)),
      ]).flat();
    scenario('never fires', 'never', {
      [`${title}, one file, status equal`]: session(one, equal),
      [`${title}, several files, status equal`]: session(several, equal),
      [`${title}, one file, status changing`]: session(one, growing),
      [`${title}, several files, status changing`]: session(several, growing),
      [`${title}, several edits and reads between`]: times(12, (i) => [
        {
          tool: 'Read',
          args: { file_path: `/repo/${several(i)}` },
          result: numbered(source(i, 20)),
        },
        EDITS['Claude Code Edit']!(i, several(i)),
        EDITS['Claude Code Edit']!(i + 40, several(i + 1)),
        status(equal()),
      ]).flat(),
    });
  }
});

describe('the same insertion into a growing file', () => {
  const base = source(5, 12).split('\n');
  const line = '- Tom calls the harbour master on Monday morning.';
  const grown = (index: number) =>
    [...base.slice(0, 4), ...times(index + 1, () => line), ...base.slice(4)].join('\n');
  const run = (make: (text: string) => CallStep): Item[] => times(6, (i) => make(grown(i)));
  scenario(
    'fires at 3 or 4',
    { from: 3, to: 4 },
    {
      'a text editor tool': run((text) => ({
        tool: 'str_replace_based_edit_tool',
        args: { command: 'insert', path: '/repo/notes.md', insert_line: 4, insert_text: line },
        result: `The file /repo/notes.md has been edited. Here's the result of running \`cat -n\` on it:\n${numbered(text)}`,
      })),
      'Claude Code Edit': run((text) => ({
        tool: 'Edit',
        args: {
          file_path: '/repo/notes.md',
          old_string: base[4],
          new_string: `${line}\n${base[4]}`,
        },
        result: `The file /repo/notes.md has been updated. Here's the result of running \`cat -n\` on it:\n${numbered(text)}`,
      })),
      'an unknown tool': run((text) => ({
        tool: 'add_line',
        args: { document: 'notes', after: 4, text: line },
        result: `The document now reads:\n${text}`,
      })),
      'an unknown tool with a JSON answer': run((text) => ({
        tool: 'insert_row',
        args: { doc: 'notes', at: 4, row: line },
        result: { doc: 'notes', rows: text.split('\n') },
      })),
    },
  );
});

describe('50 edits of one file in different places', () => {
  scenario('never fires', 'never', {
    ...Object.fromEntries(
      Object.entries(EDITS).map(([title, edit]) => [title, times(50, (i) => edit(i, one()))]),
    ),
    'Claude Code MultiEdit': times(50, (i) => ({
      tool: 'MultiEdit',
      args: {
        file_path: '/repo/src/app.ts',
        edits: [
          { old_string: source(i, 1), new_string: source(i + 200, 1) },
          { old_string: source(i + 400, 1), new_string: source(i + 600, 1) },
        ],
      },
      result: 'Applied 2 edits to /repo/src/app.ts',
    })),
    apply_patch: times(50, (i) => ({
      tool: 'apply_patch',
      args: {
        input: `*** Begin Patch\n*** Update File: src/app.ts\n@@\n-${source(i, 1)}\n+${source(i + 200, 1)}\n*** End Patch`,
      },
      result: 'Success. Updated the following files:\nM src/app.ts',
    })),
  });
});
