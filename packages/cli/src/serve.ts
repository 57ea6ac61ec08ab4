import { setFlagsFromString } from 'node:v8';
import { openGateway } from '@unrut/adapters/gateway/open-gateway';
import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { errorReason } from '@unrut/engine/redact/reason';
import { isLoopback } from '@unrut/engine/text/loopback';
import { printable } from '@unrut/engine/text/printable';
import { guardOptions } from '@unrut/ledger/config/guard-options';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Settings } from '@unrut/ledger/config/settings';
import { addressOf, ledgerName, openLedger } from '@unrut/ledger/open-ledger';
import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { untilUsable } from '@unrut/postgres/database';
import { startJobs } from '@unrut/postgres/jobs/run-jobs';
import { DEFAULT_ORG, openPostgres } from '@unrut/postgres/open-postgres';
import { openReading } from '@unrut/server/api/reading';
import { type CertificateFiles, openCertificate } from '@unrut/server/certificate';
import { createApp } from '@unrut/server/create-app';
import { type AllowedHosts, readAllowedHosts } from '@unrut/server/cua/allowed-hosts';
import { createCuaRuns } from '@unrut/server/cua/cua-runs';
import { ledgerMetrics } from '@unrut/server/ledger-metrics';
import { createLog, LOG_FORMATS } from '@unrut/server/log';
import { openOrganisations } from '@unrut/server/organisation/open-organisations';
import { peopleSaid, sharedSaid } from '@unrut/server/people-said';
import { startServer } from '@unrut/server/start-server';
import { startStallTeller } from '@unrut/server/tell-stalls';
import { openTraces } from '@unrut/server/traces';
import { watchIncidents } from '@unrut/server/watch-incidents';
import {
  flagOption,
  optionLines,
  textOption,
  textsOption,
  trialShare,
  wholeNumber,
} from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { openDemo, playDemo } from './demo.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { portOption, requireKey, tokenOption, upstreamOptions } from './server-options.ts';
import { afterDraining, untilStopped, whenAborted } from './until-stopped.ts';
import { version } from './version.ts';

const OPTIONS = {
  port: textOption('N', 'port to listen on; 0 picks a free one (default 4717)', '4717'),
  ledger: textOption(
    'LEDGER',
    'record to this file, or to postgres://user@host/database (default UNRUT_LEDGER, else the one that the settings name)',
  ),
  host: textOption(
    'ADDRESS',
    'address to listen on; any but a loopback address needs a token or a key (default 127.0.0.1)',
    '127.0.0.1',
  ),
  log: textOption(
    'FORMAT',
    'write the log to stderr as plain or json lines (default plain)',
    'plain',
  ),
  token: textOption(
    'TOKEN',
    'require this token (at least 16 characters); prefer UNRUT_TOKEN, since others can see arguments',
  ),
  'public-url': textOption(
    'URL',
    'public address behind a TLS proxy; needs a token or a key (unrut key add)',
  ),
  'tls-cert': textOption(
    'FILE',
    'speak TLS with this certificate (PEM, with its chain); read again when it changes',
  ),
  'tls-key': textOption('FILE', "the certificate's private key"),
  drain: textOption(
    'SECONDS',
    'after SIGTERM, keep answering this long while /readyz is red (default 5 where others reach the server, else 0)',
  ),
  rate: textOption(
    'N',
    'max ingest requests per second per address (default 20000); other requests count 100x',
    '20000',
  ),
  upstream: textsOption(
    'NAME=URL',
    'let the gateway send /NAME/… to this address (repeatable); see unrut gateway --help',
  ),
  gateway: flagOption(
    'be a gateway to models; always so on a ledger in a file, and with --upstream. Not for organisations',
  ),
  'cua-hosts': textOption(
    'LIST',
    'allow computer-use runs (POST /v1/cua) on these hosts, such as example.com,localhost:3000 (default none)',
  ),
  'cua-runs': textOption('N', 'max concurrent computer-use runs (default 1)', '1'),
  trial: textOption(
    'SHARE',
    'only record in this share of new sessions, such as 50%, to see whether Unrut helps (unrut stats --trial)',
  ),
  demo: flagOption(
    'play recorded sessions live into an empty ledger, which is deleted at the end; your own is not touched',
  ),
} as const;

