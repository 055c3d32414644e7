// Every option of every decision can be reached by clicks, in every shipped game (W-51, the part
// that needs no browser): decisions come from `parlor trace --events`, clicks from the page's picker.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(new URL('../..', import.meta.url).pathname);
const usual = process.env.PARLOR ?? join(root, 'build/parlor');
const bundled = await build({ entryPoints: [join(root, 'web/src/picking.ts')], bundle: true, format: 'esm', write: false });
const { Picker, Places } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
const run = (parlor, ...args) => execFileSync(parlor, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

export function reachable(picker) {
  const found = new Set(), seen = new Set(), open = [picker.start()];
  while (open.length) {
    const chosen = open.pop(), key = chosen.join('|');
    if (seen.has(key) || chosen.length > 4) continue;
    seen.add(key);
    const now = picker.look(chosen);
    for (const option of [...now.buttons, ...now.menu]) found.add(option.index);
    for (const place of now.can) {
      const next = picker.click(chosen, place);
      if ('option' in next) found.add(next.option.index);
      else open.push(next.chosen);
    }
  }
  return found;
}

// Only what the picker needs to know of a state: how many there are and what they are.
export function checkGame(game, most = 150, parlor = usual) {
  const scene = JSON.parse(run(parlor, 'scene', game, '--json'));
  let decisions = 0, options = 0;
  for (let viewer = 0; viewer < Math.min(2, scene.players); ++viewer) {
    for (const line of run(parlor, 'trace', game, '--seed', '3', '--events', '--viewer', String(viewer), '--max-decisions', String(most)).split('\n')) {
      const decision = line && JSON.parse(line).decision;
      if (!decision?.options) continue;
      const zones = {};
      for (const o of decision.options) for (const place of [o.from, o.to, o.at]) if (place?.zone) {
        zones[place.zone] ??= { count: 1, tokens: [] };
        if (place.token) zones[place.zone].tokens.push({ id: place.token, type: 'token' });
      }
      const picker = new Picker(decision, new Places(scene, { zones }));
      const found = reachable(picker);
      const missing = decision.options.filter((o) => !found.has(o.index));
      if (missing.length) throw new Error(`${game}: ${missing.length} of ${decision.options.length} options cannot be clicked, e.g. ${JSON.stringify(missing[0])}`);
      ++decisions;
      options += decision.options.length;
    }
  }
  if (decisions === 0) throw new Error(`${game}: no decision was seen`);
  return { decisions, options };
}

if (process.argv[1]?.endsWith('picking.mjs')) {
  const games = JSON.parse(run(usual, 'list', '--json')).games.filter((g) => g.ok).map((g) => g.name);
  if (games.length < 19) throw new Error(`only ${games.length} games`);
  let decisions = 0, options = 0;
  for (const game of games) { const seen = checkGame(game, Number(process.argv[2] ?? 60)); decisions += seen.decisions; options += seen.options; }
  console.log(`picking: ${options} options of ${decisions} decisions in ${games.length} games can all be clicked`);
}
