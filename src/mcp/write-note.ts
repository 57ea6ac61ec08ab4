import type { Verdict } from '../guard.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import type { Plan } from '../policy/plan.ts';
import type { MessageId, RpcMessage } from './json-rpc.ts';

/** How a note is put into a result: after its content; with the structured content left out, for hosts that show only that; as an error. */
export const NOTES = ['append', 'strip-structured', 'error'] as const;
export type Notes = (typeof NOTES)[number];

/** Clients that show their model nothing but structured content where there is any, as seen in the program itself. */
const STRUCTURED_ONLY = /^claude-code/i;

/** What a client needs so that its model reads notes, by the name that it gives itself. */
export const notesOf = (client: string): Notes => (STRUCTURED_ONLY.test(client) ? 'strip-structured' : 'append');

/** Adds the plan's words to a complete result, after all that is there. */
export function noteResult(result: JsonObject, verdict: Verdict, plan: Plan, notes: Notes): void {
  const content = Array.isArray(result.content) ? result.content : [];
  if (notes === 'strip-structured' && result.structuredContent !== undefined) {
    if (content.length === 0) content.push(textBlock(JSON.stringify(result.structuredContent)));
    delete result.structuredContent;
  }
  content.push(textBlock(plan.toModel));
  result.content = content;
  if (notes === 'error') result.isError = true;
  result._meta = { ...(isObject(result._meta) ? result._meta : {}), ...signsOf(verdict, plan) };
}

/** Adds the plan's words to an error of the protocol, which has no content. */
export function noteError(error: JsonObject, plan: Plan): void {
  error.message = `${textOf(error.message)} ${plan.toModel}`.trim();
}

/** The answer to a call that does not reach the server. */
export function refusalNote(id: MessageId, verdict: Verdict, plan: Plan, isStateless: boolean): RpcMessage {
  const result = {
    ...(isStateless ? { resultType: 'complete' } : {}),
    content: [textBlock(plan.toModel)],
    isError: true,
    _meta: signsOf(verdict, plan),
  };
  return { jsonrpc: '2.0', id, result };
}

const textBlock = (text: string) => ({ type: 'text', text });

/** The same for programs. */
function signsOf({ signals }: Verdict, plan: Plan): JsonObject {
  const signal = signals.find(({ streak }) => streak === plan.streak);
  const [detector, variant] = plan.reason.split('/');
  const count = plan.action?.consecutivePatchCount;
  return {
    'unrut/signal': {
      detector,
      variant,
      rung: plan.rung,
      ...(signal ? { count: signal.count, since: signal.since, step: signal.step, strength: signal.strength, text: signal.text } : {}),
    },
    ...(plan.candidates ? { 'unrut/candidates': plan.candidates } : {}),
    ...(count === undefined ? {} : { 'unrut/consecutivePatchCount': count }),
  };
}
