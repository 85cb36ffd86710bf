// The page in a real browser against the stand-in: npm run build && npm run browser. A word names the journeys to take.
import { StandIn } from '../dev/standin.js';
import { launch, open, PHONE, WIDE } from './browser.js';
import * as journeys from './journeys.js';
import { tenThousandRows } from './manyrows.js';

/** No cycles of its own: what changes during a journey is what the journey did. */
const USUAL = { rows: 60, degraded: true, mode: 'dry-run', cycleMillis: 3_600_000 };
/** Problems that the browser logs because the stand-in refused something on purpose. */
const REFUSED = /Failed to load resource|net::ERR|status of (401|409|503)/;

const CHECKS = [];
for (const viewport of [WIDE, PHONE]) {
  for (const dark of [false, true]) {
    CHECKS.push({ journey: journeys.theWholeWay, viewport, dark, server: USUAL });
  }
  CHECKS.push({ journey: journeys.hostileTextIsText, viewport, server: USUAL });
  CHECKS.push({ journey: journeys.anAutoscalerIsExplained, viewport, server: USUAL });
  CHECKS.push({ journey: journeys.signingInByToken, viewport, server: { ...USUAL, token: 'secret' } });
  CHECKS.push({ journey: tenThousandRows, viewport, server: { rows: 10_000 } });
}
CHECKS.push({ journey: journeys.keysWork, viewport: WIDE, server: USUAL });
CHECKS.push({ journey: journeys.aLostLineIsSaidAndMended, viewport: WIDE, server: USUAL, expected: REFUSED });
CHECKS.push({ journey: journeys.signingInByEmail, viewport: WIDE, server: { ...USUAL, signIn: ['email'] } });
CHECKS.push({ journey: journeys.signingInAtAnIssuer, viewport: WIDE, server: { ...USUAL, signIn: ['oidc', 'token'], issuer: 'login.example.com' } });
CHECKS.push({ journey: journeys.aRefusalIsASentence, viewport: WIDE, server: { ...USUAL, refuse: 'CONTESTED' }, expected: REFUSED });
CHECKS.push({ journey: journeys.aClosedServerAsksWho, viewport: WIDE, server: { ...USUAL, token: 'secret', closed: true }, expected: REFUSED });
CHECKS.push({ journey: journeys.withoutAStreamItAsksNowAndThen, viewport: WIDE, server: { ...USUAL, noStream: true }, expected: REFUSED });

const wanted = process.argv[2] ?? '';
const browser = await launch();
let failures = 0;
for (const { journey, viewport, dark = false, server, expected } of CHECKS.filter(({ journey }) => journey.name.includes(wanted))) {
  const name = `${journey.name}, ${viewport.width} px, ${dark ? 'dark' : 'light'}`;
  const standIn = new StandIn({ ...server, dist: 'dist' });
  const address = `http://127.0.0.1:${await standIn.start()}`;
  const { page, complaints, close } = await open(browser, { viewport, dark });
  const began = Date.now();
  try {
    await journey({ page, address, standIn, report: (line) => console.log(`     ${line}`) });
    const unexpected = complaints.filter((line) => !expected?.test(line));
    if (unexpected.length > 0) {
      throw new Error(`the console says: ${unexpected.join('; ')}`);
    }
    console.log(`ok   ${name} (${Date.now() - began} ms)`);
  } catch (failure) {
    failures++;
    console.log(`FAIL ${name}\n${String(failure.stack).split('\n').slice(0, 12).join('\n')}`);
  }
  await close();
  await standIn.stop();
}
await browser.close();
process.exit(failures === 0 ? 0 : 1);
