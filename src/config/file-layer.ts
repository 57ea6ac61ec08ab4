import { check } from './check.ts';
import { keyText } from './key-text.ts';
import type { Layer } from './layers.ts';
import { readConfigFile } from './read-config-file.ts';
import type { Schema } from './schema.ts';

/** What a file says, without its wrong parts. Where it cannot be known whether it lets Unrut act, it says that nothing is done. */
export function fileLayer(file: string, schema: Schema, problems: string[]): Layer {
  try {
    const value = readConfigFile(file);
    const checked = check(value, schema, (path, what) => problems.push(`${[file, keyText(path)].filter(Boolean).join(': ')}: ${what}.`));
    const { $schema: _, ...values } = (checked ?? { shadow: true }) as { $schema?: string; shadow?: boolean };
    const unsure = (value as { shadow?: unknown }).shadow !== undefined && values.shadow === undefined;
    return { source: file, values: unsure ? { ...values, shadow: true } : values };
  } catch (error) {
    return refuse(file, error instanceof Error ? error.message.split('\n', 1)[0]! : 'it cannot be read', problems);
  }
}

/** A file that is not used at all. */
export function refuse(file: string, why: string, problems: string[]): Layer {
  problems.push(`${file}: ${why}. Until that is mended, Unrut only records.`);
  return { source: file, values: { shadow: true } };
}
