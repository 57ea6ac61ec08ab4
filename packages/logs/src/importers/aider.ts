import { isObject } from '@unrut/engine/json';
import type { ImportedRun, Importer, ImportMoment, Returned } from '@unrut/reading/importer';
import { kindOf } from '@unrut/reading/run-documents';

const BEGIN = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;
const APPLIED = /^> Applied edit to (.+)$/;
const REFUSED =
  /^> (?:.*SEARCH\/REPLACE blocks? failed to match|The LLM did not conform to the edit format|.*did not match any file)/;
const TOKENS =
  /^> (?:Tokens: )?([\d.,]+[kM]?) (?:sent|prompt tokens).*?, ([\d.,]+[kM]?) (?:received|completion tokens)(?:\. Cost: \$([\d.]+) message|, \$([\d.]+) cost)?/;
const THINKING = /<(thinking-content-\w+)>([\s\S]*?)<\/\1>/g;
/** A block below its file name. Aider uses tags for files with backquotes. */
const BLOCK =
  /(?:^|\n)([^\n<]+)\n(?:```+|~~~+|<(?:source|code|pre|codeblock|sourcecode)>)[^\n]*\n<{5,9} SEARCH\n([\s\S]*?)\n?={5,9}\n([\s\S]*?)\n?>{5,9} REPLACE/g;
/** Aider's question after a failed check, following the check's output. */
const FAILED_CHECK = /^> Attempt to fix (lint|test) errors\?/;
/** Aider's own lines, which are not part of a check's output. */
const NO_OUTPUT =
  /^> (?:Applied edit to |Commit [\da-f]{7}|You can use \/undo|Added? |Run shell command|Running |Repo-map|Tokens: |Only \d+ reflections|\s*$)/;
const ENDS_ANSWER = [TOKENS, APPLIED, REFUSED];
const FENCE = /^(?:```|<\/?(?:source|code|pre|codeblock|sourcecode)>\s*$)/;

