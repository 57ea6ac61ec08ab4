import { expect, test } from 'vitest';
import type { CallPrint } from '../prints.ts';
import { startFolders } from './folder.ts';
import { isPending } from './pending.ts';
import { readProposed } from './read-call.ts';

const call = (tool: string, args: unknown): CallPrint =>
  readProposed({
    call: { id: 'c', tool, args },
    annotations: undefined,
    declared: undefined,
    folders: startFolders(),
    seed: 1,
  });
const look = call('get_thing', { name: 'web' });
const shell = (command: string): CallPrint => call('Bash', { command });

test.each([
  ['web-0   0/1   Pending   0   30s'],
  ['{"status":"running"}'],
  ['status: queued'],
  ['The job is still running.'],
  ['state = in_progress'],
  ['StackStatus: CREATE_IN_PROGRESS'],
  ['Up 5 seconds (health: starting)'],
  ['done: false'],
  ['isReady: false'],
  ['completedAt: null'],
  ['finished_at: null'],
  ['approved_by: null'],
  ['shippedAt: null'],
  ['decision: null'],
  ['isRunning: true'],
  ['building: true'],
  ['progress: 0'],
  ['progressPercent: 40%'],
  ['progress: 40 %'],
  ['Rendering: 2 %'],
  ['Downloading model.bin 45%'],
  ['clip r77: 15% done'],
  ['Waiting for approval'],
  ['HTTP/1.1 202 Accepted'],
  ['(no new output)'],
  ['Compiling src/main.rs ...'],
])('%s names a state of waiting', (said) => expect(isPending(look, said)).toBe(true));

test.each([
  ['The app crashes when starting.'],
  ['1. Running tests in parallel'],
  ['{"status":"done"}'],
  ['status: scheduled'],
  ['done: true'],
  ['completed_at: 2026-01-05'],
  ['result: null'],
  ['deleted_at: null'],
  ['progress: 100'],
  ['Rendering: 100 %'],
  ['Passing: 95 %'],
  ['coverage: 95 % of lines'],
  ['100% done'],
  ['202 rows'],
  ['Interesting... and then it was over'],
  [`pending ${'x'.repeat(400)}`],
])('%s does not', (said) => expect(isPending(look, said)).toBe(false));

test.each([
  ['a file is content', call('Read', { file_path: 'todo.md' }), 'status: pending', false],
  ['a log is not', shell('tail -3 build.log'), 'compiling...', true],
  ['a script may tell a state', shell('./st'), 'deploy d-77: pending', true],
  ['and so may its last word', shell('./st'), 'Build 412 (3.1): PROCESSING', true],
  ['a state before the end is past', shell('./st'), 'step 1: processing\nstep 2', false],
  [
    'a long report of a script is no state',
    shell('./st'),
    `deploy d-77: pending${' and more'.repeat(50)}`,
    false,
  ],
  ['a script may be starting something', shell('./serve'), 'Starting the server...', false],
  ['a write is no look', call('create_job', { name: 'web' }), 'status: pending', false],
  [
    'what runs is looked at to see whether it does',
    shell('ps aux | grep train'),
    'dev 8841 python train.py',
    true,
  ],
  ['a tool is named for it', call('check_status', { job: 1 }), 'with the reviewer', true],
  ['a final state is no waiting', call('check_status', { job: 1 }), 'status: failed', false],
  [
    'git has a status, but nothing to wait for',
    call('git_status', { repo: '.' }),
    'nothing to commit',
    false,
  ],
  ['an empty answer is no state', call('poll_job', { job: 1 }), '', false],
])('%s', (_, made, said, expected) => expect(isPending(made, said)).toBe(expected));
