import type { AgentEvent } from '@unrut/engine/event';
import { createGuard, emptyVerdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, it } from 'vitest';
import { createConversations } from './conversation.ts';
import type { Item } from './dialect.ts';
import type { FrameworkOptions } from './options.ts';

const SAME = 'Three pages were found, none of which says more about it than the others do.';

/** A history of equal calls, each with its result. */
function history(
  count: number,
  { from = 0, ids = (n: number) => `call_number_${n}` } = {},
): Item[] {
  const steps = Array.from({ length: count }, (_, n): Item[] => [
    { kind: 'call', id: ids(n), tool: 'search', args: { q: 'foo' } },
    { kind: 'result', id: ids(n), at: [1 + n], result: SAME },
  ]);
  return [{ kind: 'user', text: 'Go.' }, ...steps.slice(from).flat()];
}

/** Plays a loop, and gives the rungs of its plans. */
async function play(
  options: FrameworkOptions,
  steps: number,
  ids?: (n: number) => string,
  before = (_: number) => {},
): Promise<string[]> {
  const rungs: string[] = [];
  const conversations = createConversations('test', {
    ...options,
    onPlan: ({ rung }) => void rungs.push(rung),
  });
  for (let n = 0; n < steps; n++) {
    const turn = await conversations.before(history(n, ids ? { ids } : {}));
    before(n);
    if (!turn || turn.stop) break;
    const call = {
      id: (ids ?? ((i) => `call_number_${i}`))(n),
      tool: 'search',
      args: { q: 'foo' },
    };
    for (let again = 0; again < 4; again++) {
      const { refused, stop } = await conversations.after(turn, { said: [], calls: [call] });
      if (stop) return [...new Set(rungs)];
      if (refused.length === 0) break;
    }
  }
  return [...new Set(rungs)];
}

const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];

