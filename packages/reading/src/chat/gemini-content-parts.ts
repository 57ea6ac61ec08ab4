import { isObject, type JsonObject, objectOf, objectsOf } from '@unrut/engine/json';
import { called, type Part, returned, strange, told } from './part.ts';

const SILENT = ['inlineData', 'inline_data', 'fileData', 'file_data', 'thoughtSignature'];

/**
 * The parts of a content of the Gemini API, in camelCase or snake_case. All texts of the user in it
 * become one.
 */
export function geminiContentParts(
  { parts, role }: JsonObject,
  isPerson = role !== 'model',
): Part[] {
  const said: unknown[] = [];
  const others = objectsOf(parts).flatMap((part): Part[] => {
    const call = [part.functionCall, part.function_call].find(isObject);
    const response = [part.functionResponse, part.function_response].find(isObject);
    const code = [part.executableCode, part.executable_code].find(isObject);
    const ran = [part.codeExecutionResult, part.code_execution_result].find(isObject);
    if (call) return [called(call.id, call.name, call.args)];
    if (response)
      return [returned(response.id, response.response, { error: isFailed(response.response) })];
    if (code) return [called(undefined, 'code_execution', { code: code.code })];
    if (ran) return [returned(undefined, ran.output, { error: ran.outcome !== 'OUTCOME_OK' })];
    if (typeof part.text !== 'string')
      return SILENT.some((name) => name in part) ? [] : [strange(Object.keys(part)[0])];
    if (!isPerson) return told(part.thought === true ? 'thinks' : 'says', part.text);
    said.push(part.text);
    return [];
  });
  return [...others, ...told('person', said)];
}

/** Tools report failures in their result. */
function isFailed(response: unknown): boolean {
  const { error, status, isError } = objectOf(response);
  return (error !== undefined && error !== null) || status === 'error' || isError === true;
}
