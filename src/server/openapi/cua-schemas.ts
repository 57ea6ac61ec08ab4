import { PERMISSIONS, SWITCHES } from '../../computer-use/switches.ts';
import { TERMINATION_REASONS } from '../../computer-use/trajectory.ts';
import {
  anything,
  choiceSchema,
  flag,
  list,
  mapOf,
  numberSchema,
  object,
  oneOfSchemas,
  orNull,
  ref,
  type Schema,
  text,
  time,
  whole,
} from './schema-words.ts';

const action = mapOf(anything('A parameter.'), 'An action: its `type` and parameters. Typed text is reduced to its length.');
const size = object({ width: whole(), height: whole() });

/** What computer-use runs are asked with, and what they give. */
export const cuaSchemas: Readonly<Record<string, Schema>> = {
  CuaTask: object(
    {
      url: text('On one of the allowed hosts.'),
      task: text('What the model should do.'),
      brain: object(
        { kind: choiceSchema(['anthropic', 'openai', 'scripted']) },
        { model: text(), tool: text(), maxTokens: whole(), script: list(object({ action }, { reasoning: text(), planStep: whole() })) },
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
  ),
  CuaRun: object(
    {
      id: text(),
      state: choiceSchema(['queued', 'running', 'ended', 'failed']),
      ...{ asked: time(), steps: whole(), refused: list(text(), 'Hosts that the page requested and was denied.') },
    },
    { began: time(), ended: time(), result: ref('CuaResult'), problem: text('Why there is no result.') },
  ),
  CuaResult: object({
    task: text(),
    termination_reason: choiceSchema(TERMINATION_REASONS),
    ...{ ending: text(), steps: whole(), seconds: numberSchema() },
    loop_recoveries_by_reason: mapOf(whole(), 'How often each reason forced a different action.'),
    done_rejections_by_reason: mapOf(whole(), 'How often a claim of success was rejected, by reason.'),
    substitutions_by_gate: mapOf(whole()),
    perceptual_summary: object({ checked: whole(), no_effect: whole() }),
    spent: orNull(object({ requests: whole(), tokens: whole() })),
    ...{ nudges: whole(), off: list(choiceSchema(SWITCHES)), trajectory: list(ref('CuaStep')) },
    final_frame: orNull(object({ frame_hash: text(), url: text() })),
  }),
  CuaStep: object({
    ...{
      step: whole(),
      at: numberSchema('Milliseconds since the start of the run.'),
      action,
      proposed_action: orNull(action),
      reasoning: text(),
    },
    ...{ gate: text(), loop_recovery_reason: text(), done_rejected_reason: text(), action_effect_observed: flag() },
    target: orNull(object({ role: text(), name: text() })),
    ...{ viewport: size, frame_hash: text(), url: text(), loop: choiceSchema(['none', 'soft', 'hard']), feedback: text() },
  }),
};
