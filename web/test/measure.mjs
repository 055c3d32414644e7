// W-57: what the page weighs in time. Prints, judges nothing: times of a busy machine mean little.
// `node test/measure.mjs [--at URL]`
import { open, settled } from './driver.mjs';
import { serve } from './serve.mjs';

const at = process.argv.includes('--at') ? process.argv[process.argv.indexOf('--at') + 1] : null;
const own = at ? null : await serve(new URL('../dist', import.meta.url).pathname);
const { browser, page } = await open();
await page.emulateCPUThrottling(4);
const link = (more) => `${at ?? own.address}/local?${more}&seed=3`;
await page.goto(link('game=tic-tac-toe&seats=human,random')); // the engine is compiled and kept
await settled(page);
let began = Date.now();
await page.goto(link('game=chess&seats=human,random'));
await page.waitForSelector('[data-token]');
console.log(`first board (chess, CPU 4 times slower): ${Date.now() - began} ms`);
await settled(page);
console.log(`a click on a piece is marked after ${await page.evaluate(() => new Promise((done) => {
  const began = performance.now(), cell = document.querySelector('[data-place="e2"]');
  new MutationObserver(() => { if (document.querySelector('[data-chosen]')) done(performance.now() - began); }).observe(document.body, { attributes: true, subtree: true });
  cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}))} ms`);
await page.emulateCPUThrottling(1);
for (const game of ['hex', 'go', 'gomoku']) {
  await page.goto(link(`game=${game}&seats=human,random`));
  await settled(page);
  const times = [];
  for (let i = 0; i < 8; ++i) {
    await settled(page);
    times.push(await page.evaluate(() => new Promise((done) => {
      const cells = [...document.querySelectorAll('[data-can][data-cell]')], began = performance.now();
      if (!cells.length) { done(0); return; }
      cells[Math.floor(cells.length / 2)].dispatchEvent(new MouseEvent('click', { bubbles: true }));
      requestAnimationFrame(() => { const script = performance.now() - began; done(script); });
    })));
  }
  console.log(`${game}: from a click to the next frame ${times.map((t) => t.toFixed(1)).sort((a, b) => a - b)[4]} ms (median of 8)`);
}
await browser.close();
own?.server.close();
