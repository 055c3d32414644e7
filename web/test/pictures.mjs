// The pictures of the documentation, docs/pictures: `node test/pictures.mjs` takes them anew from web/dist.
import { clickOne, dice, must, open, settled } from './driver.mjs';
import { serve } from './serve.mjs';

const { server, address } = await serve(new URL('../dist', import.meta.url).pathname);
const { browser, page } = await open(1080, 760);
const take = async (name) => { await page.evaluate(() => scrollTo(0, 0)); await page.screenshot({ path: new URL(`../../docs/pictures/${name}.png`, import.meta.url).pathname }); };
await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }, { name: 'prefers-color-scheme', value: 'light' }]);

async function table(name, link, clicks, seed) {
  await page.goto(address + link);
  const roll = dice(seed);
  for (let i = 0; i < clicks; ++i) { await settled(page); must((await clickOne(page, roll(1 << 30))) === 'clicked', `${name} is over`); }
  await settled(page);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('[data-chosen]'));
  await take(name);
}
await table('chess', '/local?game=chess&rules=piece-hp&seats=human,alphabeta:depth=2&seed=8', 14, 3);
await table('insurgency', '/local?game=insurgency&seats=human,random,random,random&seed=11', 4, 5);
await table('quoridor', '/local?game=quoridor&seats=human,random&seed=4', 30, 9);

await page.goto(`${address}/edit?game=connect-four`);
await page.waitForSelector('.editor[data-checked="ok"] .preview [data-cell]', { timeout: 60000 });
await take('editor');
await page.goto(`${address}/new?game=chess&rules=coregal`);
await page.waitForSelector('.preview [data-token]', { timeout: 60000 });
await take('house-rules');
await browser.close();
server.close();
