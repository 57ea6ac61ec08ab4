// A toy for trying out `unrut run`: an agent that makes the same fix again and again. It reads its prompt from standard input, costs
// nothing, and changes nothing. Told that it repeats itself, it tries something else, unless it is started with --stubborn.
import { text } from 'node:stream/consumers';

const prompt = await text(process.stdin);
const wasTold = prompt.includes('repeating yourself');

if (wasTold && !process.argv.includes('--stubborn')) {
  console.log('The null check was in the wrong place: total() starts from undefined. Started it from 0, and the test passes.');
  console.log('TASK_COMPLETE');
} else {
  console.log('Fixed cart.ts - added null check');
  console.log('1 test failing - total adds up the cart');
}