const HELP = `unrut serve [options]

Serve a dashboard and an API for every agent on this machine: which ones are stuck, why, what was done and whether it helped. Answers agents'
hooks over HTTP (unrut install --http <agent>), accepts events (unrut/client) and OpenTelemetry, is a gateway to models (/openai/v1,
/anthropic, /gemini: see unrut gateway --help), and shares the ledger with hooks and commands that run at the same time. Press Ctrl-C to stop.

${optionLines(OPTIONS, 19)}

Exit codes: 0 stopped, 2 cannot listen or unusable ledger, 64 usage error.`;

/** Milliseconds that each write waits for other processes. */
const WAIT = 1500;
/** Seconds that a load balancer may take to see that the server is not ready. */
const DRAIN = 5;

/**
 * Max growth of the heap before garbage collection, in percent of the used memory; V8's default is
 * three times as much, which is never given back. Measured in decision 100.
 */
const HEAP_GROWTH = 50;

/** `unrut serve`. */
export const serve = defineCommand(
  { name: 'serve', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    const { host } = values;
    const port = portOption(values.port);
    const token = tokenOption(values.token ?? process.env.UNRUT_TOKEN);
    const upstreams = upstreamOptions(values.upstream);
    const publicUrl = publicUrlFor(values['public-url']);
    const format = LOG_FORMATS.find((each) => each === values.log);
    if (!format) throw usageError(`--log takes ${LOG_FORMATS.join(' or ')}; got ${values.log}.`);
    const hosts = cuaHosts(values['cua-hosts']);
    const atOnce = wholeNumber('cua-runs', values['cua-runs'], 1);
    const rate = wholeNumber('rate', values.rate, 1);
    const drain = values.drain === undefined ? undefined : wholeNumber('drain', values.drain, 0);
    const files = certificateFiles(values['tls-cert'], values['tls-key']);
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
    const { trial } = values;
    if (trial !== undefined) process.env.UNRUT_TRIAL_SHARE = String(trialShare(trial));
    const { settings, problems } = settingsOf(process.cwd(), values.ledger);
    problems.forEach(complain);
    const demo = values.demo ? openDemo() : undefined;
    const address = demo?.path ?? addressOf(settings.ledger);
    const needsKey = !isLoopback(host) || publicUrl !== undefined;
    const hasOrganisations = isPostgresUrl(address) && Boolean(process.env.UNRUT_SECRET);
    if (hasOrganisations && hosts)
      throw usageError(
        'A server for organisations runs no screen agents: leave out --cua-hosts, or UNRUT_SECRET.',
      );
    const isGatewayAsked = values.gateway || values.upstream.length > 0;
    if (hasOrganisations && isGatewayAsked)
      throw usageError(
        'A server for organisations is no gateway: leave out --gateway and --upstream, or UNRUT_SECRET. unrut gateway is one.',
      );
    const postgres = isPostgresUrl(address) ? openPostgres({ url: address }) : undefined;
    try {
      if (postgres) await untilUsable(postgres.database);
      if (needsKey) await requireKey(token, address);
    } catch (error) {
      // Connections would keep the process.
      await postgres?.close();
      throw error;
    }
    const ledger =
      postgres?.ledger({ org: DEFAULT_ORG }) ??
      (await openLedger(address, DRIVERS, { retention: settings.ledger.retention, wait: WAIT }));
    const key = await ledger.fingerprintKey?.();
    const log = createLog({ format, write: (line) => void process.stderr.write(`${line}\n`) });
    const draining = untilStopped();
    const signal = afterDraining(draining, 1000 * (drain ?? (needsKey ? DRAIN : 0)));
    const certificate = files && openCertificate(files, log);
    const cua = hosts && createCuaRuns({ hosts, atOnce, signal, ledger });
    try {
      const reading = openReading(ledger, Date.now, settings.stall);
      // Counts the existing ledger at the start, so that no request waits for it. If the ledger is
      // damaged, the first request reports that.
      reading.reports.sessions({ most: 0, facets: true }).catch(() => undefined);
      const closing: (() => Promise<void>)[] = [];
      const { gateway, close: closeGateway } = await openGateway({
        settings,
        ledger,
        upstreams,
        log: (detail) => log({ event: 'gateway', level: 'warn', detail }),
      });
      closing.push(closeGateway);
      const endStalls = startStallTeller({ reports: reading.reports, settings }, (error) =>
        log({ event: 'stalls', level: 'warn', detail: errorReason(error) }),
      );
      closing.push(async () => endStalls());
      if (postgres)
        closing.push(
          startJobs(postgres.database, (error) =>
            log({ event: 'job', level: 'warn', detail: errorReason(error) }),
          ).close,
        );
      else if (ledger.incidents)
        closing.push(
          watchIncidents(ledger.incidents, (error) =>
            log({ event: 'incidents', level: 'warn', detail: errorReason(error) }),
          ),
        );
      const traces = await openTraces(process.env, version(), (detail) =>
        log({ event: 'traces', level: 'warn', detail }),
      );
      closing.push(traces.close);
      // A gateway and a screen agent record for this server's own organisation only, so servers
      // with several organisations have neither.
      const organisations =
        postgres && hasOrganisations
          ? await openOrganisations({
              postgres,
              publicUrl,
              environment: process.env,
              settings: () => settingsOf(process.cwd()),
            })
          : undefined;
      const app = createApp({
        ledger,
        token,
        log,
        publicUrl,
        draining,
        signal,
        traces,
        cua,
        rate,
        organisations,
        needsKey: needsKey || hasOrganisations,
        loopbackOnly: isLoopback(host),
        version: version(),
        ledgerMetrics: postgres && ledgerMetrics(postgres),
        // A process that guards many agents handles model keys only if requested.
        gateway: postgres && !isGatewayAsked ? undefined : gateway,
        said: postgres ? sharedSaid(postgres.said({ org: DEFAULT_ORG })) : peopleSaid(address),
        settingsIn: (folder) => asInFolder(folder, settings, key),
        reads: { reading, settings: () => settingsOf(process.cwd()) },
        onClose: (close) => void closing.push(close),
      });
      const server = await startServer({ app, host, port, certificate, draining });
      const listening = printable(
        `Listening on ${server.url}, recording to ${ledgerName(address)}. Open the address in a browser; press Ctrl-C to stop.`,
      );
      if (format === 'plain') console.log(listening);
      else
        createLog({ format, write: console.log })({
          event: 'listening',
          level: 'info',
          detail: listening,
        });
      const playing = demo && playDemo(ledger, demo.folder, signal);
      await whenAborted(signal);
      await playing;
      await cua?.close();
      await server.close();
      certificate?.close();
      for (const close of closing) await close();
      await reading.close();
    } finally {
      await ledger.close();
      await postgres?.close();
      demo?.close();
    }
    return EXIT.ok;
  },
);

