import { PERMISSIONS, SWITCHES } from '@unrut/computer-use/switches';
import {
  anything,
  choiceSchema,
  list,
  mapOf,
  numberSchema,
  object,
  oneOfSchemas,
  type Schema,
  text,
  whole,
} from './schema-words.ts';

const action = mapOf(anything('A parameter.'), 'An action: its `type` and parameters.');
const size = object({ width: whole(), height: whole() });

/** What a computer-use run is asked with. */
export const cuaTask: Schema = object(
  {
    url: text('On one of the allowed hosts.'),
    task: text('What the model should do.'),
    brain: object(
      { kind: choiceSchema(['anthropic', 'openai', 'gemini', 'scripted']) },
      {
        model: text(),
        tool: text(),
        maxTokens: whole(),
        script: list(object({ action }, { reasoning: text(), planStep: whole() })),
      },
    ),
  },
  {
    plan: object(
      {},
      {
        values: mapOf(oneOfSchemas(text(), numberSchema()), 'Values to fill in, by field label.'),
        steps: list(anything('A name, or an object with a name.')),
        required: list(text()),
        until: object({}, { url: text(), text: text() }),
      },
    ),
    maxSteps: whole('At most 200; 50 by default.'),
    viewport: size,
    off: list(choiceSchema(SWITCHES), 'Features turned off in this run.'),
    allow: list(choiceSchema(PERMISSIONS), 'What is off unless it is named here.'),
  },
);
