// W-57: what the page weighs in time. Prints, judges nothing: times of a busy machine mean little, so the load is
// printed too. `node test/measure.mjs [--at URL] [--where new] [--dist FOLDER] [--games a,b] [--boards]`; with `--where new` at
// the tables of the server that is at URL.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { open, settled } from './driver.mjs';
import { serve } from './serve.mjs';

const parlor = process.env.PARLOR ?? join(new URL('.', import.meta.url).pathname, '../../build/parlor');
const at = process.argv.includes('--at') ? process.argv[process.argv.indexOf('--at') + 1] : null;
const dist = process.argv.includes('--dist') ? process.argv[process.argv.indexOf('--dist') + 1] : new URL('../dist', import.meta.url).pathname, own = at ? null : await serve(dist);
const { browser, page } = await open();
const address = at ?? own.address, where = process.argv.includes('--where') ? process.argv[process.argv.indexOf('--where') + 1] : 'local', link = (more) => `${address}/${where}?${more}&seed=3`;
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const ms = (time) => `${time.toFixed(1)} ms`;
console.log(`load ${loadavg().map((l) => l.toFixed(2)).join(' ')}`);

// Processor time of the browser's pages so far, by thread: what others do on this machine counts little in it.
function processorTime() {
  const parent = new Map(), renderers = [], time = { main: 0, worker: 0, helpers: 0 };
  for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n)))
    try { parent.set(pid, readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) \S+ /s, '').split(' ')[0]); if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) renderers.push(pid); } catch { /* ended meanwhile */ }
  const ours = (pid) => { for (let at = pid; at && at !== '0'; at = parent.get(at)) if (at === String(browser.process().pid)) return true; return false; };
  for (const pid of renderers.filter(ours))
    for (const thread of readdirSync(`/proc/${pid}/task`))
      try {
        const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim(), spent = Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
        time[thread === pid ? 'main' : name.startsWith('DedicatedWorker') ? 'worker' : 'helpers'] += spent;
      } catch { /* ended meanwhile */ }
  return time;
}
await page.goto(`${address}/`);
const index = await page.evaluate(async () => (await fetch('/games/index.json')).json());
const seatsOf = (game) => ['human', ...Array.from({ length: (index.games.find((g) => g.id === game)?.players.min ?? 2) - 1 }, () => 'random')].join(',');
// The page itself notes when the frame with the first board, and the first one that can be played on, has been made: asking it from
// outside would cost time of the slowed-down processor too.
const notes = () => {
  const wanted = { board: '[data-token], [data-cell]', playable: 'main.table[data-state="playing"] [data-can]' };
  window.drawn = {};
  const look = () => {
    for (const [what, selector] of Object.entries(wanted))
      if (document.querySelector(selector)) { delete wanted[what]; setTimeout(() => { window.drawn[what] = performance.timeOrigin + performance.now(); }); }
    if (Object.keys(wanted).length) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};
// A browser has things of its own to do when a window opens; an address is typed when it has done them.
async function atRest() {
  const all = () => { const { main, worker, helpers } = processorTime(); return main + worker + helpers; };
  for (let before = all(), calm = 0, tries = 0; calm < 3 && tries < 50; ++tries) { await new Promise((done) => setTimeout(done, 100)); const now = all(); calm = now - before < 4 ? calm + 1 : 0; before = now; }
}
async function firstBoards(game, again, slower) {
  const times = [], playable = [], spent = [];
  for (let i = 0; i < 5; ++i) {
    // A browser that was never here, or one that comes again.
    const apart = await browser.createBrowserContext(), one = await apart.newPage();
    if (again) { await one.goto(link(`game=${game}&seats=${seatsOf(game)}`)); await settled(one); await one.goto('about:blank'); }
    await one.evaluateOnNewDocument(notes);
    await atRest();
    await one.emulateCPUThrottling(slower); // from here on its processor is never at rest
    const before = processorTime(), began = Date.now();
    await one.goto(link(`game=${game}&seats=${seatsOf(game)}`), { waitUntil: 'domcontentloaded' });
    await one.waitForFunction(() => window.drawn.playable, { timeout: 60000, polling: 100 });
    const drawn = await one.evaluate(() => window.drawn);
    times.push(drawn.board - began);
    playable.push(drawn.playable - began);
    const after = processorTime();
    spent.push(Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]])));
    await apart.close();
  }
  const part = (key) => median(spent.map((s) => s[key]));
  return { time: median(times), playable: median(playable), main: part('main'), worker: part('worker'), helpers: part('helpers') };
}
const games = process.argv.includes('--games') ? process.argv[process.argv.indexOf('--games') + 1].split(',').filter(Boolean) : ['chess', 'go', 'texas-holdem', 'salt-charter'];
for (const game of games)
  for (const again of [false, true]) {
    const plain = await firstBoards(game, again, 1), slow = await firstBoards(game, again, 4);
    console.log(`first board of ${game} ${again ? 'for one who comes again' : 'on the first visit'}: ${ms(slow.time)} with a CPU 4 times slower (median of 5; at most 1000), ${ms(plain.time)} without; playable after ${ms(slow.playable)} and ${ms(plain.playable)}; processor time ${ms(plain.main)} page, ${ms(plain.worker)} engine, ${ms(plain.helpers)} other threads`);
  }
