import type { AgentEvent } from '@unrut/engine/event';

/**
 * Notations of calls in message texts, for agents without API calls: their beginning, and a
 * description.
 */
const IN_TEXT: [name: string, sign: RegExp][] = [
  ['<tool_call>', /<tool_call>\s*[{<]/],
  ['<function_calls>', /<(?:antml:)?(?:function_calls|invoke name=)/],
  ['<function=', /<function=\w/],
  ['Action Input:', /^Action:[^\n]+\nAction Input:/m],
  ['keystrokes', /"keystrokes"\s*:\s*"|<keystrokes\b/],
  ['tool_calls', /"(?:toolUse|tool_calls|functionCall|function_call|tool_use)"\s*[:,}]/],
];
/** A command in a fence is a call if the answer is a machine's output. */
const FENCE = /```(?:bash|sh|mswea_bash_command)\n[\s\S]*?\n```/;
const OUTPUT =
  /^\s*(?:<returncode>|<output>|OBSERVATION:|Observation:|\[?Exit code\b|EXECUTION RESULT)/;
/** One message may quote a call. */
const ENOUGH = 2;
const LOOKED_AT = 20_000;

/** Watches the events of a file for calls and, until there are any, for calls in texts. */
export function createCallWatch(): { see(event: AgentEvent): void; inText(): string | undefined } {
  let calls = 0;
  let fenced = false;
  const seen = new Map<string, number>();
  const count = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1);
  return {
    see(event) {
      if (calls > 0) return;
      if (event.type === 'call-proposed' || event.type === 'call-finished') calls++;
      else if (event.type === 'text-added' && event.channel === 'answer') {
        const text = event.text.slice(0, LOOKED_AT);
        fenced = FENCE.test(text);
        const [name] = IN_TEXT.find(([, sign]) => sign.test(text)) ?? [];
        if (name !== undefined) count(name);
      } else if (event.type === 'user-spoke') {
        if (fenced && OUTPUT.test(event.text ?? '')) count('```bash');
        fenced = false;
      }
    },
    inText: () => (calls > 0 ? undefined : [...seen].find(([, times]) => times >= ENOUGH)?.[0]),
  };
}
