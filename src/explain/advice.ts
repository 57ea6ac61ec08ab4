import type { Advice, Change, LoopExplained, MissExplained, RunExplained, Setting } from './report.ts';
import { settingWords } from './setting.ts';

const MOST_PLACES = 3;

/** A row of a debugging table: whether it applies to what was found, and what is to be said then. */
type Row<Found> = (found: Found) => Omit<Advice, 'symptom'> | null;

const TOO_OFTEN: Record<string, Row<LoopExplained>> = {
  'The same error again and again': ({ equal, signature }) => {
    const isError = equal.some((each) => each.in === 'error') || /^(?:error|test-fail):/.test(signature?.signature ?? '');
    return isError ? { cause: 'what causes it is not dealt with', remedy: 'find the cause before the run goes on' } : null;
  },
  'The same file, the same action': ({ detector, signature }) =>
    detector.startsWith('edit-') || signature?.signature.startsWith('file:')
      ? { cause: 'the agent lacks context', remedy: 'let it read the file and the check that fails, or add what it must know to its notes' }
      : null,
  'Calls that differ are called the same': ({ differs, settings }) => {
    const ignored = differs?.arguments.filter(({ counts }) => !counts).map(({ name }) => `\`${name}\``) ?? [];
    const setting = settings?.find(({ tools }) => tools && Object.values(tools).some(({ identity }) => identity));
    return ignored.length > 0 && setting
      ? { cause: `${ignored.join(', ')} is not looked at`, remedy: `where it makes another call of it, ${settingWords(setting)}` }
      : null;
  },
  'Results that differ are called the same': ({ differs, signature }) => {
    const masked = differs?.result.filter(({ counts }) => !counts && !signature) ?? [];
    const kinds = [...new Set(masked.map(({ as }) => `<${as}>`))].join(', ');
    return masked.length > 0
      ? {
          cause: `${kinds} makes no difference`,
          remedy: 'when it should, let the tool name what it counts: `3 of 7 done`, `progress 40 %`',
        }
      : null;
  },
  'Outputs that differ are called the same': ({ differs, signature }) => {
    const [left] = differs?.result.filter(({ counts }) => !counts) ?? [];
    return left && signature?.isGeneric
      ? {
          cause: `the signature is generic: it is ${signature.madeOf}, and “${left.before}” is not in it`,
          remedy: `when it should count, let the agent close with a line that says what was different: ${signature.separates}`,
        }
      : null;
  },
  'Waiting is called a loop': ({ settings }) => {
    const setting = settings?.find(({ tools }) => tools && Object.values(tools).some(({ poll }) => poll));
    return setting ? { cause: 'nothing says that something is awaited', remedy: `if it is, ${settingWords(setting)}` } : null;
  },
  'Steps without a result are called the same': ({ steps }) =>
    steps.some(({ brought }) => brought === 'no result known')
      ? { cause: 'the record does not hold what came back, and one missing result equals another', remedy: 'record the results' }
      : null,
};

