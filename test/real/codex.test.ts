import { codex } from './agents/codex.ts';
import { testAgent } from './test-agent.ts';

testAgent(codex, {
  // No hook of Codex ends a run: from then on it is refused each time.
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 block', '10 block'],
  tries: 5,
  last: 10,
  seen: /Command blocked by PreToolUse hook: Unrut \(loop guard\) did not run/,
  exitCode: 0,
  again: '4 hint',
});
