import { createMemoryLedger } from '../ledger/memory.ts';
import { answerHook } from './answer-hook.ts';

const ABOUT = { session_id: 'rehearsal', transcript_path: '/.claude/t.jsonl', cwd: '/' };
const CALLS = [
  { tool_name: 'Bash', tool_input: { command: 'cd a && npm test 2>&1 | tail -5', description: 'Test' } },
  { tool_name: 'Read', tool_input: { file_path: '/a.ts' } },
  { tool_name: 'Edit', tool_input: { file_path: '/a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' } },
];
const RESULT = { stdout: 'src/a.test.ts:5 expected 1, got 2 (12 ms)\n1 failed\n', stderr: '' };

/**
 * Goes through what most hooks do, with a made-up session, so that V8 has compiled it by the time when that is kept. The real hook that comes
 * first sees next to nothing of it. A loop is left out: it is rare, and what is kept has to be read by every hook.
 */
export async function rehearse(): Promise<void> {
  const surroundings = { environment: {}, ledger: createMemoryLedger(), settings: { guard: {} } };
  for (let n = 0; n < 2 * CALLS.length; n++) {
    const call = { ...ABOUT, ...CALLS[n % CALLS.length], tool_use_id: `t${n}` };
    const payloads = [
      { ...call, hook_event_name: 'PreToolUse' },
      { ...call, hook_event_name: 'PostToolUse', tool_response: RESULT },
      { ...ABOUT, hook_event_name: 'PostToolBatch', tool_calls: [{ ...call, tool_response: RESULT.stdout }] },
    ];
    // Versions without the last hook are followed by the others.
    for (const payload of n < CALLS.length ? payloads.slice(0, 2) : payloads) await answerHook(payload, { ...surroundings, at: n * 5000 });
  }
}