describe('conversations', () => {
  it('climbs every rung in a loop, also where ids repeat or are missing', async () => {
    expect(await play({}, 20)).toEqual(LADDER);
    expect(await play({}, 20, () => 'call_0')).toEqual(LADDER);
    expect(await play({}, 20, () => '')).toEqual(LADDER);
  });

  it('does not take the time that a model thinks for a pause of the agent', async () => {
    const now = Date.now;
    let clock = now();
    Date.now = () => clock;
    try {
      const thinking = () => {
        clock += 60_000;
      };
      expect(await play({}, 20, undefined, thinking)).toContain('stop');
    } finally {
      Date.now = now;
    }
  });

  it('follows a conversation whose history was cut, keeps its notes, and tells the guard', async () => {
    const seen: AgentEvent[] = [];
    const guard = createGuard({ attended: false });
    const conversations = createConversations('test', {
      guard: {
        observe(event) {
          seen.push(event);
          return guard.observe(event);
        },
      },
    });
    for (let n = 0; n <= 3; n++) {
      const turn = await conversations.before(history(n));
      await conversations.after(turn!, {
        said: [],
        calls: [{ id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } }],
      });
    }
    const cut = await conversations.before(history(4, { from: 2 }));
    expect(seen.filter(({ type }) => type === 'context-compacted')).toHaveLength(1);
    expect(seen.filter(({ type }) => type === 'call-finished')).toHaveLength(4);
    expect(new Set(seen.map(({ session }) => session)).size).toBe(1);
    expect(cut!.notes.map(({ at }) => at)).toEqual([[3]]);
  });

  it.each([
    ['calls with ids of their own', 'call_number_2', 1],
    ['calls whose ids any conversation may have', 'call_2', 2],
  ])('follows a history of which only the last response is left: %s', async (_, id, sessions) => {
    const seen: AgentEvent[] = [];
    const guard = createGuard({ attended: false });
    const conversations = createConversations('test', {
      guard: {
        observe(event) {
          seen.push(event);
          return guard.observe(event);
        },
      },
    });
    const turn = await conversations.before(history(2));
    const call = { id, tool: 'search', args: { q: 'foo' } };
    await conversations.after(turn!, { said: [], calls: [call] });
    await conversations.before([
      { kind: 'user', text: 'Summary: two searches were made.' },
      { kind: 'call', ...call },
      { kind: 'result', id, at: [2], result: SAME },
    ]);
    expect(new Set(seen.map(({ session }) => session)).size).toBe(sessions);
    expect(seen.some(({ type }) => type === 'context-compacted')).toBe(sessions === 1);
  });

  it('takes a branch of a conversation for another one', async () => {
    const sessions: string[] = [];
    const conversations = createConversations('test', {
      onPlan: (_, { session }) => void sessions.push(session),
    });
    for (let n = 0; n <= 3; n++) {
      const turn = await conversations.before(history(n));
      await conversations.after(turn!, {
        said: [],
        calls: [{ id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } }],
      });
    }
    for (const n of [1, 2]) {
      const turn = await conversations.before(history(n));
      expect(turn!.notes).toEqual([]);
    }
    expect(sessions).toHaveLength(1);
  });

  it('takes a request again after the model failed, and counts nothing twice', async () => {
    const seen: AgentEvent[] = [];
    const guard = createGuard();
    const conversations = createConversations('test', {
      guard: {
        observe(event) {
          seen.push(event);
          return guard.observe(event);
        },
      },
    });
    const turn = await conversations.before(history(1));
    conversations.failed(turn!);
    await conversations.before(history(1));
    expect(seen.filter(({ type }) => type === 'call-finished')).toHaveLength(1);
    expect(new Set(seen.map(({ session }) => session)).size).toBe(1);
  });

  it('performs nothing above a hint for what happened before this process, and the rest when the loop continues', async () => {
    const rungs: string[] = [];
    const conversations = createConversations('test', {
      onPlan: ({ rung }) => void rungs.push(rung),
    });
    const turn = await conversations.before(history(9));
    expect([turn!.stop, rungs]).toEqual([null, []]);
    expect(turn!.notes.length).toBeGreaterThan(0);
    await conversations.after(turn!, {
      said: [],
      calls: [{ id: 'call_number_9', tool: 'search', args: { q: 'foo' } }],
    });
    const next = await conversations.before(history(10));
    expect(next!.stop?.rung).toBe('stop');
    expect(next!.notes.slice(0, turn!.notes.length)).toEqual(turn!.notes);
  });

  it('continues in a new process where the state is in a ledger', async () => {
    const ledger = createMemoryLedger();
    const rungs: string[] = [];
    for (let n = 0; n < 12; n++) {
      // A process for each request, as in a serverless function.
      const guard = createRecorder(ledger, { attended: false });
      const conversations = createConversations('test', {
        guard,
        session: 's',
        onPlan: ({ rung }) => void rungs.push(rung),
      });
      const turn = await conversations.before(history(n));
      if (turn!.stop) break;
      const call = { id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } };
      let judged = await conversations.after(turn!, { said: [], calls: [call] });
      for (let again = 0; again < 3 && judged.refused.length > 0 && !judged.stop; again++)
        judged = await conversations.after(turn!, { said: [], calls: [call] });
      if (judged.stop) break;
    }
    expect([...new Set(rungs)]).toEqual(LADDER);
  });

  it('keeps a text for the next result if the calls of a response bring none', async () => {
    const REFUSED = 'Its answer is known.';
    const block = { id: 'p', rung: 'block', streak: 's', toModel: REFUSED } as Plan;
    const conversations = createConversations('test', {
      guard: {
        observe: (event) => ({
          ...emptyVerdict(),
          plan: event.type === 'call-proposed' && event.call.id === 'refused_1' ? block : null,
        }),
      },
    });
    const call = (id: string) => ({ id, tool: 'search', args: { q: id } });
    const items: Item[] = [{ kind: 'user', text: 'Go.' }];
    const first = await conversations.before(items);
    const judged = await conversations.after(first!, {
      said: [],
      calls: [call('refused_1'), call('passed_1')],
    });
    expect(judged.refused.map(({ call: { id } }) => id)).toEqual(['refused_1']);
    // The run was cut short: the other call has no result, and a person speaks.
    items.push({ kind: 'call', ...call('passed_1') }, { kind: 'user', text: 'Go on.' });
    const second = await conversations.before(items);
    expect(second!.notes).toEqual([]);
    await conversations.after(second!, { said: [], calls: [call('passed_2')] });
    items.push(
      { kind: 'call', ...call('passed_2') },
      { kind: 'result', id: 'passed_2', at: [4], result: 'Found it.' },
    );
    const third = await conversations.before(items);
    expect(third!.notes).toEqual([{ at: [4], text: REFUSED }]);
  });

  it('reads only what is new where the provider keeps the rest', async () => {
    const rungs: string[] = [];
    const conversations = createConversations('test', {
      onPlan: ({ rung }) => void rungs.push(rung),
    });
    for (let n = 0; n < 4; n++) {
      const all = history(n);
      const rest = n === 0 ? all : all.slice(-1);
      const turn = await conversations.before(rest, { session: 's', isRest: n > 0 });
      await conversations.after(turn!, {
        said: [],
        calls: [{ id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } }],
      });
    }
    expect(rungs).toEqual(['note']);
  });

  it('names a nested agent, and keeps its state apart', async () => {
    const seen = new Set<string>();
    const guard = createGuard();
    const conversations = createConversations('test', {
      guard: {
        observe(event) {
          seen.add(`${event.session}/${event.agent}`);
          return guard.observe(event);
        },
      },
    });
    await conversations.before(history(1), { session: 's' });
    await conversations.before(history(1), { session: 's', agent: 'helper' });
    expect([...seen]).toEqual(['s/undefined', 's/helper']);
  });
});
