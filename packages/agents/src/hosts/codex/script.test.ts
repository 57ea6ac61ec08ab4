import { describe, expect, it } from 'vitest';
import { codexResult } from './result.ts';
import { scriptCall } from './script.ts';

describe('a script of the code mode', () => {
  it.each<[string, string, unknown]>([
    [
      'a command',
      'const r = await tools.exec_command({cmd:"ls -la", yield_time_ms:5000}); text(r.output);',
      { cmd: 'ls -la', yield_time_ms: 5000 },
    ],
    [
      'with quoted names',
      `text(await tools.exec_command({"cmd": 'echo "a"', "tty": false, }))`,
      { cmd: 'echo "a"', tty: false },
    ],
    [
      'with escapes',
      'await tools.exec_command({cmd: "printf \\"a\\\\n\\"\\u0041\\x42"});',
      { cmd: 'printf "a\\n"AB' },
    ],
    [
      'over several lines',
      'await tools.exec_command({\n  cmd: `cat <<E\nx $HOME\nE`,\n  args: ["a", -1.5, null, {b: []}],\n});',
      { cmd: 'cat <<E\nx $HOME\nE', args: ['a', -1.5, null, { b: [] }] },
    ],
  ])('is %s', (_, script, args) =>
    expect(scriptCall(script)).toEqual({ tool: 'exec_command', args }),
  );

  it('is a patch, or a patch and a check', () => {
    const patch = "*** Begin Patch\n*** Add File: a.txt\n+it's\n*** End Patch";
    const applies = `const r = await tools.apply_patch(${JSON.stringify(patch)});`;
    expect(scriptCall(applies)).toEqual({ tool: 'apply_patch', args: { input: patch } });
    expect(scriptCall(`${applies} text(await tools.exec_command({cmd:"npm test"}));`)).toEqual({
      tool: 'exec_command',
      args: { cmd: `apply_patch '${patch.replace("'", "'\\''")}'\nnpm test` },
    });
  });

  it('is a patch that is kept in a constant', () => {
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+x == 1\n*** End Patch';
    const set = `const patch = ${JSON.stringify(patch)};`;
    expect(scriptCall(`${set}\ntext(await tools.apply_patch(patch));`)).toEqual({
      tool: 'apply_patch',
      args: { input: patch },
    });
  });

  it.each([
    ['a constant that is computed', 'const p = a + "x"; await tools.apply_patch(p)'],
    ['a text that goes on', 'const p = "a" + b; await tools.apply_patch(p)'],
    ['a variable that is changed', 'let p = "a"; p += "b"; await tools.apply_patch(p)'],
    ['a constant with two meanings', 'let p = "a"; { let p = "b" } await tools.apply_patch(p)'],
    ['nothing that is called', 'text(1 + 1)'],
    ['a value that is computed', 'await tools.exec_command({cmd: "cat " + file})'],
    ['a text with a value in it', 'await tools.exec_command({cmd: `cat ${file}`})'],
    ['a variable', 'await tools.exec_command(options)'],
    ['a short name', 'await tools.exec_command({cmd})'],
    ['a tool by its name', 'await tools["exec_command"]({cmd: "ls"})'],
    ['a list that never ends', 'await tools.exec_command({cmd: ["a"'],
    [
      'a command and something else',
      'await tools.exec_command({cmd:"ls"}); await tools.write_stdin({session_id:1, chars:""});',
    ],
    ['no text', 3],
  ])('stays what it is: %s', (_, script) => expect(scriptCall(script)).toBeUndefined());

  const shown = (...texts: string[]) =>
    codexResult(texts.map((text) => ({ type: 'input_text', text })));
  it('says how it ended before what it showed', () => {
    expect(shown('Script completed\nWall time 0.4 seconds\nOutput:\n', 'a\nb')).toEqual({
      result: 'a\nb',
    });
    expect(shown('Script failed\nWall time 0.4 seconds\nOutput:\n', 'ReferenceError: x')).toEqual({
      result: 'ReferenceError: x',
      error: true,
    });
    expect(
      shown(
        'Script completed\nWall time 0.4 seconds\nOutput:\n',
        '{"chunk_id":"9a","wall_time_seconds":0.25,"exit_code":2,"output":"gone"}',
      ),
    ).toEqual({
      result: 'gone',
      exitCode: 2,
      durationMs: 250,
    });
  });
});
