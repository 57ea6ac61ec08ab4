import type { Call } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { SessionName } from './options.ts';

/** The state of a conversation after its last request. */
export interface KnownConversation extends SessionName {
  /**
   * Hashes of user texts, calls and results, in order. Assistant texts are left out, since
   * frameworks trim and split them.
   */
  prints: string[];
  /** Calls of the response to its last request. */
  proposed: Call[];
  /** Blocked calls: if a history contains them, they are not new. */
  refused: Call[];
  /**
   * Its last request was asked, and did not fail: the same request once more begins another
   * conversation.
   */
  taken: boolean;
  /** Texts on results, by their place in `prints`. */
  notes: Map<number, string>;
  /** Texts that wait for the next result. */
  untold: string[];
  /**
   * Plans made of a history from before this process, by streak: performed when the streak
   * continues.
   */
  owed: Map<string, Plan>;
  /** It had a plan, so the next response may have to be changed. */
  watched: boolean;
  /** Until a person speaks. */
  stopped: Plan | null;
  tools: string;
  /** The last requested model, if the request names it. */
  model?: string | undefined;
  responses: number;
}

/** A request's information about its run. */
export interface Asked extends Partial<SessionName> {
  /** Only new items, since the provider stores the others. */
  isRest?: boolean;
  /** Sets conversations without a name apart: equal beginnings in other scopes are not theirs. */
  scope?: string;
  tools?: readonly string[] | undefined;
  /** The name of the model that is asked. */
  model?: string | undefined;
}

/** The conversation that a request continues, and how much of the request it knows. */
interface Found {
  conversation: KnownConversation;
  from: number;
  /** The history was cut or summarised. */
  isShorter: boolean;
}

const MAX_CONVERSATIONS = 200;

/**
 * The conversations that were seen of late, the least recently used out first. `usual` names the
 * session of those without a name.
 */
export function createKnown(name: string, usual: string | undefined) {
  const known = new Set<KnownConversation>();
  const UNNAMED = `${name} `;

  function find(prints: readonly string[], asked: Asked): Found {
    const { session = usual, agent, scope } = asked;
    const within = scope === undefined ? '' : `-${scope}`;
    const isUnnamed = ({ session: each }: KnownConversation): boolean =>
      each.startsWith(UNNAMED) && each.endsWith(within);
    const mine = [...known].filter((each) =>
      session === undefined ? isUnnamed(each) : each.session === session,
    );
    const own = mine.filter((each) => each.agent === agent).reverse();
    if (asked.isRest && own[0]) return { conversation: own[0], from: 0, isShorter: false };
    let found: { conversation: KnownConversation; length: number; fit: number } | undefined;
    for (const conversation of own) {
      const { prints: before, taken } = conversation;
      const { length } = before;
      if (length > prints.length || before[length - 1] !== prints[length - 1]) continue;
      if (taken && length === prints.length && session === undefined) continue;
      const fit = fitOf(conversation, prints.slice(length));
      if (found && (found.length > length || (found.length === length && found.fit >= fit)))
        continue;
      if ((fit > 0 || session !== undefined) && before.every((print, i) => print === prints[i]))
        found = { conversation, length, fit };
    }
    if (found) return { conversation: found.conversation, from: found.length, isShorter: false };
    const kept = own.find((each) => session !== undefined || isCut(each, prints));
    if (!kept)
      return {
        conversation: start(session ?? `${UNNAMED}${randomName()}${within}`, agent),
        from: 0,
        isShorter: false,
      };
    return {
      conversation: kept,
      from: 1 + prints.findLastIndex((print) => kept.prints.includes(print)),
      isShorter: true,
    };
  }

  function start(session: string, agent: string | undefined): KnownConversation {
    return {
      session,
      ...present({ agent }),
      prints: [],
      proposed: [],
      refused: [],
      taken: false,
      notes: new Map(),
      untold: [],
      owed: new Map(),
      watched: false,
      stopped: null,
      tools: '',
      responses: 0,
    };
  }

  function use(conversation: KnownConversation): void {
    known.delete(conversation);
    known.add(conversation);
    if (known.size > MAX_CONVERSATIONS) known.delete(known.values().next().value!);
  }

  return { find, use };
}

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('');

export const includes = (
  calls: readonly Call[],
  { id, tool }: Pick<Call, 'id' | 'tool'>,
): boolean => calls.some((call) => call.id === id && call.tool === tool);

/**
 * How well what follows in a request fits the calls of the last response: by id and tool, by tool,
 * not at all. Calls that the provider ran itself may stand before them, each with its result.
 */
function fitOf({ proposed, refused }: KnownConversation, following: readonly string[]): number {
  const calls = [...proposed, ...refused];
  if (calls.length === 0 || !isCall(following[0])) return 1;
  const fits = (print: string): number => {
    const { id, tool } = callIn(print);
    return Math.max(...calls.map((call) => (call.tool !== tool ? 0 : call.id === id ? 2 : 1)));
  };
  for (let i = 2; isCall(following[i]) && following[i - 1]!.startsWith('r '); i += 2)
    if (fits(following[i]!) === 2) return 2;
  return fits(following[0]!);
}

const isCall = (print: string | undefined): print is string => print?.startsWith('c ') === true;

/**
 * Whether a history was cut or summarised: its last step is still there, or the calls of the
 * following response. With neither or both complete, it is another conversation with the same
 * beginning.
 */
function isCut(
  { prints: before, proposed }: KnownConversation,
  prints: readonly string[],
): boolean {
  const last = before.findLast((print) => isDistinct(print));
  const isKept = last !== undefined && prints.includes(last);
  const isContinued = prints.some(
    (print) => isCall(print) && isDistinct(print) && includes(proposed, callIn(print)),
  );
  return (isKept || isContinued) && before.some((print, i) => print !== prints[i]);
}

/** Ids that are short or missing may be in any conversation. */
const isDistinct = (print: string): boolean => /^[cr] \S{8}/.test(print);

function callIn(print: string): Pick<Call, 'id' | 'tool'> {
  const [, id = '', tool = ''] = print.split(' ', 3);
  return { id, tool };
}
