// W-53: where things stand, for every game at three sizes, light and dark, compared with what is stored (±1 px), not
// with pixels of text. `node test/run.mjs full --only W-53 --accept` writes down what is there now.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { must, settled } from './driver.mjs';

const sizes = { phone: [360, 740], tablet: [820, 1100], desktop: [1280, 860] };
const file = new URL('structure.json', import.meta.url).pathname;

// Boards, their cells at the corners and everything that is marked on them; widths of panels. Heights of text are left out.
const measured = (page) => page.evaluate(() => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.x, r.width].map(Math.round); };
  const board = document.querySelector('.board')?.getBoundingClientRect();
  const onBoard = (e) => { const r = e.getBoundingClientRect(); return [r.x - board.x, r.y - board.y, r.width, r.height].map(Math.round); };
  return {
    board: board ? [board.x, board.width, board.height].map(Math.round) : null,
    marked: board ? [...document.querySelectorAll('.board [data-can]')].slice(0, 12).map((e) => [e.dataset.place, ...onBoard(e.firstElementChild)]) : [],
    seats: [...document.querySelectorAll('.seat')].map(box),
    wide: document.documentElement.scrollWidth <= innerWidth + 1,
  };
});
const near = (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 1 : a && b && typeof a === 'object' ? Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => near(a[k], b[k])) : a === b);

export async function structureTest({ page, address, games }, test) {
  await test('W-53 every game at three sizes, light and dark, stands where it stood', async () => {
    const stored = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}, now = {}, wrong = [];
    for (const game of games) {
      await page.setViewport({ width: 1280, height: 860 });
      await page.goto(`${address}/local?game=${game.id}&seats=${['human', ...Array.from({ length: game.players.min - 1 }, () => 'random')].join(',')}&seed=11`);
      await settled(page);
      for (const [size, [width, height]] of Object.entries(sizes)) {
        await page.setViewport({ width, height });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // boards give way to seats
        const both = [];
        for (const theme of ['light', 'dark']) { await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme); both.push(await measured(page)); }
        const key = `${game.id} ${size}`;
        now[key] = both[0];
        if (!near(both[0], both[1])) wrong.push(`${key}: dark is not like light`);
        if (!both[0].wide) wrong.push(`${key}: wider than the window`);
        if (stored[key] && !near(stored[key], both[0])) wrong.push(`${key}: ${JSON.stringify(both[0]).slice(0, 200)} was ${JSON.stringify(stored[key]).slice(0, 200)}`);
        if (!stored[key] && existsSync(file) && !process.argv.includes('--accept')) wrong.push(`${key}: nothing is stored`);
      }
    }
    await page.setViewport({ width: 1280, height: 900 });
    if (process.argv.includes('--accept')) writeFileSync(file, `{\n${Object.entries(now).map(([k, v]) => `${JSON.stringify(k)}: ${JSON.stringify(v)}`).join(',\n')}\n}\n`);
    else must(wrong.length === 0, wrong.slice(0, 8).join('\n      '));
    return `${Object.keys(now).length} pictures${existsSync(file) ? '' : ', compared only with each other: nothing is stored yet (--accept)'}`;
  });
}
