import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build.ts';
import { borrowedPages, routeOf, SECTIONS } from './borrowed-pages.ts';

interface Item {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: Item[];
}

const page = (text: string, link: string): Item => ({ text, link });
const group = (text: string, items: Item[], collapsed = true): Item => ({ text, collapsed, items });

const START = [
  page('I use a coding agent', '/start/coding-agent'),
  page('I build agents', '/start/agent-builder'),
  page('I run agents in CI', '/start/ci'),
  page('I operate a fleet', '/start/fleet'),
];

const CONCEPTS = [
  page('The ideas on one page', '/concepts'),
  page('When it speaks, blocks, asks and stops', '/recoveries'),
  page('The ladder', '/ladder'),
  page('What it does not stop', '/limits'),
  ...(existsSync(join(root, 'docs/trial.md')) ? [page('Trial', '/trial')] : []),
  page('What a stuck agent is told', '/suggestions'),
  page('The brief after a compaction', '/brief'),
];

const GUIDES = [
  group('Coding agents', [
    page('Connect an agent', '/install'),
    page('Switch it off, call it wrong', '/controls'),
    page('What is written and kept', '/install-files'),
    page('Hooks', '/hooks'),
    page('Hooks never break the agent', '/hooks-safety'),
    page('Editors (ACP)', '/acp'),
    page('MCP servers', '/mcp'),
    page('Linux, macOS, Windows', '/platforms'),
  ]),
  group('Recorded runs', [
    page('Find loops', '/scan'),
    page('In a pipeline', '/scan-pipeline'),
    page('Suggestions', '/scan-suggestions'),
    page('The page and the JSON', '/scan-output'),
    page('Formats', '/formats'),
    page('Why a loop, or why not', '/explain'),
    page('Found too often, or not found', '/explain-debugging'),
    page('What was recorded', '/ledger'),
  ]),
  group('Agents of your own', [
    page('The library', '/library'),
    page('Cookbook', '/cookbook'),
    page('Frameworks and the gateway', '/frameworks'),
    page('The client', '/client'),
    page('Detectors of your own', '/plugins'),
    page('Screen agents', '/computer-use'),
    page('Loops on a screen', '/computer-use-loops'),
  ]),
  group('Long tasks', [
    page('Run an agent until it is done', '/run'),
    page('Roadmaps', '/roadmap'),
    page('Tasks in your orchestrator', '/tasks'),
    page('Coming from another loop', '/run-from'),
    page('The design of run', '/run-design'),
    page('The design of task loops', '/tasks-design'),
  ]),
  group('Servers and teams', [
    page('One server for every agent', '/serve'),
    page('Asking the server', '/serve-api'),
    page('Sending events', '/serve-events'),
    page('Errors of the server', '/serve-errors'),
    page('Unrut for a team', '/fleet'),
    page('Containers', '/fleet-containers'),
    page('Organisations', '/organisation'),
    page('The dashboard', '/dashboard'),
    page('OpenTelemetry', '/otlp'),
  ]),
  group('You have something of your own', [
    page('A loop recovery policy', '/from/loop-recovery-policy'),
    page('A task loop detector', '/from/task-loop-detector'),
    page('Output signatures', '/from/output-signatures'),
    page('A patch warning', '/from/patch-warning'),
    page('Recovery candidates', '/from/recovery-candidates'),
  ]),
];

const borrowed = (section: string, title: string): Item =>
  group(title, [
    page('All', `/reference/${section}/`),
    ...borrowedPages()
      .filter((each) => each.section === section)
      .map((each) => page(each.name, routeOf(each))),
  ]);

const reference = (): Item[] => [
  page('Command line', '/reference/project/commands'),
  page('Settings', '/config'),
  page('Budgets', '/budgets'),
  page('Notifications and stalls', '/notify'),
  page('Events and API', '/api'),
  page('Texts for the model', '/messages'),
  page('What it detects', '/detectors'),
  ...Object.entries(SECTIONS).map(([section, { title }]) => borrowed(section, title)),
  page('Gateway', '/reference/project/gateway'),
  page('Python client', '/reference/project/python-client'),
  page('GitHub Action', '/reference/project/github-action'),
];

const PROOF = [
  page('Figures', '/measuring'),
  page('How loops are measured', '/measuring-method'),
  page('How well outcomes are read', '/measuring-reading'),
  page('What is blocked and stopped', '/measuring-acts'),
  page('What it would have said', '/what-it-would-have-said'),
  page('Screen agents', '/computer-use-figures'),
];

const CONTRIBUTE = [
  page('Contributing', '/reference/project/contributing'),
  page('Architecture', '/reference/project/architecture'),
  page('Decisions', '/reference/project/decisions'),
  page('Changelog', '/reference/project/changelog'),
  page('Security', '/reference/project/security'),
];

/** The head and the side of every page: six parts, in the order in which people need them. */
export const menu = (): { nav: Item[]; sidebar: Item[] } => ({
  nav: [
    { text: 'Start', items: START },
    page('Concepts', '/concepts'),
    page('Guides', '/install'),
    page('Reference', '/reference/project/commands'),
    page('How well it works', '/measuring'),
  ],
  sidebar: [
    group('Start', START, false),
    group('Concepts', CONCEPTS, false),
    group('Guides', GUIDES, false),
    group('Reference', reference(), false),
    group('How well it works', PROOF, false),
    group('Contribute', CONTRIBUTE),
  ],
});
