// Builds the page into web/dist: bundle, styles, the shipped games as texts and compiled, and the engine if build/wasm
// has it. What can be large has its hash in its name, so that browsers keep it, and lies there compressed too.
// `node build.mjs [--parlor build/parlor] [--out dist]`
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, '..');
const argument = (name, otherwise) => { const at = process.argv.indexOf(name); return at < 0 ? otherwise : resolve(process.argv[at + 1]); };
const out = argument('--out', join(here, 'dist')), parlor = argument('--parlor', join(root, 'build/parlor'));
const engine = join(root, 'build/wasm/parlor.wasm'), player = join(root, 'build/wasm/parlor-play.wasm');

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'games'), { recursive: true });

const run = (...args) => execFileSync(parlor, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
// What the page is told about how it was built: names of files, and what the engine can do.
const built = { worker: '', engine: '', player: '', plays: existsSync(engine), readsTexts: false, firsts: [] };
if (built.plays) {
  // One that reads texts of games, too, and one that only plays, which is smaller; where there is no such, the one is both.
  const put = (file) => { const name = `${basename(file, '.wasm')}-${hashOf(readFileSync(file))}.wasm`; cpSync(file, join(out, name)); return name; };
  built.engine = put(engine);
  built.player = existsSync(player) ? put(player) : built.engine;
  built.readsTexts = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(engine))).some((e) => e.name === 'parlor_check');
} else console.log('page: without the engine for browsers (scripts/wasm builds it)');

// The texts of a game: its file, or its folder. House rules are files that end in .rules.md.
function textsOf(id) {
  const alone = join(root, 'games', `${id}.md`), folder = join(root, 'games', id);
  const names = existsSync(alone) ? [`${id}.md`, ...readdirSync(join(root, 'games')).filter((n) => n.startsWith(`${id}.`) && n.endsWith('.rules.md'))] : readdirSync(folder).filter((n) => n.endsWith('.md')).sort();
  const from = existsSync(alone) ? join(root, 'games') : folder;
  return { main: `${id}.md`, files: Object.fromEntries(names.map((n) => [n, readFileSync(join(from, n), 'utf8')])), modules: {} };
}
const games = [];
if (existsSync(parlor)) {
  for (const line of JSON.parse(run('list', '--json')).games) {
    if (!line.ok) continue;
    const id = line.name;
    let rules = JSON.parse(run('rules', id, '--json'));
    rules = rules.rules.map(({ id: rule, name, description, category, requires, incompatibleWith, layout }) => ({ id: rule, name, description, category, requires: requires ?? [], incompatibleWith: incompatibleWith ?? [], ...(layout ? { layout } : {}) }));
    const about = JSON.parse(run('info', id, '--json'));
    games.push({ id, name: line.title ?? id, description: line.description, players: { min: line.minPlayers, max: line.maxPlayers }, hidden: line.hiddenInformation, chance: about.chance, seats: about.seats, rules, constants: about.parts.constants ?? {}, ranges: about.parts.constantRanges ?? {} });
    if (id === 'chess') continue;
    const texts = textsOf(id);
    for (const [name, text] of Object.entries(texts.files)) { const rule = name.endsWith('.rules.md') && /^\s*id:\s*([\w-]+)/m.exec(text)?.[1]; if (rule) texts.modules[rule] = name; }
    writeFileSync(join(out, 'games', `${id}.texts.json`), JSON.stringify(texts));
    // Without the blanks between its words a compiled game is half as long, and read in half the time.
    const dense = (json) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    // As it is usually played a game lies there compiled, which opens in a fraction of the time; an engine that cannot
    // read texts has each house rule so too.
    for (const set of [[], ...(built.readsTexts ? [] : rules.map((rule) => [rule.id]))]) writeFileSync(join(out, 'games', `${[id, ...set].join('+')}.json`), dense(run('compile', id, ...set.flatMap((rule) => ['--rules', rule]))));
  }
}
// How a game looks to anybody before something happened: the page shows that until the engine is ready. Only where it is the
// same for every seed.
if (built.plays) {
  const { outputFiles } = await build({ entryPoints: [join(here, 'src/engine.ts')], bundle: true, format: 'esm', write: false });
  const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
  const loaded = await Engine.load(new Response(readFileSync(engine)));
  for (const { id, players } of games) {
    const { ok, table } = loaded.call('open', id === 'chess' ? '{"game":"chess"}' : `{"players":${players.min},"def":${readFileSync(join(out, 'games', `${id}.json`), 'utf8')}}`);
    if (!ok) continue;
    const { scene } = loaded.call('scene', table);
    const stages = [1, 2, 3].map((seed) => { loaded.call('start', table, seed); return JSON.stringify(loaded.call('view', table, -1).stage); });
    loaded.call('close', table);
    if (stages.some((stage) => stage !== stages[0])) continue;
    writeFileSync(join(out, 'games', `${id}.first.json`), `{"scene":${JSON.stringify(scene)},"stage":${stages[0]}}`);
    built.firsts.push(id);
  }
}
// Each piece as what is inside its drawing. It becomes part of the board: a picture of its own would be a document of its own.
const drawings = () => {
  const folder = join(root, 'assets/pieces');
  return Object.fromEntries(readdirSync(folder).sort().map((file) => {
    const [, inside] = /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 45 45">(?:<title>[^<]*<\/title>)?(.*)<\/svg>\s*$/s.exec(readFileSync(join(folder, file), 'utf8'));
    return [basename(file, '.svg'), inside];
  }));
};
// What the editor offers while one types: the sections of a game, and the words of its language with a line of help each.
function language() {
  if (!existsSync(parlor)) return { sections: [], words: [] };
  const { sections, constructs } = JSON.parse(run('language', '--json'));
  return { sections: sections.map((s) => s.name), words: constructs.map(({ name, family, about }) => ({ name, family, about })) };
}
const virtual = {
  name: 'virtual',
  setup(b) {
    b.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
    b.onLoad({ filter: /pieces$/, namespace: 'virtual' }, () => ({ contents: `export const drawings = ${JSON.stringify(drawings())};`, loader: 'js' }));
    b.onLoad({ filter: /language$/, namespace: 'virtual' }, () => ({ contents: `export const language = ${JSON.stringify(language())};`, loader: 'js' }));
    b.onLoad({ filter: /built$/, namespace: 'virtual' }, () => ({ contents: `export const built = ${JSON.stringify(built)};`, loader: 'js' }));
  },
};
// Hashes have a digit, by which servers know them (src/server/static_files.cpp).
const shared = { bundle: true, minify: true, format: 'esm', target: ['es2022'], legalComments: 'none', logLevel: 'warning', metafile: true, plugins: [virtual], outdir: out, entryNames: '[name]-0[hash]' };
const bundled = async (entries, more = {}) => {
  const { metafile } = await build({ ...shared, ...more, entryPoints: entries.map((entry) => join(here, 'src', entry)) });
  return entries.map((entry) => basename(Object.entries(metafile.outputs).find(([, made]) => made.entryPoint?.endsWith(`/${entry}`))[0]));
};
const alone = { format: 'iife' }; // needs nothing but itself: runs as soon as it has arrived
[built.worker] = await bundled(['worker.ts'], alone);
const [early] = await bundled(['early.ts'], alone);
// What is not needed at once (editor, replay, reports) is in files of its own that are loaded when it is.
const [page] = await bundled(['main.tsx'], { chunkNames: 'part-[name]-0[hash]', splitting: true, jsx: 'automatic', jsxImportSource: 'preact' });
const [style] = await bundled(['style.css']);
cpSync(join(here, 'src/icon.svg'), join(out, 'icon.svg'));
// What the page is made of is asked for at once, not only when its first file has been read.
const partsOf = (name) => [...readFileSync(join(out, name), 'utf8').matchAll(/(?:from|import)"\.\/(part-[^"]+)"/g)].map(([, part]) => part);
const needed = [...new Set(partsOf(page).flatMap((part) => [part, ...partsOf(part)]))].sort();
// All of it is used at once: a browser that knows this word reads it on another thread, not function by function as each is called.
for (const name of [page, ...needed]) writeFileSync(join(out, name), `//# allFunctionsCalledOnLoad\n${readFileSync(join(out, name), 'utf8')}`);
const head = [`<script data-page src="/${early}"></script>`, `<link rel="stylesheet" href="/${style}">`, ...needed.map((part) => `<link rel="modulepreload" href="/${part}">`), `<script type="module" src="/${page}"></script>`];
writeFileSync(join(out, 'index.html'), readFileSync(join(here, 'src/index.html'), 'utf8').replace('<!-- PAGE -->', head.join('\n')));
cpSync(join(root, 'assets/icons'), join(out, 'icons'), { recursive: true });

