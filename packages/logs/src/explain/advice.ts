import type { Advice, LoopExplained } from './report.ts';

const MAX_PLACES = 3;

/** A row of the debugging table: the cause and remedy, if the row applies. */
type Row = (loop: LoopExplained) => [cause: string, remedy: string] | null;

const TOO_OFTEN: Record<string, Row> = {
  'The same error again and again': ({ equal, signature }) =>
    equal.some((each) => each.in === 'error') ||
    /^(?:error|test-fail):/.test(signature?.signature ?? '')
      ? ['its cause was not fixed', 'find the cause before resuming the run']
      : null,
  'The same file, the same action': ({ detector, signature }) =>
    detector.startsWith('edit-') || signature?.signature.startsWith('file:')
      ? [
          'the agent lacks context',
          'have it read the file and the failing check, or add what it needs to know to its notes',
        ]
      : null,
  'Results that differ are called the same': ({ differs, signature }) => {
    const masked = signature ? [] : (differs?.result.filter(({ counts }) => !counts) ?? []);
    const kinds = [...new Set(masked.map(({ as }) => `<${as}>`))].join(', ');
    return kinds === ''
      ? null
      : [
          `${kinds} makes no difference`,
          'if it should, have the tool say what it counts: `3 of 7 done`, `progress 40%`',
        ];
  },
  'Outputs that differ are called the same': ({ differs, signature }) => {
    const left = differs?.result.find(({ counts }) => !counts);
    return left && signature?.isGeneric
      ? [
          `the signature is generic: it is ${signature.madeOf}, and “${left.before}” is not in it`,
          `if it should count, have the agent end with a line that says what was different: ${signature.separates}`,
        ]
      : null;
  },
  'Steps without a result are called the same': ({ steps }) =>
    steps.some(({ brought }) => brought === 'no result known')
      ? ['the recording has no results, and missing results count as equal', 'record the results']
      : null,
};

/** The symptoms, as the table in docs/explain-debugging.md names them. */
export const SYMPTOMS = Object.keys(TOO_OFTEN);

/** The rows of the debugging table that apply to a run, each once. */
export function advice(loops: readonly LoopExplained[]): Advice[] {
  return Object.entries(TOO_OFTEN).flatMap(([symptom, row]) => {
    const applies = loops.filter((loop) => row(loop));
    if (applies.length === 0) return [];
    const places = applies.map(({ start, end }) =>
      start === end ? `${start}` : `${start} to ${end}`,
    );
    const where = [
      ...places.slice(0, MAX_PLACES),
      ...(places.length > MAX_PLACES ? ['…'] : []),
    ].join(', ');
    const [cause, remedy] = row(applies[0]!)!;
    return [{ symptom: `${symptom} (steps ${where})`, cause, remedy }];
  });
}
