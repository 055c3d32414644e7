// Everything but playing: house rules, editor, reports, accessibility, hostile content, what a newer engine may say.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { clickOne, must, seriousIn, settled } from './driver.mjs';
import { serve } from './serve.mjs';

// Functions of the page, without the page.
async function functionsOf(root, contents) {
  const bundled = await build({ stdin: { contents, resolveDir: join(root, 'web/src') }, bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
}

export async function viewTests({ page, browser, address, root, dist, parlor, plays, readsTexts, full, chosen }, test) {
  if (chosen) return;
  await test('W-22 every view has an address; back and forward work', async () => {
    await page.goto(`${address}/`);
    const at = (path, inside) => page.waitForFunction((p, i) => location.pathname === p && document.querySelector(i), { timeout: 60000 }, path, inside);
    const follow = (path) => page.evaluate((p) => document.querySelector(`header.top a[href="${p}"]`).click(), path);
    await at('/', '.games li');
    const missing = await page.$$eval('.games .game-icon', (all) => Promise.all(all.map(async (icon) => ((await fetch(icon.src)).ok && !icon.src.endsWith('/any.svg') ? null : icon.src))));
    must(missing.length >= 28 && missing.every((m) => m === null), `no picture: ${missing.filter(Boolean)}`);
    await follow('/new');
    await at('/new', '.new-columns .rules');
    await follow('/edit');
    await at('/edit', 'main.editor');
    await follow('/settings');
    await at('/settings', 'main.settings');
    for (const [path, inside] of [['/edit', 'main.editor'], ['/new', '.new-columns .rules'], ['/', '.games li']]) { await page.evaluate(() => history.back()); await at(path, inside); }
    for (const [path, inside] of [['/new', '.new-columns .rules'], ['/edit', 'main.editor']]) { await page.evaluate(() => history.forward()); await at(path, inside); }
    await page.goto(`${address}/g/chess`);
    await at('/g/chess', '.rule-names');
    await page.goto(`${address}/g/no-such-game`);
    await page.waitForFunction(() => document.querySelector('main.plain p') && !document.querySelector('main.plain [role=status]'));
    // An address that means nothing says so, and leads home.
    for (const path of ['/nothing/here', '/r/no-such-game', ...(plays ? ['/local?game=no-such-game&seats=human,bot'] : [])]) {
      await page.goto(address + path);
      await page.waitForFunction(() => /no such|no game|not kept/i.test(document.querySelector('main')?.textContent ?? ''), { timeout: 30000 });
      must((await page.$('header.top a[href="/"]')) !== null, `${path}: there is a way home`);
    }
  });

  await test('W-20 the start page is light, the editor comes when it is opened, and nothing of it is under the GPL', async () => {
    const fetched = [], zipped = (path) => { const file = join(dist, `${path === '/' ? '/index.html' : path}.gz`); return existsSync(file) ? statSync(file).size : 0; };
    const listen = (request) => { const url = new URL(request.url()); if (url.protocol.startsWith('http') && !url.pathname.startsWith('/api/')) fetched.push(url.pathname); };
    page.on('request', listen);
    try {
      await page.goto(`${address}/`);
      await page.waitForSelector('.games li');
      const code = [...new Set(fetched)].filter((path) => path === '/' || /\.(js|css)$/.test(path)), size = code.reduce((sum, path) => sum + zipped(path), 0);
      must(size > 20 * 1024 && size < 60 * 1024, `${size} bytes: ${code}`);
      must(!fetched.some((path) => path.includes('part-editor')), 'the editor was fetched before anybody wanted it');
      await page.goto(`${address}/edit`);
      await page.waitForSelector('main.editor');
      must(fetched.some((path) => path.includes('part-editor')), 'the editor is a part of its own');
      const { packages } = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'));
      const licences = Object.entries(packages).filter(([name]) => name).map(([name, p]) => [name, p.license ?? 'none said']);
      must(licences.length > 10 && licences.every(([, licence]) => !/GPL|none said/.test(licence)), `${licences.filter(([, l]) => /GPL|none said/.test(l))}`);
      return `${(size / 1024).toFixed(1)} KB gzipped`;
    } finally { page.off('request', listen); }
  });

  await test('W-50 the tests wait for what the page says, never for time', async () => {
    const folder = join(root, 'web/test'), sleeping = readdirSync(folder).filter((name) => /_tests\.mjs$|^(driver|run|structure)\.mjs$/.test(name))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').map((line, i) => [`${name}:${i + 1}`, line]).filter(([, line]) => /\bset(Timeout|Interval)\(|waitForTimeout/.test(line) && !line.includes('sleeping')));
    must(sleeping.length === 0, sleeping.map(([where]) => where).join());
  });

  await test('W-35 the page speaks German, games stay as they are written', async () => {
    await page.goto(`${address}/settings`);
    await page.waitForSelector('main.settings');
    await page.evaluate(() => localStorage.setItem('parlor.language', 'de'));
    await page.goto(`${address}/g/chess`);
    await page.waitForSelector('main.plain h1');
    const said = await page.evaluate(() => ({ lang: document.documentElement.lang, nav: document.querySelector('header.top nav').textContent, about: document.querySelector('main.plain > p').textContent }));
    await page.evaluate(() => localStorage.setItem('parlor.language', 'en'));
    must(said.lang === 'de' && /Neues Spiel/.test(said.nav), JSON.stringify(said));
    await page.goto(`${address}/g/chess`);
    await page.waitForSelector('main.plain h1');
    must((await page.$eval('main.plain > p', (e) => e.textContent)) === said.about, 'what a game says of itself is not translated');
    must(/New game/.test(await page.$eval('header.top nav', (e) => e.textContent)), 'and English again');
  });

  if (full) await test('W-21 the same sources give the same page', async () => {
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'parlor-page-')));
    for (const folder of folders) execFileSync(process.execPath, [join(root, 'web/build.mjs'), '--out', folder, '--parlor', parlor], { stdio: ['ignore', 'pipe', 'inherit'] });
    const names = folders.map((folder) => readdirSync(folder, { recursive: true }).map(String).sort());
    must(names[0].length > 40 && names[0].join() === names[1].join(), 'the same files');
    for (const name of names[0].filter((n) => /\.\w+$/.test(n))) must(readFileSync(join(folders[0], name)).equals(readFileSync(join(folders[1], name))), `${name} differs`);
    for (const folder of folders) rmSync(folder, { recursive: true });
    return `${names[0].length} files`;
  });

  if (plays) await test('W-45 once it was there, the page plays without a net', async () => {
    const lent = await serve(dist), apart = await browser.createBrowserContext(), away = await apart.newPage();
    try {
      await away.goto(`${lent.address}/`);
      await away.waitForSelector('.games li');
      await away.evaluate(async () => { await navigator.serviceWorker.ready; });
      await away.waitForFunction(() => navigator.serviceWorker.controller);
      await away.goto(`${lent.address}/local?game=tic-tac-toe&seats=human,random&seed=5`);
      await settled(away);
      lent.server.close();
      lent.server.closeAllConnections();
      await away.goto(`${lent.address}/local?game=tic-tac-toe&seats=human,random&seed=6`);
      await settled(away);
      await clickOne(away, 4);
      await away.waitForFunction(() => Number(document.querySelector('main.table').dataset.rev) >= 2);
    } finally {
      await apart.close();
      lent.server.close();
    }
  });

  await test('W-31 house rules: what does not go together says why, scope and turns are in the link', async () => {
    await page.goto(`${address}/new?game=chess`);
    await page.waitForSelector('[data-rule="atomic"]');
    await page.type('.rules input[type=search]', 'coregal');
    await page.waitForFunction(() => document.querySelectorAll('.rule').length === 1);
    await page.click('[data-rule="coregal"] input[type=checkbox]');
    await page.evaluate(() => { const search = document.querySelector('.rules input[type=search]'); search.value = ''; search.dispatchEvent(new Event('input', { bubbles: true })); });
    await page.waitForFunction(() => document.querySelector('[data-rule="atomic"] input').disabled);
    must(await page.$eval('[data-rule="atomic"] .stop', (e) => /Coregal/.test(e.textContent)), 'the reason names the other rule');
    await page.select('[data-rule="coregal"] select', 'white');
    await page.type('[data-rule="coregal"] input[type=number]', '9');
    await page.waitForFunction(() => /coregal:white@9/.test(document.querySelector('.chips').textContent));
    if (!plays) return;
    await page.waitForSelector('.preview [data-token]');
    await page.click('.start .primary');
    await settled(page);
    must(page.url().includes('rules=coregal:white@9'), page.url());
    // The table says by which rules it is played, and gives a link that starts the same in another browser.
    const copied = await page.evaluate(() => new Promise((done) => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => done(text) } });
      document.querySelector('.about-table [data-share]').click();
    }));
    must(new URL(copied).searchParams.get('rules') === 'coregal:white@9' && !new URL(copied).searchParams.has('seed'), copied);
    const apart = await browser.createBrowserContext(), other = await apart.newPage();
    await other.goto(copied);
    await settled(other);
    await other.waitForFunction(() => /Coregal.*white.*9/.test(document.querySelector('.about-table')?.textContent ?? ''));
    await apart.close();
    // Back is where one chose, with what one chose.
    await page.goBack();
    await page.waitForFunction(() => /coregal:white@9/.test(document.querySelector('.chips')?.textContent ?? ''));
  });

  if (readsTexts) await test('W-31 constants are sliders, and the preview follows', async () => {
    await page.goto(`${address}/new?game=gomoku`);
    await page.waitForSelector('.preview [data-cell]');
    must((await page.$$('.preview [data-cell]')).length === 225, 'fifteen by fifteen');
    await page.evaluate(() => { const slider = [...document.querySelectorAll('.constants label')].find((l) => /size/.test(l.textContent)).querySelector('input'); slider.value = '9'; slider.dispatchEvent(new Event('input', { bubbles: true })); });
    await page.waitForFunction(() => document.querySelectorAll('.preview [data-cell]').length === 81);
  });

  if (readsTexts) await test('W-32 the editor checks while one types, mends, keeps and plays', async () => {
    await page.goto(`${address}/edit?game=tic-tac-toe`);
    await page.waitForSelector('.editor[data-checked="ok"]', { timeout: 60000 });
    await page.click('>>> .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    const nameLine = () => page.evaluate(() => { const line = [...document.querySelector('.code').shadowRoot.querySelectorAll('.cm-line')].find((l) => /^\s*name:/.test(l.textContent)); const r = line.getBoundingClientRect(); return [r.left + 2, r.top + r.height / 2]; });
    const wrong = await nameLine();
    await page.mouse.click(...wrong);
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete'); // name: becomes ame:
    await page.waitForSelector('.editor[data-checked="problems"] .problems li', { timeout: 60000 });
    must(await page.$eval('.problems', (e) => /ame/.test(e.textContent) && /name/.test(e.textContent)), 'the message has the wrong and the right word');
    await page.reload();
    await page.waitForSelector('.editor[data-checked="problems"]', { timeout: 60000 });
    await page.click('>>> .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await page.waitForSelector('.editor[data-checked="ok"]', { timeout: 60000 });
    await page.waitForSelector('.preview [data-cell]');
    // The same mistake again, mended by what the compiler proposes; then the outline, and the files.
    await page.mouse.click(...wrong);
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.waitForSelector('.editor[data-checked="problems"]', { timeout: 60000 });
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await page.keyboard.press('KeyM');
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    const fix = await page.waitForSelector('>>> .cm-diagnosticAction');
    await fix.evaluate((e) => { e.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true })); e.click(); });
    await page.waitForSelector('.editor[data-checked="ok"]', { timeout: 60000 });
    must((await page.$$eval('.outline button', (all) => all.map((b) => b.textContent))).includes('actions'), 'the outline has the sections');
    const files = await page.evaluate(async () => {
      const make = URL.createObjectURL, blobs = [];
      URL.createObjectURL = (blob) => { blobs.push(blob); return '#'; };
      [...document.querySelectorAll('.editor-bar button.small')].pop().click();
      URL.createObjectURL = make;
      return Promise.all(blobs.map((b) => b.text()));
    });
    must(files.length === 1 && files[0].includes('```yaml') && /^\s*name:/m.test(files[0]), 'the text is saved as a file');
    // Once more, by the button beside the message; then it is played beside the text, which can be changed meanwhile.
    await page.mouse.click(...wrong);
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.waitForSelector('.editor[data-checked="problems"] [data-fix="name"]', { timeout: 60000 });
    must(await page.$eval('[data-play="here"]', (e) => e.disabled), 'what has mistakes is not played');
    await page.click('[data-fix="name"]');
    await page.waitForSelector('.editor[data-checked="ok"]', { timeout: 60000 });
    await page.click('[data-play="here"]');
    await page.waitForSelector('.played-here .table[data-state="playing"] [data-can]', { timeout: 60000 });
    await page.click('.played-here [data-cell="cell_1_1:none"]');
    await page.waitForFunction(() => Number(document.querySelector('.played-here .table').dataset.rev) >= 2 && document.querySelectorAll('.played-here [data-token]').length === 2);
    must((await page.$$('main')).length === 1 && (await page.$('>>> .cm-content')) !== null, 'the text is still there');
    await page.mouse.click(...await nameLine()); // mending may have scrolled
    await page.keyboard.press('End');
    await page.keyboard.type(' too');
    await page.waitForSelector('.played-here .primary:not(:disabled)', { timeout: 60000 });
    await page.click('.played-here .primary');
    await page.waitForFunction(() => document.querySelector('.played-here .table')?.dataset.rev === '0' && document.querySelectorAll('.played-here [data-token]').length === 0);
    await page.click('[data-play="whole"]');
    await settled(page);
    const called = await page.$eval('.about-table', (e) => e.textContent);
    must(/too/.test(called), `it is called as it is now, not ${called}`);
  });

  if (plays) await test('W-33 a report: computers play, charts say in words what they show', async () => {
    await page.goto(`${address}/g/tic-tac-toe`);
    await page.waitForSelector('.evaluation button');
    await page.click('.evaluation button');
    await page.waitForSelector('.chart svg[role=img][aria-label]', { timeout: 180000 });
    must((await page.$$('.chart')).length >= 4, 'there are charts');
  });

  await test('W-33 the report of parlor eval --html has no script and can be read alone; --json is drawn by the page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-report-')), html = join(folder, 'report.html'), json = join(folder, 'report.json');
    writeFileSync(json, execFileSync(parlor, ['eval', 'tic-tac-toe', '--games', '20', '--html', html, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const text = readFileSync(html, 'utf8');
    must(!/<script|javascript:|\son\w+=/i.test(text) && !/(?:src|href)="https?:/i.test(text), 'no script, nothing from elsewhere');
    const alone = await browser.newPage();
    await alone.setJavaScriptEnabled(false);
    await alone.goto(`file://${html}`);
    must((await alone.$$('svg[role=img][aria-label]')).length >= 4, 'charts with words for them');
    await alone.close();
    if (plays) {  // reports are looked at where they are made
      await page.goto(`${address}/g/tic-tac-toe`);
      const file = await page.waitForSelector('.evaluation input[type=file]');
      await file.uploadFile(json);
      await page.waitForSelector('.chart svg[role=img][aria-label]');
    }
    rmSync(folder, { recursive: true });
  });

  await test('W-56 hostile content is shown as text', async () => {
    const bad = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e';
    await page.setRequestInterception(true);
    const games = [{ id: 'x"><b>', name: bad + 'n'.repeat(10000), description: bad, players: { min: 2, max: 2 }, constants: {}, rules: [{ id: 'r', name: bad, description: bad + 'd'.repeat(10000), category: bad, requires: [], incompatibleWith: [] }] }];
    const answer = (request) => {
      if (request.url().endsWith('/games/index.json')) request.respond({ contentType: 'application/json', body: JSON.stringify({ games }) });
      else request.continue();
    };
    page.on('request', answer);
    for (const [path, inside] of [['/', '.games li'], [`/new?game=${encodeURIComponent(games[0].id)}`, '.rule'], [`/g/${encodeURIComponent(games[0].id)}`, 'main h1']]) {
      await page.goto(address + path);
      await page.waitForSelector(inside);
      must(await page.$eval(inside, (e) => e.textContent.includes('<img src=x')), `${path}: the text is there as text`);
      must((await page.$$('main img[src="x"], main b, main script')).length === 0, `${path}: no markup came of it`);
      must((await page.evaluate(() => window.hacked)) === undefined, `${path}: nothing was run`);
      must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${path}: the page does not grow beyond the window`);
    }
    page.off('request', answer);
    await page.setRequestInterception(false);
  });

  await test('W-05 areas lie as what is in them; W-23 places that several options share ask with a menu', async () => {
    const { Picker, Places } = await functionsOf(root, "export { Picker, Places } from './picking.js';");
    const tokens = (n, type) => Array.from({ length: n }, (_, i) => ({ id: `t${i}`, type }));
    const scene = { boards: [{ cells: [{ zone: 'a' }, { zone: 'b' }, { zone: 'c' }] }], areas: ['few', 'many', 'dice'].map((id) => ({ id, layout: 'spread' })), tokens: { cube: { shape: 'cube' }, die: { shape: 'die' } } };
    const places = new Places(scene, { zones: { few: { count: 12, tokens: tokens(12, 'cube') }, many: { count: 13, tokens: tokens(13, 'cube') }, dice: { count: 2, tokens: tokens(2, 'die') } } });
    must(places.layoutOf('few') === 'spread' && places.layoutOf('many') === 'tray' && places.layoutOf('dice') === 'dice', 'spread up to twelve, a tray above, dice as dice');
    const move = (index, to, label) => ({ index, id: String(index), label, text: label, action: 'move', refs: [], from: { zone: 'a' }, to: { zone: to } });
    const picker = new Picker({ kind: 'chooseOne', options: [move(0, 'b', 'queen'), move(1, 'b', 'rook'), move(2, 'c', 'plain'), { index: 3, id: '3', label: 'pass', text: 'pass', action: 'pass', refs: [] }] }, places);
    // All that can be clicked begins at one place, so that place needs no click.
    must(picker.start().join() === 'a' && [...picker.look(['a']).next].sort().join() === 'b,c', 'both goals are marked');
    must(picker.look(['a']).buttons.map((o) => o.index).join() === '3', 'an option without a place is a button');
    const asked = picker.click(['a'], 'b');
    must('chosen' in asked && picker.look(asked.chosen).menu.map((o) => o.label).join() === 'queen,rook', 'several with the same places are a menu');
    const played = picker.click(['a'], 'c');
    must('option' in played && played.option.index === 2, 'one left is played');
    // Whatever order a set was put together in, it is sent in the order in which the engine takes it.
    const { gatheringOf, nextOf } = await functionsOf(root, "export { gatheringOf, nextOf } from './gathering.js';");
    const asked2 = (chosen, offered) => ({ kind: 'chooseN', min: 2, max: 2, candidates: ['a', 'b', 'c'].map((zone) => ({ kind: 'zone', zone, label: zone })), chosen: chosen.map((zone) => ({ kind: 'zone', zone })), options: offered.map((zone, index) => (zone ? { index, at: { zone }, refs: [] } : { index, confirm: true, refs: [] })) });
    must(gatheringOf(asked2([], ['a', 'b']), places).labels.size === 3, 'all candidates can be clicked, not only those that can come first');
    must(nextOf(asked2([], ['a', 'b']), places, ['c', 'a']).at.zone === 'a' && nextOf(asked2(['a'], ['b', 'c']), places, ['c', 'a']).at.zone === 'c', 'first things first');
    must(nextOf(asked2(['a', 'c'], [null]), places, ['c', 'a']).confirm === true, 'then it is confirmed');
    must(nextOf(asked2(['b'], ['c']), places, ['b', 'a']) === null, 'what the rules do not lead to is not sent');
  });

  await test('W-58 what a newer engine says is ignored where it is not known', async () => {
    const { patched, Picker, Places } = await functionsOf(root, "export { patched } from './model.js'; export { Picker, Places } from './picking.js';");
    const stage = patched({ zones: { a: { count: 1, tokens: [] } }, future: 1 }, { zones: { b: { count: 0, tokens: [], glow: true } }, more: { x: 1 }, '-': [['future']] });
    must(stage.zones.a && stage.zones.b && stage.more.x === 1 && !('future' in stage), 'patches carry unknown fields along');
    const picker = new Picker({ kind: 'unheardOf', news: 1, options: [{ index: 0, id: '0', label: 'x', text: 'x', refs: [{ kind: 'mood', value: 3 }], aura: {} }] }, new Places({ boards: [], areas: [], weather: {} }, stage));
    must(picker.look([]).buttons.length === 1, 'an option of an unknown kind is a button');
  });

  await test('W-54 axe finds nothing serious', async () => {
    const found = [];
    await page.setBypassCSP(true);
    const paths = ['/', '/new?game=chess', '/settings', '/g/chess', '/edit', ...(plays ? ['/local?game=chess&seats=human,random&seed=1', '/r/link?game=tic-tac-toe&players=2&seed=3&acts=4.0.0#2', ...(full ? ['/local?game=texas-holdem&seats=human,random&seed=1', '/local?game=insurgency&seats=human,random,random,random&seed=1', '/local?game=backgammon&seats=human,random&seed=1'] : [])] : [])];
    for (const path of paths)
      for (const theme of full ? ['light', 'dark'] : ['light']) {
        await page.goto(address + path);
        await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
        if (path.startsWith('/local')) await settled(page, 60000);
        else await page.waitForSelector('main h1, main.editor[data-checked], .replay-bar', { timeout: 60000 }).catch((error) => { throw new Error(`${path} ${theme}: ${error.message}`); });
        found.push(...await seriousIn(page, `${path} ${theme}`));
      }
    await page.setBypassCSP(false);
    must(found.length === 0, found.join('\n      '));
  });
}