const NOT_FOUND: Record<string, Row<MissExplained>> = {
  'The results differ a little each time': ({ kind, differs }) => {
    const counting = differs?.result.filter(({ counts }) => counts) ?? [];
    return kind !== 'output' && differs?.more === 0 && counting.length > 0 && counting.every(isLittle)
      ? {
          cause: `“${counting[0]!.before}” is something else each time`,
          remedy: 'leave it out, or name it `request_id` or `timestamp`; a number or an id is learned to be noise after four results',
        }
      : null;
  },
  'The calls differ a little each time': ({ settings }) => {
    const setting = settings.find(({ tools }) => tools);
    return setting ? { cause: 'a number or an id makes another call of it', remedy: `give ${settingWords(setting)}` } : null;
  },
  'The signatures differ a little each time': ({ because, settings }) => {
    const signatures = because.find(({ kind }) => kind === 'signatures');
    const setting = settings.find(({ options }) => options);
    return signatures
      ? {
          cause: signatures.text,
          remedy: setting ? `set ${settingWords(setting)}` : 'let the agent close with one line of the same form each time',
        }
      : null;
  },
  'It goes forward': ({ because, settings }) =>
    settings.length === 0 && because.some(({ kind }) => kind === 'moved' || kind === 'progress')
      ? { cause: 'progress vetoes repetition', remedy: 'no option changes that; --step N says what counted as progress' }
      : null,
  'Something in between may have changed the answer': ({ because }) =>
    because.some(({ kind }) => kind === 'changed')
      ? { cause: 'acts clear the count', remedy: "where one changes nothing, declare its tool: tools: { name: { verb: 'read' } }" }
      : null,
  'It counts as waiting': ({ because }) =>
    because.some(({ kind }) => kind === 'waiting')
      ? { cause: 'waits, polls and passing errors do not count', remedy: 'lower the `threshold` or the `minutes` of stale-poll' }
      : null,
  'A person spoke in between': ({ because }) =>
    because.some(({ kind }) => kind === 'person')
      ? { cause: 'that begins everything anew', remedy: 'if it was no person, let the adapter not report it as `user-spoke`' }
      : null,
  'Too few in a row, or too unlike': ({ settings }) => {
    const setting = settings.find((each) => isModest(each) && !isWindow(each));
    return setting
      ? { cause: `${Object.keys(setting.options!).join(', ')} draws the line elsewhere`, remedy: `set ${settingWords(setting)}` }
      : null;
  },
  'It comes back only after many steps': ({ settings }) => {
    const setting = settings.find(isWindow);
    return setting ? { cause: 'by then it is forgotten', remedy: `set ${settingWords(setting)}` } : null;
  },
  'The results are not known': ({ because }) =>
    because.some(({ kind }) => kind === 'unknown')
      ? { cause: 'the record does not hold what came back', remedy: 'record the results' }
      : null,
};

const SHORT = 40;

/** A value without direction, or a few words in place of a few. */
const isLittle = ({ as, before, after }: Change): boolean =>
  as === 'a value' || (as === 'text' && [before, after].every(({ length }) => length > 0 && length <= SHORT));

/** It is about how far back one looks. */
const isWindow = ({ options }: Setting): boolean =>
  Object.values(options ?? {}).some((values) => Object.keys(values).every((option) => option === 'window' || option === 'longest'));

/** At most halved: a value further off would find much that is none. */
const isModest = ({ options, now }: Setting): boolean =>
  Object.entries(options ?? {}).some(([name, values]) =>
    Object.entries(values).every(([option, value]) => typeof value === 'boolean' || value * 2 >= Number(now?.[name]?.[option])),
  );

/** All rows of both tables, by symptom: docs/explain.md has them too. */
export const SYMPTOMS = { tooOften: Object.keys(TOO_OFTEN), notFound: Object.keys(NOT_FOUND) };

/** The rows of the debugging tables that apply to a run, each once. */
export function advice(loops: readonly LoopExplained[], misses: readonly MissExplained[]): Pick<RunExplained, 'tooOften' | 'notFound'> {
  return { tooOften: rows(TOO_OFTEN, loops), notFound: rows(NOT_FOUND, misses) };
}

function rows<Found extends { start: number; end: number }>(table: Record<string, Row<Found>>, found: readonly Found[]): Advice[] {
  return Object.entries(table).flatMap(([symptom, row]) => {
    const applies = found.flatMap((each) => {
      const said = row(each);
      return said ? [{ ...said, where: each.start === each.end ? `${each.start}` : `${each.start} to ${each.end}` }] : [];
    });
    if (applies.length === 0) return [];
    const where = applies
      .slice(0, MOST_PLACES)
      .map((each) => each.where)
      .join(', ');
    const { cause, remedy } = applies[0]!;
    return [{ symptom: `${symptom} (steps ${where}${applies.length > MOST_PLACES ? ', …' : ''})`, cause, remedy }];
  });
}
