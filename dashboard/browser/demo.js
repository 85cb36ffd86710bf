// What a visitor of the demo sees within a minute, by clicking, on the real server: node browser/demo.js ADDRESS [FOLDER]
// One workload is followed as it is paused, resumed, goes idle, is warned and kept; then every page is looked at, at both
// widths, in light and dark.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { serious } from './axe.js';
import { launch, open, PHONE, WIDE } from './browser.js';

const [address, folder = ''] = process.argv.slice(2);
if (folder) {
  mkdirSync(folder, { recursive: true });
}
const chip = (page, state) => page.locator('.row', { has: page.locator(`.chip.s-${state}`) });

async function sound(page, where) {
  assert.deepEqual(await serious(page), [], `axe on ${where}`);
}

/** One workload all the way: paused, woken by a click, idle once more, warned, and kept by another click. */
async function followOne(page) {
  const began = Date.now();
  await page.goto(`${address}?state=PAUSED`);
  const paused = chip(page, 'paused').first();
  await paused.waitFor({ timeout: 60_000 });
  const id = await paused.getAttribute('data-id');
  await page.goto(`${address}?q=${encodeURIComponent(id.slice(id.lastIndexOf('/') + 1))}`);
  const row = page.locator(`[data-id="${id}"]`);
  await row.getByRole('button', { name: /^Resume/ }).click();
  await row.locator('.chip.s-unknown').waitFor({ timeout: 20_000 });
  // It is judged once it has run for half an hour by the demo's clock.
  await row.locator('.chip.s-idle').waitFor({ timeout: 75_000 });
  await row.locator('.c-left time').waitFor({ timeout: 30_000 });
  await row.getByRole('button', { name: /for 4 hours/ }).click();
  await row.locator('.chip.s-kept').waitFor({ timeout: 20_000 });
  console.log(`ok   ${id} was paused, resumed, idle, warned and kept within ${Math.round((Date.now() - began) / 1000)} s`);
}

async function visit(page, picture) {
  await page.goto(address);
  await page.locator('.row').first().waitFor();
  await sound(page, 'the list');
  await picture('list');

  // Something was paused, or is about to be; nobody has to wait longer than a minute for it.
  await page.goto(`${address}?state=PAUSED`);
  await chip(page, 'paused').first().waitFor({ timeout: 60_000 });
  await page.goto(`${address}?state=IDLE`);

  // Kept by one click, and that shows on the very row; the real server says so after its next look.
  const idle = chip(page, 'idle').first();
  const id = await idle.getAttribute('data-id');
  await idle.getByRole('button', { name: /for 8 hours/ }).click();
  await page.locator('.notice', { hasText: 'is kept until' }).waitFor();
  await page.goto(`${address}?state=KEPT`);
  await page.locator(`[data-id="${id}"] .chip.s-kept`).waitFor({ timeout: 20_000 });

  // Why it counts as idle: the evidence of each GPU, and its curve.
  await page.locator(`[data-id="${id}"]`).getByRole('link', { name: /^Why/ }).click();
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  await page.locator('.timeline canvas').first().waitFor();
  await sound(page, 'a workload');
  await picture('workload');

  // A paused one is woken by one click.
  await page.goto(`${address}?state=PAUSED`);
  const paused = chip(page, 'paused').first();
  await paused.waitFor();
  const sleeper = await paused.getAttribute('data-id');
  await paused.getByRole('button', { name: /^Resume/ }).click();
  await page.waitForFunction(
    (row) => !document.querySelector(`[data-id="${CSS.escape(row)}"] .chip.s-paused`), sleeper, { timeout: 20_000 });

  for (const [path, what] of [['nodes', '.cell'], ['history', '.deeds tbody tr'], ['savings', '.shares tbody tr']]) {
    await page.goto(address + path);
    await page.locator(what).first().waitFor();
    await sound(page, path);
    await picture(path);
  }
}

const browser = await launch();
let failures = 0;
for (const viewport of [WIDE, PHONE]) {
  for (const dark of [false, true]) {
    const name = `${viewport.width}-${dark ? 'dark' : 'light'}`;
    const { page, complaints, close } = await open(browser, { viewport, dark });
    const picture = (what) => (folder ? page.screenshot({ path: `${folder}/${what}-${name}.png` }) : undefined);
    try {
      if (viewport === WIDE && !dark) {
        await followOne(page);
      }
      await visit(page, picture);
      assert.deepEqual(complaints, [], 'the console');
      console.log(`ok   the demo, ${name}`);
    } catch (failure) {
      failures++;
      await picture('failure');
      console.log(`FAIL the demo, ${name}\n${String(failure.stack).split('\n').slice(0, 12).join('\n')}`);
    }
    await close();
  }
}
await browser.close();
process.exit(failures === 0 ? 0 : 1);
