import type { Verdict } from '@unrut/engine/guard';
import { type JsonObject, listOf, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { JsonPlace } from './json-place.ts';
import type { MessageId, RpcMessage } from './json-rpc.ts';

/**
 * How a note is put into a result: after its content; with the structured content left out, for
 * hosts that show only that; as an error.
 */
export const NOTES = ['append', 'strip-structured', 'error'] as const;
export type Notes = (typeof NOTES)[number];

/** Clients that show their model only structured content if there is any, as seen in their code. */
const STRUCTURED_ONLY = /^claude-code/i;

/** How to add notes for a client, by the name that it reports. */
export const notesOf = (client: string): Notes =>
  STRUCTURED_ONLY.test(client) ? 'strip-structured' : 'append';

/** Adds the plan's text at the end of a complete result, in the received message. */
export function noteResult(
  place: JsonPlace | undefined,
  result: JsonObject,
  verdict: Verdict,
  plan: Plan,
  notes: Notes,
): void {
  const blocks = [textBlock(plan.toModel)];
  if (notes === 'strip-structured' && result.structuredContent !== undefined) {
    if (listOf(result.content).length === 0)
      blocks.unshift(textBlock(JSON.stringify(result.structuredContent)));
    place?.delete('structuredContent');
  }
  const content = place?.get('content');
  if (content?.isList) for (const block of blocks) content.push(block);
  else place?.set('content', blocks);
  if (notes === 'error') place?.set('isError', true);
  addMeta(place, signsOf(verdict, plan));
}

/** Adds figures alone, for programs. */
export const countResult = (
  place: JsonPlace | undefined,
  figures: Readonly<Record<string, number>>,
): void => addMeta(place, named(figures));

const named = (figures: Readonly<Record<string, number>> = {}): JsonObject =>
  Object.fromEntries(Object.entries(figures).map(([name, count]) => [`unrut/${name}`, count]));

function addMeta(place: JsonPlace | undefined, signs: JsonObject): void {
  const meta = place?.get('_meta');
  if (!meta?.isObject) place?.set('_meta', signs);
  else for (const [name, value] of Object.entries(signs)) meta.set(name, value);
}

/** Adds the plan's words to an error of the protocol, which has no content. */
export const noteError = (
  place: JsonPlace | undefined,
  { message }: JsonObject,
  plan: Plan,
): void => place?.set('message', `${textOf(message)} ${plan.toModel}`.trim());

/** The answer to a call that does not reach the server. */
export function refusalNote(
  id: MessageId,
  verdict: Verdict,
  plan: Plan,
  isStateless: boolean,
): RpcMessage {
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
function signsOf({ signals, figures }: Verdict, plan: Plan): JsonObject {
  const ofStreak = signals.filter(({ streak }) => streak === plan.streak);
  const signal =
    ofStreak.find(({ detector, variant }) => `${detector}/${variant}` === plan.reason) ??
    ofStreak[0];
  const [detector, variant] = plan.reason.split('/');
  const { consecutivePatchCount } = plan.action ?? {};
  return {
    'unrut/signal': {
      detector,
      variant,
      rung: plan.rung,
      ...(signal
        ? {
            count: signal.count,
            since: signal.since,
            step: signal.step,
            strength: Math.round(signal.strength * 1000) / 1000,
            text: signal.text,
          }
        : {}),
    },
    ...(plan.candidates ? { 'unrut/candidates': plan.candidates } : {}),
    ...named({
      ...figures,
      ...(typeof consecutivePatchCount === 'number' ? { consecutivePatchCount } : {}),
    }),
  };
}
