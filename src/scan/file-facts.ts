import { isObject, type JsonObject, textOf } from '../json.ts';

/** Which model answered, and in which folder the agent worked, as far as a file says. */
export interface FileFacts {
  model?: string;
  repository?: string;
}

const MODELS = ['model', 'modelID', 'model_name', 'modelName', 'llm.model_name', 'gen_ai.request.model', 'gen_ai.response.model'];
const FOLDERS = ['cwd', 'workspaceDirectory', 'working_dir', 'directory', 'workspace', 'repo', 'repository'];
/** What holds the rest of a record. */
const INSIDE = [
  'message',
  'payload',
  'info',
  'agent',
  'data',
  'attributes',
  'span_attributes',
  'response',
  'event',
  'session',
  'meta',
  'llm_response',
  'usage',
  'config',
];
/** Records that are looked at: models and folders are told early, if at all. */
const LOOKED_AT = 300;
const MAX_NAMES = 4;

/** Watches the records of a file for who worked where. Only short texts count, and none that look like anything else. */
export function createFactWatch(): { see(record: unknown): void; facts(): FileFacts } {
  const [models, folders] = [new Set<string>(), new Set<string>()];
  let left = LOOKED_AT;
  function look(value: JsonObject, depth: number): void {
    for (const name of MODELS) keep(models, value[name]);
    for (const name of FOLDERS) keep(folders, value[name]);
    if (depth === 0) return;
    for (const name of INSIDE) if (isObject(value[name])) look(value[name], depth - 1);
    for (const list of [value.messages, value.steps, value.spans, value.agent_steps])
      if (Array.isArray(list)) for (const each of list.slice(0, 20)) if (isObject(each)) look(each, depth - 1);
  }
  function keep(names: Set<string>, value: unknown): void {
    const name = textOf(value).trim();
    if (name !== '' && name.length <= 200 && !/[\n<>{}]/.test(name) && names.size < MAX_NAMES) names.add(name);
  }
  const one = (names: ReadonlySet<string>): string | undefined =>
    names.size === 0 ? undefined : names.size === 1 ? [...names][0] : undefined;
  return {
    see(record) {
      if (left-- > 0 && isObject(record)) look(record, 2);
    },
    facts() {
      const model = one(models) ?? (models.size > 1 ? `${[...models][0]} and others` : undefined);
      const folder = [...folders][0]
        ?.split(/[\\/]/)
        .filter((part) => part !== '')
        .at(-1);
      return { ...(model === undefined ? {} : { model }), ...(folder === undefined ? {} : { repository: folder }) };
    },
  };
}
