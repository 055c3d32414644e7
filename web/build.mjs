// Builds the page into web/dist: bundle, styles, the shipped games compiled, and the engine if
// build/wasm has it. `node build.mjs [--parlor build/parlor] [--out dist]`
import { execFileSync } from 'node:child_process';
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
await build({ ...shared, entryPoints: [join(here, 'src/main.tsx')], outfile: join(out, 'page.js'), jsx: 'automatic', jsxImportSource: 'preact' });
await build({ ...shared, entryPoints: [join(here, 'src/worker.ts')], outfile: join(out, 'worker.js') });
await build({ ...shared, entryPoints: [join(here, 'src/style.css')], outfile: join(out, 'page.css') });
for (const file of ['index.html', 'icon.svg']) cpSync(join(here, 'src', file), join(out, file));
if (existsSync(engine)) cpSync(engine, join(out, 'parlor.wasm'));
else console.log('page: without the engine for browsers (scripts/wasm builds it)');

// The rules of a game as a reader sees them: what stands between its blocks of code.
const prose = (text) => text.replace(/```[\s\S]*?```/g, '').replace(/\n{3,}/g, '\n\n').trim();
const run = (...args) => execFileSync(parlor, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const games = [];
if (existsSync(parlor)) {
  for (const line of JSON.parse(run('list', '--json'))) {
    if (!line.ok) continue;
    const id = line.name;
    let rules = [];
    try { rules = JSON.parse(run('rules', id, '--json')); } catch { /* a game without */ }
    rules = (Array.isArray(rules) ? rules : rules.rules ?? []).map(({ id: rule, name, description, category, requires, incompatibleWith }) => ({ id: rule, name, description, category, requires: requires ?? [], incompatibleWith: incompatibleWith ?? [] }));
    games.push({ id, name: line.title ?? id, description: line.description, players: { min: line.minPlayers, max: line.maxPlayers }, hidden: line.hiddenInformation, rules });
    if (id === 'chess') continue;
    const sets = [[], ...rules.map((rule) => [rule.id])];
    for (const set of sets) writeFileSync(join(out, 'games', `${[id, ...set].join('+')}.json`), run('compile', id, ...set.flatMap((rule) => ['--rules', rule])));
    for (const file of [`games/${id}.md`, `games/${id}/${id}.md`]) if (existsSync(join(root, file))) writeFileSync(join(out, 'games', `${id}.txt`), prose(readFileSync(join(root, file), 'utf8')));
  }
}
writeFileSync(join(out, 'games/index.json'), JSON.stringify(games));
// What works without a net: the page's own files, under a name that changes with their content.
const { createHash } = await import('node:crypto');
const files = ['index.html', 'page.js', 'page.css', 'worker.js', 'icon.svg', 'games/index.json', ...(existsSync(join(out, 'parlor.wasm')) ? ['parlor.wasm'] : [])];
const hash = createHash('sha256');
for (const file of files) hash.update(readFileSync(join(out, file)));
writeFileSync(join(out, 'sw.js'), readFileSync(join(here, 'src/sw.js'), 'utf8').replace('VERSION', hash.digest('hex').slice(0, 16)).replace("'FILES'", files.map((f) => `'/${f}'`).join(', ')));
const zipped = (name) => (existsSync(join(out, name)) ? `${name} ${Math.round(statSync(join(out, name)).size / 1024)} KB, ${(gzipSync(readFileSync(join(out, name)), { level: 9 }).length / 1024).toFixed(1)} KB gzipped` : `${name} missing`);
console.log(['page.js', 'page.css', 'worker.js', 'parlor.wasm'].map(zipped).join('\n'));
