/** `{a="1",b="2"}`, with escaped values. */
export const labels = (values: Readonly<Record<string, string | number>>): string =>
  `{${Object.entries(values)
    .map(
      ([name, value]) =>
        `${name}="${String(value).replace(/[\\"\n]/g, (letter) => (letter === '\n' ? '\\n' : `\\${letter}`))}"`,
    )
    .join(',')}}`;

/** Values by their labels. */
export type LabelledValues = readonly (readonly [labels: string, value: number])[];

/** The lines of one metric, with one value or several labelled ones. */
export const metric = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: number | LabelledValues,
): string[] => [
  ...headOf(name, type, help),
  ...(typeof values === 'number'
    ? [`${name} ${values}`]
    : values.map(([of, value]) => `${name}${of} ${value}`)),
];

/** A histogram: cumulative counts by upper bound, and the total. */
interface Durations {
  buckets: readonly (readonly [bound: number, count: number])[];
  sum: number;
  count: number;
}

export const histogram = (
  name: string,
  help: string,
  { buckets, sum, count }: Durations,
): string[] => [
  ...headOf(name, 'histogram', help),
  ...buckets.map(([bound, upTo]) => `${name}_bucket{le="${bound}"} ${upTo}`),
  `${name}_bucket{le="+Inf"} ${count}`,
  ...sumOf(name, sum, count),
];

export const sumMetric = (name: string, help: string, sum: number, count: number): string[] => [
  ...headOf(name, 'summary', help),
  ...sumOf(name, sum, count),
];

const headOf = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];
const sumOf = (name: string, sum: number, count: number): string[] => [
  `${name}_sum ${sum}`,
  `${name}_count ${count}`,
];