/** A file name in the formats that models use: a heading, bold, backquotes, a colon. */
const pathIn = (line: string): string =>
  line
    .trim()
    .replace(/:$/, '')
    .replace(/^#+/, '')
    .trim()
    .replace(/^[`*]+|[`*:]+$/g, '');

/** The chat history that Aider keeps as Markdown. */
export const aider: Importer = {
  name: 'aider',
  reads: "Aider's `.aider.chat.history.md`: edits, and whether they applied",
  sample:
    'after recordings of 0.79 to 0.86: BeauCranston/car-game 04dd250, Abhisekpm/JobSpeak 25a5ac7, BeehiveInnovations/zen-mcp-server e4baab7; failed edits and older forms after what else is public',
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
          session = createSession(
            source.run(sessions === 1 ? source.name : `${source.name}#${sessions}`),
            begin[1]!,
          );
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

const TIMES: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };
/** `4.2k`, `13,089`. */
const count = (text: string): number =>
  Number(text.replace(/[,kM]/g, '')) * (TIMES[text.at(-1)!] ?? 1);

function createSession(run: ImportedRun, begun: string): Session {
  let kind: 'person' | 'says' | 'told' = 'told';
  let lines: string[] = [];
  let waiting: { id: string; path: string; search: string | undefined }[] = [];
  /** Aider's message about failed edits, with the blocks that it quotes. */
  let refusal: string[] = [];
  /**
   * Aider ends its own and the user's lines with two spaces, but the model's quotes and headings
   * without. An editor may have removed them.
   */
  let hasEnds: boolean | undefined;
  let edits = 0;
  /** The model's last text: the only trace of edits that are not blocks. */
  let answered = '';
  /** Aider's output since the last edit. */
  let printed: string[] = [];
  let isFenced = false;
  let moment: ImportMoment = { at: `${begun.replace(' ', 'T')}Z` };
  const next = (): ImportMoment => {
    const now = moment;
    moment = {};
    return now;
  };

  /** Ends the current text: a prompt of the user, or an answer of the model. */
  function flush(): void {
    const text = lines.join('\n').trim();
    lines = [];
    if (text === '') return;
    if (kind === 'person') {
      answer({});
      run.person(text, next());
    } else if (kind === 'says') {
      for (const [, , thought] of text.matchAll(THINKING)) run.thinks(thought!.trim(), next());
      const rest = text.replace(THINKING, '').trim();
      if (rest !== '') tell(rest);
    }
  }
  function tell(text: string): void {
    const blocks = [...text.matchAll(BLOCK)];
    answered = text;
    printed = [];
    if (blocks.length === 0) run.says(text, next());
    else run.thinks(text.slice(0, blocks[0]!.index).trim(), next());
    const batch = `answer ${edits}`;
    for (const [, path, search, replace] of blocks) call(pathIn(path!), { search, replace }, batch);
  }
  function call(
    path: string,
    edit: { search?: string | undefined; replace?: string | undefined; answer?: string },
    batch: string,
  ): void {
    const id = `${++edits} ${path}`;
    run.calls({ id, tool: 'edit', args: { path, ...edit }, batch }, next());
    waiting.push({ id, path, search: edit.search });
  }
  /** Assigns this result to some or all waiting edits. */
  function answer(
    returned: Returned,
    isMeant: (edit: (typeof waiting)[number]) => boolean = () => true,
  ): void {
    for (const edit of waiting) if (isMeant(edit)) run.returns(edit.id, returned, {});
    waiting = waiting.filter((edit) => !isMeant(edit));
  }
  function hear(line: string): void {
    const [, path] = APPLIED.exec(line) ?? [];
    const [, sent, received, usd, older] = TOKENS.exec(line) ?? [];
    const price = usd ?? older;
    if (sent !== undefined)
      moment = {
        ...moment,
        cost: {
          tokens: count(sent) + count(received!),
          ...(price === undefined ? {} : { usd: Number(price) }),
        },
      };
    if (path !== undefined) {
      // Edits in other formats than search and replace are recognised by their effect.
      if (!waiting.some((edit) => edit.path === path))
        call(path, { answer: answered }, `applied ${edits}`);
      answer({ result: line.slice(2) }, (edit) => edit.path === path);
      printed = [];
    } else if (refusal.length > 0 || REFUSED.test(line)) refusal.push(line.slice(2));
    else if (FAILED_CHECK.test(line)) check(FAILED_CHECK.exec(line)![1]!);
    else if (sent === undefined && !NO_OUTPUT.test(line)) printed.push(line.slice(2));
  }
  /** A check failed after the edits. Aider does not mention checks that pass. */
  function check(tool: string): void {
    answer({});
    const id = `${++edits} ${tool}`;
    run.calls({ id, tool, args: {} }, next());
    const returned = printed.length === 0 ? {} : { result: printed.join('\n') };
    run.returns(id, { ...returned, error: true });
    printed = [];
  }
  /**
   * The message about a failed edit is complete. Blocks that it does not quote succeeded, if it
   * says so.
   */
  function refuse(): void {
    if (refusal.length === 0) return;
    const [title = refusal[0]!, text] = [
      refusal.find((line) => /failed to match!$/.test(line)),
      refusal.join('\n'),
    ];
    refusal = [];
    const other = /^# The other .* applied successfully/m.exec(text)?.[0];
    const isQuoted = ({ search = '' }: { search: string | undefined }): boolean =>
      text.includes(`<<<<<<< SEARCH\n${search.replace(/[ \t]+$/gm, '')}\n=======`);
    if (other !== undefined && waiting.some(isQuoted))
      answer({ result: other.slice(2) }, (edit) => !isQuoted(edit));
    // The number of failed blocks is not about a single one.
    answer({ result: title.replace(/^# (?:\d+ )?/, '').replace('blocks', 'block'), error: true });
  }

  return {
    read(line) {
      hasEnds ??= line.startsWith('> ') ? line.endsWith('  ') : undefined;
      const isOwn = hasEnds !== true || line.endsWith('  ') || line === '>';
      if (kind === 'says' && FENCE.test(line)) isFenced = !isFenced;
      // A fence that the model left open ends with its answer.
      if (isFenced && isOwn && ENDS_ANSWER.some((sign) => sign.test(line.trimEnd())))
        isFenced = false;
      if (isFenced) {
        lines.push(line);
        return;
      }
      const isBlank = line.trim() === '';
      const isPerson = isOwn && /^####(?: |$)/.test(line);
      const now = isPerson
        ? 'person'
        : isOwn && /^>(?: |$)/.test(line)
          ? 'told'
          : isBlank
            ? kind
            : 'says';
      if (now !== kind || (isBlank && kind === 'person')) flush();
      if (kind === 'told' && now !== 'told') refuse();
      kind = now;
      if (now === 'told') {
        if (line.startsWith('>')) hear(line.trimEnd());
      } else lines.push(now === 'person' ? line.replace(/^#### ?/, '').trimEnd() : line);
    },
    end() {
      flush();
      refuse();
      answer({});
      run.ends({ cost: moment.cost });
    },
  };
}
