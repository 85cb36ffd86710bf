// The README's picture: the demo as a visitor sees it. node browser/readme.js ADDRESS FILE
import { launch, open } from './browser.js';

const [address, file] = process.argv.slice(2);
const browser = await launch();
const { page, complaints, close } = await open(browser, { viewport: { width: 1280, height: 800 }, dark: false });
await page.goto(address);
await page.waitForSelector('text=The last week');
await page.waitForTimeout(4000);
await page.screenshot({ path: file });
await close();
await browser.close();
if (complaints.length > 0) {
  console.error(complaints);
  process.exit(1);
}
