// Plays as a person does: clicks only what the page marks, and waits for the page, never for time.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

export const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));

export async function open(width = 1280, height = 900, more = {}) {
  const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'], protocolTimeout: 240000 });
  const page = await browser.newPage();
  await page.setViewport({ width, height, ...more });
  await page.setBypassServiceWorker(true); // what a test gives as an answer must arrive
  const problems = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => { if (message.type() === 'error' && !/404/.test(message.text())) problems.push(`console: ${message.text()}`); });
  return { browser, page, problems };
}

export const must = (truth, message) => { if (!truth) throw new Error(message); };
export const stateOf = (page) => page.$eval('main.table', (e) => ({ ...e.dataset }));

// A fair random number from a seed, so that a failure can be repeated.
export function dice(seed) {
  let state = seed >>> 0;
  return (n) => { state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0; return ((state ^ (state >>> 13)) >>> 0) % n; };
}

export const settled = (page, timeout = 120000) => page.waitForFunction(() => {
  const root = document.querySelector('main.table');
  if (!root) return false;
  if (root.dataset.state === 'over') return true;
  return root.dataset.state === 'playing' && root.dataset.pending === undefined && root.querySelector('[data-can]') !== null && root.querySelector('#command') !== null;
}, { timeout });

// One click on something marked; gives what state the table is in then.
export async function clickOne(page, pick, wanted = null) {
  return page.evaluate((number, chosen) => {
    const root = document.querySelector('main.table');
    if (root.dataset.state === 'over') return 'over';
    const can = [...root.querySelectorAll('[data-can]')].filter((e) => !chosen || e.dataset.place === chosen);
    // Half-made choices are finished rather than begun anew: places that were not there before come last.
    const target = can[number % can.length];
    if (!target) return 'nothing';
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
    return 'clicked';
  }, pick, wanted);
}

export async function playRandomly(page, seed, most = 2000) {
  const roll = dice(seed);
  let clicks = 0;
  for (; clicks < most; ++clicks) {
    await settled(page);
    if ((await clickOne(page, roll(1 << 30))) === 'over') break;
  }
  return { clicks, state: await page.$eval('main.table', (e) => e.dataset.state), rev: await page.$eval('main.table', (e) => Number(e.dataset.rev)) };
}

// A whole game without a mouse: cells by Enter, everything else by the list of options.
export async function byKeyboard(page, link, most) {
  await page.goto(link);
  for (let i = 0; i < most; ++i) {
    await settled(page);
    const { state, rev } = await stateOf(page);
    if (state === 'over') return i;
    if (i % 2 === 0 || !(await page.$('[data-can][data-cell]'))) await page.focus('#command');
    else must(await page.evaluate(() => { const cell = document.querySelector('[data-can][data-cell]'); cell.focus(); return document.activeElement === cell; }), 'a cell takes the focus');
    await page.keyboard.press('Enter');
    // A cell may be the beginning of a move: then the list ends it.
    await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old || document.querySelector('[data-chosen], .menu'), {}, rev);
    if ((await stateOf(page)).rev === rev) { await page.focus('#command'); await page.keyboard.press('Enter'); await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old, {}, rev); }
  }
  throw new Error(`not over after ${most} choices`);
}

// What axe finds serious in what the page shows now; the page must have been opened with its policy set aside.
const axe = () => readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
export async function seriousIn(page, name) {
  await page.evaluate(axe());
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${name}: ${v.id} ${v.nodes[0]?.html?.slice(0, 120)} ${v.nodes[0]?.failureSummary?.slice(0, 160)}`);
}

export async function keepPicture(page, name) {
  const folder = new URL('../dist/../shots', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}
