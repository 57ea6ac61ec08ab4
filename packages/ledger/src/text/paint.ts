/** Functions that colour text; they return it unchanged if there are no colours. */
export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const code =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`;

export const colours: Paint = {
  dim: code(2, 22),
  bold: code(1, 22),
  red: code(31, 39),
  yellow: code(33, 39),
  green: code(32, 39),
};

const plain = (text: string): string => text;
export const noColours: Paint = {
  dim: plain,
  bold: plain,
  red: plain,
  yellow: plain,
  green: plain,
};

/** Colours if the stream is a terminal and NO_COLOR is not set. */
export const paintFor = (stream: { isTTY?: boolean }): Paint =>
  stream.isTTY && !process.env.NO_COLOR ? colours : noColours;
