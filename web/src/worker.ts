// Owns one engine. A message is {n, call, args}; the answer {n, answer} or, after a trap, {n, broken}:
// then the page starts another worker from its last save.
import { Engine } from './engine.js';

let engine: Promise<Engine> | null = null;

self.onmessage = async (event: MessageEvent<{ n: number; call: string; args: (number | string)[] }>) => {
  const { n, call, args } = event.data;
  try {
    if (call === 'engine') {
      engine ??= fetch(String(args[0])).then((response) => {
        if (!response.ok) throw new Error(`${args[0]}: ${response.status}`);
        return Engine.load(response);
      });
      await engine;
      self.postMessage({ n, answer: { ok: true } });
      return;
    }
    if (!engine) throw new Error('no engine');
    self.postMessage({ n, answer: (await engine).call(call, ...args) });
  } catch (error) {
    self.postMessage({ n, broken: String(error) });
  }
};
