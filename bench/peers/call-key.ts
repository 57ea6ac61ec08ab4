import { createHash } from 'node:crypto';

/** JSON with sorted keys at every level. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    const fields = Object.keys(record)
      .filter((key) => record[key] !== undefined)
      .sort();
    return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** A tool with its arguments, whatever the order of their keys. */
export const callKey = ({ tool, args }: { tool: string; args: unknown }): string =>
  `${tool} ${canonicalJson(args)}`;

/** A tool with its arguments in the order in which they were given. */
export const rawCallKey = ({ tool, args }: { tool: string; args: unknown }): string =>
  `${tool} ${JSON.stringify(args)}`;

/** SHA-256, as most peers keep their keys. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
