// Who says what is wrong with a text: the engine here, or a server.
import { api } from './api.js';
import { EngineWorker, type Texts } from './engine_worker.js';
import { hasServer } from './games.js';
import { built } from 'virtual:built';

export interface Diagnostic { code: string; severity: 'error' | 'warning' | 'info'; message: string; file: string | null; line: number; column: number; path?: string; suggestion?: string | null; alternatives: string[] }
export interface Checked { ok: boolean; diagnostics: Diagnostic[] }

export class Checker {
  private worker: EngineWorker | null = null;
  private ready: Promise<'here' | 'server' | 'nobody'> | null = null;
  private async where(): Promise<'here' | 'server' | 'nobody'> {
    if (built.readsTexts) {
      this.worker = new EngineWorker(null);
      await this.worker.ready();
      return 'here';
    }
    return (await hasServer()) ? 'server' : 'nobody';
  }
  // Null: nobody can say.
  async check(texts: Texts): Promise<Checked | null> {
    const bundle = { main: texts.main, files: texts.files };
    switch (await (this.ready ??= this.where())) {
      case 'here':
        try { return (await this.worker!.call('check', JSON.stringify(bundle))) as unknown as Checked; }
        catch (error) { this.end(); throw error; } // the engine broke on this text; another is started for the next
      case 'server': return (await api.ask('/check', bundle)) as unknown as Checked;
      default: return null;
    }
  }
  end(): void { this.worker?.end(); this.worker = null; this.ready = null; }
}
