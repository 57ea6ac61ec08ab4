import { isObject, type JsonObject, present, textOf } from '@unrut/engine/json';

/** The model and the agent's folder, if a file contains them. */
export interface FileFacts {
  model?: string;
  repository?: string;
}

/**
 * The meaning of a record's field: the model, the folder, or a nested record or list of records.
 */
type Telling = 'model' | 'folder' | 'inside' | 'list';
const NAMES: Record<Telling, string> = {
  model:
    'model modelID model_name modelName llm.model_name gen_ai.request.model gen_ai.response.model',
  folder: 'cwd workspaceDirectory working_dir directory workspace repo repository',
  inside:
    'message payload info agent data attributes span_attributes response event session meta llm_response usage config',
  list: 'messages steps spans agent_steps',
};
const TELLING = new Map(
  (Object.keys(NAMES) as Telling[]).flatMap((telling) =>
    NAMES[telling].split(' ').map((name) => [name, telling]),
  ),
);
/** Aider's line with the model's name. */
const MODEL_LINE = /^> (?:Main m|M)odels?: ([^\s,]+)/;
/** Max number of records to check: models and folders come early, if at all. */
const LOOKED_AT = 100;
const MAX_NAMES = 4;
const MAX_IN_LIST = 20;

interface FactWatch {
  see(record: unknown): void;
  facts(): FileFacts;
}

/** Watches a file's records for the facts of its runs. */
export interface RunFacts {
  /** A record is about to be read. */
  record(value: unknown): void;
  /** The current record belongs to this session. */
  event(session: string): void;
  of(session: string): FileFacts;
}

/** Max number of records without a session, which are assigned to the next one. */
const MAX_WAITING = 8;

/**
 * All runs of a file share its facts. A database holds sessions of many folders, so there
 * (`isApart`) each session has the facts of its own records.
 */
export function createRunFacts(isApart: () => boolean): RunFacts {
  const all = createFactWatch();
  const watches = new Map<string, FactWatch>();
  const told = new Set<string>();
  let waiting: unknown[] = [];
  function settle(): void {
    if (told.size === 0) return;
    for (const session of told) {
      const watch = watches.get(session) ?? createFactWatch();
      watches.set(session, watch);
      for (const record of waiting) watch.see(record);
    }
    told.clear();
    waiting = [];
  }
  return {
    record(value) {
      if (!isApart()) return all.see(value);
      settle();
      waiting = [value, ...waiting].slice(0, MAX_WAITING);
    },
    event: (session) => void told.add(session),
    of(session) {
      settle();
      return (isApart() ? watches.get(session) : all)?.facts() ?? {};
    },
  };
}

/** Watches records for facts. Only short texts of the expected form count. */
function createFactWatch(): FactWatch {
  const [models, folders] = [new Set<string>(), new Set<string>()];
  let left = LOOKED_AT;
  function look(value: JsonObject, depth: number): void {
    const inside: unknown[] = [];
    for (const name of Object.keys(value)) {
      const field = value[name];
      switch (TELLING.get(name)) {
        case 'model':
          keep(models, field);
          break;
        case 'folder':
          keep(folders, field);
          break;
        case 'inside':
          inside.push(field);
          break;
        case 'list':
          if (Array.isArray(field)) inside.push(...field.slice(0, MAX_IN_LIST));
      }
    }
    if (depth > 0) for (const each of inside) if (isObject(each)) look(each, depth - 1);
  }
  function keep(names: Set<string>, value: unknown): void {
    const name = textOf(value).trim();
    if (name !== '' && name.length <= 200 && !/[\n<>{}]/.test(name) && names.size < MAX_NAMES)
      names.add(name);
  }
  const one = (names: ReadonlySet<string>): string | undefined =>
    names.size === 0 ? undefined : names.size === 1 ? [...names][0] : undefined;
  return {
    see(record) {
      if (left-- <= 0 || !isObject(record)) return;
      const [, model] = MODEL_LINE.exec(textOf(record.line)) ?? [];
      if (model !== undefined) keep(models, model);
      else look(record, 2);
    },
    facts() {
      const model = one(models) ?? (models.size > 1 ? `${[...models][0]} and others` : undefined);
      const folder = [...folders][0]
        ?.split(/[\\/]/)
        .filter((part) => part !== '')
        .at(-1);
      return {
        ...present({ model, repository: folder }),
      };
    },
  };
}
