// Games in this browser, without a server: the engine is WebAssembly.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byKeyboard, clickOne, must, playRandomly, settled, stateOf } from './driver.mjs';
import { checkGame } from './picking.mjs';
import { serve } from './serve.mjs';

const seatsOf = (game) => ['human', ...Array.from({ length: game.players.min - 1 }, () => 'random')].join(',');

// The last game, as the browser keeps it (IndexedDB).
export const kept = (page) => page.evaluate(() => new Promise((done, failed) => {
  const request = indexedDB.open('parlor');
  request.onerror = () => failed(request.error);
  request.onsuccess = () => { const all = request.result.transaction('games').objectStore('games').getAll(); all.onsuccess = () => done(all.result.sort((a, b) => b.at - a.at)[0]); };
}));

// The trace that the replay view saves is checked by the native engine, decision by decision.
async function replayed({ page, address, parlor }, game) {
  const one = await kept(page);
  must(one.setup.game === game && one.over, `the game was not kept whole: ${JSON.stringify(one).slice(0, 200)}`);
  await page.goto(`${address}/r/${one.id}#1`);
  await page.waitForSelector('.replay-bar', { timeout: 120000 });
  const text = await page.evaluate(() => new Promise((done) => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { URL.createObjectURL = make; void blob.text().then(done); return '#'; };
    [...document.querySelectorAll('.replay-bar button')].find((b) => b.dataset.export === 'trace').click();
  }));
  const file = join(mkdtempSync(join(tmpdir(), 'parlor-')), 'trace.jsonl');
  writeFileSync(file, text);
  const said = JSON.parse(execFileSync(parlor, ['replay', file, '--json'], { encoding: 'utf8' }));
  must(said.ok && said.decisions === one.acts.length, `parlor replay: ${JSON.stringify(said)}`);
  return one;
}

