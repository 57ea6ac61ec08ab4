import { PERMISSIONS, SWITCHES } from '@unrut/computer-use/switches';
import * as v from 'valibot';
import {
  anything,
  choice,
  list,
  mapOf,
  maybe,
  named,
  numeric,
  object,
  text,
  whole,
} from '../route/schema-words.ts';

const action = mapOf(v.unknown(), 'An action: its `type` and parameters.');

/** The body of `POST /v1/cua`; `readTask` checks it. */
export const cuaTask = named(
  'CuaTask',
  object({
    url: text('On one of the allowed hosts.'),
    task: text('What the model should do.'),
    brain: object({
      kind: choice(['anthropic', 'openai', 'gemini', 'scripted']),
      model: maybe(text()),
      tool: maybe(text()),
      maxTokens: maybe(whole()),
      script: maybe(list(object({ action, reasoning: maybe(text()), planStep: maybe(whole()) }))),
    }),
    plan: maybe(
      object({
        values: maybe(mapOf(v.union([text(), numeric()]), 'Values to fill in, by field label.')),
        steps: maybe(list(anything('A name, or an object with a name.'))),
        required: maybe(list(text())),
        until: maybe(object({ url: maybe(text()), text: maybe(text()) })),
      }),
    ),
    maxSteps: maybe(whole('At most 200; 50 by default.')),
    viewport: maybe(object({ width: whole(), height: whole() })),
    off: maybe(list(choice(SWITCHES), 'Features turned off in this run.')),
    allow: maybe(list(choice(PERMISSIONS), 'What is off unless it is named here.')),
  }),
);
