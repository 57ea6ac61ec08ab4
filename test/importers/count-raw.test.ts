import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countRaw } from './count-raw.ts';
import { SAMPLES } from './import-file.ts';

/** Their calls have no mark that a program could count without knowing the format: what is in them was read off, or is what the reader finds. */
const NOT_COUNTED = new Set([
  'agentlab.json',
  'aider.md',
  'atif.json',
  'autogen-state.json',
  'autogen.json',
  'browser-use-old.json',
  'browser-use.json',
  'claude-code-refusals.jsonl',
  'codex-exec-items.jsonl',
  'codex-exec.jsonl',
  'continue.json',
  'crush.json',
  'cursor-chat.json',
  'gemini-cli-document.json',
  'gemini-contents.json',
  'hook-payloads-copilot.jsonl',
  'hook-payloads-cursor-details.jsonl',
  'hook-payloads-refusals.jsonl',
  'inspect-ai.json',
  'kimi-older.jsonl',
  'langfuse-bucket.jsonl',
  'langfuse.json',
  'letta.json',
  'managed-agents.json',
  'mini-swe-agent-tools.json',
  'mini-swe-agent.json',
  'neutral-steps.jsonl',
  'openai-messages-lines.jsonl',
  'openai-messages-responses.jsonl',
  'opencode-compacted.json',
  'openhands-classic.json',
  'openhands-evaluation.jsonl',
  'openhands-sdk.jsonl',
  'otel-spans-console.txt',
  'otel-spans-logfire.jsonl',
  'otel-spans-python.json',
  'otlp-ai-sdk-7.jsonl',
  'otlp-claude-code.jsonl',
  'otlp-langfuse.jsonl',
  'otlp-openai-events.jsonl',
  'smolagents.json',
  'swe-agent-attempts.json',
  'swe-agent.json',
  'text-calls-crewai.json',
  'text-calls-functions.jsonl',
  'text-calls.json',
  'trae.json',
  'vscode-chat.json',
  'zed-older.json',
  'zed.json',
]);

const textIn = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const counted = Object.entries(SAMPLES).filter(([name]) => !NOT_COUNTED.has(name));

it.each(counted)('%s has as many calls and results as is said of it, counted without its reader', (name, { calls, results }) => {
  expect(countRaw(name, textIn(`test/fixtures/transcripts/${name}`))).toEqual({ calls, results });
});

it('docs/scan.md says how many samples are counted so', () => {
  expect(textIn('docs/scan.md')).toContain(
    `Of ${counted.length} of the ${Object.keys(SAMPLES).length} samples, calls and results are counted by a program that knows no reader`,
  );
});
