// The door of this folder: what other rooms may use of it. Within the engine, import the files.

export { isNear } from './action.ts';
export { canonical } from './canonical.ts';
export { failingTests } from './failing-tests.ts';
export { failuresIn } from './failures.ts';
export type { Fingerprint } from './fingerprint.ts';
export { startFolders } from './folder.ts';
export { maskTimes, tag } from './gist.ts';
export { mayChange } from './may-change.ts';
export { type Piece, piecesOf } from './noise-pieces.ts';
export { readOutput } from './output.ts';
export { plainOutput } from './plain-output.ts';
export { readFinished, readProposed } from './read-call.ts';
export { contentOf } from './result-text.ts';
export { classOf, detectOutputLoop, extractSignature, type SignatureClass } from './signature.ts';
export { similarity } from './similarity.ts';
export { overlap } from './sketch.ts';
export { isLineNumber } from './token.ts';
export { jaccard } from './words.ts';
export { readWorld } from './world/rules.ts';
