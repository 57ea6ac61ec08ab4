import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { testDetector } from '@unrut/testing';
import { describe, test } from 'vitest';
import { type Detector, defineDetector, option } from '../packages/cli/src/index.ts';

const README = `
## Fires

\`\`\`trace slow-and-slower
lookup {"page":1} -> "one answer"
+90s
lookup {"page":2} -> "another answer" x1
+90s
lookup {"page":3} -> "a third answer"
+90s
lookup {"page":4} -> "a fourth answer" ! silent
\`\`\`

## Stays quiet

\`\`\`trace quick-enough twin of slow-and-slower
lookup {"page":1} -> "one answer"
+90s
lookup {"page":2} -> "another answer"
lookup {"page":3} -> "a third answer"
+90s
lookup {"page":4} -> "a fourth answer"
\`\`\`
`;

describe('the worked example of a detector', () => {
  const text = readFileSync(
    new URL('../packages/engine/src/detectors/README.md', import.meta.url),
    'utf8',
  );
  const [, block] = /```ts\n(.*?)```/s.exec(text)!;
  const body = stripTypeScriptTypes(block!)
    .replaceAll(/^import .*$/gm, '')
    .replace('export const longSilence =', 'return');
  const longSilence = new Function('defineDetector', 'option', body)(
    defineDetector,
    option,
  ) as Detector;
  for (const { name, run } of testDetector(longSilence, README)) test(name, run);
});