const done = async () => {
  console.log(`load ${loadavg().map((l) => l.toFixed(2)).join(' ')}`);
  await browser.close();
  own?.server.close();
  process.exit();
};
if (process.argv.includes('--boards')) await done(); // nothing else is wanted
await page.emulateCPUThrottling(4);
await page.goto(link('game=chess&seats=human,random'));
await settled(page);
// Until what the click changed is in the document, and until it is drawn.
const clicks = [];
for (const place of ['e2', 'd2', 'b1', 'g1', 'c2'])
  clicks.push(await page.evaluate((p) => new Promise((done) => {
    const began = performance.now();
    new MutationObserver((_, watch) => { if (document.querySelector(`[data-chosen][data-place="${p}"]`)) { watch.disconnect(); requestAnimationFrame(() => done(performance.now() - began)); } }).observe(document.body, { attributes: true, subtree: true });
    document.querySelector(`[data-place="${p}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  }), place));
console.log(`a click on a piece is answered after ${ms(median(clicks))} (CPU 4 times slower; at most 50)`);
await page.emulateCPUThrottling(1);

// Positions of a game, one after the other, as fast as the page draws them: what one redraw costs (script, style and lay-out),
// and how many updates a second the page keeps up with.
const steps = 60;
async function drawn(name, game, set = []) {
  const lines = execFileSync(parlor, ['trace', game, ...set.flatMap((s) => ['--set', s]), '--seed', '3', '--max-decisions', String(steps)], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  const acts = lines.trim().split('\n').map((line) => JSON.parse(line).picked).filter((n) => n !== undefined);
  await page.goto(`${address}/r/link?game=${game}&players=2${set.length ? `&set=${set.map((s) => s.replace('=', ':')).join(',')}` : ''}&seed=3&acts=${acts.map((n) => n.toString(36)).join('.')}#0`);
  await page.waitForSelector('.replay-bar');
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' }); // processor time, so that others on the machine count less
  const metrics = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value]));
  const before = await metrics();
  const seconds = await page.evaluate((n) => new Promise((done) => {
    const began = performance.now();
    const step = (left) => {
      if (left === 0) { done((performance.now() - began) / 1000); return; }
      document.querySelector('.replay-bar button[data-step="on"]').click();
      requestAnimationFrame(() => setTimeout(() => step(left - 1)));
    };
    step(n);
  }), acts.length);
  const after = await metrics(), cost = (key) => ((after[key] - before[key]) * 1000) / acts.length;
  await session.detach();
  console.log(`${name}: a redraw costs ${ms(cost('ScriptDuration') + cost('RecalcStyleDuration') + cost('LayoutDuration'))} (script ${ms(cost('ScriptDuration'))}, style ${ms(cost('RecalcStyleDuration'))}, lay-out ${ms(cost('LayoutDuration'))}; at most 8), ${(acts.length / seconds).toFixed(0)} updates/s (at least 20)`);
}
await drawn('chess', 'chess');
await drawn('hex 11×11', 'hex');
await drawn('go 19×19', 'go', ['size=19']);
await done();
