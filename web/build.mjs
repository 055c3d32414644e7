// Builds the page into web/dist: bundle, styles, the texts of the shipped games, and the engine if
// build/wasm has it. `node build.mjs [--parlor build/parlor] [--out dist]`
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
const engine = join(root, 'build/wasm/parlor.wasm');

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'games'), { recursive: true });

const pieces = {
  name: 'pieces',
  setup(b) {
    b.onResolve({ filter: /^virtual:pieces$/ }, () => ({ path: 'pieces', namespace: 'pieces' }));
    b.onLoad({ filter: /.*/, namespace: 'pieces' }, () => {
      const folder = join(root, 'assets/pieces'), drawings = {};
      for (const file of readdirSync(folder).sort()) drawings[basename(file, '.svg')] = `data:image/svg+xml;base64,${readFileSync(join(folder, file)).toString('base64')}`;
      return { contents: `export const drawings = ${JSON.stringify(drawings)};`, loader: 'js' };
    });
  },
};
const shared = { bundle: true, minify: true, format: 'esm', target: ['es2022'], legalComments: 'none', logLevel: 'warning', plugins: [pieces] };
// What is not needed at once (editor, replay, reports) is in files of its own that are loaded when it is.
await build({ ...shared, entryPoints: [join(here, 'src/main.tsx')], outdir: out, entryNames: 'page', chunkNames: 'part-[name]-[hash]', splitting: true, jsx: 'automatic', jsxImportSource: 'preact' });
await build({ ...shared, entryPoints: [join(here, 'src/worker.ts')], outfile: join(out, 'worker.js') });
await build({ ...shared, entryPoints: [join(here, 'src/style.css')], outfile: join(out, 'page.css') });
cpSync(join(here, 'src/icon.svg'), join(out, 'icon.svg'));
// What the page is made of is asked for at once, not only when its first file has been read.
const partsOf = (name) => [...readFileSync(join(out, name), 'utf8').matchAll(/(?:from|import)"\.\/(part-[^"]+)"/g)].map(([, part]) => part);
const needed = [...new Set(partsOf('page.js').flatMap((part) => [part, ...partsOf(part)]))].sort();
writeFileSync(join(out, 'index.html'), readFileSync(join(here, 'src/index.html'), 'utf8').replace('<script', `${needed.map((part) => `<link rel="modulepreload" href="/${part}">\n`).join('')}<script`));
cpSync(join(root, 'assets/icons'), join(out, 'icons'), { recursive: true });
let readsTexts = false;
if (existsSync(engine)) {
  cpSync(engine, join(out, 'parlor.wasm'));
  readsTexts = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(engine))).some((e) => e.name === 'parlor_check');
} else console.log('page: without the engine for browsers (scripts/wasm builds it)');

// The texts of a game: its file, or its folder. House rules are files that end in .rules.md.
function textsOf(id) {
  const alone = join(root, 'games', `${id}.md`), folder = join(root, 'games', id);
  const names = existsSync(alone) ? [`${id}.md`, ...readdirSync(join(root, 'games')).filter((n) => n.startsWith(`${id}.`) && n.endsWith('.rules.md'))] : readdirSync(folder).filter((n) => n.endsWith('.md')).sort();
  const from = existsSync(alone) ? join(root, 'games') : folder;
  return { main: `${id}.md`, files: Object.fromEntries(names.map((n) => [n, readFileSync(join(from, n), 'utf8')])), modules: {} };
}
const run = (...args) => execFileSync(parlor, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const games = [];
if (existsSync(parlor)) {
  for (const line of JSON.parse(run('list', '--json')).games) {
    if (!line.ok) continue;
    const id = line.name;
    let rules = JSON.parse(run('rules', id, '--json'));
    rules = rules.rules.map(({ id: rule, name, description, category, requires, incompatibleWith, layout }) => ({ id: rule, name, description, category, requires: requires ?? [], incompatibleWith: incompatibleWith ?? [], ...(layout ? { layout } : {}) }));
    const about = JSON.parse(run('info', id, '--json'));
    games.push({ id, name: line.title ?? id, description: line.description, players: { min: line.minPlayers, max: line.maxPlayers }, hidden: line.hiddenInformation, chance: about.chance, seats: about.seats, rules, constants: about.parts.constants ?? {} });
    if (id === 'chess') continue;
    const texts = textsOf(id);
    for (const [name, text] of Object.entries(texts.files)) { const rule = name.endsWith('.rules.md') && /^\s*id:\s*([\w-]+)/m.exec(text)?.[1]; if (rule) texts.modules[rule] = name; }
    writeFileSync(join(out, 'games', `${id}.texts.json`), JSON.stringify(texts));
    // Only an engine that cannot read texts needs games compiled.
    if (!readsTexts) for (const set of [[], ...rules.map((rule) => [rule.id])]) writeFileSync(join(out, 'games', `${[id, ...set].join('+')}.json`), run('compile', id, ...set.flatMap((rule) => ['--rules', rule])));
  }
}
writeFileSync(join(out, 'games/index.json'), JSON.stringify({ games, readsTexts, plays: existsSync(engine) }));
// What works without a net: the page's own files, under a name that changes with their content.
const files = readdirSync(out).filter((name) => !['games', 'icons', 'sw.js'].includes(name)).sort();
const hash = createHash('sha256');
for (const file of [...files, 'games/index.json']) hash.update(readFileSync(join(out, file)));
writeFileSync(join(out, 'sw.js'), readFileSync(join(here, 'src/sw.js'), 'utf8').replace('VERSION', hash.digest('hex').slice(0, 16)).replace("'FILES'", [...files, 'games/index.json'].map((f) => `'/${f}'`).join(', ')));

// The page one arrives at: what is loaded before anything is shown. The editor is not in it.
const zipped = (name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length;
const first = new Set(['index.html', 'page.css', 'page.js', ...needed]);
const start = [...first].reduce((sum, name) => sum + zipped(name), 0);
for (const name of files.filter((n) => /\.(js|css|wasm)$/.test(n))) console.log(`${name} ${Math.round(statSync(join(out, name)).size / 1024)} KB, ${(zipped(name) / 1024).toFixed(1)} KB gzipped${first.has(name) ? ' (start page)' : ''}`);
console.log(`start page: ${(start / 1024).toFixed(1)} KB gzipped`);
if (start > 60 * 1024) { console.error('the start page is larger than 60 KB gzipped (W-20)'); process.exitCode = 1; }
