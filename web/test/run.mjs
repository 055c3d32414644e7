// The page in a real Chromium. `node test/run.mjs [quick|full] [--games a,b] [--server URL]`
// Quick is part of `make test`; full plays every shipped game to its end.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkGame } from './picking.mjs';
import { chromium, clickOne, keepPicture, open, playRandomly, settled } from './driver.mjs';
import { serve } from './serve.mjs';

const root = resolve(new URL('../..', import.meta.url).pathname), dist = join(root, 'web/dist');
const parlor = process.env.PARLOR ?? join(root, 'build/parlor');
const full = process.argv.includes('full');
const chosen = process.argv.includes('--games') ? process.argv[process.argv.indexOf('--games') + 1].split(',') : null;
const run = (...args) => execFileSync(parlor, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
const games = JSON.parse(readFileSync(join(dist, 'games/index.json'), 'utf8'));
const playable = existsSync(join(dist, 'parlor.wasm'));
let failures = 0, done = 0;

async function test(name, work) {
  const began = Date.now();
  let opened = null;
  try {
    opened = await work();
    ++done;
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${typeof opened === 'string' ? `: ${opened}` : ''}`);
  } catch (error) {
    ++failures;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
const must = (truth, message) => { if (!truth) throw new Error(message); };

if (!chromium) { console.log('page tests: no Chromium found (apt install chromium); skipped'); process.exit(process.env.CI ? 1 : 0); }
const { server, address } = await serve(dist);
const { browser, page, problems } = await open();

// What was chosen by clicks is a game that the native engine plays the same way (W-51).
async function replayed(game) {
  const kept = JSON.parse(await page.evaluate(() => localStorage.getItem('parlor.local')));
  const file = join(mkdtempSync(join(tmpdir(), 'parlor-')), 'picks.json');
  writeFileSync(file, JSON.stringify(kept.acts));
  const args = ['trace', game, '--seed', String(kept.setup.seed), '--picks', file, ...kept.setup.rules.flatMap((r) => ['--rules', r])];
  if (kept.setup.players && game !== 'chess') args.push('--players', String(kept.setup.players));
  const last = JSON.parse(run(...args).trim().split('\n').pop());
  must(last.decisions === kept.acts.length, 'the native engine does not get as far');
  must(last.outcome !== null, 'the native engine does not see the end');
  return last;
}

const seatsOf = (game) => ['human', ...Array.from({ length: game.players.min - 1 }, () => 'random')].join(',');
async function wholeGame(game, seed, more = '') {
  await page.goto(`${address}/local?game=${game.id}&seats=${seatsOf(game)}&seed=${seed}${more}`);
  const played = await playRandomly(page, seed, 3000);
  if (played.state !== 'over') { await keepPicture(page, `failed-${game.id}`); throw new Error(`not over after ${played.clicks} clicks, revision ${played.rev}`); }
  await replayed(game.id);
  return `${played.clicks} clicks, ${played.rev} decisions`;
}

if (playable) {
  const quick = ['tic-tac-toe', 'connect-four', 'kuhn-poker'];
  for (const game of games.filter((g) => (chosen ? chosen.includes(g.id) : full || quick.includes(g.id))))
    await test(`W-51 ${game.id}: a whole game by random clicks, replayed by the native engine`, () => wholeGame(game, 7));
  if (full && !chosen) await test('W-51 chess with house rules', () => wholeGame(games.find((g) => g.id === 'chess'), 5, '&rules=piece-hp,atomic'));

  await test('W-22b a link starts at once, W-22c the page says where it stands', async () => {
    await page.goto(`${address}/local?game=chess&rules=piece-hp&seats=human,random&seed=4`);
    await settled(page);
    const data = await page.$eval('main.table', (e) => ({ ...e.dataset }));
    must(data.state === 'playing' && data.you === '0' && data.decider === '0' && data.rev === '0', JSON.stringify(data));
    must((await page.$$('[data-can][data-place]')).length === 10, 'twenty moves begin at ten squares');
    await clickOne(page, 0, 'e2');
    must(await page.$('[data-chosen][data-place="e2"]'), 'what was clicked is marked');
    must((await page.$$('[data-can][data-place="e4"]')).length === 1, 'its goal can be clicked');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('[data-chosen]'));
  });

  await test('W-28 a click on a place that means nothing says why', async () => {
    await page.goto(`${address}/local?game=chess&seats=human,random&seed=4`);
    await settled(page);
    await page.type('#command', 'why e2e5');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.why');
    must(/pawn|e2/i.test(await page.$eval('.why', (e) => e.textContent)), 'the reason names the pawn');
  });

  await test('W-24, W-54 a whole game with the keyboard alone', async () => {
    await page.goto(`${address}/local?game=tic-tac-toe&seats=human,random&seed=2`);
    for (let i = 0; i < 9; ++i) {
      await settled(page);
      if ((await page.$eval('main.table', (e) => e.dataset.state)) === 'over') break;
      const rev = await page.$eval('main.table', (e) => e.dataset.rev);
      if (i % 2 === 0) {
        await page.focus('#command');
        await page.keyboard.press('Enter');
      } else {
        must(await page.evaluate(() => { const cell = document.querySelector('[data-can][data-cell]'); cell.focus(); return document.activeElement === cell; }), 'a cell takes the focus');
        await page.keyboard.press('Enter');
      }
      await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old, {}, rev);
    }
    must((await page.$eval('main.table', (e) => e.dataset.state)) === 'over', 'the game did not end');
    // Arrow keys go from cell to cell.
    await page.evaluate(() => document.querySelector('[data-cell="cell_0_0:none"]').focus());
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    must((await page.evaluate(() => document.activeElement.dataset.cell)) === 'cell_1_1:none', 'arrows move the focus');
  });

  await test('W-52 a seat never has what it may not see', async () => {
    await page.goto(`${address}/local?game=texas-holdem&seats=human,random&seed=9`);
    await settled(page);
    const frames = await page.evaluate(() => document.documentElement.outerHTML);
    const hands = await page.$$eval('.seat:not(.own) .card', (cards) => cards.map((c) => c.className));
    must(hands.length === 2 && hands.every((c) => c.includes('back')), `the other hand is shown: ${hands}`);
    must((frames.match(/tok_card_\d+/g) ?? []).length <= 2, 'more cards are named than the own two');
  });
}

await test('W-56 hostile content is shown as text', async () => {
  const bad = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e';
  await page.setRequestInterception(true);
  const answer = (request) => {
    if (request.url().endsWith('/games/index.json')) request.respond({ contentType: 'application/json', body: JSON.stringify([{ id: 'x"><b>', name: bad + 'n'.repeat(10000), description: bad, players: { min: 2, max: 2 }, rules: [] }]) });
    else request.continue();
  };
  page.on('request', answer);
  await page.goto(`${address}/`);
  await page.waitForSelector('.games li');
  must(await page.$eval('.games li', (e) => e.textContent.includes('<img src=x')), 'the text is there as text');
  must((await page.$$('.games img, .games b, .games script')).length === 0, 'no markup came of it');
  must((await page.evaluate(() => window.hacked)) === undefined, 'nothing was run');
  must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'the page does not grow beyond the window');
  page.off('request', answer);
  await page.setRequestInterception(false);
});

await test('W-54 axe finds nothing serious', async () => {
  const axe = readFileSync(join(root, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
  const found = [];
  await page.setBypassCSP(true);
  for (const path of ['/', '/new', '/settings', '/g/chess', ...(playable ? ['/local?game=chess&seats=human,random&seed=1', '/local?game=texas-holdem&seats=human,random&seed=1', '/local?game=insurgency&seats=human,random,random,random&seed=1'] : [])])
    for (const theme of ['light', 'dark']) {
      await page.goto(address + path);
      await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
      if (path.startsWith('/local')) await settled(page, 60000).catch((error) => { throw new Error(`${path} ${theme}: ${error.message}`); });
      else await page.waitForSelector('main');
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const v of violations) if (v.impact === 'serious' || v.impact === 'critical') found.push(`${path} ${theme}: ${v.id} ${v.nodes[0]?.html?.slice(0, 120)} ${v.nodes[0]?.failureSummary?.slice(0, 160)}`);
    }
  await page.setBypassCSP(false);
  must(found.length === 0, found.join('\n      '));
});

await test('W-51 every option can be reached by clicks', async () => {
  let options = 0;
  for (const game of games.filter((g) => full || ['chess', 'backgammon', 'english-draughts', 'market', 'coalition'].includes(g.id))) options += checkGame(game.id, full ? 150 : 25).options;
  must(options > 100, 'too few options were seen');
  return `${options} options`;
});

await test('no error and nothing against the policy in all of this', async () => must(problems.length === 0, problems.slice(0, 5).join('\n      ')));

await browser.close();
server.close();
console.log(`page tests: ${done} passed, ${failures} failed${playable ? '' : ' (without the engine for browsers: no games were played)'}`);
process.exit(failures ? 1 : 0);
