/** What decides where things are kept on a machine. */
export interface Machine {
  home: string;
  variables: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}