writeFileSync(join(out, 'games/index.json'), JSON.stringify({ games }));
writeFileSync(join(out, 'built.json'), JSON.stringify(built));
// What works without a net: the page's own files, under a name that changes with their content.
const files = readdirSync(out).filter((name) => !['games', 'icons', 'sw.js', 'built.json'].includes(name)).sort();
const kept = [...files, 'games/index.json'];
const version = hashOf(kept.map((file) => hashOf(readFileSync(join(out, file)))).join());
writeFileSync(join(out, 'sw.js'), readFileSync(join(here, 'src/sw.js'), 'utf8').replace('VERSION', version).replace("'FILES'", kept.map((f) => `'/${f}'`).join(', ')));
for (const file of readdirSync(out, { recursive: true }).map(String))
  if (/\.(html|js|css|json|svg|wasm)$/.test(file)) writeFileSync(join(out, `${file}.gz`), gzipSync(readFileSync(join(out, file)), { level: 9 }));

// The page one arrives at: what is loaded before anything is shown. The editor is not in it.
const zipped = (name) => statSync(join(out, `${name}.gz`)).size;
const first = new Set(['index.html', style, page, early, ...needed]);
const start = [...first].reduce((sum, name) => sum + zipped(name), 0);
for (const name of files.filter((n) => /\.(js|css|wasm)$/.test(n))) console.log(`${name} ${Math.round(statSync(join(out, name)).size / 1024)} KB, ${(zipped(name) / 1024).toFixed(1)} KB gzipped${first.has(name) ? ' (start page)' : ''}`);
console.log(`start page: ${(start / 1024).toFixed(1)} KB gzipped`);
if (start > 60 * 1024) { console.error('the start page is larger than 60 KB gzipped (W-20)'); process.exitCode = 1; }
