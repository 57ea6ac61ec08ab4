import type { ImportedRun, Importer, ImportMoment, Returned } from '../hosts/reading/importer.ts';
import { kindOf } from '../hosts/reading/run-documents.ts';
import { isObject } from '../json.ts';

const BEGIN = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;
const APPLIED = /^> Applied edit to (.+)$/;
const REFUSED =
  /^> (?:.*SEARCH\/REPLACE blocks? failed to match|The LLM did not conform to the edit format|.*did not match any file|Only \d+ reflections)/;
const TOKENS = /^> Tokens: ([\d.]+k?) sent.*?, ([\d.]+k?) received\.(?: Cost: \$([\d.]+) message)?/;
const BLOCK = /(?:^|\n)([^\n`<]+)\n(?:```|~~~)[^\n]*\n<{5,9} SEARCH\n([\s\S]*?)\n?={5,9}\n([\s\S]*?)\n?>{5,9} REPLACE/g;

/** The chat history that Aider keeps as Markdown. */
export const aider: Importer = {
  name: 'aider',
  reads: "Aider's `.aider.chat.history.md`: edits, and whether they applied",
  sample: 'written to the known shape, unchecked against a recording',
  recognises: (first) => first.some((record) => BEGIN.test(lineOf(record) ?? '')),
  open(source) {
    let sessions = 0;
    let session: Session | undefined;
    return {
      read(record) {
        const line = lineOf(record);
        if (line === undefined) {
          source.unknown(kindOf(record));
          return;
        }
        const begin = BEGIN.exec(line);
        if (begin) {
          session?.end();
          sessions++;
          session = createSession(source.run(sessions === 1 ? source.name : `${source.name}#${sessions}`), begin[1]!);
        } else if (session) session.read(line);
        else if (line.trim() !== '') source.unknown('text before a chat');
      },
      end: () => session?.end(),
    };
  },
};

const lineOf = (record: unknown): string | undefined =>
  isObject(record) && typeof record.line === 'string' ? record.line.replace(/\r$/, '') : undefined;

interface Session {
  read(line: string): void;
  end(): void;
}

/** `4.2k`. */
const count = (text: string): number => (text.endsWith('k') ? Number(text.slice(0, -1)) * 1000 : Number(text));

function createSession(run: ImportedRun, begun: string): Session {
  let kind: 'person' | 'says' | 'told' = 'told';
  let lines: string[] = [];
  let waiting: string[] = [];
  let edits = 0;
  let isFenced = false;
  let moment: ImportMoment = { at: `${begun.replace(' ', 'T')}Z` };
  const next = (): ImportMoment => {
    const now = moment;
    moment = {};
    return now;
  };

  /** What was written so far is over: what a person asked, or what the model answered. */
  function flush(): void {
    const text = lines.join('\n').trim();
    lines = [];
    if (text === '') return;
    if (kind === 'person') {
      answer({});
      run.person(text, next());
    } else if (kind === 'says') tell(text);
  }
  function tell(text: string): void {
    const blocks = [...text.matchAll(BLOCK)];
    if (blocks.length === 0) run.says(text, next());
    else run.thinks(text.slice(0, blocks[0]!.index).trim(), next());
    const batch = `answer ${edits}`;
    for (const [, path, search, replace] of blocks) call(path!.trim(), { search, replace }, batch);
  }
  function call(path: string, edit: object, batch: string): void {
    const id = `${++edits} ${path}`;
    run.calls({ id, tool: 'edit', args: { path, ...edit }, batch }, next());
    waiting.push(id);
  }
  /** The edits that wait came to this, or those of one file. */
  function answer(returned: Returned, path?: string): void {
    for (const id of waiting) if (path === undefined || id.endsWith(` ${path}`)) run.returns(id, returned, {});
    waiting = waiting.filter((id) => path !== undefined && !id.endsWith(` ${path}`));
  }
  function hear(line: string): void {
    const [, path] = APPLIED.exec(line) ?? [];
    const [, sent, received, usd] = TOKENS.exec(line) ?? [];
    if (sent !== undefined)
      moment = { ...moment, cost: { tokens: count(sent) + count(received!), ...(usd === undefined ? {} : { usd: Number(usd) }) } };
    if (path !== undefined) {
      // Other forms of edits than search and replace are known by what they did.
      if (!waiting.some((id) => id.endsWith(` ${path}`))) call(path, {}, `applied ${edits}`);
      answer({ result: line.slice(2) }, path);
    } else if (REFUSED.test(line)) answer({ result: line.slice(2), error: true });
  }

  return {
    read(line) {
      if (kind === 'says' && line.startsWith('```')) isFenced = !isFenced;
      if (isFenced) {
        lines.push(line);
        return;
      }
      const now =
        line.startsWith('#### ') || line === '####' ? 'person' : /^>(?: |$)/.test(line) ? 'told' : line.trim() === '' ? kind : 'says';
      if (now !== kind) flush();
      kind = now;
      if (now === 'told') {
        if (line.startsWith('>')) hear(line);
      } else lines.push(now === 'person' ? line.replace(/^#### ?/, '') : line);
    },
    end() {
      flush();
      answer({});
      run.ends(moment.cost === undefined ? {} : { cost: moment.cost });
    },
  };
}
