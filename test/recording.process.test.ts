import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  drawRecording,
  plainLines,
  type Recorded,
  recordCommands,
  recordingFile,
} from '../scripts/recording.ts';
import { bundledPrograms } from './bundled-programs.ts';

describe('the recording in the README', () => {
  test('shows what the commands print; else run `npm run pictures -- recording`', () => {
    const recorded = recordCommands(bundledPrograms().cli);
    expect(recorded.map(({ typed }) => typed)).toEqual([
      'npx unrut',
      'npx unrut install claude-code',
    ]);
    expect(plainLines(recorded[0]!)[0]).toMatch(/^1 session in 7 days: 1 loop, /);
    expect(plainLines(recorded[1]!)[0]).toBe('Claude Code is connected:');
    expect(readFileSync(recordingFile, 'utf8')).toBe(drawRecording(recorded));
  });

  test('is a small file', () => {
    expect(statSync(recordingFile).size).toBeLessThan(20_000);
  });

  test('shows a line that is too long as a terminal does, its colours, and no markup', () => {
    const recorded: Recorded = {
      typed: 'npx unrut',
      lines: [`${'a'.repeat(100)}b`, '\u001b[2m<b>&\u001b[22m plain'],
    };
    expect(plainLines(recorded)[1]).toBe('<b>& plain');
    const picture = drawRecording([recorded]);
    expect(picture).toContain(`>${'a'.repeat(100)}</text>`);
    expect(picture).toContain('>b</text>');
    expect(picture).toContain('<tspan class="d">&lt;b&gt;&amp;</tspan> plain</text>');
  });
});
