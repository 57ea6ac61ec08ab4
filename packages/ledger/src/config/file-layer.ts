import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { redact } from '@unrut/engine/redact/redact';
import { checkValue } from '@unrut/engine/schema/problems';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { type Layer, merged } from './layers.ts';
import { isLoose, mayHoldSecret, precautionsFor, problemLine } from './problem-line.ts';
import { configSchema } from './schema.ts';

/**
 * The settings in a file. Invalid parts that could make Unrut act against the user's intent are
 * replaced by precautions.
 */
export function fileLayer(file: string, problems: string[], schema = configSchema()): Layer {
  try {
    const { value, fault } = readConfigFile(file);
    const checked = checkValue(schema, value, { isSecret: mayHoldSecret, isLoose });
    if (fault === undefined)
      problems.push(...checked.problems.map((problem) => `${file}: ${problemLine(problem)}`));
    else refuse(file, fault, problems);
    const { $schema: _, ...values } = JSON.parse(JSON.stringify(checked.sound ?? {})) as {
      $schema?: string;
    };
    const broken = fault === undefined ? [] : [{ shadow: true }];
    return {
      source: file,
      values: merged([values, ...precautionsFor(checked.problems), ...broken]),
    };
  } catch (error) {
    return refuse(file, redact((error as Error).message.split('\n', 1)[0]!), problems);
  }
}

/** Reports that the whole file is ignored. */
export function refuse(file: string, why: string, problems: string[]): Layer {
  problems.push(`${file}: ${problemLine({ path: [], text: `${why}.` })}`);
  return { source: file, values: { shadow: true } };
}

/** Whether reading the config file requires executing it. */
export const isCode = (path: string): boolean => !path.endsWith('.json');

/**
 * The content of a config file, and its first syntax error. Synchronous, since an agent waits for
 * it. Throws if the file cannot be read at all.
 */
function readConfigFile(path: string): { value: unknown; fault?: string } {
  try {
    return isCode(path) ? { value: run(path) } : readJson(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(whyNot(path, error), { cause: error });
  }
}

/** JSON with comments and trailing commas. After a syntax error, the readable part is used. */
function readJson(text: string): { value: unknown; fault?: string } {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error) return { value };
  const before = text.slice(0, error.offset).split('\n');
  const what = printParseErrorCode(error.error).replace(/(?<=[a-z])[A-Z]/g, ' $&');
  return {
    value,
    fault: `line ${before.length}, column ${before.at(-1)!.length + 1}: ${what.toLowerCase()}`,
  };
}

/** All supported Node versions can `require` a module without top-level await. */
function run(path: string): unknown {
  const loaded = createRequire(path)(path) as { default?: unknown };
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded
    ? loaded.default
    : loaded;
}

function whyNot(path: string, error: unknown): string {
  if (path.endsWith('.ts') && !process.features.typescript)
    return `Node ${process.versions.node} cannot run TypeScript, which needs 22.18 or later; use .js or .json`;
  const { code, message } =
    error instanceof Error
      ? (error as NodeJS.ErrnoException)
      : { code: undefined, message: String(error) };
  switch (code) {
    case 'ERR_REQUIRE_ASYNC_MODULE':
      return 'a config must not use top-level await';
    case 'EACCES':
    case 'EPERM':
      return `permission denied (${code})`;
    default:
      return message;
  }
}
