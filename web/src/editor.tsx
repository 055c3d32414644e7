// The editor: the texts of a game in tabs, what the compiler says while one types, and the game itself a click away.
// This file and CodeMirror are fetched only when somebody opens it.
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, LanguageDescription, bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Lint } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Checker, type Checked, type Diagnostic } from './checker.js';
import { folder } from './files.js';
import { textsOf, type Texts } from './texts.js';
import { localGames, type LocalGame } from './games.js';
import { Preview } from './preview.js';
import { Report } from './report.js';
import { LocalRoom } from './local_room.js';
import { store } from './store.js';
import { TableView } from './table.js';
import { words } from './words.js';
import { built } from 'virtual:built';
import { language } from 'virtual:language';

const kept_name = 'editor';
interface Kept { texts: Texts; open: string; states: Record<string, unknown> }

const small_game = `# My game

Two players take turns to put a stone on a free cell of the board. Four of your own in a row win.

\`\`\`yaml
metadata:
  id: my-game
  name: My game
  description: Four in a row on 5×5 cells.
  players: 2

zones:
  cell: grid(5, 5)

tokenTypes: {stone: {owner: player}}

turnStructure: {phases: [main]}

actions:
  place:
    params: {$cell: cells where empty}
    effects:
      - create stone in $cell with owner = active
      - end phase

terminal:
  four-in-a-row: {when: line of 4 where owner == opponent, win: opponent}
  full: {when: no cells where empty, draw: true}
\`\`\`
`;

