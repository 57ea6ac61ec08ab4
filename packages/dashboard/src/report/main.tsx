import '../style/palette.css';
import '../style/loop.css';
import '../style/base.css';
import '../style/layout.css';
import '../style/parts.css';
import '../style/session.css';
import '../style/picture.css';
import '../style/report.css';
import type { ReplayPageData } from '@unrut/computer-use/replay-page';
import type { ScanPageData } from '@unrut/ledger/report/html/scan-page';
import { render } from 'preact';
import { applyTheme } from '../preferences.ts';
import { ReplayPage } from './replay-page.tsx';
import { ScanPage } from './scan-page.tsx';

type Data = ({ kind: 'scan' } & ScanPageData) | ({ kind: 'replay' } & ReplayPageData);

applyTheme();
const data = JSON.parse(document.getElementById('data')!.textContent!) as Data;
render(
  data.kind === 'scan' ? <ScanPage {...data} /> : <ReplayPage {...data} />,
  document.getElementById('app')!,
);
