import { LOOPS } from '/work/wt-force/test/force/loops.ts';
import { play, times } from '/work/wt-force/test/force/play.ts';

for (const l of LOOPS)
  for (const attended of [true, false]) {
    const p = play({ turns: times(160, l.loop), every: l.every ?? 2, attended });
    console.log(l.name, attended ? 'attended' : 'UNATTENDED', p.stoppedAt);
    for (const a of p.acts)
      console.log(
        '   ',
        a.call,
        a.rung,
        a.byPrice ? '$' : '',
        a.reason,
        process.argv[2] ? a.text : '',
      );
  }
for (const l of LOOPS) {
  const p = play({ turns: times(60, l.twin), every: l.every ?? 2 });
  console.log(
    'TWIN',
    l.honest,
    p.acts.map((a) => `${a.call} ${a.rung}${a.byPrice ? '$' : ''} ${a.reason}`).join('; '),
  );
}
