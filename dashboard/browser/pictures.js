// Pictures of every page in both widths and themes, to be looked at: node browser/pictures.js FOLDER
import { mkdirSync } from 'node:fs';
import { StandIn } from '../dev/standin.js';
import { launch, open, PHONE, WIDE } from './browser.js';

const folder = process.argv[2] ?? 'pictures';
mkdirSync(folder, { recursive: true });
const standIn = new StandIn({ rows: 60, dist: 'dist', degraded: true, mode: 'dry-run' });
const address = `http://127.0.0.1:${await standIn.start()}`;
const idle = [...standIn.fleet.workloads.values()].find((row) => row.state === 'IDLE' && row.gpus >= 4);
const kept = [...standIn.fleet.workloads.values()][3];
const at = (row) => `/workloads/${row.namespace}/${row.kind}/${row.name}`;
const PAGES = { list: '/', idle: at(idle), kept: at(kept), nodes: '/nodes', history: '/history', savings: '/savings' };
const browser = await launch();
for (const viewport of [WIDE, PHONE]) {
  for (const dark of [false, true]) {
    const { page, complaints, close } = await open(browser, { viewport, dark });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(address + path);
      await page.waitForTimeout(900);
      const file = `${folder}/${name}-${viewport.width}-${dark ? 'dark' : 'light'}.png`;
      await page.screenshot({ path: file, fullPage: !path.match(/^\/$|history/) });
      if (name === 'list') {
        await page.evaluate(() => window.scrollTo(0, 620));
        await page.waitForTimeout(200);
        await page.screenshot({ path: file.replace('list', 'list-scrolled') });
      }
    }
    console.log(viewport.width, dark, complaints);
    await close();
  }
}
await browser.close();
await standIn.stop();