// Names a text gives: under `id:`, `name:` or `bind:`, as entries of its sections, and bindings.
const naming = /\b(?:id|name|bind):\s*["']?([\w$-]+)|^(?: {2}|\w+: *\{)([A-Za-z][\w-]*):|(\$\w+)/gm;
export function namesIn(files: Record<string, string>): string[] {
  const out = new Set<string>();
  for (const text of Object.values(files)) for (const [, ...names] of text.matchAll(naming)) for (const name of names) if (name) out.add(name);
  return [...out].sort();
}
interface Heading { file: string; line: number; text: string; deep: number }
export function outlineOf(files: Record<string, string>): Heading[] {
  return Object.entries(files).flatMap(([file, text]) => {
    let fenced = false;
    return text.split('\n').flatMap((line, i): Heading[] => {
      if (line.startsWith('```')) { fenced = !fenced; return []; }
      if (!fenced) { const m = /^(#+)\s+(.*)/.exec(line); return m ? [{ file, line: i + 1, text: m[2]!, deep: m[1]!.length }] : []; }
      const section = /^([A-Za-z]\w*):/.exec(line);
      return section ? [{ file, line: i + 1, text: section[1]!, deep: 4 }] : [];
    });
  });
}

// The editor writes its own style sheets, which the page's policy allows only under a shadow root; so all that it looks like
// is said here, in the page's variables.
const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700', color: 'var(--accent)' }, { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string), tags.monospace], color: 'var(--code-string)' }, { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' }, { tag: tags.emphasis, fontStyle: 'italic' }, { tag: tags.strong, fontWeight: '700' },
]));
const look = EditorView.theme({
  '&': { height: 'var(--code-height)', fontSize: '0.9rem', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace" },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--paper)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { background: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', whiteSpace: 'pre-line' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'color-mix(in srgb, var(--accent) 28%, transparent) !important' },
  '.cm-panels': { background: 'var(--paper)', color: 'var(--ink)' },
});
const yamlInside = LanguageDescription.of({ name: 'yaml', alias: ['yml'], support: yaml() });

function lintOf(state: EditorState, d: Diagnostic): Lint {
  const line = state.doc.line(Math.max(1, Math.min(d.line || 1, state.doc.lines)));
  const from = Math.min(line.from + Math.max(0, d.column - 1), line.to);
  const word = /^[\w$.-]+/.exec(line.text.slice(from - line.from))?.[0] ?? '';
  const to = word ? from + word.length : line.to;
  return {
    from, to, severity: d.severity === 'info' ? 'info' : d.severity, source: d.code, message: d.suggestion ? `${d.message}\n→ ${d.suggestion}` : d.message,
    ...(word ? { actions: d.alternatives.slice(0, 3).map((name) => ({ name: `${words.fix} ${name}`, apply: (view: EditorView, a: number, b: number) => view.dispatch({ changes: { from: a, to: b, insert: name } }) })) } : {}),
  };
}

export function Editor({ query, go }: { query: URLSearchParams; go(path: string): void }): JSX.Element {
  const home = useRef<HTMLDivElement>(null), view = useRef<EditorView | null>(null), checker = useRef(new Checker());
  const states = useRef(new Map<string, EditorState>()), texts = useRef<Texts>({ main: 'my-game.md', files: { 'my-game.md': small_game } });
  const timer = useRef(0);
  const [open, setOpen] = useState('');
  const [names, setNames] = useState<string[]>([]);
  const [checked, setChecked] = useState<Checked | 'checking' | 'nobody'>('checking');
  const [games, setGames] = useState<LocalGame[]>([]);
  const [outline, setOutline] = useState<Heading[]>([]);
  const [shown, setShown] = useState<Texts | null>(null); // the last text that can be played
  const [playing, setPlaying] = useState<{ room: LocalRoom; texts: Texts } | null>(null);
  const opened = useRef('');

  const keep = () => {
    const json: Record<string, unknown> = {};
    for (const [name, state] of states.current) json[name] = state.toJSON({ history: historyField });
    void store.keepText(kept_name, { texts: texts.current, open: opened.current, states: json } satisfies Kept);
  };
  const check = async () => {
    const now = { ...texts.current, files: { ...texts.current.files } };
    setOutline(outlineOf(now.files));
    const answer = await checker.current.check(now).catch((error: unknown): Checked => ({ ok: false, diagnostics: [{ code: 'INTERNAL', severity: 'error', message: String(error), file: now.main, line: 1, column: 1, alternatives: [] }] }));
    setChecked(answer ?? 'nobody');
    if (!answer) return;
    if (answer.ok) setShown(now);
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, answer.diagnostics.filter((d) => (d.file ?? now.main) === opened.current).map((d) => lintOf(editor.state, d))));
  };
  const changed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => { keep(); void check(); }, 300) as unknown as number;
  };
  const complete = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w$-]+/);
    if (!word && !context.explicit) return null;
    const start = context.state.doc.lineAt(context.pos).from === (word?.from ?? context.pos);
    return { from: word?.from ?? context.pos, options: [...(start ? language.sections.map((label) => ({ label, type: 'keyword', apply: `${label}:` })) : []),
      ...namesIn(texts.current.files).map((label) => ({ label, type: 'variable', boost: 1 })), ...(start ? [] : language.words.map(({ name, family, about }) => ({ label: name, type: 'keyword', detail: family, info: about })))] };
  };
  const extensions = (): Extension => [
    lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), colours, look,
    markdown({ codeLanguages: [yamlInside] }), autocompletion({ override: [complete] }), EditorView.lineWrapping, EditorView.contentAttributes.of({ 'aria-label': words.editorTitle, tabindex: '0' }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      states.current.set(opened.current, update.state);
      if (!update.docChanged) return;
      texts.current.files[opened.current] = update.state.doc.toString();
      changed();
    }),
  ];
  const stateOf = (name: string, saved?: unknown): EditorState => {
    try { if (saved) return EditorState.fromJSON(saved, { extensions: extensions() }, { history: historyField }); } catch { /* of another version: the text alone */ }
    return EditorState.create({ doc: texts.current.files[name] ?? '', extensions: extensions() });
  };
  const openFile = (name: string) => {
    opened.current = name;
    setOpen(name);
    const state = states.current.get(name) ?? stateOf(name);
    states.current.set(name, state);
    if (view.current) view.current.setState(state);
    else if (home.current) {
      const root = home.current.shadowRoot ?? home.current.attachShadow({ mode: 'open' });
      view.current = new EditorView({ state, parent: root, root });
    }
    void check();
  };
  const take = (fresh: Texts, kept?: Kept) => {
    texts.current = { main: fresh.main, files: { ...fresh.files } };
    states.current = new Map(Object.keys(fresh.files).map((name) => [name, stateOf(name, kept?.states[name])]));
    setNames(Object.keys(fresh.files));
    openFile(kept && kept.open in fresh.files ? kept.open : fresh.main);
    if (!kept) keep();
  };
  useEffect(() => {
    void localGames().then(setGames);
    void (async () => {
      const kept = (await store.text(kept_name)) as Kept | undefined, wanted = query.get('game');
      const fresh = wanted ? await textsOf(wanted, folder) : null;
      if (fresh) { take(fresh); history_replace(); }
      else if (kept) take(kept.texts, kept);
      else take((await textsOf('tic-tac-toe', folder)) ?? texts.current);
    })();
    return () => { clearTimeout(timer.current); view.current?.destroy(); checker.current.end(); };
  }, []);

  const addFile = () => {
    const name = prompt(words.fileName, 'more.md');
    if (!name || name in texts.current.files) return;
    texts.current.files[name] = '';
    setNames(Object.keys(texts.current.files));
    openFile(name);
    changed();
  };
  const removeFile = (name: string) => {
    if (name === texts.current.main) return;
    delete texts.current.files[name];
    states.current.delete(name);
    setNames(Object.keys(texts.current.files));
    openFile(texts.current.main);
    changed();
  };
  const begin = (id: string) => {
    if (!confirm(words.replaceAll)) return;
    if (id === '') take({ main: 'my-game.md', files: { 'my-game.md': small_game } });
    else void textsOf(id, folder).then((fresh) => { if (fresh) take(fresh); });
  };
  const save = () => {
    for (const [name, text] of Object.entries(texts.current.files)) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    }
  };
  // Beside the text; what is typed meanwhile is played from the next beginning on.
  const playHere = () => {
    const now = { ...texts.current, files: { ...texts.current.files } };
    playing?.room.close();
    setPlaying({ texts: now, room: new LocalRoom({ game: now.main, players: 0, rules: [], texts: now, seats: ['human'], seed: 1 + Math.floor(Math.random() * 1e9) }) });
  };
  const stop = () => { playing?.room.close(); setPlaying(null); };
  useEffect(() => () => playing?.room.close(), [playing]);
  const play = async () => {
    const id = `play-${Date.now().toString(36)}`;
    await store.keepText(id, { ...texts.current });
    const players = /players:\s*(?:\{\s*min:\s*)?(\d+)/.exec(texts.current.files[texts.current.main] ?? '')?.[1] ?? '2';
    go(`/local?game=${encodeURIComponent(texts.current.main.replace(/\.md$/, ''))}&text=${id}&seats=${['human', ...Array.from({ length: Math.max(0, Number(players) - 1) }, () => 'bot')].join(',')}`);
  };
  const jump = (file: string, line: number) => {
    if (file !== opened.current) openFile(file);
    const editor = view.current;
    if (!editor) return;
    const at = editor.state.doc.line(Math.max(1, Math.min(line || 1, editor.state.doc.lines))).from;
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    editor.focus();
  };
  // Puts the word in that was probably meant.
  const mend = (d: Diagnostic, name: string) => {
    jump(d.file ?? texts.current.main, d.line);
    const editor = view.current;
    if (!editor) return;
    const { from, to } = lintOf(editor.state, d);
    editor.dispatch({ changes: { from, to, insert: name }, selection: { anchor: from + name.length } });
  };
  const problems = typeof checked === 'object' ? checked.diagnostics : [];
  const fine = typeof checked === 'object' && checked.ok;
  const changedSince = playing && JSON.stringify(playing.texts) !== JSON.stringify(texts.current);
  const inFile = (name: string) => problems.filter((d) => (d.file ?? texts.current.main) === name && d.severity === 'error').length;
  return (
    <main class="editor" data-checked={typeof checked === 'string' ? checked : checked.ok ? 'ok' : 'problems'}>
      <div class="row between editor-bar">
        <div class="tabs" role="tablist" aria-label={words.files}>
          {names.map((name) => <button key={name} type="button" role="tab" aria-selected={open === name} class="small" onClick={() => openFile(name)}>{name}{inFile(name) > 0 && <span class="count"> {inFile(name)}</span>}</button>)}
        </div>
        <div class="row"><button type="button" class="small" onClick={addFile}>{words.addFile}</button>{open !== texts.current.main && <button type="button" class="small" onClick={() => removeFile(open)}>{words.removeFile}</button>}
          <label>{words.startFrom} <select value="?" onChange={(e) => begin(e.currentTarget.value)}><option value="?" disabled>…</option><option value="">{words.emptyGame}</option>{games.filter((g) => g.id !== 'chess').map((g) => <option key={g.id} value={g.id}>{g.name}</option>)}</select></label>
          <button type="button" class="small" onClick={save}>{words.saveFiles}</button>
          {built.plays && <button type="button" data-play="whole" disabled={!fine} onClick={() => void play()}>{words.playWhole}</button>}
          {built.plays && <button type="button" class="primary" data-play="here" disabled={!fine} onClick={playHere}>{words.playThis}</button>}</div>
      </div>
      <div class={`editor-columns ${playing ? 'playing' : ''}`}>
        <div ref={home} class="code" />
        <aside class="editor-side">
          <section aria-label={words.problems} aria-live="polite"><h3>{words.problems}</h3>
            {checked === 'checking' ? <p class="hint">{words.checking}</p> : checked === 'nobody' ? <p class="hint">{words.cannotCheck}</p> : problems.length === 0 ? <p class="good">✓ {words.noProblems}</p>
              : <ul class="problems">{problems.slice(0, 50).map((d, i) => <li key={i} class={d.severity}><button type="button" onClick={() => jump(d.file ?? texts.current.main, d.line)}><strong>{d.line ? `${names.length > 1 && d.file ? `${d.file}:` : ''}${d.line}` : ''}</strong> {d.message}{d.suggestion ? <em> → {d.suggestion}</em> : null}{d.alternatives.length ? <em> → {d.alternatives.slice(0, 3).join(', ')}</em> : null}</button>
                {d.line > 0 && d.alternatives.length > 0 && <span class="fixes">{d.alternatives.slice(0, 3).map((name) => <button key={name} type="button" class="small" data-fix={name} onClick={() => mend(d, name)}>{words.fix} “{name}”</button>)}</span>}</li>)}</ul>}
          </section>
          {playing && <section class="played-here"><p class="row between"><strong>{changedSince ? words.textChanged : words.playThis}</strong><span class="row">{changedSince && <button type="button" class="small primary" disabled={!fine} onClick={playHere}>{words.startAgain}</button>}<button type="button" class="small" onClick={stop}>{words.close}</button></span></p>
            <TableView key={playing.room.setup.seed} room={playing.room} onAgain={playHere} inside /></section>}
          {shown && !playing && built.plays && <section><h3>{words.preview}</h3><Preview setup={{ game: shown.main, players: 0, rules: [], texts: shown }} /></section>}
          <details><summary>{words.outline}</summary><ul class="outline">{outline.map((h, i) => <li key={i} style={{ paddingLeft: `${(h.deep - 1) * 0.7}rem` }}><button type="button" onClick={() => jump(h.file, h.line)}>{h.text}</button></li>)}</ul></details>
          {shown && built.plays && <details><summary>{words.evaluation}</summary><Report setup={{ game: shown.main, players: 0, rules: [], texts: shown }} /></details>}
        </aside>
      </div>
    </main>
  );
}
const history_replace = (): void => globalThis.history.replaceState(null, '', '/edit');
