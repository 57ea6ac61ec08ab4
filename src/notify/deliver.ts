/** What the delivering process is handed, as JSON in `UNRUT_DELIVERY`. */
export interface Delivery {
  command?: string | string[] | undefined;
  webhook?: string | undefined;
  /** What is left of the process then is ended. */
  milliseconds: number;
  /** One line for a person. */
  text: string;
  /** The same with its circumstances, as JSON. */
  body: string;
}

/**
 * Runs the command, and posts to the webhook. It is handed to another Node as source text, so that it works out of any bundle:
 * it may use nothing from outside itself.
 */
export function deliver(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { UNRUT_DELIVERY, ...environment } = process.env;
  const { command, webhook, milliseconds, text, body } = JSON.parse(UNRUT_DELIVERY!) as Delivery;

  if (webhook !== undefined) {
    const headers = { 'content-type': 'application/json' };
    fetch(webhook, { method: 'POST', headers, body, signal: AbortSignal.timeout(milliseconds) }).catch(() => {});
  }
  if (command !== undefined) {
    const [program, ...args] = typeof command === 'string' ? [command] : command.map((word) => word.replaceAll('{text}', () => text));
    const child = spawn(program!, args, {
      shell: typeof command === 'string',
      env: { ...environment, UNRUT_TEXT: text },
      stdio: ['pipe', 'ignore', 'ignore'],
      // A group of its own, so that all that it starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const timer = setTimeout(() => {
      try {
        if (process.platform === 'win32') child.kill();
        else process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }, milliseconds);
    child.on('error', () => clearTimeout(timer));
    child.on('close', () => clearTimeout(timer));
    child.stdin.on('error', () => {});
    child.stdin.end(body);
  }
}
