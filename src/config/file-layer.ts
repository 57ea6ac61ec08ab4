import { redact } from '../redact/redact.ts';
import { check } from './check.ts';
import { keyText } from './key-text.ts';
import type { Layer } from './layers.ts';
import { isDecisive, problemLine } from './problem-line.ts';
import { readConfigFile } from './read-config-file.ts';
import type { Schema } from './schema.ts';

/** What a file says, without its wrong parts. Where it cannot be known whether it lets Unrut act, it says that nothing is done. */
export function fileLayer(file: string, schema: Schema, problems: string[]): Layer {
  try {
    let decided = true;
    const checked = check(readConfigFile(file), schema, (path, what) => {
      decided &&= !isDecisive(path);
      problems.push(problemLine(path.length === 0 ? file : `${file}: ${keyText(path)}`, path, what));
    });
    const { $schema: _, ...values } = { ...(checked as { $schema?: string } | undefined), ...(decided ? {} : { shadow: true }) };
    return { source: file, values };
  } catch (error) {
    return refuse(file, redact((error as Error).message.split('\n', 1)[0]!), problems);
  }
}

/** A file that is not used at all. */
export function refuse(file: string, why: string, problems: string[]): Layer {
  problems.push(problemLine(file, [], why));
  return { source: file, values: { shadow: true } };
}
