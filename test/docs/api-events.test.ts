import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES } from '@unrut/engine/read-event';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';

describe('docs/api.md', () => {
  const events = readFileSync(join(root, 'docs/api.md'), 'utf8').split('\n## ')[1]!;

  test.each(EVENT_TYPES)('has the fields of %s, and an example', (type) => {
    expect(events).toContain(`| \`type\` | \`'${type}'\` |`);
    expect(events).toMatch(new RegExp(`^\\s*guard\\.observe\\(\\{ .*type: '${type}'`, 'm'));
  });
});
