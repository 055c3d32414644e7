// Everything but playing: house rules, editor, reports, accessibility, hostile content, what a newer engine may say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { must, settled } from './driver.mjs';

export async function viewTests({ page, address, root, plays, readsTexts, full, chosen }, test) {
  if (chosen) return;
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
    const wrong = await page.evaluate(() => { const line = [...document.querySelector('.code').shadowRoot.querySelectorAll('.cm-line')].find((l) => /^\s*name:/.test(l.textContent)); const r = line.getBoundingClientRect(); return [r.left + 2, r.top + r.height / 2]; });
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
    await page.click('.editor-bar .primary');
    await settled(page);
  });

  if (plays) await test('W-33 a report: computers play, charts say in words what they show', async () => {
    await page.goto(`${address}/g/tic-tac-toe`);
    await page.waitForSelector('.evaluation button');
    await page.click('.evaluation button');
    await page.waitForSelector('.chart svg[role=img][aria-label]', { timeout: 180000 });
    must((await page.$$('.chart')).length >= 4, 'there are charts');
  });

  await test('W-56 hostile content is shown as text', async () => {
    const bad = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e';
    await page.setRequestInterception(true);
    const games = [{ id: 'x"><b>', name: bad + 'n'.repeat(10000), description: bad, players: { min: 2, max: 2 }, constants: {}, rules: [{ id: 'r', name: bad, description: bad + 'd'.repeat(10000), category: bad, requires: [], incompatibleWith: [] }] }];
    const answer = (request) => {
      if (request.url().endsWith('/games/index.json')) request.respond({ contentType: 'application/json', body: JSON.stringify({ games, plays: false, readsTexts: false }) });
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

  await test('W-58 what a newer engine says is ignored where it is not known', async () => {
    const bundled = await build({ stdin: { contents: "export { patched } from './model.js'; export { Picker, Places } from './picking.js';", resolveDir: join(root, 'web/src') }, bundle: true, format: 'esm', write: false });
    const { patched, Picker, Places } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
    const stage = patched({ zones: { a: { count: 1, tokens: [] } }, future: 1 }, { zones: { b: { count: 0, tokens: [], glow: true } }, more: { x: 1 }, '-': [['future']] });
    must(stage.zones.a && stage.zones.b && stage.more.x === 1 && !('future' in stage), 'patches carry unknown fields along');
    const picker = new Picker({ kind: 'unheardOf', news: 1, options: [{ index: 0, id: '0', label: 'x', text: 'x', refs: [{ kind: 'mood', value: 3 }], aura: {} }] }, new Places({ boards: [], areas: [], weather: {} }, stage));
    must(picker.look([]).buttons.length === 1, 'an option of an unknown kind is a button');
  });

  await test('W-54 axe finds nothing serious', async () => {
    const axe = readFileSync(join(root, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
    const found = [];
    await page.setBypassCSP(true);
    const paths = ['/', '/new?game=chess', '/settings', '/g/chess', '/edit', ...(plays ? ['/local?game=chess&seats=human,random&seed=1', '/r/link?game=tic-tac-toe&players=2&seed=3&acts=4.0.0#2', ...(full ? ['/local?game=texas-holdem&seats=human,random&seed=1', '/local?game=insurgency&seats=human,random,random,random&seed=1', '/local?game=backgammon&seats=human,random&seed=1'] : [])] : [])];
    for (const path of paths)
      for (const theme of full ? ['light', 'dark'] : ['light']) {
        await page.goto(address + path);
        await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
        if (path.startsWith('/local')) await settled(page, 60000);
        else await page.waitForSelector('main h1, main.editor[data-checked], .replay-bar', { timeout: 60000 }).catch((error) => { throw new Error(`${path} ${theme}: ${error.message}`); });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
        for (const v of violations) if (v.impact === 'serious' || v.impact === 'critical') found.push(`${path} ${theme}: ${v.id} ${v.nodes[0]?.html?.slice(0, 120)} ${v.nodes[0]?.failureSummary?.slice(0, 160)}`);
      }
    await page.setBypassCSP(false);
    must(found.length === 0, found.join('\n      '));
  });
}
