import { beforeAll, expect, it } from 'vitest';
import { runWithAgent } from '../../bench/recovery/real-agent.ts';
import { TOOL_TASKS } from '../../bench/recovery/tools.ts';
import { claudeCode } from './agents/claude-code.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';

beforeAll(() => installAgent(claudeCode), INSTALL_TIMEOUT);

it('an agent that is stuck on a misspelt name gets its work done in fewer steps, and leaves nothing else behind', async () => {
  // The first seed of the bench: an agent that would try fourteen times by itself.
  const runs = await runWithAgent(TOOL_TASKS.slice(0, 1), ['off', 'default'], 1, 40_000);
  const [off, ours] = [runs.get('off')![0]!, runs.get('default')![0]!];
  expect(off).toMatchObject({ clean: true, steps: 15 });
  expect(ours).toMatchObject({ clean: true, harm: [] });
  expect(ours.steps).toBeLessThan(off.steps / 2);
});
