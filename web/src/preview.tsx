// The start of a game as it would be with these rules: what the engine makes of them, or what it says against them.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BoardView } from './board.js';
import { EngineWorker, type GameSetup } from './engine_worker.js';
import type { Scene, Stage } from './model.js';
import { words } from './words.js';

const nothing = new Set<string>();
const ignore = (): void => undefined;

export function Preview({ setup }: { setup: GameSetup }): JSX.Element {
  const worker = useRef<EngineWorker | null>(null);
  const [shown, setShown] = useState<{ scene: Scene; stage: Stage } | { problem: string } | null>(null);
  const key = JSON.stringify(setup);
  useEffect(() => () => worker.current?.end(), []);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      worker.current ??= new EngineWorker(null);
      const engine = worker.current;
      void (async () => {
        const table = await engine.open(setup);
        const scene = (await engine.must('scene', table))['scene'] as Scene;
        await engine.must('start', table, 1);
        const stage = (await engine.must('view', table, -1))['stage'] as Stage;
        void engine.call('close', table);
        if (current) setShown({ scene, stage });
      })().catch((error: unknown) => { if (current) setShown({ problem: error instanceof Error ? error.message : String(error) }); });
    }, 250);
    return () => { current = false; clearTimeout(timer); };
  }, [key]);
  if (shown && 'problem' in shown) return <p class="problem" role="alert">{shown.problem}</p>;
  return (
    <figure class="preview" aria-label={words.preview}>
      {shown?.scene.boards.map((board) => <BoardView key={board.id} scene={shown.scene} stage={shown.stage} board={board} you={null} can={nothing} next={nothing} chosen={[]} recent={nothing} onPlace={ignore} onWhy={ignore} />)}
    </figure>
  );
}
