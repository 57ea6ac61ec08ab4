import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

test('the client is small, and has nothing in it that a page does not have', async () => {
  const input = fileURLToPath(
    new URL('../../packages/adapters/src/client/index.ts', import.meta.url),
  );
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  expect(output.length).toBe(1);
  const [{ code, imports }] = output;
  expect(imports).toEqual([]);
  expect(code).not.toMatch(/\b(?:process|Buffer|require)\b|node:/);
  expect(code.length).toBeLessThan(7500);
});
