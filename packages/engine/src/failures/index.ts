import { badAddress } from './bad-address/failure.ts';
import { badArguments } from './bad-arguments/failure.ts';
import { blockedPage } from './blocked-page/failure.ts';
import { closedAddress } from './closed-address/failure.ts';
import { closedHost } from './closed-host/failure.ts';
import { closedPort } from './closed-port/failure.ts';
import { compileError } from './compile-error/failure.ts';
import { coveredElement } from './covered-element/failure.ts';
import { editMismatch } from './edit-mismatch/failure.ts';
import { failingTest } from './failing-test/failure.ts';
import type { FailedCall, Failure } from './failure.ts';
import { isFolder } from './is-folder/failure.ts';
import { missingCommand } from './missing-command/failure.ts';
import { missingElement } from './missing-element/failure.ts';
import { missingFile } from './missing-file/failure.ts';
import { missingOption } from './missing-option/failure.ts';
import { missingPackage } from './missing-package/failure.ts';
import { missingTab } from './missing-tab/failure.ts';
import { nameTaken } from './name-taken/failure.ts';
import { noEffect } from './no-effect/failure.ts';
import { noSuchTool } from './no-such-tool/failure.ts';
import { notReady } from './not-ready/failure.ts';
import { openDialog } from './open-dialog/failure.ts';
import { other } from './other/failure.ts';
import { outsideFolder } from './outside-folder/failure.ts';
import { permissionDenied } from './permission-denied/failure.ts';
import { rateLimited } from './rate-limited/failure.ts';
import { scriptError } from './script-error/failure.ts';
import { staleReference } from './stale-reference/failure.ts';
import { wrongControl } from './wrong-control/failure.ts';

/** All failures, in the order in which they are tried: the first that recognises a call counts. */
export const failures: readonly Failure[] = [
  noSuchTool,
  badArguments,
  openDialog,
  blockedPage,
  compileError,
  failingTest,
  rateLimited,
  staleReference,
  coveredElement,
  wrongControl,
  missingOption,
  editMismatch,
  missingElement,
  missingTab,
  closedHost,
  closedPort,
  closedAddress,
  badAddress,
  scriptError,
  notReady,
  missingPackage,
  missingCommand,
  isFolder,
  outsideFolder,
  nameTaken,
  missingFile,
  permissionDenied,
  noEffect,
  other,
];

const BY_NAME = new Map(failures.map((failure) => [failure.name, failure]));

/** How a call failed; undefined if it did not fail. */
export const failureOf = (call: FailedCall): Failure | undefined =>
  failures.find((failure) => failure.recognises(call));

/** The failure of this name; `other` if the name is unknown. */
export const failureNamed = (name: string): Failure => BY_NAME.get(name) ?? other;

export { blockedPage, noEffect, notReady, other };
