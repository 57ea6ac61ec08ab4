import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('a run of 200 steps holds memory flat', () => {
  const script = fileURLToPath(new URL('long-run.ts', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stdout, stderr).toMatch(/^\{/);
  const { reason, steps, heap } = JSON.parse(stdout) as {
    reason: string;
    steps: number;
    heap: Record<string, number>;
  };
  expect({ reason, steps }).toEqual({ reason: 'max_steps', steps: 200 });
  expect(heap[200]! / heap[50]!).toBeLessThanOrEqual(1.2);
}, 300_000);
