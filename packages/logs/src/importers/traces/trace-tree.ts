import { keepIn } from '@unrut/engine/recent';
import type { TracePart, TracePlace } from './trace-part.ts';

/** The remembered data of a part, for finding enclosing parts. */
interface Node {
  parent: string | undefined;
  kind: 'model' | 'tool' | undefined;
  /** The step that it describes, and that step's call. */
  step: string | undefined;
  call: string | undefined;
  /** The name of the agent whose span it is. */
  agent: string | undefined;
}

/** Limits the search for parents in broken data. */
const MAX_DEPTH = 200;

/** The nesting of parts, and the sessions of traces. Holds the latest `most` of both. */
export class TraceTree {
  readonly #nodes = new Map<string, Node>();
  readonly #sessions = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a part with its step. */
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

  /** Assigns a part to another step. */
  move(id: string | undefined, step: string, call: string | undefined): void {
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (node) Object.assign(node, { step, call });
  }

  /** The enclosing step, if it is of this kind. */
  within(parent: string | undefined, kind: 'model' | 'tool', itself: string): string | undefined {
    for (const node of this.#above(parent))
      if (node.kind && node.step !== itself) return node.kind === kind ? node.step : undefined;
    return undefined;
  }

  /**
   * The nested agent under this parent: one inside a tool call, or with another name than the
   * enclosing agent.
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

  /** The outermost enclosing part that has not arrived yet; undefined if all are known. */
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
