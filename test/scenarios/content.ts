/** Reproducible numbers in 0..1 from a seed. */
export function random(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES =
  'ba be da do fen gar hol i jo ka lin mor na or pel qui ras sta tur u ven wi xo yar zet'.split(
    ' ',
  );
const COMMON =
  'the of and to in with for from this that when after before under over between order table value index batch'.split(
    ' ',
  );

/** A name that no other seed brings, such as `tur-fenmorka`. */
export function name(seed: number): string {
  const next = random(seed);
  const syllable = () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]!;
  return `${syllable()}${syllable()}-${syllable()}${syllable()}${syllable()}`;
}

/** A text of this many words, half of them everyday ones. */
export function prose(seed: number, words = 14): string {
  const next = random(seed + 7_919);
  const word = (index: number) =>
    index % 2 === 0 ? name(seed * 131 + index) : COMMON[Math.floor(next() * COMMON.length)]!;
  const text = Array.from({ length: words }, (_, index) => word(index)).join(' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** A source file of this many lines, as an editor would open it. */
export function source(seed: number, lines = 12): string {
  const next = random(seed + 104_729);
  return Array.from({ length: lines }, (_, line) => {
    const [left, right] = [name(seed * 977 + line), name(seed * 977 + line + 400)].map((word) =>
      word.replace('-', ''),
    );
    return next() < 0.5
      ? `export const ${left} = ${right}(${Math.floor(next() * 900)});`
      : `  if (${left} > ${right}) return ${left}.${right};`;
  }).join('\n');
}

/** A file as Claude Code's Read shows it. */
export const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
    .join('\n');

/** A version 4 UUID, another for each seed. */
export function uuid(seed: number): string {
  const next = random(seed + 15_485_863);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

export const LICENCE = [
  '/*',
  ' * Copyright 2019-2024 The Harbour Authors',
  ' *',
  ' * Licensed under the Apache License, Version 2.0 (the "License");',
  ' * you may not use this file except in compliance with the License.',
  ' * You may obtain a copy of the License at',
  ' *',
  ' *     http://www.apache.org/licenses/LICENSE-2.0',
  ' *',
  ' * Unless required by applicable law or agreed to in writing, software',
  ' * distributed under the License is distributed on an "AS IS" BASIS.',
  ' */',
].join('\n');

/** Names that were removed from a project, each to be found nowhere. */
export const REMOVED_NAMES: readonly string[] = [
  'LegacyInvoiceMapper',
  'parseXmlHeader',
  'FtpUploader',
  'oldColorTable',
  'useJquery',
  'BackboneRouter',
  'flashFallback',
  'SoapClient',
];
