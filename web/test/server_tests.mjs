// Tables at a real `parlor serve`: the same page, the other kind of room (W-44).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byKeyboard, clickOne, dice, must, playRandomly, seriousIn, settled, stateOf } from './driver.mjs';

// Limits that a person never meets, but somebody who clicks this fast does.
const config = { botDelayMs: 0, limits: { requestsPerSecond: 1000, handlesPerHour: 10000, tablesPerHour: 10000, actsPerSecond: 1000, whyPerSecond: 1000, socketsPerAddress: 1000 } };

function startServer({ parlor, dist, root }) {
  const file = join(mkdtempSync(join(tmpdir(), 'parlor-')), 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(parlor, ['serve', '--listen', '127.0.0.1:0', '--store', 'memory', '--web', dist, '--config', file, '--json'], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, PARLOR_GAMES: join(root, 'games') } });
  return new Promise((done, failed) => {
    let said = '';
    child.stdout.on('data', (data) => { said += data; const port = /"port":\s*(\d+)/.exec(said)?.[1]; if (port) done({ child, port: Number(port) }); });
    child.on('exit', (code) => failed(new Error(`parlor serve ended with ${code}`)));
  });
}

// A line that can be cut, or held so that nothing comes: what a bad connection does.
function cuttable(port) {
  const lines = new Set();
  let held = null;
  const pass = (to, data) => { if (held) held.push(() => to.write(data)); else to.write(data); };
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [a, b] of [[from, to], [to, from]]) { a.on('data', (d) => pass(b, d)); a.on('close', () => b.destroy()); a.on('error', () => b.destroy()); }
    lines.add(from);
    from.on('close', () => lines.delete(from));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({ address: `http://127.0.0.1:${server.address().port}`, cut: () => { for (const line of lines) line.destroy(); }, hold: () => { held = []; }, release: () => { const kept = held ?? []; held = null; for (const send of kept) send(); }, close: () => { for (const line of lines) line.destroy(); server.close(); } })));
}

const moved = (page, rev) => page.waitForFunction((old) => { const t = document.querySelector('main.table'); return t.dataset.state === 'over' || Number(t.dataset.rev) > Number(old); }, { timeout: 60000 }, rev);
// What a page shows, without what is only for its viewer.
const shown = (page) => page.evaluate(() => ({ tokens: [...document.querySelectorAll('[data-token]')].map((e) => e.dataset.token).sort(), log: [...document.querySelectorAll('.log .line')].map((e) => e.textContent), state: document.querySelector('main.table').dataset.state, rev: document.querySelector('main.table').dataset.rev }));

// All that the page remembers, as one text.
async function heapOf(page) {
  const session = await page.createCDPSession(), parts = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return parts.join('');
}

// A card that goes back may be dealt to somebody else in the same update: what counts is what is said after the shuffle.
function sinceShuffle(frame = '{}') {
  const { events = [], ...rest } = JSON.parse(frame);
  const at = events.map((e) => e.kind).lastIndexOf('shuffled');
  return JSON.stringify({ ...rest, events: events.slice(at + 1).filter((e) => e.kind !== 'concealed') });
}

