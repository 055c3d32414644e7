// The engine for browsers without a browser: every shipped game, with each of its house rules, opens and plays as the
// native engine does, to the last bit (W-40, W-42).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { must } from './driver.mjs';

// `name`: parlor, which reads texts too, or parlor-play, which only plays.
export async function loadEngine(root, name = 'parlor') {
  const bundled = await build({ entryPoints: [join(root, 'web/src/engine.ts')], bundle: true, format: 'esm', write: false });
  const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
  return Engine.load(new Response(readFileSync(join(root, `build/wasm/${name}.wasm`))));
}

// What the page would ask for: the compiled game as it is usually played, its texts for everything else.
export function requestFor(dist, game, { rules = [], constants = {}, asText = false } = {}) {
  const players = game.players.min;
  if (game.id === 'chess') return { game: 'chess', rules, layout: '' };
  const file = (ending) => JSON.parse(readFileSync(join(dist, 'games', `${game.id}.${ending}`), 'utf8'));
  if (!asText && !rules.length && !Object.keys(constants).length) return { def: file('json'), players };
  const { main, files, modules } = file('texts.json');
  return { main, files, modules: rules.map((id) => modules[id] ?? id), constants, players };
}

// Some decisions at random, as lines that `parlor replay` checks.
function played(engine, request, opened, most) {
  const ask = (call, ...args) => { const answer = engine.call(call, ...args); must(answer.ok, `${opened.game} ${opened.rules ?? ''}: ${call}: ${answer.error?.message}`); return answer; };
  const { table } = ask('open', JSON.stringify(request));
  ask('scene', table);
  ask('start', table, opened.seed);
  const picks = [];
  for (let over = false; !over && picks.length < most;) {
    const { option } = ask('bot', table, 'random', opened.seed + picks.length);
    over = ask('apply', table, picks.length % 2 ? -1 : 0, option).outcome !== null;
    picks.push(option);
  }
  const { lines, end } = ask('trace', table, opened.seed, JSON.stringify(picks));
  engine.call('close', table);
  return `${lines}${JSON.stringify({ ...end, ...opened })}\n`;
}

export async function engineTests({ root, dist, games, parlor, full, readsTexts }, test) {
  const names = ['parlor', ...(readsTexts ? ['parlor-play'] : [])]; // where none reads texts there is one only
  await test('W-41, W-43 the engine needs neither threads, exceptions nor files, and gives the functions that the page calls', async () => {
    const calls = [];
    for (const name of names) {
      const module = new WebAssembly.Module(readFileSync(join(root, `build/wasm/${name}.wasm`)));
      const imports = WebAssembly.Module.imports(module), exports = WebAssembly.Module.exports(module);
      const foreign = imports.filter((i) => i.module !== 'wasi_snapshot_preview1' || i.kind !== 'function' || /thread|path_(?!filestat|open)|sock_/.test(i.name));
      must(foreign.length === 0, `it asks for ${foreign.map((i) => `${i.module}.${i.name}`)}`);
      must(exports.every((e) => e.kind !== 'tag'), 'it throws');
      const shared = exports.find((e) => e.kind === 'memory');
      const { instance } = await loadEngine(root, name);
      must(shared && !(typeof SharedArrayBuffer !== 'undefined' && instance.exports[shared.name].buffer instanceof SharedArrayBuffer), 'its memory is shared');
      const wanted = ['open', 'start', 'view', 'decision', 'apply', 'why', 'save', 'load', 'bot', 'scene', 'close', ...(readsTexts && name === 'parlor' ? ['check'] : [])];
      const missing = wanted.filter((name) => !exports.some((e) => e.name === `parlor_${name}`));
      must(missing.length === 0, `${name} lacks ${missing}`);
      calls.push(imports.length);
    }
    return `${calls.join(' and ')} calls of WASI`;
  });

  await test('W-40, W-42 every shipped game with each of its house rules plays here as in the native engine', async () => {
    const engine = await loadEngine(root), player = await loadEngine(root, names[names.length - 1]), folder = mkdtempSync(join(tmpdir(), 'parlor-engine-')), most = full ? 200 : 30;
    let opened = 0, presets = 0, tried = 0;
    const check = (game, request, rules) => {
      const text = played(request.files ? engine : player, request, { game: game.id, seed: 11, ...(rules.length ? { rules } : {}) }, most);
      const file = join(folder, 'trace.jsonl');
      writeFileSync(file, text);
      const said = JSON.parse(execFileSync(parlor, ['replay', file, '--json'], { encoding: 'utf8' }));
      must(said.ok, `${game.id} ${rules}: ${JSON.stringify(said)}`);
      ++opened;
      return text;
    };
    must(games.length >= 28, `only ${games.length} games are there`);
    for (const game of games) {
      const usual = check(game, requestFor(dist, game), []);
      if (readsTexts && game.id !== 'chess') must(check(game, requestFor(dist, game, { asText: true }), []) === usual, `${game.id}: compiled here it is another game`);
      for (const rule of readsTexts || game.id === 'chess' ? game.rules : []) {
        if (game.id === 'chess' && !full && ++presets % 8) continue; // an eighth of the presets
        const rules = [...rule.requires, rule.id];
        check(game, requestFor(dist, game, { rules }), rules);
        ++tried;
      }
    }
    rmSync(folder, { recursive: true });
    must(games.some((g) => g.id !== 'chess' && g.rules.length) && tried > (full ? 20 : 3), `only ${tried} house rules were tried`);
    return `${opened} games opened, ${tried} of them with a house rule`;
  });
}
