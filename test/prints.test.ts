import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import { hash32 } from '@unrut/engine/hash';
import { momentsOf } from '@unrut/testing/trace';
import { expect, test } from 'vitest';
import { createGuard } from '../packages/cli/src/index.ts';
import { root } from './structure/tree.ts';

/**
 * Runs at the edges of what is the same and what is new. What is read of them stays as it is:
 * sessions that were saved go on.
 */
const RUNS: Record<string, string> = {
  'looks and writes': String.raw`
Read {"file_path":"/repo/a.ts"} -> "one line of the file\nanother line of it"
Read {"file_path":"/repo/a.ts"} -> "one line of the file\nanother line of it"
Read {"file_path":"/repo/a.ts","offset":1,"limit":1} -> "one line of the file"
Read {"file_path":"/repo/b.ts"} -> ""
Read {"file_path":"/repo/b.ts"} -> "late words in it"
Read {"file_path":"/repo/gone.ts"} -> error "ENOENT: no such file or directory, open '/repo/gone.ts'"
Read {"file_path":"/repo/gone2.ts"} -> error "ENOENT: no such file or directory, open '/repo/gone2.ts'"
Edit {"file_path":"/repo/a.ts","old_string":"one line of the file","new_string":"one line of our file\nand a second line"} -> "The file was updated."
Edit {"file_path":"/repo/a.ts","old_string":"one line of the file","new_string":"one line of our file\nand a second line"} -> error "String to replace not found"
Edit {"file_path":"/repo/a.ts","old_string":"and a second line","new_string":"and a third line"} -> "The file was updated."
Edit {"file_path":"/repo/a.ts","old_string":"and a third line","new_string":"one line of our file\nand a second line"} -> "The file was updated."
Edit {"file_path":"/repo/a.ts","old_string":"and a third line","new_string":"one line of our file\nand a second line"} -> "The file was updated."
Write {"file_path":"/repo/c.ts","content":"alpha beta gamma\ndelta epsilon\nzeta"} -> "ok"
Write {"file_path":"/repo/d.ts","content":"alpha beta gamma\ndelta epsilon\nzeta"} -> "ok"
Write {"file_path":"/repo/c.ts","content":"alpha beta gamma\ndelta epsilon\nzeta"} -> "ok"
patchWidget {"spaceId":"main","widgetId":"clock","patch":"hands = 3"} -> "Widget clock patched."
patchWidget {"spaceId":"main","widgetId":"clock","patch":"hands = 4"} -> "Widget clock patched."
readWidget {"spaceId":"main","widgetId":"clock"} -> "hands = 4"`,
  'shell commands': String.raw`
Bash {"command":"cd src && ls"} -> exit 0 "a.ts\nb.ts"
Bash {"command":"ls"} -> exit 0 "a.ts\nb.ts"
Bash {"command":"cd .."} -> exit 0 ""
Bash {"command":"cd /repo/lib && cat x.ts"} -> exit 1 "cat: x.ts: No such file or directory"
Bash {"command":"cat x.ts"} -> exit 0 "x"
Bash {"command":"npm test"} -> exit 1 "Tests  3 failed | 5 passed (8)\nAssertionError: no lamp"
Bash {"command":"npm test"} -> exit 1 "Tests  3 failed | 5 passed (8)\nAssertionError: no lamp"
Bash {"command":"npm test"} -> exit 1 "Tests  2 failed | 6 passed (8)\nAssertionError: no globe"
Bash {"command":"npm test"} -> exit 0 "Tests  8 passed (8)"
Bash {"command":"npm test | tail -3"} -> "Tests  1 failed | 7 passed (8)"
Bash {"command":"grep -rn lamp src"} -> exit 1 ""
Bash {"command":"grep -rn lamp src"} -> exit 2 "grep: src: No such file or directory"
Bash {"command":"grep lamp x"} -> exit 1 "Error: Exit code 1"
Bash {"command":"diff a b"} -> exit 1 "< one\n> two"
Bash {"command":"git diff --exit-code"} -> exit 1 "+ one"
Bash {"command":"git status"} -> exit 0 "nothing to commit, working tree clean"
Bash {"command":"echo hello there my good friend of lamps"} -> exit 0 "hello there my good friend of lamps"
Bash {"command":"sleep 30"} -> exit 0 ""
Bash {"command":"true"} -> exit 0 ""
Bash {"command":"[REDACTED]"} -> exit 1 "[REDACTED]"
Bash {"command":"[REDACTED]"} -> exit 1 "[REDACTED]"
Bash {"command":"make -j8 all"} -> exit 2 "make: *** [all] Error 2\nsrc/main.c:3:5: error: expected ';' before 'return'"
Bash {"command":"make -j9 all"} -> exit 2 "make: *** [all] Error 2\nsrc/main.c:3:5: error: expected ';' before 'return'"
Bash {"command":"node serve.js --port 3000 --name the-long-name-of-a-server --and more --and yet more words"} -> exit 0 "listening on port 3000"`,
  'results that change a little': String.raw`
get_job {"id":1} -> {"id":1,"state":"queued","worker":"none","at":"2026-11-17T10:00:00Z"} x2
get_job {"id":1} -> {"id":1,"state":"running","progress":10}
get_job {"id":1} -> {"id":1,"state":"running","progress":20}
get_job {"id":1} -> {"id":1,"state":"done","progress":100}
get_clock {} -> "the clock of the tower shows a$ib2c3 and the hall is empty" x6
get_two {} -> "one a$ib2c3 and two c$id4e5 and the hall is empty as ever" x5
get_three {} -> "one a$ib2c3 two c$id4e5 three e$if6a7 in the hall" x5
get_count {} -> "$i of 12 berths are free" x3
get_page {} -> "The quick brown fox jumps over the lazy dog, and then the dog goes home to sleep"
get_page {} -> "The quick brown fox jumps over the lazy dog, and then the dog goes home to sleep!"
get_page {} -> "Some other page entirely, with other animals in it"
get_none {} -> ? x3
get_empty {} -> "" x2
get_empty {} -> "words at last"
get_empty {} -> ""
get_list {} -> {"items":[]}
get_list {} -> [{"type":"text","text":"one\ntwo"}]
get_list {} -> {"stdout":"out","stderr":"err"}
delete_item {"id":4} -> "item 4 not found"
delete_item {"id":5} -> "item 5 not found"
do_thing {"a":1} -> "ok"
do_thing {"a":1} -> "ok"
do_thing {"a":2} -> "https://shop.example/cart"
ask_agent {"prompt":"look for lamps in the cellar"} -> "No lamps there.\nagentId: a1 (x)\n<usage>tokens: 5</usage>"`,
  'errors and refusals': String.raw`
lookup {"a":1} -> error "HTTP 429: too many requests" x3
lookup {"a":1} -> error "disk full on device 3"
lookup {"a":1} -> error "disk full on device 4"
lookup {"a":2} -> error "disk full on device 4"
lookup {"a":1} -> "at last it is here"
lookup {"a":3} -> refused schema "invalid arguments: a"
lookup {"a":3} -> refused user "not now"
lookup {"a":3} -> refused unrut "blocked"
nothing_such {} -> refused unknown-tool "no such tool"
lookup {"a":4} -> {"content":[{"type":"text","text":"it broke"}],"isError":true}
lookup {"a":4} -> {"content":[{"type":"text","text":"Error: it broke"}],"isError":false}
lookup {"a":5} -> {"ok":false,"reason":"too low"}
verify {"suite":"a"} -> "2 tests failed: login, logout\nline two\nline three"
verify {"suite":"b"} -> "2 tests failed: login, logout\nline two\nline four"
search_web {"query":"tides of the sea"} -> "No results found."
search_web {"query":"tides of the moon"} -> "No results found."`,
  'files that speak of errors': String.raw`
Read {"file_path":"/repo/log.txt"} -> "Failed to load the lamp\nHTTP 429"
Read {"file_path":"/repo/lost.txt"} -> "Error: file not found"
read_page {"url":"https://a.example/"} -> "Failed to load the lamp"
search_web {"query":"lamps"} -> {"valid":false,"lamps":2}
check_lamp {"lamp":1} -> {"valid":false,"lamps":2}
make_lamp {"lamp":1} -> {"valid":false,"lamps":2}
Bash {"command":"cat notes.txt"} -> exit 0 "Error: a note about an error"
Bash {"command":"cat notes.txt"} -> "Error: a note about an error"
Bash {"command":"npm run lint | tail"} -> exit 0 "a.ts: error TS2322: no"`,
  'batches, waits and polls': `
Read {"file_path":"/repo/a.ts"} -> "alpha"
& Read {"file_path":"/repo/a.ts"} -> "alpha"
& Read {"file_path":"/repo/b.ts"} -> "beta"
fetch {"url":"https://a.example/1"} -> error "HTTP 404 for one"
& fetch {"url":"https://a.example/2"} -> error "HTTP 404 for one"
& fetch {"url":"https://a.example/3"} -> error "certificate expired"
+30s
Read {"file_path":"/repo/a.ts"} -> "alpha"
+10s
Read {"file_path":"/repo/c.ts"} -> "gamma"
+14s
Read {"file_path":"/repo/c2.ts"} -> "gamma too"
wait {"seconds":30} -> "waited"
get_state {"of":"web"} -> "all quiet here"
get_state {"of":"web"} -> "all quiet here"
Bash {"command":"sleep 5 && ./status"} -> exit 0 "still quiet"
wait {"seconds":30} -> error "cannot wait"
get_state {"of":"web"} -> "all quiet here"
check_status {"job":1} -> "with the reviewer"
compacted
Read {"file_path":"/repo/a.ts"} -> "alpha"
Read {"file_path":"/repo/a.ts"} -> "alpha"
Read {"file_path":"/repo/z.ts"} -> "omega"
get_state {"of":"web"} -> "all quiet here"
user "go on"
+2h
get_state {"of":"web"} -> "all quiet here"`,
  screens: `
action {"type":"click","x":40,"y":210} on button "Save" -> screen {"url":"https://a.example/","detail":"form"}
action {"type":"click","x":44,"y":212} on button "Save" -> screen {"url":"https://a.example/","detail":"form"}
action {"type":"click","x":44,"y":212} -> screen {"url":"https://a.example/","frame":"ffffffff00000000"}
action {"type":"click","x":44,"y":213,"reasoning":"the link there"} -> screen {"url":"https://a.example/","frame":"ffffffff00000001"}
action {"type":"click","x":44,"y":213,"reasoning":"the dropdown there"} -> screen {"url":"https://a.example/","frame":"ffffffff00000003"}
action {"type":"left_click","coordinate":[10,20]} -> screen {"viewport":{"width":4000,"height":3000},"frame":"not a hash"}
action {"type":"drag","path":[{"x":1,"y":2},{"x":3,"y":4},{"x":5,"y":6}]} -> ?
action {"type":"left_click_drag","start_coordinate":[1,2],"coordinate":[3,4]} -> "dropped it"
action {"type":"drag","x":1,"y":2,"end_x":7,"end_y":8} -> "dropped it"
action {"type":"scroll","x":1,"y":2} -> screen {"url":"https://a.example/"}
action {"type":"key","text":"Page_Down"} -> ?
action {"type":"keypress","keys":["ArrowDown","space"]} -> ?
action {"type":"keypress","keys":["ArrowDown","a"]} -> ?
action {"type":"keypress","keys":[]} -> ?
action {"type":"press","key":"Enter"} -> ?
action {"type":"wait"} -> ?
action {"type":"screenshot"} -> screen {"detail":"form"}
action {"type":"type","text":"lamp 40"} on textbox -> screen {"detail":"typed"}
screen "a shop with lamps and globes in the window"
look_around {} -> "a shop"
screen "a street with nothing but rain"
look_around {} -> "a shop"`,
  texts: String.raw`
say "I will look at src/auth.ts first, then at line 42 of it."
say "I will look at src/cart.ts first, then at line 77 of it."
think "Hmm. The user's \"null check\" isn't there... or is it? e.g. in 3 places -- no, 4."
think "1. First of all\n2. Second of all\n\nAnother paragraph with a well-known URL https://a.example/x?y=1 and a_name, aName and A::b"
say "Привет, мир! Ещё раз: привет. Łódź, Straße, ＡＢＣ１２３"
say "これは日本語の文章です。もう一度読みます。"
say "'quoted words here' and “other quoted words” and \u0060code words\u0060 end"
say "\"a quotation that goes on for so many words that it is no name of a thing at all any more\" end"
stream "This comes in pie"
stream "ces, 12:30 and 3.14"
stream "15 of it.\n\nNew para"
Read {"file_path":"/repo/a.ts"} -> "alpha"
stream "unfinished wo"
user "stop"
think "short"
say "   "
say "a.b.c/d e@f.g h\\i j:k l-m ...n --o p'q r’s"`,
  'tasks, ticks and iterations': `
task T1 blocked {"blockers":["no key","no key","no lock"],"work":["read the docs at 10:30"]}
task T1 blocked {"blockers":["no lock","no key"],"work":["read the docs at 10:45"]}
task T1 done {"work":["a","b","c","d","e","f","g","h","i"]}
task T1 a-status-that-is-much-too-long-to-keep {}
idle "No tasks in the roadmap"
idle "  the backlog is empty  "
idle "waiting for review"
idle "queue: no tasks. zero"
output "Updated a.ts, 3 tests failing - auth, login, logout"
output "Updated a.ts, 2 tests failing - auth, login"
output moved "hello"
output unmoved "hello"
output "Error: ENOENT: no such file"`,
};

const eventsOf = (run: string): AgentEvent[] =>
  momentsOf(run.split('\n').filter((line) => line !== '')).flatMap(({ events }) => events);

/** What is there; grams, which are many and hardly to be read, by their hash. */
function shown(name: string, value: unknown): unknown {
  if (name === 'grams') return hash32(String(value)).toString(36);
  return value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;
}

test.each(Object.entries(RUNS))('%s are read as they were', async (name, run) => {
  const guard = createGuard();
  const lines = eventsOf(run).flatMap((event) => {
    const { seen } = guard.observe(event);
    return event.type === 'call-proposed' ? [] : [JSON.stringify(seen, shown)];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
    join(root, 'test/fixtures/prints', `${name.replaceAll(/\W+/g, '-')}.jsonl`),
  );
});