function publicUrlFor(given: string | undefined): string | undefined {
  if (given !== undefined && (!/^https?:\/\//.test(given) || !URL.canParse(given)))
    throw usageError(`--public-url takes an address such as https://unrut.example; got ${given}.`);
  return given;
}

function certificateFiles(
  cert: string | undefined,
  key: string | undefined,
): CertificateFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw usageError('--tls-cert and --tls-key go together; got only one of them.');
  return { cert, key };
}

function cuaHosts(given: string | undefined): AllowedHosts | undefined {
  if (given === undefined) return undefined;
  const hosts = readAllowedHosts(given);
  if ('wrong' in hosts)
    throw usageError(
      `--cua-hosts takes hosts such as example.com,localhost:3000; got ${hosts.wrong}.`,
    );
  if (hosts.names.length === 0) throw usageError('--cua-hosts takes at least one host; got none.');
  return hosts;
}

const settingsOf = (cwd: string, ledger?: string) =>
  loadSettings({
    cwd,
    ...(ledger === undefined ? {} : { environment: { ...process.env, UNRUT_LEDGER: ledger } }),
  });

/** As a hook process in that folder would find them, but for the ledger, which is the server's. */
function asInFolder(
  folder: string | undefined,
  own: Settings,
  key: string | undefined,
): HookSettings {
  const settings = folder === undefined ? own : settingsOf(folder).settings;
  return {
    ...settings,
    guard:
      key === undefined
        ? guardOptions({ ...settings, ledger: own.ledger })
        : { ...settings.guard, key },
  };
}
