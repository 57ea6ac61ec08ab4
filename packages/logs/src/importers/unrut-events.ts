import type { AgentEvent } from '@unrut/engine/event';
import { isObject } from '@unrut/engine/json';
import { EVENT_TYPES, whyNotAnEvent } from '@unrut/engine/read-event';
import type { Importer } from '@unrut/reading/importer';

const TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

const isEvent = (record: unknown): boolean =>
  isObject(record) && TYPES.has(record.type) && typeof record.session === 'string';

/** Unrut's own events: the input of `guard.observe`. */
export const unrutEvents: Importer = {
  name: 'unrut-events',
  reads: "Unrut's own events, one a line, as given to `guard.observe` and read by `unrut show`",
  sample: 'own',
  recognises: (first) => first.some(isEvent),
  open(source) {
    return {
      read(record) {
        const why = whyNotAnEvent(record);
        if (why) source.unknown(isObject(record) ? String(record.type) : typeof record);
        else {
          const event = record as AgentEvent;
          source.run(event.session, event.agent).observed(event);
        }
      },
    };
  },
};
