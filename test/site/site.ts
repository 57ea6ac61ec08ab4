import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path answers with. */
export interface SitePage {
  html: string;
  /** 200 when missing. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** How long the answer takes, in milliseconds. */
  delay?: number;
}

/** A page, or what makes one of each request; `body` is the text that was sent. */
export type Answer =
  | SitePage
  | ((request: IncomingMessage, body: string) => SitePage | Promise<SitePage>);

/** Paths without query, and what each answers with. */
export type Pages = Readonly<Record<string, Answer>>;

export interface Site {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Serves these pages on a free port of this machine. Every other path is 404. */
export async function startSite(...tables: readonly Pages[]): Promise<Site> {
  const pages: Pages = Object.assign({}, ...tables);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const answer = Object.hasOwn(pages, pathname)
      ? pages[pathname]!
      : { html: '<h1>Not found</h1>', status: 404 };
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const {
      html,
      status = 200,
      headers = {},
      delay = 0,
    } = typeof answer === 'function' ? await answer(request, body) : answer;
    if (delay > 0) await new Promise((done) => setTimeout(done, delay));
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    });
    response.end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A whole document around a body, in letters that every machine has. */
export const document = (title: string, body: string): SitePage => ({
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>body { font: 16px/1.5 sans-serif; margin: 24px }</style>
${body}
</html>`,
});