export async function localTests(context, test) {
  const { page, address, dist, games, full, chosen, parlor } = context;
  const wholeGame = async (game, seed, more = '') => {
    await page.goto(`${address}/local?game=${game.id}&seats=${seatsOf(game)}&seed=${seed}${more}`);
    const played = await playRandomly(page, seed, 4000);
    must(played.state === 'over', `not over after ${played.clicks} clicks, revision ${played.rev}`);
    await replayed(context, game.id);
    return `${played.clicks} clicks, ${played.rev} decisions`;
  };
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]); // nobody watches
  const quick = ['tic-tac-toe', 'connect-four', 'kuhn-poker'];
  for (const game of games.filter((g) => (chosen ? chosen.includes(g.id) : full || quick.includes(g.id))))
    await test(`W-51 ${game.id}: a whole game by random clicks, checked by parlor replay`, () => wholeGame(game, 7));
  if (full && !chosen) {
    await test('W-51 chess with house rules', () => wholeGame(games.find((g) => g.id === 'chess'), 5, '&rules=piece-hp,king-heals'));
    if (context.readsTexts) await test('W-31, W-42 other numbers: connect three on 5 × 5', () => wholeGame(games.find((g) => g.id === 'connect-four'), 5, '&set=rows:5,columns:5,length:3'));
  }
  if (chosen) return;

  await test('W-51 every option can be reached by clicks', async () => {
    let options = 0;
    for (const game of games.filter((g) => full || ['chess', 'backgammon', 'english-draughts', 'market', 'coalition'].includes(g.id))) options += checkGame(game.id, full ? 150 : 25, parlor).options;
    must(options > 100, 'too few options were seen');
    return `${options} options`;
  });

  await test('W-22b a link starts at once, W-22c the page says where it stands', async () => {
    await page.goto(`${address}/local?game=chess&rules=piece-hp&seats=human,random&seed=4`);
    await settled(page);
    const data = await stateOf(page);
    must(data.state === 'playing' && data.you === '0' && data.decider === '0' && data.rev === '0', JSON.stringify(data));
    must((await page.$$('[data-can][data-place]')).length === 10, 'twenty moves begin at ten squares');
    await clickOne(page, 0, 'e2');
    must(await page.$('[data-chosen][data-place="e2"]'), 'what was clicked is marked');
    must((await page.$$('[data-can][data-place="e4"]')).length === 1, 'its goal can be clicked');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('[data-chosen]'));
  });

  await test('W-57 the board is there before the engine is; until then nothing can be clicked', async () => {
    let release;
    const later = new Promise((done) => { release = done; }), slow = await serve(dist, 0, (path) => (path.endsWith('.wasm') ? later : null));
    try {
      await page.goto(`${slow.address}/local?game=chess&seats=human,random&seed=4`);
      await page.waitForFunction(() => document.querySelectorAll('[data-token]').length === 32 && document.querySelector('[data-cell="e2"]'));
      must((await stateOf(page)).state === 'waiting' && (await page.$('[data-can]')) === null, 'it can be looked at only');
      release();
      await settled(page);
      must((await stateOf(page)).state === 'playing', 'then it is played');
    } finally { release(); slow.server.close(); }
  });

  await test('W-57 an address that plays here starts one engine, and one only', async () => {
    for (const link of ['game=chess&seats=human,random&seed=4', 'game=hearts&seats=human,random,random,random&seed=4', 'game=connect-four&set=rows:5&seats=human,random&seed=4']) {
      await page.goto(`${address}/local?${link}`);
      await settled(page);
      must(page.workers().length === 1, `${link}: ${page.workers().length} workers`);
    }
  });

  await test('W-26 the last card of a trick is seen before the trick is taken', async () => {
    await page.emulateMediaFeatures([]);
    await page.goto(`${address}/local?game=hearts&seats=human,random,random,random&seed=11`);
    await settled(page);
    await page.evaluate(() => {
      window.most = 0;
      window.since = null;
      window.lay = 0;
      const look = () => {
        const cards = document.querySelectorAll('[data-zone="trick:none"] [data-token]').length;
        window.most = Math.max(window.most, cards);
        if (cards === 4) window.since ??= performance.now();
        else if (window.since !== null) { window.lay = Math.max(window.lay, performance.now() - window.since); window.since = null; }
        requestAnimationFrame(look);
      };
      look();
    });
    for (let i = 0; i < 40 && !(await page.evaluate(() => window.most >= 4)); ++i) { await settled(page); await clickOne(page, i); }
    await page.waitForFunction(() => window.most === 4, { timeout: 20000 });
    await page.waitForFunction(() => window.lay > 0, { timeout: 20000 }); // nobody clicks: it is taken all the same
    const lay = await page.evaluate(() => window.lay);
    must(lay > 500 && lay < 5000, `four cards lay there for ${lay} ms`);
    // Who clicks need not wait: the next card can be played while the trick still lies there.
    must((await page.$('[data-can]')) !== null || (await stateOf(page)).decider !== '0', 'one can choose meanwhile');
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  });

  await test('W-53 on a desktop one sees one\'s own seat without scrolling', async () => {
    const low = [];
    let looked = 0;
    for (const game of games.filter((g) => full || ['coalition', 'go', 'gomoku', 'hearts', 'quoridor', 'chess'].includes(g.id)))
      for (const [width, height] of [[1366, 768], [1280, 860]]) {
        await page.setViewport({ width, height });
        await page.goto(`${address}/local?game=${game.id}&seats=${seatsOf(game)}&seed=11`);
        for (let i = 0; i < 4; ++i) {
          await settled(page);
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const below = await page.evaluate(() => document.querySelector('.stage > .seat').getBoundingClientRect().bottom + scrollY - innerHeight);
          ++looked;
          if (below > 0) low.push(`${game.id} ${width}×${height} after ${i} clicks: ${Math.round(below)} px`);
          if ((await clickOne(page, i)) !== 'clicked') break;
        }
      }
    await page.setViewport({ width: 1280, height: 900 });
    must(low.length === 0, low.slice(0, 8).join('\n      '));
    return `${looked} pictures`;
  });

  await test('W-23 a piece is dragged with the mouse', async () => {
    await page.goto(`${address}/local?game=chess&seats=human,random&seed=4`);
    await settled(page);
    const middle = (zone) => page.$eval(`[data-cell="${zone}"]`, (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
    const [a, b] = [await middle('d2'), await middle('d4')];
    await page.mouse.move(...a);
    await page.mouse.down();
    await page.mouse.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, { steps: 4 });
    await page.waitForSelector('.token.held');
    await page.mouse.move(...b, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) > 0);
    must(await page.$eval('.log ol', (e) => /d2d4/.test(e.textContent)), 'the pawn went where it was dropped');
  });

  await test('W-25 on a phone small cells come closer at a tap, and a second tap chooses', async () => {
    await page.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
    await page.goto(`${address}/local?game=go&seats=human,random&seed=4`);
    await settled(page);
    const cell = () => page.$eval('[data-can][data-cell] .cell', (e) => e.getBoundingClientRect().width);
    const before = await cell();
    const target = await page.evaluate(() => { const cells = [...document.querySelectorAll('[data-can][data-cell]')], c = cells[Math.floor(cells.length / 2)], r = c.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
    await page.touchscreen.tap(...target);
    if (before < 32) {
      await page.waitForFunction(() => document.querySelector('.board.zoomed'));
      must((await cell()) >= 40, `a cell is ${await cell()} wide`);
      await page.touchscreen.tap(...target);
    }
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) > 0);
    await page.setViewport({ width: 1280, height: 900 });
  });

  await test('W-25 two fingers zoom and move the board, one moves it, and nothing is chosen by it', async () => {
    await page.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
    await page.goto(`${address}/local?game=chess&seats=human,random&seed=4`);
    await settled(page);
    const seen = () => page.$eval('.board', (e) => { const [x, y, w] = e.getAttribute('viewBox').split(' ').map(Number); return { x, y, w, visual: visualViewport.scale }; });
    const whereIs = (zone) => page.$eval(`[data-cell="${zone}"]`, (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
    const whole = await seen(), [x, y] = await whereIs('d2');
    const [a, b] = [await page.touchscreen.touchStart(x - 20, y), await page.touchscreen.touchStart(x + 20, y)];
    for (let i = 1; i <= 8; ++i) { await a.move(x - 20 - 5 * i, y); await b.move(x + 20 + 5 * i, y); } // from 40 to 120 pixels: three times as large
    await page.waitForSelector('.board.zoomed');
    const close = await seen(), held = await whereIs('d2');
    must(Math.abs(whole.w / close.w - 3) < 0.1, `${whole.w / close.w} times as large`);
    must(Math.hypot(held[0] - x, held[1] - y) < 4, 'what was between the fingers is there still');
    must(close.visual === 1, 'the page itself is not zoomed');
    for (let i = 1; i <= 5; ++i) { await a.move(x - 60 - 6 * i, y - 4 * i); await b.move(x + 60 - 6 * i, y - 4 * i); } // both fingers: along
    const along = await whereIs('d2');
    must(Math.abs(along[0] - held[0] + 30) < 4 && Math.abs(along[1] - held[1] + 20) < 4, `moved by ${along[0] - held[0]}, ${along[1] - held[1]}`);
    await a.end();
    await b.end();
    const one = await page.touchscreen.touchStart(x, y);
    for (let i = 1; i <= 5; ++i) await one.move(x + 8 * i, y + 4 * i);
    await one.end();
    const panned = await whereIs('d2');
    must(Math.abs(panned[0] - along[0] - 40) < 12 && Math.abs(panned[1] - along[1] - 20) < 12, `one finger moved it by ${panned[0] - along[0]}, ${panned[1] - along[1]}`);
    must((await page.$('[data-chosen]')) === null && (await stateOf(page)).rev === '0', 'nothing was chosen by all this');
    const inSight = await page.evaluate(() => { // something that can be chosen, and can be seen now
      const board = document.querySelector('.board').getBoundingClientRect();
      for (const cell of document.querySelectorAll('[data-can][data-cell]')) { const r = cell.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2; if (x > board.left && x < board.right && y > board.top && y < board.bottom) return { zone: cell.dataset.cell, at: [x, y] }; }
      return null;
    });
    must(inSight, 'a piece of one\'s own is in sight');
    // The first tap chooses, however soon after the movement it comes.
    await page.touchscreen.tap(...inSight.at);
    await page.waitForSelector(`[data-chosen][data-place="${inSight.zone}"]`, { timeout: 5000 });
    await page.setViewport({ width: 1280, height: 900 });
  });

  await test('W-28 asking why names the reason', async () => {
    await page.goto(`${address}/local?game=chess&seats=human,random&seed=4`);
    await settled(page);
    await page.type('#command', 'why e2e5');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.why');
    must(/pawn|e2/i.test(await page.$eval('.why', (e) => e.textContent)), 'the reason names the pawn');
    await page.$eval('[data-cell="e5"]', (e) => e.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    await page.waitForSelector('.why');
  });

  await test('W-24, W-54 whole games with the keyboard alone', async () => {
    await byKeyboard(page, `${address}/local?game=tic-tac-toe&seats=human,random&seed=2`, 12);
    await page.evaluate(() => document.querySelector('[data-cell="cell_0_0:none"]').focus());
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    must((await page.evaluate(() => document.activeElement.dataset.cell)) === 'cell_1_1:none', 'arrows move the focus');
    must((await page.$('[role=grid] [role=row] [role=gridcell]')) !== null, 'the board is a grid');
    must(/tic|place|[abc][123]/i.test(await page.$eval('.live[aria-live=polite]', (e) => e.textContent)), 'what happened is said');
    must(await page.$eval('[data-cell="cell_1_1:none"]', (e) => /b2/.test(e.getAttribute('aria-label'))), 'a cell says its name and what is in it');
    await page.goto(`${address}/local?game=chess&seats=human,random&seed=2`);
    await settled(page);
    await page.evaluate(() => document.querySelector('[data-cell="e5"]').focus());
    await page.keyboard.press('?');
    await page.waitForSelector('.why[role=status]');
    await page.type('#command', 'knight g1 f3'); // parts of a label, in any order
    await page.waitForFunction(() => document.querySelectorAll('#option-list [role=option]').length === 1);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /g1f3/.test(document.querySelector('.log ol').textContent));
    if (!full) return;
    await byKeyboard(page, `${address}/local?game=texas-holdem&seats=human,random&seed=2`, 1500);
    await byKeyboard(page, `${address}/local?game=chess&rules=king-of-the-hill,capture-to-win&seats=human,random&seed=2`, 600);
  });

  await test('W-52 a seat never has what it may not see', async () => {
    await page.goto(`${address}/local?game=texas-holdem&seats=human,random&seed=9`);
    await settled(page);
    const frames = await page.evaluate(() => document.documentElement.outerHTML);
    const hands = await page.$$eval('.seat:not(.own) .card', (cards) => cards.map((c) => c.className));
    must(hands.length === 2 && hands.every((c) => c.includes('back')), `the other hand is shown: ${hands}`);
    must(new Set(frames.match(/tok_card_\d+/g) ?? []).size <= 2, 'more cards are named than the own two');
  });

  await test('W-45 a game goes on after a reload, and is in the list of games', async () => {
    await page.goto(`${address}/local?game=connect-four&seats=human,random`);
    await settled(page);
    await clickOne(page, 3);
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) >= 2);
    await settled(page);
    const before = await page.evaluate(() => [document.querySelector('main.table').dataset.rev, document.querySelectorAll('[data-token]').length]);
    await page.reload();
    await page.waitForFunction((rev) => document.querySelector('main.table')?.dataset.rev === rev, {}, before[0]);
    must((await page.evaluate(() => document.querySelectorAll('[data-token]').length)) === before[1], 'the pieces are back');
    await page.goto(`${address}/`);
    await page.waitForSelector('.kept a[href^="/local?id="]');
  });

  await test('W-26 taking back, and looking back, show what the engine says', async () => {
    await page.goto(`${address}/local?game=tic-tac-toe&seats=human,random&seed=3`);
    await settled(page);
    const tokens = () => page.$$eval('[data-token]', (all) => all.length);
    await clickOne(page, 4);
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) >= 2);
    await settled(page);
    must((await tokens()) === 2, 'two marks');
    await page.evaluate(() => document.querySelector('.log .line').click());
    await page.waitForSelector('.status.past');
    must((await tokens()) === 1, 'after the first choice there was one mark');
    await page.click('.status.past button');
    await page.evaluate(() => [...document.querySelectorAll('.log h3 button')].pop().click());
    await page.waitForFunction(() => document.querySelector('main.table').dataset.rev === '0');
    must((await tokens()) === 0, 'all is taken back');
  });

  await test('W-23 a selection toggles, says how many, and is confirmed', async () => {
    await page.goto(`${address}/local?game=hearts&seats=human,random,random,random&seed=4`);
    await settled(page);
    await page.click('[data-option]'); // pass
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) === 1);
    await settled(page);
    const hand = () => page.$$eval('.seat.own [data-token][data-can]', (all) => all.map((e) => e.dataset.token));
    const chosen = () => page.$$eval('.picked-list [data-chosen]', (all) => all.length);
    const cards = await hand();
    must(cards.length === 13, `${cards.length} cards can be chosen`);
    cards.reverse(); // in any order: the engine itself takes them from first to last
    const pick = async (card, many) => { await clickOne(page, 0, card); await page.waitForFunction((n) => document.querySelectorAll('.picked-list [data-chosen]').length === n, {}, many); await settled(page); };
    await pick(cards[0], 1);
    await pick(cards[1], 2);
    await pick(cards[0], 1); // a second click takes it back
    await pick(cards[2], 2);
    must(/2 of 3/.test(await page.$eval('.status', (e) => e.textContent)), 'the count and the limit are said');
    must((await page.$('[data-option].primary')) === null, 'two are too few to confirm');
    await pick(cards[3], 3);
    must((await chosen()) === 3, 'three are chosen');
    await page.click('[data-option].primary');
    // Three cards and the confirmation are sent, one after the other.
    await page.waitForFunction(() => !document.querySelector('.picked-list') && Number(document.querySelector('main.table').dataset.rev) >= 5);
    // They go when everybody has handed in theirs.
    await page.waitForFunction((passed, kept) => {
      const hand = [...document.querySelectorAll('.seat.own [data-zone^="hand"] [data-token]')].map((e) => e.dataset.token);
      return hand.includes(kept) && passed.every((card) => !hand.includes(card));
    }, {}, [cards[1], cards[2], cards[3]], cards[0]);
  });

  await test('W-26, W-27 what happens is seen: backs travel, cards turn, dice tumble, and all ends where the stage says', async () => {
    const watched = await page.evaluateOnNewDocument(() => {
      window.seen = [];
      const usual = Element.prototype.animate;
      Element.prototype.animate = function (frames, timing) { window.seen.push({ what: String(this.getAttribute('class')), first: String(frames[0]?.transform), until: (timing.delay ?? 0) + timing.duration }); return usual.call(this, frames, timing); };
    });
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
    try {
      await page.goto(`${address}/local?game=texas-holdem&seats=human,random&seed=9`);
      let seen = [];
      for (let i = 0; i < 40 && !(seen.some((a) => /flying/.test(a.what)) && seen.some((a) => /rotateY/.test(a.first))); ++i) {
        await settled(page);
        if ((await stateOf(page)).state === 'over') break;
        await clickOne(page, 1); // call or check, so that cards are laid open
        await page.waitForFunction(() => document.querySelector('main.table').dataset.pending === undefined);
        seen = await page.evaluate(() => window.seen);
      }
      must(seen.some((a) => /flying/.test(a.what)), 'no back was seen to travel');
      must(seen.some((a) => /rotateY/.test(a.first)), 'no card was seen to turn');
      must(seen.every((a) => a.until <= 1500), `something takes ${Math.max(...seen.map((a) => a.until))} ms`);
      await page.waitForFunction(() => !document.querySelector('.flying'));
      await page.goto(`${address}/local?game=liars-dice&seats=human,random&seed=9`);
      await page.waitForFunction(() => document.getAnimations().some((a) => a.animationName === 'tumble'), { polling: 'raf' });
      await page.goto(`${address}/local?game=connect-four&seats=human,human&seed=9`);
      await settled(page);
      await clickOne(page, 0);
      // However fast one goes on, the last stage is what stands there in the end.
      for (let i = 1; i < 6; ++i) { await settled(page); await clickOne(page, i); }
      await settled(page);
      await page.waitForFunction(() => document.getAnimations().every((a) => a.effect?.getComputedTiming().iterations === Infinity));
      const off = await page.evaluate(() => [...document.querySelectorAll('.board [data-token]')].filter((token) => {
        const t = token.getBoundingClientRect(), x = t.x + t.width / 2, y = t.y + t.height / 2;
        return ![...document.querySelectorAll('[data-cell]')].some((cell) => { const c = cell.getBoundingClientRect(); return Math.abs(c.x + c.width / 2 - x) < 3 && Math.abs(c.y + c.height / 2 - y) < 3; });
      }).length);
      must(off === 0, `${off} pieces are not in the middle of a cell`);
    } finally {
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await page.removeScriptToEvaluateOnNewDocument(watched.identifier);
    }
  });

  await test('W-02 what ended a game is drawn, sides are in the colours of whose they are, tricks say who played what', async () => {
    await page.goto(`${address}/local?game=tic-tac-toe&seats=human,human&seed=4`);
    for (const cell of ['0_0', '1_0', '0_1', '1_1', '0_2']) { // three in the row 0
      await settled(page);
      must((await page.$('.ending-line')) === null, 'nothing has ended yet');
      const { rev } = await stateOf(page);
      await clickOne(page, 0, `cell_${cell}:none`);
      await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old, {}, rev);
    }
    await page.waitForSelector('main.table[data-state="over"] .ending-line');
    const off = await page.evaluate(() => {
      const line = document.querySelector('.ending-line').getBoundingClientRect(), middle = (cell) => { const r = document.querySelector(`[data-cell="cell_${cell}:none"]`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
      const [first, last] = [middle('0_0'), middle('0_2')];
      return document.querySelectorAll('.ending-line').length === 1 && line.left < first[0] && line.right > last[0] && Math.abs(line.y + line.height / 2 - first[1]) < 3;
    });
    must(off, 'the line goes through the row that won');

    await page.goto(`${address}/local?game=hex&seats=human,random&seed=4`);
    await settled(page);
    const sides = await page.evaluate(() => {
      const board = document.querySelector('.board').getBoundingClientRect(), colours = {};
      for (const band of document.querySelectorAll('.side-band')) {
        const r = band.getBoundingClientRect(), x = (r.x + r.width / 2 - board.x) / board.width, y = (r.y + r.height / 2 - board.y) / board.height;
        const side = y < 0.08 ? 'top' : y > 0.92 ? 'bottom' : x < 0.5 ? 'left' : 'right'; // the rhombus leans to the right, so left and right are never at its ends alone
        (colours[band.getAttribute('stroke')] ??= new Set()).add(side);
      }
      return { bands: document.querySelectorAll('.side-band').length, colours: Object.entries(colours).map(([c, s]) => [c, [...s].sort().join()]), seats: [...document.querySelectorAll('.seat .seat-dot')].map((e) => getComputedStyle(e).backgroundColor) };
    });
    must(sides.bands === 44 && sides.colours.length === 2, JSON.stringify(sides));
    const rgb = (hex) => `rgb(${[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(', ')})`;
    const upright = sides.colours.find(([, where]) => where === 'bottom,top');
    must(upright && rgb(upright[0]) === sides.seats[1] && sides.seats[0] !== sides.seats[1], `red, who begins, has the top and the bottom: ${JSON.stringify(sides)}`);

    await page.goto(`${address}/local?game=hearts&seats=human,random,random,random&seed=4`);
    let names = [];
    for (let i = 0; i < 200 && names.length < 2; ++i) {
      await settled(page);
      if ((await stateOf(page)).state === 'over') break;
      names = await page.$$eval('[data-zone^="trick"] .card-spot', (cards) => cards.map((c) => ({ card: c.dataset.token, who: c.querySelector('.played-by')?.textContent, said: c.getAttribute('aria-label') })));
      if (names.length < 2) await clickOne(page, i);
    }
    must(names.length >= 2, 'a trick with two cards was not seen');
    // The last lines of the log are these cards; each has its player's colour there.
    const played = await page.evaluate(() => { const seats = new Map([...document.querySelectorAll('.seat')].map((s) => [getComputedStyle(s.querySelector('.seat-dot')).backgroundColor, s.querySelector('header strong').textContent])); return [...document.querySelectorAll('.log .line')].slice(-4).map((l) => [l.textContent, seats.get(getComputedStyle(l.querySelector('.seat-dot')).backgroundColor)]); });
    for (const { who, said } of names) {
      const card = said.split(',')[0];
      must(who && said.endsWith(who) && played.some(([line, by]) => line.includes(card) && by?.toLowerCase() === who.toLowerCase()), `${said} is not by ${who}: ${JSON.stringify(played)}`);
    }
  });

  await test('W-10 what is kept from whoever looks is said once, by a field and not by a word', async () => {
    await page.goto(`${address}/local?game=hearts&seats=human,random,random,random&seed=4`);
    await settled(page);
    for (let i = 0; i < 12 && (await page.$$('.log .line')).length < 5; ++i) { await clickOne(page, i); await settled(page); }
    const lines = await page.$$eval('.log .line', (all) => all.map((e) => e.textContent.replace(/^\d+/, '')));
    const secret = lines.filter((l) => /secret/.test(l));
    must(secret.length >= 3 && secret.every((l) => l.match(/secret/g).length === 1), `others pass three cards each, unseen: ${JSON.stringify(lines)}`);
    must(lines.every((l) => !/confirm/.test(l)), `that a selection was confirmed is nothing to tell: ${JSON.stringify(lines)}`);
  });

  await test('W-28 the log is filtered and copied', async () => {
    await page.goto(`${address}/local?game=chess&seats=human,human&seed=4`);
    await settled(page);
    for (const move of ['e2e4', 'e7e5', 'g1f3']) {
      const { rev } = await stateOf(page);
      await page.type('#command', move);
      await page.keyboard.press('Enter');
      await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old, {}, rev);
      await settled(page);
    }
    const lines = () => page.$$eval('.log .line', (all) => all.length);
    must((await lines()) === 3, 'a line for each move');
    await page.type('.log input[type=search]', 'g1f3');
    await page.waitForFunction(() => document.querySelectorAll('.log .line').length === 1);
    const copied = await page.evaluate(() => new Promise((done) => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => done(text) } });
      document.querySelector('.log h3 button').click();
    }));
    must(/e2e4[\s\S]*e7e5[\s\S]*g1f3/.test(copied), `copied: ${copied}`);
  });

  await test('W-34 a replay shows what each viewer saw, and chess is written as PGN', async () => {
    await page.goto(`${address}/r/link?game=texas-holdem&players=2&seed=3&acts=1.1.1#0`);
    await page.waitForSelector('.replay-bar');
    const backs = () => page.$$eval('.seat .card.back', (all) => all.length);
    must((await backs()) === 0, 'whoever looks back sees everything');
    await page.select('.replay-bar label:last-of-type select', '0');
    await page.waitForFunction(() => document.querySelectorAll('.seat .card.back').length === 2);
    await page.select('.replay-bar label:last-of-type select', '-1');
    await page.waitForFunction(() => document.querySelectorAll('.seat .card.back').length === 4);
    await page.goto(`${address}/local?game=chess&seats=human,human&seed=4`);
    await settled(page);
    for (const move of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
      const { rev } = await stateOf(page);
      await page.type('#command', move);
      await page.keyboard.press('Enter');
      await page.waitForFunction((old) => document.querySelector('main.table').dataset.rev !== old, {}, rev);
      await settled(page);
    }
    must((await stateOf(page)).state === 'over', 'mate');
    await page.goto(`${address}/r/${(await kept(page)).id}#1`);
    await page.waitForSelector('[data-export="pgn"]');
    const pgn = await page.evaluate(() => new Promise((done) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { URL.createObjectURL = make; void blob.text().then(done); return '#'; };
      document.querySelector('[data-export="pgn"]').click();
    }));
    must(/1\. f3 e5 2\. g4 Qh4# 0-1/.test(pgn.replace(/\s+/g, ' ')), pgn);
  });

  await test('W-34 a replay is a link: position, viewer and all', async () => {
    await page.goto(`${address}/r/link?game=tic-tac-toe&players=2&seed=3&acts=4.0.0#2`);
    await page.waitForSelector('.replay-bar');
    await page.waitForFunction(() => document.querySelectorAll('[data-token]').length === 2);
    await page.click('.replay-bar button[data-step="on"]');
    await page.waitForFunction(() => document.querySelectorAll('[data-token]').length === 3 && location.hash === '#3');
    if (!context.readsTexts) return;
    // The link that is copied opens the same game, its numbers included.
    await page.goto(`${address}/r/link?game=connect-four&players=2&set=rows:5,columns:5,length:3&seed=3&acts=4.0.0#2`);
    await page.waitForFunction(() => document.querySelectorAll('[data-cell]').length === 25);
    const copied = await page.evaluate(() => new Promise((done) => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => done(text) } });
      [...document.querySelectorAll('.replay-bar button')].find((b) => !b.dataset.export && /link/i.test(b.textContent)).click();
    }));
    must(new URL(copied).search === new URL(page.url()).search && copied.endsWith('#2'), copied);
  });

  await test('W-43 a broken engine is started again and the game goes on', async () => {
    const watched = await page.evaluateOnNewDocument(() => { const Usual = Worker; window.workers = []; window.Worker = class extends Usual { constructor(...a) { super(...a); window.workers.push(this); } }; });
    await page.goto(`${address}/local?game=connect-four&seats=human,random&seed=6`);
    await settled(page);
    await page.removeScriptToEvaluateOnNewDocument(watched.identifier);
    await clickOne(page, 1);
    await page.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) >= 2);
    await settled(page);
    const before = await stateOf(page);
    // What a trap looks like from outside: the next call is answered with `broken`.
    await page.evaluate(() => { const worker = window.workers[0]; worker.postMessage = (m) => worker.onmessage({ data: { n: m.n, broken: 'unreachable' } }); });
    await clickOne(page, 2);
    await page.waitForFunction(() => document.querySelector('.problem'));
    await settled(page);
    must((await stateOf(page)).rev === before.rev, 'nothing was lost');
    await clickOne(page, 2);
    await page.waitForFunction((rev) => Number(document.querySelector('main.table').dataset.rev) > Number(rev), {}, before.rev);
  });
}
