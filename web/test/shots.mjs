// Pictures of every shipped game at three sizes, light and dark, to look at. `node test/shots.mjs [--at URL] [--games a,b]
// [--sizes phone,desktop] [--themes light] [--moves N] [--out FOLDER]`; with `--where new` at the tables of the server that is at URL.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clickOne, dice, open, settled } from './driver.mjs';
import { serve } from './serve.mjs';

const option = (name, otherwise) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? otherwise : process.argv[at + 1]; };
export const sizes = { phone: [360, 740], tablet: [820, 1100], desktop: [1280, 860] };
const out = option('out', new URL('../shots', import.meta.url).pathname);
mkdirSync(out, { recursive: true });
const own = option('at', null) ? null : await serve(new URL('../dist', import.meta.url).pathname);
const address = option('at', own?.address);
const { browser, page, problems } = await open();
await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
await page.goto(`${address}/`);
const { games } = await page.evaluate(async () => (await fetch('/games/index.json')).json());
const wanted = option('games', '').split(',').filter(Boolean);
for (const game of games.filter((g) => !wanted.length || wanted.includes(g.id))) {
  const seats = ['human', ...Array.from({ length: game.players.min - 1 }, () => 'random')].join(',');
  await page.setViewport({ width: 1280, height: 860 });
  await page.goto(`${address}/${option('where', 'local')}?game=${game.id}&seats=${seats}&seed=11${option('query', '')}`);
  const roll = dice(5);
  for (let i = 0; i < Number(option('moves', 12)); ++i) { await settled(page); if ((await clickOne(page, roll(1 << 30))) === 'over') break; }
  await settled(page);
  for (const size of option('sizes', 'phone,tablet,desktop').split(','))
    for (const theme of option('themes', 'light,dark').split(',')) {
      await page.setViewport({ width: sizes[size][0], height: sizes[size][1] });
      await page.evaluate((t) => { document.documentElement.dataset.theme = t; scrollTo(0, 0); }, theme);
      await page.screenshot({ path: join(out, `${game.id}-${size}-${theme}.png`), fullPage: option('full', '') !== '' });
    }
  console.log(game.id);
}
if (problems.length) console.log(problems.slice(0, 5).join('\n'));
await browser.close();
own?.server.close();