export async function serverTests(context, test) {
  const { page, browser, games, full, chosen, parlor } = context;
  if (!existsSync(parlor)) return;
  const { child, port } = await startServer(context);
  const address = `http://127.0.0.1:${port}`;
  const another = async () => {
    const apart = await browser.createBrowserContext(), made = await apart.newPage();
    await made.setViewport({ width: 1100, height: 800 });
    await made.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    const frames = [];
    const session = await made.createCDPSession();
    await session.send('Network.enable');
    session.on('Network.webSocketFrameReceived', ({ response }) => frames.push(response.payloadData));
    return { page: made, frames, close: () => apart.close() };
  };
  try {
    const quick = ['connect-four'];
    for (const game of games.filter((g) => (chosen ? chosen.includes(g.id) : full || quick.includes(g.id))))
      await test(`W-44, W-51 ${game.id}: a whole game at a server by random clicks`, async () => {
        await page.goto(`${address}/new?game=${game.id}&seats=${['human', ...Array.from({ length: game.players.min - 1 }, () => 'random')].join(',')}`);
        const played = await playRandomly(page, 7, 4000);
        must(played.state === 'over', `not over after ${played.clicks} clicks, revision ${played.rev}`);
        return `${played.clicks} clicks, ${played.rev} decisions`;
      });
    if (chosen) return;

    await test('W-52 two people and a spectator at hold\'em: nobody is sent what they may not see', async () => {
      const people = [await another(), await another(), await another()];
      await people[0].page.goto(`${address}/new?game=texas-holdem&seats=human,open`);
      await people[0].page.waitForSelector('.waiting-room');
      const link = people[0].page.url();
      await people[1].page.goto(link);
      await people[1].page.waitForSelector('.waiting-room [data-can]');
      await people[1].page.evaluate(() => { document.querySelector('.waiting-room [data-can]').click(); });
      await people[0].page.waitForSelector('main.table[data-state="playing"]');
      await people[1].page.waitForSelector('main.table[data-state="playing"]');
      await people[2].page.goto(link);
      await people[2].page.waitForSelector('main.table[data-state="playing"]');
      // In the first hand nobody has been shown anything: not even the memory of a page has the other's cards.
      const dealt = await Promise.all(people.slice(0, 2).map((p) => p.page.$$eval('.seat.own [data-token]', (all) => all.map((e) => e.dataset.token))));
      must(dealt.every((cards) => cards.length === 2), `dealt ${JSON.stringify(dealt)}`);
      for (const [j, other] of people.entries()) {
        const memory = await heapOf(other.page);
        for (const [i, cards] of dealt.entries()) for (const card of cards) must(memory.includes(`"${card}"`) === (i === j), `${card} of seat ${i} is ${i === j ? 'not ' : ''}in the memory of ${j}`);
      }
      const roll = dice(3);
      let checks = 0, hands = 0;
      for (let i = 0; i < (full ? 60 : 14); ++i) {
        const states = await Promise.all(people.map((p) => stateOf(p.page)));
        if (states.some((s) => s.state === 'over')) break;
        // What each has in the hand is what nobody else may have: not in the document, not in any frame so far in this hand.
        const own = await Promise.all(people.slice(0, 2).map((p) => p.page.$$eval('.seat.own [data-token]', (all) => all.map((e) => e.dataset.token))));
        for (const [i, cards] of own.entries())
          for (const [j, other] of people.entries()) {
            if (i === j) continue;
            const html = await other.page.evaluate(() => document.documentElement.outerHTML);
            for (const card of cards) { ++checks; must(!html.includes(`"${card}"`), `${card} of seat ${i} is in the page of ${j}`); must(!sinceShuffle(other.frames[other.frames.length - 1]).includes(`"${card}"`), `${card} of seat ${i} was sent to ${j}`); }
            hands += cards.length;
          }
        const mover = people[Number(states[0].decider)];
        if (!mover) { await moved(people[0].page, states[0].rev); continue; }
        await settled(mover.page);
        await clickOne(mover.page, roll(2)); // fold or call: never all in at once
        await Promise.all(people.map((p, k) => moved(p.page, states[k].rev)));
      }
      must(checks > 20 && hands > 0, 'too little was looked at');
      for (const p of people) await p.close();
      return `${checks} looks`;
    });

    await test('W-24, W-54 a whole game at a server with the keyboard alone; axe finds nothing serious at tables', async () => {
      const choices = await byKeyboard(page, `${address}/new?game=tic-tac-toe&seats=human,random`, 12);
      const found = [], seen = await another();
      await seen.page.setBypassCSP(true);
      for (const [link, inside] of [['/new?game=chess&seats=human,random', '[data-can]'], ['/new?game=texas-holdem&seats=human,random', '[data-can]'], ['/new?game=tic-tac-toe&seats=human,open', '.waiting-room']]) {
        await seen.page.goto(address + link);
        await seen.page.waitForSelector(`main.table ${inside}, main.table${inside}`);
        found.push(...await seriousIn(seen.page, link));
      }
      await seen.close();
      must(found.length === 0, found.join('\n      '));
      return `${choices} choices`;
    });

    await test('W-23 what is clicked in the first frame of a decision counts', async () => {
      await page.goto(`${address}/new?game=chess&seats=human,random`);
      await settled(page);
      const counted = page.evaluate(() => new Promise((done) => {
        new MutationObserver((_, watch) => {
          const cell = document.querySelector('[data-can][data-place="b1"]');
          if (Number(document.querySelector('main.table').dataset.rev) < 2 || !cell) return;
          watch.disconnect();
          cell.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
          const later = (frames) => requestAnimationFrame(() => (frames > 0 ? later(frames - 1) : done(document.querySelector('[data-chosen]')?.dataset.place)));
          later(6); // it is not taken back when the rest of the page has caught up
        }).observe(document.body, { attributes: true, childList: true, subtree: true });
      }));
      await clickOne(page, 0, 'e2');
      await page.waitForSelector('[data-can][data-place="e4"]');
      await clickOne(page, 0, 'e4');
      must((await counted) === 'b1', 'the knight is not chosen');
    });

    await test('W-29, W-55 cut at every revision, a table ends as one that was never cut', async () => {
      const line = await cuttable(port), cut = await another(), steady = await another();
      await cut.page.goto(`${line.address}/new?game=tic-tac-toe&seats=human,random`);
      await settled(cut.page);
      await steady.page.goto(address + new URL(cut.page.url()).pathname);
      await steady.page.waitForSelector('main.table[data-state="playing"]');
      const roll = dice(4);
      let cuts = 0;
      for (; cuts < 9; ++cuts) {
        await settled(cut.page);
        const { state, rev } = await stateOf(cut.page);
        if (state === 'over') break;
        line.cut();
        // It is said, and nothing can be done meanwhile: looked at in one moment, since the line may be back in the next.
        const seen = await cut.page.waitForFunction(() => document.querySelector('.banner') && { acts: document.querySelectorAll('[data-can]').length });
        must((await seen.jsonValue()).acts === 0, 'acts are disabled');
        await settled(cut.page);
        await clickOne(cut.page, roll(9));
        await moved(cut.page, rev);
      }
      await cut.page.waitForSelector('main.table[data-state="over"]');
      await steady.page.waitForSelector('main.table[data-state="over"]');
      const [a, b] = [await shown(cut.page), await shown(steady.page)];
      must(JSON.stringify(a) === JSON.stringify(b), `${JSON.stringify(a)}\n      is not ${JSON.stringify(b)}`);
      await cut.close();
      await steady.close();
      line.close();
      return `${cuts} cuts`;
    });

    await test('W-29, W-30 nothing changes before the server says so, and a silent line is noticed', async () => {
      const line = await cuttable(port), slow = await another();
      await slow.page.goto(`${line.address}/new?game=tic-tac-toe&seats=human,random`);
      await settled(slow.page);
      line.hold();
      await clickOne(slow.page, 4);
      await slow.page.waitForSelector('main.table[data-pending]');
      must((await slow.page.$$('[data-token]')).length === 0 && (await stateOf(slow.page)).rev === '0', 'the board waits for the server');
      must((await slow.page.$$('[data-can]')).length === 0, 'nothing else can be chosen meanwhile');
      line.release();
      await moved(slow.page, 0);
      await settled(slow.page);
      must((await slow.page.$$('[data-token]')).length === 2, 'both marks are there');
      line.hold();
      const began = Date.now();
      await slow.page.waitForSelector('.banner', { timeout: 10000 });
      const noticed = Date.now() - began;
      must(noticed < 3500, `it took ${noticed} ms`); // 3 s, and what a busy machine adds
      line.release();
      await settled(slow.page);
      must((await slow.page.$$('[data-token]')).length === 2, 'the table is back without a reload');
      await slow.close();
      line.close();
      return `a silent line is noticed after ${noticed} ms`;
    });

    await test('W-28 whoever comes later, or comes again, reads what was done; a third person only watches', async () => {
      const [own, late] = [await another(), await another()];
      await own.page.goto(`${address}/new?game=chess&rules=piece-hp&seats=human,random`);
      for (let i = 0; i < 3; ++i) {
        await settled(own.page);
        const { rev } = await stateOf(own.page);
        await own.page.focus('#command');
        await own.page.keyboard.press('Enter'); // the first option
        await moved(own.page, Number(rev) + 1);
      }
      await settled(own.page);
      const lines = (one) => one.$$eval('.log .line', (all) => all.map((e) => e.textContent));
      const live = await lines(own.page);
      must(live.length >= 6, `${live.length} lines`);
      await late.page.goto(own.page.url());
      await own.page.reload();
      for (const one of [late.page, own.page]) {
        await one.waitForFunction((n) => document.querySelectorAll('.log .line').length >= n, {}, live.length);
        must(JSON.stringify(await lines(one)) === JSON.stringify(live), `${JSON.stringify(await lines(one))} is not ${JSON.stringify(live)}`);
        must(await one.$eval('.about-table', (e) => /Chess/.test(e.textContent) && e.querySelector('[data-rule="piece-hp"]') !== null), 'the game and its house rules are named');
      }
      must((await late.page.$$('[data-can]')).length === 0 && (await stateOf(late.page)).you === '', 'a third person watches');
      for (const p of [own, late]) await p.close();
    });

    await test('W-29 clocks tick by the server, and say when they are short', async () => {
      const timed = await another();
      await timed.page.goto(`${address}/new?game=chess&seats=human,random&clock=fischer:9+0`);
      await settled(timed.page);
      const own = () => timed.page.$eval('.seat.own .clock', (e) => e.textContent);
      await timed.page.waitForSelector('.seat.own .clock.running.short');
      const first = await own();
      must(/^0:0\d$/.test(first), `${first} is left`);
      await timed.page.waitForFunction((was) => document.querySelector('.seat.own .clock').textContent < was, { timeout: 5000 }, first);
      await timed.close();
    });

    await test('W-56 names and talk with markup are shown as text', async () => {
      const bad = '<img src=x onerror="window.hacked=1"><b>b</b>\u202e', people = [await another(), await another()];
      await people[0].page.goto(`${address}/settings`);
      await people[0].page.evaluate(() => localStorage.setItem('parlor.name', '<b>bold</b>'));
      await people[0].page.goto(`${address}/new?game=tic-tac-toe&seats=human,random`);
      await settled(people[0].page);
      await people[1].page.goto(people[0].page.url());
      await people[1].page.waitForSelector('main.table[data-state="playing"]');
      for (const text of [bad, 'w'.repeat(10000)]) {
        await people[0].page.$eval('.talk input', (e, t) => { e.value = t; e.dispatchEvent(new Event('input', { bubbles: true })); }, text);
        await people[0].page.evaluate(() => document.querySelector('.talk form').requestSubmit());
      }
      for (const { page: one } of people) {
        await one.waitForFunction(() => document.querySelector('.talk li')?.textContent.includes('<img src=x'));
        must((await one.$$('main img[src="x"], main b')).length === 0, 'no markup came of it');
        must((await one.evaluate(() => window.hacked)) === undefined, 'nothing was run');
        must(await one.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'the page does not grow beyond the window');
      }
      must(await people[1].page.evaluate(() => [...document.querySelectorAll('.seat .who')].some((e) => e.textContent === '<b>bold</b>')), 'the name is there, as text');
      must((await people[1].page.$$('.seat .away')).length === 0, 'nobody is away');
      for (const p of people) await p.close();
    });

    await test('S-61 a private table is entered by its link alone, which tells servers nothing; who is unknown to the server is made known again', async () => {
      const people = [await another(), await another(), await another()], pages = people.map((p) => p.page);
      await pages[0].goto(`${address}/settings`);
      await pages[0].evaluate(() => localStorage.setItem('parlor.token', 'of-a-server-that-is-gone'));
      await pages[0].goto(`${address}/new?game=tic-tac-toe&seats=human,open&visibility=private`);
      await pages[0].waitForSelector('.waiting-room');
      await pages[0].evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; [...document.querySelectorAll('.waiting-room button')].at(-1).click(); });
      const link = await pages[0].evaluate(() => window.copied);
      must(/#invite=[\w-]{20,}$/.test(link), `the link has the invitation behind its #: ${link}`);
      await pages[2].goto(link.replace(/#.*/, ''));
      await pages[2].waitForSelector('[role="alert"]'); // without it there is no such table
      const asked = [];
      pages[1].on('request', (r) => asked.push(r.url()));
      await pages[1].goto(link);
      await pages[1].waitForSelector('.waiting-room [data-can]');
      must(!(await pages[1].evaluate(() => location.href)).includes('invite'), 'what was read leaves the address');
      await pages[1].evaluate(() => document.querySelector('.waiting-room [data-can]').click());
      await pages[1].waitForSelector('main.table[data-state="playing"]');
      await pages[0].waitForSelector('main.table[data-state="playing"]');
      const secret = link.split('=').at(-1);
      must(asked.every((url) => !url.replace(/#.*/, '').includes(secret)), 'no address that was asked for has it');
      for (const p of people) await p.close();
    });

    await test('S-34, S-36 at the page: offers are questions, giving up is asked twice, of whoever stays away a win is claimed', async () => {
      const people = [await another(), await another()], [ann, ben] = people.map((p) => p.page);
      const button = (one, words) => one.evaluate((w) => { const found = [...document.querySelectorAll('.talk button')].find((b) => b.textContent === w); found?.click(); return found !== undefined; }, words);
      await ann.goto(`${address}/settings`);
      const id = await ann.evaluate(async () => {
        const post = async (path, body, token) => (await fetch(`/api/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) })).json();
        const handle = (await post('/handles', { name: 'ann' })).token;
        const made = await post('/tables', { game: 'tic-tac-toe', seats: [{ kind: 'human' }, { kind: 'human' }], sit: 0, claimAfter: 1 }, handle);
        localStorage.setItem(`parlor.seat.${made.table.id}`, made.seatToken);
        await post(`/tables/${made.table.id}/ready`, {}, made.seatToken);
        return made.table.id;
      });
      await ann.goto(`${address}/t/${id}`);
      await ben.goto(`${address}/t/${id}`);
      await ben.waitForSelector('.waiting-room [data-can]');
      await ben.evaluate(() => document.querySelector('.waiting-room [data-can]').click());
      for (const one of [ann, ben]) await one.waitForSelector('main.table[data-state="playing"]');
      must(await button(ann, 'Offer a draw'), 'a draw can be offered');
      await ben.waitForFunction(() => /shall we call it a draw/.test(document.querySelector('.talk .offer')?.textContent ?? ''));
      must(await button(ben, 'Refuse'), 'it can be refused');
      await ann.waitForFunction(() => !document.querySelector('.talk .offer'));
      must(await button(ann, 'Resign'), 'one can give up');
      await ann.waitForFunction(() => [...document.querySelectorAll('.talk button')].some((b) => b.textContent === 'Really give up'));
      must((await stateOf(ann)).state === 'playing', 'asked twice');
      await people[1].close();
      await ann.waitForSelector('.seat .away');
      await ann.waitForFunction(() => [...document.querySelectorAll('.talk button')].some((b) => b.textContent === 'Claim the win'));
      must(await button(ann, 'Claim the win'), 'it is claimed');
      await ann.waitForSelector('main.table[data-state="over"]');
      must(await ann.$eval('.status.over', (e) => /You win/.test(e.textContent)), 'and won');
      await people[0].close();
    });

    await test('W-34 a table at a server can be looked at again', async () => {
      await page.goto(`${address}/new?game=tic-tac-toe&seats=human,random`);
      await playRandomly(page, 5);
      if (!context.plays) return;
      const rev = (await stateOf(page)).rev;
      await page.evaluate(() => document.querySelector('.choices [data-replay]').click());
      await page.waitForFunction((n) => document.querySelector('.replay-bar output')?.textContent.endsWith(`/${n}`), { timeout: 60000 }, rev);
    });
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
}
