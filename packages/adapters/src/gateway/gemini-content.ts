import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  present,
  textOf,
} from '@unrut/engine/json';
import { GEMINI_COUNTS, spentIn } from '@unrut/reading/response-cost';
import { addUsage } from '../frameworks/add-usage.ts';
import type { SaidItem } from '../frameworks/dialect.ts';
import { refusalAt } from '../frameworks/guarded-answer.ts';
import { withNotes } from '../frameworks/messages/dialect.ts';
import {
  event,
  type GatewayDialect,
  itemsOnceIn,
  ownId,
  type StreamCut,
  stoppedSign,
} from './gateway-dialect.ts';

const candidateOf = ({ candidates }: JsonObject): JsonObject => objectsOf(candidates)[0] ?? {};
const partsOf = (response: JsonObject): JsonObject[] =>
  objectsOf(objectOf(candidateOf(response).content).parts);
const isCall = (part: JsonObject): boolean => isObject(part.functionCall);
const withParts = (response: JsonObject, parts: readonly JsonObject[]): JsonObject => {
  const candidate = candidateOf(response);
  return {
    ...response,
    candidates: [
      { ...candidate, content: { role: 'model', ...objectOf(candidate.content), parts } },
    ],
  };
};
/** The last path before a method: `…/models/gemini-3-pro:generateContent`. */
const METHOD = /:(stream)?generateContent$/i;

/** Google's generateContent. */
export const geminiContent: GatewayDialect = {
  matches: (path) => METHOD.test(path),
  isStreamed: (_, path) => METHOD.exec(path)?.[1] !== undefined,
  items: ({ contents }) => itemsOnceIn(contents),
  tools: ({ tools }) => (Array.isArray(tools) ? objectsOf(tools).flatMap(namesOf) : undefined),
  hasSchema: ({ generationConfig }) => {
    const { responseSchema, responseJsonSchema, responseMimeType } = objectOf(generationConfig);
    return (
      (responseSchema ?? responseJsonSchema) !== undefined ||
      responseMimeType === 'application/json'
    );
  },
  withNotes: (body, notes) => ({
    ...body,
    contents: withNotes(body.contents, notes),
  }),
  said: (response) => joined(partsOf(response)),
  calls: (response) =>
    partsOf(response).flatMap((part) => {
      if (!isCall(part)) return [];
      const { id, name, args } = objectOf(part.functionCall);
      return [{ id: textOf(id), tool: textOf(name), args: args ?? {} }];
    }),
  cost: ({ usageMetadata }, price) => spentIn(usageMetadata, GEMINI_COUNTS, price),
  without(response, refused) {
    const parts = partsOf(response);
    const calls = parts.filter(isCall);
    // The signature for all calls of a response is on the first one.
    const signature = calls[0]?.thoughtSignature;
    const kept = parts.filter((part) => !refusalAt(refused, calls.indexOf(part)));
    const first = kept.find(isCall);
    const signed = (part: JsonObject) =>
      part === first && signature !== undefined ? { ...part, thoughtSignature: signature } : part;
    return withParts(response, kept.map(signed));
  },
  askAgain(body, response, refused) {
    const parts = partsOf(response)
      .filter(isCall)
      .map((part, i) => {
        const { id, name } = objectOf(part.functionCall);
        const own = { ...present({ id }), name };
        return {
          functionResponse: { ...own, response: { error: refusalAt(refused, i)?.text ?? '' } },
        };
      });
    const turns = [objectOf(candidateOf(response).content), { role: 'user', parts }];
    return { ...body, contents: [...listOf(body.contents), ...turns] };
  },
  added: (earlier, later) => ({
    ...later,
    usageMetadata: addUsage(earlier.usageMetadata, later.usageMetadata),
  }),
  finalAnswer: (body, plan) => ({
    candidates: [lastCandidate({ plan, hasSchema: geminiContent.hasSchema!(body) })],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    modelVersion: 'unrut',
    responseId: ownId(),
    unrut: stoppedSign(plan),
  }),
  streamOf: (response) => event(response),
  open() {
    const parts: JsonObject[] = [];
    let whole: JsonObject = {};
    let holds: 'calls' | 'end' | undefined;
    /** Parts before the first call or the end. */
    let sent = 0;
    return {
      read(data) {
        const added = partsOf(data);
        whole = {
          ...whole,
          ...data,
          candidates: [{ ...candidateOf(whole), ...candidateOf(data) }],
        };
        parts.push(...added);
        if (added.some(isCall)) holds ??= 'calls';
        if (candidateOf(data).finishReason !== undefined) holds = 'end';
        if (!holds) sent = parts.length;
        return { said: joined(added), holds };
      },
      response: () => withParts(whole, parts),
      rest: (response, isOther) =>
        event(withParts(response, partsOf(response).slice(isOther ? 0 : sent))),
      cut: (why) =>
        event({ ...whole, candidates: [lastCandidate(why)], unrut: stoppedSign(why.plan) }),
    };
  },
};

/** A final text; if it would violate a schema, an end without content, with the reason. */
const lastCandidate = ({ plan: { toHuman }, hasSchema }: StreamCut): JsonObject =>
  hasSchema
    ? {
        index: 0,
        content: { role: 'model', parts: [] },
        finishReason: 'OTHER',
        finishMessage: toHuman,
      }
    : { index: 0, content: { role: 'model', parts: [{ text: toHuman }] }, finishReason: 'STOP' };

const namesOf = ({ functionDeclarations }: JsonObject): string[] =>
  objectsOf(functionDeclarations).map(({ name }) => textOf(name));

/** The texts in parts; adjacent ones of the same kind are joined. */
function joined(parts: readonly JsonObject[]): SaidItem[] {
  const said: SaidItem[] = [];
  for (const { text, thought } of parts) {
    if (typeof text !== 'string' || text === '') continue;
    const channel = thought === true ? 'thinking' : 'answer';
    const last = said.at(-1);
    if (last?.channel === channel) last.text += text;
    else said.push({ kind: 'said', text, channel });
  }
  return said;
}
