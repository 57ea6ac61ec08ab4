import { blockedPage } from './blocked-page/failure.ts';
import { editMismatch } from './edit-mismatch/failure.ts';
import { failingTest } from './failing-test/failure.ts';
import type { FailedCall, Failure } from './failure.ts';
import { missingCommand } from './missing-command/failure.ts';
import { missingElement } from './missing-element/failure.ts';
import { missingFile } from './missing-file/failure.ts';
import { noEffect } from './no-effect/failure.ts';
import { notReady } from './not-ready/failure.ts';
import { other } from './other/failure.ts';
import { permissionDenied } from './permission-denied/failure.ts';
import { rateLimited } from './rate-limited/failure.ts';
import { staleReference } from './stale-reference/failure.ts';

/** Every failure, in the order in which they are asked: the first that recognises a call counts. */
export const failures: readonly Failure[] = [
  blockedPage,
  failingTest,
  rateLimited,
  staleReference,
  editMismatch,
  missingElement,
  notReady,
  missingCommand,
  missingFile,
  permissionDenied,
  noEffect,
  other,
];

const BY_NAME = new Map(failures.map((failure) => [failure.name, failure]));

/** The name of the way in which a call failed, or null when it did not. */
export const failureOf = (call: FailedCall): string | null => failures.find((failure) => failure.recognises(call))?.name ?? null;

/** The failure of this name; what is not known is `other`. */
export const failureNamed = (name: string): Failure => BY_NAME.get(name) ?? other;

export { blockedPage, noEffect, other };
