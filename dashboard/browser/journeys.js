// What a person does with the page, by clicking. Each journey gets an open page and the stand-in behind it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { serious } from './axe.js';

const rowOf = (page, state) => page.locator('.row', { has: page.locator(`.chip.s-${state}`) }).first();

async function looksSound(page, where) {
  assert.deepEqual(await serious(page), [], `axe on ${where}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${where} is ${wide} px wider than the window`);
}

const changes = (standIn) => standIn.requests.filter(({ method }) => method !== 'GET');

/** The whole way: find, keep, undo, keep with a reason, resume, why, nodes, history, savings. */
export async function theWholeWay({ page, address, standIn }) {
  await page.goto(address);
  await rowOf(page, 'idle').waitFor();
  assert.match(await page.locator('.top').innerText(), /prod-eu/);
  assert.match(await page.locator('.top').innerText(), /nothing is changed/);
  assert.match(await page.locator('.top').innerText(), /60 times faster/);
  assert.match(await page.locator('.banner').innerText(), /did not answer within 30 s/);
  await looksSound(page, 'the list');

  // Find: what is asked for stands in the address, and a link shows the same.
  await page.getByRole('button', { name: /^idle|I idle/ }).first().click();
  await page.getByRole('searchbox').fill('speech');
  await page.waitForURL(/q=speech/);
  assert.match(page.url(), /state=IDLE/);
  await page.reload();
  await page.locator('.row').first().waitFor();
  for (const row of await page.locator('.row').all()) {
    assert.match(await row.innerText(), /speech/);
  }
  await page.getByRole('searchbox').fill('there is no such thing');
  await page.getByText('No workload matches').waitFor();
  await looksSound(page, 'the empty list');
  await page.getByRole('button', { name: 'Clear them' }).click();

  // Keep, and undo it.
  const idle = rowOf(page, 'idle');
  const id = await idle.getAttribute('data-id');
  const row = page.locator(`[data-id="${id}"]`);
  await idle.getByRole('button', { name: /for 4 hours/ }).click();
  await page.locator('.notice', { hasText: 'is kept until' }).waitFor();
  await row.locator('.chip.s-kept').waitFor();
  const kept = changes(standIn).at(-1);
  assert.equal(kept.headers['x-requested-with'], 'fallow');
  assert.match(kept.path, /\/keep$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.locator('.chip.s-idle').waitFor();
  assert.equal(changes(standIn).at(-1).method, 'DELETE');

  // Keep for another time, with a reason.
  await row.getByRole('button', { name: /another time/ }).click();
  await page.getByRole('dialog').waitFor();
  await looksSound(page, 'the keep dialog');
  await page.getByRole('dialog').getByLabel('Hours').fill('36');
  await page.getByRole('dialog').getByLabel(/Reason/).fill('<b>demo</b> on Friday');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click();
  await row.locator('.chip.s-kept').waitFor();

  // Why: the evidence, and the reason as the text it is.
  await row.getByRole('link', { name: /^Why/ }).click();
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  await page.getByText('<b>demo</b> on Friday').first().waitFor();
  await page.locator('.timeline canvas').first().waitFor();
  await looksSound(page, 'a workload');
  await page.getByRole('button', { name: 'Pause now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause now' }).click();
  await page.locator('.verdict .chip.s-paused').waitFor();
  await page.getByRole('button', { name: /^Resume/ }).click();
  await page.locator('.verdict .chip.s-busy').waitFor();
  await page.locator('.deeds b', { hasText: 'resume' }).first().waitFor();

  await page.getByRole('link', { name: 'Nodes' }).click();
  await page.locator('.cell').first().waitFor();
  await page.locator('.cell').first().focus();
  assert.match(await page.locator('.cell').first().getAttribute('aria-label'), /GPU 1: \w+/);
  await looksSound(page, 'the nodes');

  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.deeds tbody tr').first().waitFor();
  const before = await page.locator('.deeds tbody tr').count();
  await page.getByRole('button', { name: 'Show older ones' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.deeds tbody tr').length > count, before);
  await page.getByLabel('What was done').first().selectOption('resume');
  await page.waitForFunction(() => [...document.querySelectorAll('.deeds tbody b')].every((verb) => verb.textContent === 'resume'));
  await looksSound(page, 'the history');

  await page.getByRole('link', { name: 'Savings' }).click();
  await page.locator('.shares tbody tr').first().waitFor();
  await page.locator('.chart canvas').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /CSV.* by namespace/ }).click(),
  ]);
  assert.match(await readFile(await download.path(), 'utf8'), /^key,busy,idle/);
  await looksSound(page, 'the savings');

  // The theme is remembered.
  const shown = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const first = await shown();
  await page.getByRole('button', { name: /Show it/ }).click();
  const second = await shown();
  assert.notEqual(first, second);
  await page.reload();
  await page.locator('.brand').waitFor();
  assert.equal(await shown(), second);
}

/** A name and a reason that would like to be more than text. */
export async function hostileTextIsText({ page, address, standIn }) {
  const row = [...standIn.fleet.workloads.values()][3];
  await page.goto(`${address}/workloads/${row.namespace}/${row.kind}/${row.name}`);
  await page.getByText('<img src=x onerror="alert(1)">').first().waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  await looksSound(page, 'a workload with a hostile keep');
}

