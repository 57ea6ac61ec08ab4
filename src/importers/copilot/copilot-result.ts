import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { Returned } from '../importer.ts';

/** What came of a call, by the data of Copilot's `tool.execution_complete`. */
export function copilotResult({ success, result, error, shellExecution, toolTelemetry }: JsonObject): Returned {
  const content = isObject(result) ? (result.content ?? result) : result;
  const { exitCode } = isObject(shellExecution) ? shellExecution : {};
  const exit = typeof exitCode === 'number' ? { exitCode } : {};
  if (success !== false) return { ...(content === undefined ? {} : { result: content }), ...exit };
  const { message, code } = isObject(error) ? error : { message: error };
  const refusedBy = refuser(textOf(message), code, toolTelemetry);
  return { result: content ?? message, error: true, ...exit, ...(refusedBy ? { refusedBy } : {}) };
}

function refuser(message: string, code: unknown, telemetry: unknown): Returned['refusedBy'] {
  if (code === 'rejected') return 'user';
  if (code === 'denied') return 'host';
  if (/^Tool '[^']*' does not exist/.test(message)) return 'unknown-tool';
  const { wasSyntaxError } = isObject(telemetry) && isObject(telemetry.properties) ? telemetry.properties : {};
  // Complaints about arguments begin with the name of one.
  return wasSyntaxError === 'true' || /^"[^"]*": (?:Required|Expected|Invalid|Unrecognized)/.test(message) ? 'schema' : undefined;
}
