import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opencode } from './agents/opencode.ts';
import { installUnrut, recordedIn } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import type { ScriptOf } from './scripts.ts';
import { testAgent } from './test-agent.ts';

testAgent(opencode, {
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
  tries: 6,
  last: 9,
  seen: /Aborted\s+Unrut stopped the run: `sh check\.sh` failed \d times with the same error \(.*\((?:npx )?unrut show .*$/,
  exitCode: 1,
  again: '5 block',
});

describe('OpenCode that denies a command', () => {
  const COMMAND = 'sh test.sh';
  const tests: ScriptOf =
    ({ tools }) =>
    (turn) =>
      turn <= 4 ? { calls: [tools.shell(COMMAND)] } : { text: 'Done.' };

  /** Runs it with these rules for commands, and returns what the user read and what ran. */
  async function runWith(bash: Record<string, string>) {
    const run = await runAgent(opencode, tests, async (place) => {
      await installUnrut(opencode)(place);
      const file = join(place.home, '.config/opencode/opencode.json');
      const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...settings, permission: { bash } }));
    });
    const plans = (await recordedIn(run.place)).filter(({ kind }) => kind === 'plan');
    const [, name, action] =
      plans
        .map(({ data }) =>
          /To allow it, add ("[^"]+"): "(\w+)" as the last entry of permission\.bash/.exec(
            String(data.toHuman),
          ),
        )
        .find((line) => line !== null) ?? [];
    return { tries: run.tries, plans, line: name && { [JSON.parse(name) as string]: action! } };
  }

  it('names a line that OpenCode accepts', async () => {
    const rules = { '*': 'deny', 'ls *': 'allow' };
    const denied = await runWith(rules);
    expect(denied.tries).toEqual([]);
    expect(denied.line).toEqual({ [COMMAND]: 'allow' });
    const allowed = await runWith({ ...rules, ...denied.line! });
    expect(allowed.tries).not.toEqual([]);
  });

  it('names none if a rule of the user means the command', async () => {
    const denied = await runWith({ '*': 'allow', 'sh test*': 'deny' });
    expect(denied.plans).not.toEqual([]);
    expect(denied.line).toBeUndefined();
  });
});
