// What an evaluation says about a game (docs/evaluation.md): made here by the engine, or opened from a file that
// `parlor eval --json` wrote. Every chart says in words what it shows.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { EngineWorker, type GameSetup } from './engine_worker.js';
import { words } from './words.js';

interface Spread { mean: number; min: number; max: number; p5: number; p25: number; median: number; p75: number; p95: number }
interface Metrics { length: Spread; branching: Spread; decisive: number; draws: number; finished: number; leadChanges: number; comebacks: number; distinctGames: number; interaction: number; seats: { score: number; interval: [number, number] }[] }
interface Evaluation {
  game: string; games: number; randomGames: number; agents: string; metrics: Metrics; outcomes: Record<string, number>;
  actions: Record<string, { offered: number; chosen: number }>; skill: { stronger: string; weaker: string; score: number; interval: [number, number] }[];
  flags: { code: string; message: string }[];
}
const percent = (share: number): string => `${Math.round(share * 100)} %`;

function Bars({ title, rows, most }: { title: string; rows: { name: string; value: number; low?: number; high?: number; text: string }[]; most: number }): JSX.Element {
  const tall = 26, left = 150, wide = 560;
  const x = (value: number) => left + (value / (most || 1)) * (wide - left - 70);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${wide} ${rows.length * tall + 6}`} role="img" aria-label={`${title}: ${rows.map((r) => `${r.name} ${r.text}`).join('; ')}`}>
        {rows.map((row, i) => (
          <g transform={`translate(0 ${i * tall + 4})`}>
            <text x={left - 8} y="15" text-anchor="end" class="chart-text">{row.name.length > 20 ? `${row.name.slice(0, 19)}…` : row.name}</text>
            <rect x={left} y="2" width={Math.max(1, x(row.value) - left)} height="18" rx="3" class="bar" />
            {row.low !== undefined && row.high !== undefined && <path d={`M${x(row.low)} 11H${x(row.high)}M${x(row.low)} 6V16M${x(row.high)} 6V16`} class="whisker" />}
            <text x={Math.max(x(row.value), x(row.high ?? 0)) + 8} y="15" class="chart-text">{row.text}</text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function Box({ title, spread }: { title: string; spread: Spread }): JSX.Element {
  const x = (value: number) => 20 + ((value - spread.min) / (spread.max - spread.min || 1)) * 520;
  const text = `${title}: ${words.mean} ${spread.mean.toFixed(1)}, ${words.middleHalf} ${spread.p25}–${spread.p75}, ${words.from} ${spread.min} ${words.to} ${spread.max}`;
  return (
    <figure class="chart">
      <figcaption>{text}</figcaption>
      <svg viewBox="0 0 560 46" role="img" aria-label={text}>
        <path d={`M${x(spread.min)} 14H${x(spread.max)}M${x(spread.min)} 8V20M${x(spread.max)} 8V20`} class="whisker" />
        <rect x={x(spread.p25)} y="4" width={Math.max(3, x(spread.p75) - x(spread.p25))} height="20" rx="3" class="bar" />
        <path d={`M${x(spread.median)} 4V24`} class="whisker" />
        <text x={x(spread.min)} y="40" class="chart-text">{spread.min}</text><text x={x(spread.max)} y="40" text-anchor="end" class="chart-text">{spread.max}</text>
      </svg>
    </figure>
  );
}

export function ReportView({ it }: { it: Evaluation }): JSX.Element {
  const m = it.metrics;
  const actions = Object.entries(it.actions).filter(([, a]) => a.offered > 0).sort((a, b) => b[1].chosen - a[1].chosen).slice(0, 12);
  const total = Math.max(1, Object.values(it.outcomes).reduce((a, b) => a + b, 0));
  const facts: [string, string][] = [[words.finished, percent(m.finished)], [words.decisive, percent(m.decisive)], [words.draws, percent(m.draws)], [words.leadChanges, m.leadChanges.toFixed(1)], [words.comebacks, percent(m.comebacks)], [words.interaction, percent(m.interaction)], [words.distinctGames, percent(m.distinctGames)]];
  return (
    <div class="report">
      <p class="hint">{it.games} {words.games} ({it.agents}), {it.randomGames} {words.gamesAtRandom}</p>
      {it.flags.length ? <ul class="flags">{it.flags.map((f) => <li key={f.code}><strong>{f.code}</strong> {f.message}</li>)}</ul> : <p class="good">✓ {words.noFlags}</p>}
      <dl class="facts">{facts.map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl>
      <Bars title={words.seatShare} most={1} rows={m.seats.map((s, i) => ({ name: `${words.seat} ${i + 1}`, value: s.score, low: s.interval[0], high: s.interval[1], text: percent(s.score) }))} />
      <Box title={words.gameLength} spread={m.length} />
      <Box title={words.branching} spread={m.branching} />
      <Bars title={words.endings} most={1} rows={Object.entries(it.outcomes).sort((a, b) => b[1] - a[1]).slice(0, 8).map(([name, n]) => ({ name: name.replace(/-/g, ' '), value: n / total, text: percent(n / total) }))} />
      {actions.length > 1 && <Bars title={words.actionsChosen} most={1} rows={actions.map(([name, a]) => ({ name, value: a.chosen / a.offered, text: percent(a.chosen / a.offered) }))} />}
      {it.skill.length > 0 && <Bars title={words.skill} most={1} rows={it.skill.map((s) => ({ name: `${s.stronger} – ${s.weaker}`, value: s.score, low: s.interval[0], high: s.interval[1], text: percent(s.score) }))} />}
    </div>
  );
}

export function Report({ setup }: { setup: GameSetup }): JSX.Element {
  const [it, setIt] = useState<Evaluation | null>(null);
  const [state, setState] = useState<'' | 'working' | string>('');
  const evaluate = () => {
    setState('working');
    const engine = new EngineWorker(setup);
    void (async () => {
      const table = await engine.open(setup);
      setIt((await engine.must('evaluate', table, 30, 30, 1))['evaluation'] as Evaluation);
      setState('');
    })().catch((error: unknown) => setState(error instanceof Error ? error.message : String(error))).finally(() => engine.end());
  };
  const fromFile = (file: File | undefined) => void file?.text().then((text) => { setIt(JSON.parse(text) as Evaluation); setState(''); }).catch((error: unknown) => setState(String(error)));
  return (
    <section class="evaluation"><h2>{words.evaluation}</h2>
      <p class="row"><button type="button" disabled={state === 'working'} onClick={evaluate}>{words.evaluate}</button>
        <label class="file">{words.openReport} <input type="file" accept="application/json,.json" onChange={(e) => fromFile(e.currentTarget.files?.[0])} /></label></p>
      {state === 'working' ? <p role="status" class="working">{words.working}</p> : state ? <p class="problem" role="alert">{state}</p> : null}
      {it && <ReportView it={it} />}
    </section>
  );
}
