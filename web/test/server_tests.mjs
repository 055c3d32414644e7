// Tables at a real `parlor serve`: the same page, the other kind of room (W-44).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickOne, dice, must, playRandomly, settled, stateOf } from './driver.mjs';

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

// A line that can be cut: what a bad connection does.
function cuttable(port) {
  const lines = new Set();
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [a, b] of [[from, to], [to, from]]) { a.on('data', (d) => b.write(d)); a.on('close', () => b.destroy()); a.on('error', () => b.destroy()); }
    lines.add(from);
    from.on('close', () => lines.delete(from));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({ address: `http://127.0.0.1:${server.address().port}`, cut: () => { for (const line of lines) line.destroy(); }, close: () => { for (const line of lines) line.destroy(); server.close(); } })));
}

const moved = (page, rev) => page.waitForFunction((old) => { const t = document.querySelector('main.table'); return t.dataset.state === 'over' || Number(t.dataset.rev) > Number(old); }, { timeout: 60000 }, rev);
// What a page shows, without what is only for its viewer.
const shown = (page) => page.evaluate(() => ({ tokens: [...document.querySelectorAll('[data-token]')].map((e) => e.dataset.token).sort(), log: [...document.querySelectorAll('.log .line')].map((e) => e.textContent), state: document.querySelector('main.table').dataset.state, rev: document.querySelector('main.table').dataset.rev }));

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
    for (const game of games.filter((g) => (chosen ? chosen.includes(g.id) : full ? !['go', 'coalition', 'salt-charter'].includes(g.id) : quick.includes(g.id))))
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
        await cut.page.waitForSelector('.banner'); // it is said, and nothing can be done meanwhile
        must((await cut.page.$$('[data-can]')).length === 0, 'acts are disabled');
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

    await test('W-34 a table at a server can be looked at again', async () => {
      await page.goto(`${address}/new?game=tic-tac-toe&seats=human,random`);
      await playRandomly(page, 5);
      if (!context.plays) return;
      const rev = (await stateOf(page)).rev;
      await page.evaluate(() => [...document.querySelectorAll('.choices button')].pop().click());
      await page.waitForFunction((n) => document.querySelector('.replay-bar output')?.textContent.endsWith(`/${n}`), { timeout: 60000 }, rev);
    });
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
}
