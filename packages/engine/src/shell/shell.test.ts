import { processorTime } from '@unrut/test/processor-time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readShell, type ShellPrint } from './shell.ts';

const HEREDOC = "cat > src/a.ts <<'EOF'\nexport const answer = 42;\nEOF";

describe('the same command', () => {
  test.each([
    ['spacing', 'npm   test', 'npm test'],
    ['a line continued', 'npm \\\n  test', 'npm test'],
    ['quotes', `grep -n "foo" 'src/a.ts'`, 'grep -n foo src/a.ts'],
    ['a pattern in another style of quotes', `rg "a b" src`, `rg 'a b' src`],
    ['a folder before it', 'cd /repo && npm test', 'npm test'],
    ['a folder before it, with a semicolon', 'cd /repo; npm test', 'npm test'],
    ['a folder as an option of git', 'git -C /repo status', 'cd /repo && git status'],
    ['a longer head', 'npm test | head -50', 'npm test | head -100'],
    ['no head at all', 'npm test | tail -n 5', 'npm test'],
    ['stderr', 'npm test 2>&1 | tail -5', 'npm test'],
    ['stderr thrown away', 'ls -la src 2>/dev/null', 'ls -la src'],
    ['everything thrown away', 'make build > /dev/null 2>&1', 'make build'],
    ['a trailing echo', 'npm test; echo "exit: $?"', 'npm test'],
    ['a trailing echo on success', 'go build ./... && echo done', 'go build ./...'],
    ['a failure forgiven', 'npm run lint || true', 'npm run lint'],
    ['a ruler between two', 'git status && echo "---" && git diff', 'git status && git diff'],
    ['settings of colour', 'CI=1 FORCE_COLOR=0 npm test', 'npm test'],
    ['a time limit', 'timeout 60 npm test', 'timeout 30 npm test'],
    ['timing', 'time npm test', 'npm test'],
    ['a shell around it', `bash -lc 'cd /repo && npm test'`, 'npm test'],
    ['PowerShell around it', 'powershell -NoProfile -Command "npm test"', 'npm test'],
    ['a runner', 'npx vitest run a.test.ts', './node_modules/.bin/vitest run a.test.ts'],
    ['a module', 'python -m pytest tests/a.py', 'pytest tests/a.py'],
    ['the folder of programs', '/usr/bin/grep foo a.txt', 'grep foo a.txt'],
    ['a wait before it', 'sleep 30 && kubectl get pod', 'sleep 60; kubectl get pod'],
    ['a comment', '# try once more\nnpm test', 'npm test'],
    ['a parenthesis', '(cd web && npm test)', 'npm test'],
  ])('%s does not make a new one', (_, one, other) => {
    expect(readShell(one).canonical).toBe(readShell(other).canonical);
  });

  test.each([
    ['another file', 'cat src/a.ts', 'cat src/b.ts'],
    ['another test', 'npm test -- -t one', 'npm test -- -t two'],
    ['a flag', 'go test ./...', 'go test -race ./...'],
    ['another program', 'npm test', 'pnpm test'],
    ['another filter', 'npm test | grep FAIL', 'npm test | grep PASS'],
    ['one argument or two', `rg "a b"`, 'rg a b'],
    ['a setting that changes the work', 'GOOS=linux go build', 'GOOS=js go build'],
    ['another script on stdin', "python3 - <<'PY'\nprint(1)\nPY", "python3 - <<'PY'\nprint(2)\nPY"],
    ['more rights', 'apt-get install jq', 'sudo apt-get install jq'],
    ['another binary of the same name', './bin/app run', '/tmp/app run'],
    ['another page of a file', `sed -n '1,80p' a.ts`, `sed -n '80,160p' a.ts`],
    ['another echo', 'echo one', 'echo two'],
    [
      'what lies beyond the part that is parsed',
      `echo ${'x'.repeat(20_000)}1`,
      `echo ${'x'.repeat(20_000)}2`,
    ],
  ])('%s makes a new one', (_, one, other) => {
    expect(readShell(one).canonical).not.toBe(readShell(other).canonical);
  });
});

