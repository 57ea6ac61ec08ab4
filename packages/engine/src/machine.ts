/** What determines where files are kept on a machine. */
export interface Machine {
  home: string;
  variables: Readonly<Record<string, string | undefined>>;
  platform: string;
}