/** What the autoscaler of a workload will do, and nothing of it where there is none. */
export async function anAutoscalerIsExplained({ page, address, standIn }) {
  const { fleet } = standIn;
  const scaled = fleet.workloads.get(fleet.scaled);
  const [told] = fleet.autoscalers(scaled);
  told.notes.push('<img src=x onerror="alert(3)">');
  fleet.autoscalers = (row) => (row.workload === fleet.scaled ? [told] : []);
  const to = ({ namespace, kind, name }) => page.goto(`${address}/workloads/${namespace}/${kind}/${name}`);
  await to(scaled);
  const card = page.locator('.autoscaler');
  await card.getByText('3 replicas now, 5 next').waitFor();
  const text = await card.innerText();
  assert.match(text, /1–8/);
  assert.match(text, /2 of 3 counted/);
  assert.match(text, /warming up/);
  assert.match(text, /there is no vllm:num_requests_waiting/);
  assert.match(text, /<img src=x onerror/);
  assert.equal(await page.locator('main img').count(), 0);
  await looksSound(page, 'a workload with an autoscaler');

  const answered = page.waitForResponse(/\/autoscalers$/);
  await to([...fleet.workloads.values()].find(({ workload, state }) => workload !== fleet.scaled && state === 'BUSY'));
  await (await answered).finished();
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  assert.equal(await card.count(), 0);
}

export async function keysWork({ page, address, standIn }) {
  await page.goto(address);
  await rowOf(page, 'idle').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('next and previous workload').waitFor();
  await looksSound(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('gpus_idle');
  assert.equal(await page.evaluate(() => document.activeElement.value), 'gpus_idle');
  await page.keyboard.press('Escape');
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('j');
  }
  await page.keyboard.press('k');
  await page.locator('.row.selected').waitFor();
  assert.equal(await page.locator('.row.selected').getAttribute('aria-rowindex'), '3');
  await page.waitForFunction(() => document.activeElement?.closest('.row.selected'));
  const id = await page.locator('.row.selected').getAttribute('data-id');
  await page.keyboard.press('8');
  await page.locator('.notice', { hasText: 'is kept until' }).waitFor();
  assert.ok(standIn.fleet.workloads.get(id).keep);
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement?.closest('.row.selected'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/workloads\//);
}

export async function aLostLineIsSaidAndMended({ page, address, standIn }) {
  await page.goto(address);
  await page.locator('.live .dot').waitFor();
  standIn.options.down = true;
  standIn.dropStreams();
  await page.getByText(/not live since/).waitFor();
  standIn.options.down = false;
  await page.locator('.live .dot').waitFor({ timeout: 30_000 });
}

/** The same with a server that wants a token. */
export async function signingInByToken({ page, address, standIn }) {
  await page.goto(address);
  await rowOf(page, 'idle').getByRole('button', { name: /for 8 hours/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('each change is made in your name').waitFor();
  await looksSound(page, 'signing in');
  assert.equal(changes(standIn).length, 0);
  await dialog.getByLabel(/bearer token/).fill('secret');
  await dialog.getByRole('button', { name: 'Use this token' }).click();
  await page.locator('.who', { hasText: 'alice' }).waitFor();
  await rowOf(page, 'idle').getByRole('button', { name: /for 8 hours/ }).click();
  await page.locator('.notice', { hasText: 'is kept until' }).waitFor();
  assert.equal(changes(standIn).at(-1).headers.authorization, 'Bearer secret');
  const stream = standIn.requests.filter(({ path }) => path === '/api/v1/stream').at(-1);
  assert.equal(stream.headers.authorization, 'Bearer secret');
  assert.equal(await page.evaluate(() => localStorage.length), 0);
}

export async function signingInByEmail({ page, address }) {
  await page.goto(address);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel(/e-mail/).fill('bob@example.com');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await page.locator('.who', { hasText: 'bob@example.com' }).waitFor();
}

export async function signingInAtAnIssuer({ page, address, standIn }) {
  await page.goto(`${address}/history?verb=pause`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Sign in with login.example.com' }).click();
  await page.locator('.who', { hasText: 'carol' }).waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/history?verb=pause');
  await page.locator('.who').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('.who', { hasText: 'Sign in' }).waitFor();
  const out = standIn.requests.find(({ method }) => method === 'DELETE');
  assert.equal(out.headers['x-requested-with'], 'fallow');
}

export async function aRefusalIsASentence({ page, address }) {
  await page.goto(address);
  await rowOf(page, 'idle').getByRole('button', { name: /for 8 hours/ }).click();
  const notice = page.locator('.notice.bad');
  await notice.waitFor();
  assert.match(await notice.innerText(), /was not kept: Argo CD has undone two pauses of it.*CONTESTED/s);
  assert.equal(await page.locator('.notices').getAttribute('aria-live'), 'polite');
}

export async function aClosedServerAsksWho({ page, address }) {
  await page.goto(address);
  await page.locator('.empty', { hasText: 'shows nothing without a name' }).getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/bearer token/).fill('wrong');
  await dialog.getByRole('button', { name: 'Use this token' }).click();
  await dialog.locator('.bad', { hasText: 'WHO_ARE_YOU' }).waitFor();
  await dialog.getByLabel(/bearer token/).fill('secret');
  await dialog.getByRole('button', { name: 'Use this token' }).click();
  await page.locator('.row').first().waitFor();
  await page.locator('.live .dot').waitFor();
}

export async function withoutAStreamItAsksNowAndThen({ page, address }) {
  await page.goto(address);
  await page.locator('.row').first().waitFor();
  await page.getByText(/not live since/).waitFor();
}