describe('what a command does', () => {
  const cases: [command: string, expected: Partial<ShellPrint>][] = [
    [
      'cat src/a.ts',
      {
        tool: 'cat',
        verb: 'read',
        target: 'file:src/a.ts',
        wide: false,
        effect: 'none',
        look: true,
      },
    ],
    ['cat ./src//a.ts', { target: 'file:src/a.ts' }],
    ['cd /repo/web && cat ../a.ts', { target: 'file:/repo/a.ts', directory: '/repo/web' }],
    [
      'cat a.ts b.ts',
      { verb: 'read', target: null, targets: ['file:a.ts', 'file:b.ts'], wide: true },
    ],
    ['head -n 40 src/a.ts', { verb: 'read', target: 'file:src/a.ts' }],
    [
      `sed -n '1,80p' src/a.ts`,
      { tool: 'sed', verb: 'read', target: 'file:src/a.ts', effect: 'none' },
    ],
    [`grep -n "rm -rf" src/a.ts`, { tool: 'grep', verb: 'read', target: 'file:src/a.ts' }],
    ['grep -rn foo src', { verb: 'read', target: null, wide: true, look: true }],
    ['rg -n "delete|insert" .', { verb: 'read', wide: true }],
    ['ls -la src', { tool: 'ls', verb: 'read', target: null, wide: true, look: false }],
    [
      'find . -name "*.py" | xargs grep -l "rm"',
      { tool: 'grep', verb: 'read', effect: 'none', wide: true },
    ],
    ['find . -name "*.pyc" -delete', { verb: 'write', effect: 'any' }],
    ['find . -name "*.go" -exec grep -l foo {} \\;', { tool: 'find', verb: 'read' }],
    ['find . -name "*.go" -exec sed -i s/a/b/ {} +', { verb: 'write', effect: 'any' }],
    ['cat log.txt | grep error | wc -l', { tool: 'grep', verb: 'read', target: 'file:log.txt' }],
    [`awk '{print $1}' data.csv`, { verb: 'read', target: 'file:data.csv' }],
    ['diff a.txt b.txt', { verb: 'read', look: true, wide: true }],
    ['git status', { tool: 'git status', verb: 'read', wide: true, look: true, effect: 'none' }],
    ['git --no-pager diff HEAD~1', { tool: 'git diff', verb: 'read', wide: true, look: true }],
    ['git log --oneline -5', { tool: 'git log', verb: 'read', wide: true, look: false }],
    ['git branch -a', { verb: 'read' }],
    ['git branch -D old', { verb: 'write' }],
    ['git stash list', { tool: 'git stash', verb: 'read' }],
    ['git stash', { verb: 'write', effect: 'any', clears: 'space' }],
    [
      'git checkout -- src/a.ts',
      { verb: 'write', effect: 'target', target: 'file:src/a.ts', clears: 'target' },
    ],
    [
      'git add -A && git commit -m "fix: delete the sleep"',
      { tool: 'git commit', verb: 'write', effect: 'any' },
    ],
    [
      `git commit -m "$(cat <<'EOF'\nDon't (yet)\nEOF\n)"`,
      { tool: 'git commit', verb: 'write', effect: 'any' },
    ],
    ['git config --get user.name', { verb: 'read' }],
    ['git apply --check fix.diff', { verb: 'verify' }],
    ['kubectl get pod web-1', { tool: 'kubectl get', verb: 'read', wide: true }],
    ['kubectl -n web logs web-1', { tool: 'kubectl logs', verb: 'read' }],
    ['kubectl apply -f x.yaml', { tool: 'kubectl apply', verb: 'write' }],
    ['kubectl rollout status deploy/web', { verb: 'read', sleeps: true }],
    ['kubectl exec web-1 -- cat /etc/hosts', { tool: 'cat', verb: 'read', target: null }],
    ['docker ps', { tool: 'docker ps', verb: 'read', wide: true }],
    ['docker compose -f dev.yml logs web', { tool: 'docker compose logs', verb: 'read' }],
    ['docker compose up -d', { tool: 'docker compose up', verb: 'write' }],
    ['ssh host "docker ps"', { tool: 'docker ps', verb: 'read' }],
    ['ssh host "rm -rf /srv/x"', { verb: 'write', effect: 'any' }],
    [
      'curl -s https://a.example/x',
      { tool: 'curl', verb: 'read', target: 'url:https://a.example/x', wide: false },
    ],
    ['curl -s http://localhost:3000/health', { verb: 'read', wide: true }],
    ['curl -X POST https://a.example/x -d a=1', { verb: 'write', effect: 'any' }],
    ['curl -o out.html https://a.example/x', { verb: 'write' }],
    ['gh pr view 12 --json title', { tool: 'gh pr view', verb: 'read' }],
    ['gh api repos/a/b/pulls', { tool: 'gh api', verb: 'read' }],
    ['gh api repos/a/b/issues -f title=x', { tool: 'gh api', verb: 'write' }],
    ['npm test', { tool: 'npm test', verb: 'verify', wide: true, effect: 'none', look: true }],
    ['npm run build', { tool: 'npm run build', verb: 'verify' }],
    ['npm run lint:fix', { verb: 'write', effect: 'any' }],
    ['npm run format:check', { verb: 'verify' }],
    ['npm run dev', { tool: 'npm run dev', verb: 'execute', effect: 'any' }],
    ['npm install', { tool: 'npm install', verb: 'write', effect: 'any' }],
    ['npm view vitest version', { verb: 'read' }],
    ['pnpm --filter web build', { tool: 'pnpm build', verb: 'verify' }],
    ['yarn lint', { tool: 'yarn lint', verb: 'verify' }],
    ['python -m pytest -k a', { tool: 'pytest', verb: 'verify' }],
    ['uv run pytest', { tool: 'pytest', verb: 'verify' }],
    ['npx -y vitest@4 run', { tool: 'vitest', verb: 'verify' }],
    ['sudo docker ps', { tool: 'docker ps', verb: 'read' }],
    ["wsl -d Debian bash -lc 'go test ./... | head -5'", { tool: 'go test', muted: true }],
    [
      'pwsh -ep Bypass -c Get-Service Spooler',
      { tool: 'get-service', verb: 'read', asks: 'state' },
    ],
    ['powershell check.ps1', { verb: 'verify' }],
    ['fastlane build_info build:412', { tool: 'fastlane build_info', verb: 'read' }],
    ['sh store.sh status', { tool: 'sh status', verb: 'read', asks: 'state' }],
    ['./acme status --json', { verb: 'read', asks: 'state' }],
    ['./wait-for-it.sh db:5432 -t 5', { asks: 'state' }],
    ['psql -c "select status from jobs where id = 7"', { asks: 'state' }],
    ['psql -c "select status, name from jobs"', { asks: 'content' }],
    ['gsutil ls gs://out/run7/', { asks: 'state' }],
    ['openstack server show web -c status', { asks: 'state' }],
    ['gh issue view 5 --comments', { asks: 'state' }],
    ['git status', { verb: 'read', asks: 'content' }],
    ['acme deploy:status', { verb: 'read' }],
    ['acme deploy_all', { verb: 'write' }],
    ['go vet ./...', { tool: 'go vet', verb: 'verify' }],
    ['go build -o /tmp/x . && /tmp/x run', { tool: 'x run', verb: 'execute', effect: 'any' }],
    ['cargo clippy', { tool: 'cargo clippy', verb: 'verify' }],
    ['cargo fmt && cargo test', { tool: 'cargo test', verb: 'verify', effect: 'any' }],
    ['tsc --noEmit', { tool: 'tsc', verb: 'verify' }],
    ['eslint --fix src', { verb: 'write' }],
    ['prettier --check .', { verb: 'verify' }],
    ['make', { tool: 'make', verb: 'verify' }],
    ['make -C web test', { tool: 'make test', verb: 'verify' }],
    ['mise run test:ci', { tool: 'mise run test:ci', verb: 'verify' }],
    ['./gradlew test', { tool: 'gradlew', verb: 'verify' }],
    ['bash scripts/run-tests.sh', { verb: 'verify' }],
    ['bash -n scripts/x.sh', { verb: 'verify' }],
    ['pip install requests', { tool: 'pip install', verb: 'write', effect: 'any' }],
    ['pip3 list', { verb: 'read' }],
    [
      'rm src/a.ts',
      { verb: 'write', effect: 'target', target: 'file:src/a.ts', patch: false, clears: 'target' },
    ],
    ['rm -rf build', { verb: 'write', effect: 'any' }],
    ['mv a.ts b.ts', { verb: 'write', effect: 'any' }],
    ['cp a.ts b.ts', { verb: 'write', effect: 'target', target: 'file:b.ts' }],
    ['mkdir -p dist && npm test', { verb: 'verify', tool: 'npm test' }],
    [
      `sed -i 's/a/b/' src/a.ts`,
      { verb: 'write', effect: 'target', target: 'file:src/a.ts', patch: true },
    ],
    [`sed -i '' -e 's/a/b/' src/a.ts`, { verb: 'write', target: 'file:src/a.ts', patch: true }],
    [`sed -i '12,14d' src/a.ts`, { region: { lines: [12, 14], hashes: [] } }],
    [`perl -pi -e 's/a/b/' src/a.ts`, { verb: 'write', target: 'file:src/a.ts', patch: true }],
    [
      `sed -i 's/a/b/' a.go && go test ./...`,
      { verb: 'write', target: 'file:a.go', patch: true, look: true },
    ],
    [
      'echo hello > out.txt',
      { verb: 'write', effect: 'target', target: 'file:out.txt', patch: true },
    ],
    ['echo hello >> out.txt', { verb: 'write', target: 'file:out.txt', patch: true }],
    ['echo hello | tee out.txt', { verb: 'write', target: 'file:out.txt' }],
    [
      HEREDOC,
      {
        tool: 'cat',
        verb: 'write',
        effect: 'target',
        target: 'file:src/a.ts',
        patch: true,
        look: false,
      },
    ],
    ['npm test > test.log 2>&1', { verb: 'verify', effect: 'none', tool: 'npm test' }],
    ['for f in *.ts; do sed -i s/a/b/ "$f"; done', { verb: 'write', effect: 'any', target: null }],
    [
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\nEOF",
      { verb: 'write', target: 'file:a.ts', patch: true },
    ],
    [
      'python reproduce.py',
      { tool: 'python', verb: 'execute', effect: 'any', wide: true, look: true },
    ],
    [
      `python3 -c "import sys; print(sys.version)"`,
      { tool: 'python3', verb: 'read', effect: 'none' },
    ],
    [`python3 -c "open('a','w').write('x')"`, { verb: 'execute' }],
    [`sqlite3 a.db "SELECT 1"`, { verb: 'read' }],
    [`psql -c "DELETE FROM a"`, { verb: 'write' }],
    ['frobnicate --all', { tool: 'frobnicate', verb: 'execute', effect: 'any', wide: true }],
    ['vercel logs web', { tool: 'vercel logs', verb: 'read' }],
    ['terraform --version', { verb: 'read' }],
    ['echo "rm -rf /"', { verb: 'nothing' }],
    ['which node', { verb: 'read', wide: false }],
    [`if [ -f a.txt ]; then cat a.txt; fi`, { tool: 'cat', verb: 'read' }],
    [`[[ "$a" == b && -n "$c" ]] && npm test`, { tool: 'npm test', verb: 'verify' }],
    ['Get-Content a.txt | Select-Object -First 5', { verb: 'read', target: 'file:a.txt' }],
    ['cat D:\\repo\\a.txt', { target: 'file:D:/repo/a.txt' }],
    ['true', { verb: 'nothing', effect: 'none', wide: false }],
    [':', { verb: 'nothing' }],
    ['echo ok', { tool: 'echo', verb: 'nothing' }],
    ['sleep 0', { verb: 'nothing', sleeps: false }],
    ['', { verb: 'nothing', canonical: '' }],
    ['# nothing yet', { verb: 'nothing' }],
    ['sleep 30', { tool: 'sleep', verb: 'wait', sleeps: true }],
    ['sleep 5; echo done', { tool: 'sleep', verb: 'wait' }],
    ['wait', { verb: 'wait' }],
    ['sleep 30 && kubectl get pod', { tool: 'kubectl get', verb: 'read', sleeps: true }],
    [
      'until curl -sf https://a.example; do sleep 5; done',
      { tool: 'curl', verb: 'read', sleeps: true },
    ],
    ['watch -n 2 kubectl get pods', { tool: 'kubectl get', verb: 'read', sleeps: true }],
    ['gh run watch 12', { sleeps: true }],
    ['helm upgrade web ./web --wait', { verb: 'write', sleeps: true }],
    ['npm test -- --watch=false', { sleeps: false }],
  ];
  test.each(cases)('%s', (command, expected) => {
    expect(readShell(command)).toMatchObject(expected);
  });
});

describe('any text', () => {
  test('has an answer, and the same one each time', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '"',
      "'",
      '`',
      '$(',
      '${',
      '<<E',
      '\nE\n',
      '|',
      '&&',
      ';',
      '\\',
      '\n',
      ' ',
      'rm a',
      '>',
      '[[',
      'for x in',
      '=',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
        ),
        (command) => {
          const first = readShell(command);
          readShell('true');
          expect(readShell(command)).toEqual(first);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    '(',
    '"',
    "'",
    '`',
    '$(',
    '${',
    'xargs ',
    'find . -exec ',
    '<<E ',
    'bash -c ',
    'a;',
    '\n',
  ])('of a megabyte of %j is read in little time', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(processorTime(() => void readShell(text))).toBeLessThan(2000);
  });

  test('in a long here-document is content, not commands', () => {
    const print = readShell(`cat > big.txt <<'EOF'\n${'rm -rf / "\n'.repeat(20_000)}EOF\nnpm test`);
    expect(print).toMatchObject({
      target: 'file:big.txt',
      tool: 'npm test',
      verb: 'write',
      effect: 'target',
    });
  });
});
