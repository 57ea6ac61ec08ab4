/**
 * The words by which results, arguments, outputs, counts and errors are read: what is noise, what
 * is a quantity with a direction, what names a state. One list for each idea; other files combine
 * them and add only words that mean something to them alone.
 *
 * `_` joins two words and also stands for a dash or nothing.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Names of ids and times that change with every call and mean nothing, even as arguments. */
export const CALL_IDS =
  words(`request_id req_id x_request_id client_request_id correlation_id trace_id span_id traceparent tracestate
  timestamp ts nonce idempotency_key request_time sent_time sent_at tool_call_id tool_use_id call_id invocation_id`);

/**
 * Names of what is measured, numbered or issued again each time. As an argument it may be chosen.
 */
export const MEASURED =
  words(`etag pid pgid ppid port duration elapsed took latency duration_ms elapsed_ms took_ms took_seconds
  time_ms query_time query_time_ms processing_time processing_time_ms chunk_id created_at
  updated_at modified_at generated_at server_time uptime seed session_id shell_id process_id message_id time attempt attempts retry
  retries`);

/** Units of time: a number before one is a duration. */
export const TIME_UNITS = words(
  'ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours us µs ns millisecond milliseconds microseconds',
);

/** Units of size in bytes. */
export const BYTE_UNITS = words('byte bytes kb mb gb kib mib gib');

/** A number next to one of these says where something is. */
export const PLACE_WORDS = words('line column col');

/** A number next to one of these says which try it is. */
export const TRY_WORDS = words('attempt retry try iteration run');

/** What should become less: left to do, or wrong. */
export const LEFT_WORDS = words('remaining remain left pending queued');
export const WRONG_WORDS = words(
  'failed failing failure failures fail error errors warning warnings',
);

/** What should become more: done, or right. */
export const DONE_WORDS =
  words(`passed passing pass succeeded successful done complete completed processed finished imported exported migrated
  converted uploaded downloaded inserted copied applied built`);

/** Fields that name a state. */
export const STATE_FIELDS = words('status state phase stage');

/** States of something that continues. */
export const WAITING_STATES =
  words(`pending queued running in_progress waiting awaiting initializing initialising processing provisioning
  starting creating containercreating building deploying`);

/** States of something that has ended. */
export const FINAL_STATES =
  words(`done complete completed finished cancelled canceled aborted rejected closed merged stopped terminated
  expired delivered resolved error errors`);

/** The words as alternatives of a regular expression. */
export const anyOf = (...lists: readonly (readonly string[])[]): string =>
  lists
    .flat()
    .map((word) => word.replaceAll('_', '[ _-]?'))
    .join('|');
