import { opencode } from './agents/opencode.ts';
import { testAgent } from './test-agent.ts';

testAgent(opencode, {
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
  tries: 6,
  last: 9,
  seen: /Aborted\s+Unrut stopped the run: `sh check\.sh` failed \d times with the same error \(.*\(unrut show .*$/,
  exitCode: 1,
  again: '5 block',
});
