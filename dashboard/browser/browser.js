// Debian's Chromium, driven by Playwright.
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** A page that remembers everything it complained about. */
export async function open(browser, { viewport = WIDE, dark = false } = {}) {
  const phone = viewport.width < 500;
  const context = await browser.newContext({
    viewport,
    colorScheme: dark ? 'dark' : 'light',
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') {
      complaints.push(`asked ${hostname}`);
    }
  });
  return { page, complaints, close: () => context.close() };
}
