// The page in a real Chromium. `node test/run.mjs [quick|full] [--games a,b] [--only WORDS] [--at URL]`
// Quick is part of `make test`; full plays every shipped game to its end, in this browser and at a server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, keepPicture, open } from './driver.mjs';
import { engineTests } from './engine_tests.mjs';
import { serve } from './serve.mjs';
import { localTests } from './local_tests.mjs';
import { serverTests } from './server_tests.mjs';
import { structureTest } from './structure.mjs';
import { viewTests } from './view_tests.mjs';

const root = join(new URL('.', import.meta.url).pathname, '../..'), dist = join(root, 'web/dist');
const option = (name) => (process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : null);
if (!chromium) { console.log('page tests: no Chromium found (apt install chromium); skipped'); process.exit(process.env.CI ? 1 : 0); }

const own = option('at') ? null : await serve(dist);
const { browser, page, problems } = await open();
const index = JSON.parse(readFileSync(join(dist, 'games/index.json'), 'utf8')), built = JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8'));
const context = {
  root, dist, browser, page, problems, address: option('at') ?? own.address, games: index.games, full: process.argv.includes('full'), chosen: option('games')?.split(',') ?? null,
  parlor: process.env.PARLOR ?? join(root, 'build/parlor'), plays: option('at') !== null || built.plays, readsTexts: option('at') !== null || built.readsTexts,
};
let failures = 0, done = 0;
async function test(name, work) {
  if (option('only') && !name.includes(option('only'))) return;
  const began = Date.now();
  try {
    const said = await work();
    ++done;
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${typeof said === 'string' ? `: ${said}` : ''}`);
  } catch (error) {
    ++failures;
    await keepPicture(page, `failed-${name.replace(/[^\w]+/g, '-').slice(0, 60)}`).catch(() => undefined);
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
if (context.plays && !context.chosen && !option('at')) await engineTests(context, test);
if (context.plays) await localTests(context, test);
await viewTests(context, test);
if (context.plays && context.full && !context.chosen) await structureTest(context, test);
await serverTests({ ...context, parlor: process.env.PARLOR_SERVER ?? context.parlor }, test);
await test('no error and nothing against the policy in all of this', async () => { if (problems.length) throw new Error(problems.slice(0, 5).join('\n      ')); });

await browser.close();
own?.server.close();
console.log(`page tests: ${done} passed, ${failures} failed${context.plays ? '' : ' (without the engine for browsers: no games were played)'}`);
process.exit(failures ? 1 : 0);
