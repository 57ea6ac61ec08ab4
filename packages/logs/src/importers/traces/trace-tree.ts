import { keepIn } from '@unrut/engine/recent';
import type { TracePart, TracePlace } from './trace-part.ts';

/** What is remembered of a part: enough to say in what another one happened. */
interface Node {
  parent: string | undefined;
  kind: 'model' | 'tool' | undefined;
  /** The step that it tells of, and that step's call. */
  step: string | undefined;
  call: string | undefined;
  /** The name of the agent whose span it is. */
  agent: string | undefined;
}

/** A chain of parents ends somewhere, unless the source is broken. */
const MAX_DEPTH = 200;

/**
 * Which part happened in which, and which trace belongs to which session. Holds the latest `most`
 * of both.
 */
export class TraceTree {
  readonly #nodes = new Map<string, Node>();
  readonly #sessions = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Remembers a part, and the step that it tells of. */
  add({ id, parent, trace, session, tells }: TracePart, step: string | undefined): void {
    if (trace !== undefined && session !== undefined && !this.#sessions.has(trace))
      keepIn(this.#sessions, trace, session, this.#most);
    if (id === undefined) return;
    const kind = tells?.kind === 'model' || tells?.kind === 'tool' ? tells.kind : undefined;
    const call = tells?.kind === 'tool' ? (tells.call ?? id) : undefined;
    keepIn(
      this.#nodes,
      id,
      { parent, kind, step, call, agent: tells?.kind === 'agent' ? tells.name : undefined },
      this.#most,
    );
  }

  /** The part tells of another step, as it turned out. */
  move(id: string | undefined, step: string, call: string | undefined): void {
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (node) Object.assign(node, { step, call });
  }

  /** The step that it happened in, when that is of this kind. */
  within(parent: string | undefined, kind: 'model' | 'tool', itself: string): string | undefined {
    for (const node of this.#above(parent))
      if (node.kind && node.step !== itself) return node.kind === kind ? node.step : undefined;
    return undefined;
  }

  /**
   * The nested agent at work under this parent: one that works in a tool call, or has another name
   * than the agent around it.
   */
  agentUnder(parent: string | undefined, itself: string): string | undefined {
    let name: string | undefined;
    for (const node of this.#above(parent)) {
      if (node.kind === 'tool' && node.step !== itself) return node.call;
      if (node.agent === undefined || node.agent === name) continue;
      if (name !== undefined) return name;
      name = node.agent;
    }
    return undefined;
  }

  /**
   * The outermost part around this one that is not here yet; nothing when all that it stands in is
   * known.
   */
  missingAbove(parent: string | undefined): string | undefined {
    let id = parent;
    for (let depth = 0; id !== undefined && depth < MAX_DEPTH; depth++) {
      const node = this.#nodes.get(id);
      if (!node) return id;
      id = node.parent;
    }
    return undefined;
  }

  sessionOf({ session, trace }: TracePlace): string | undefined {
    return session ?? (trace === undefined ? undefined : (this.#sessions.get(trace) ?? trace));
  }

  *#above(id: string | undefined): Generator<Node> {
    let node = id === undefined ? undefined : this.#nodes.get(id);
    for (let depth = 0; node && depth < MAX_DEPTH; depth++) {
      yield node;
      node = node.parent === undefined ? undefined : this.#nodes.get(node.parent);
    }
  }
}
