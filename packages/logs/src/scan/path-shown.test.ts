import { SECRETS } from '@unrut/test/planted-secrets';
import { describe, expect, it } from 'vitest';
import { pathShown } from './path-shown.ts';

describe('a path in a report', () => {
  it.each([
    '/home/dev/.claude/projects/-home-dev-project/5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl',
    '/home/dev/.codex/sessions/2026/05/07/rollout-2026-05-07T17-24-21-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl.gz',
    '/home/dev/.gemini/tmp/4c1f0d94b8487ba5302aeb6098ae0e4c1f0d94b8487ba5302aeb6098ae0eabcd/chats/session-2026-09-18T02-45-3b44bc68.json',
    'C:\\runs\\5973b6c094b8487ba5302aeb6098ae0e.json',
    'storage/ses_e1e9aac65ffemzAWmdeW3XDHEQ',
    'kimi/session_5973b6c0-94b8-487b-a530-2aeb6098ae0e',
    'storage/ses_31a4b9127ffeWeR4XnP70FhbEV.jsonl',
    'jobs/Run1_0xacme__tool_2a0bfe7f_0d6ee4bb__YJBs7Zc.jsonl',
    'jobs/q8Zr4TnW2xKp9VbLs7YdHm3JcFg6RtEu/agent/trajectory.json',
    'logs/credentials: could not find.log',
    'logs/*.jsonl.gz',
  ])('stays as it is: %s', (path) => {
    expect(pathShown(path)).toBe(path);
  });

  const keys = Object.entries(SECRETS).filter(([name]) => name !== 'a long random string');
  it.each(keys.filter(([, secret]) => !/[\s/\\]/.test(secret)))('masks %s', (_, secret) => {
    expect(pathShown(`/home/dev/${secret}/run-${secret}.jsonl`)).not.toContain(secret);
  });
});
