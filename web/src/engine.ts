// The engine as WebAssembly, with the few calls of WASI that it makes. Runs in a worker.
export interface Answer { ok: boolean; error?: { code: string; message: string }; [more: string]: unknown }

export class Engine {
  private constructor(private instance: WebAssembly.Instance) {}

  static async load(response: Response): Promise<Engine> {
    let memory: WebAssembly.Memory;
    const view = () => new DataView(memory.buffer);
    const zero = (...places: number[]) => { for (const p of places) view().setUint32(p, 0, true); return 0; };
    const wasi: Record<string, (...args: never[]) => unknown> = {
      fd_write: (_fd: number, list: number, count: number, written: number) => {
        let size = 0;
        for (let i = 0; i < count; ++i) size += view().getUint32(list + 8 * i + 4, true);
        view().setUint32(written, size, true);
        return 0;
      },
      fd_close: () => 0,
      environ_sizes_get: (a: number, b: number) => zero(a, b), environ_get: () => 0,
      args_sizes_get: (a: number, b: number) => zero(a, b), args_get: () => 0,
      clock_time_get: (_id: number, _precision: bigint, out: number) => { view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
      random_get: (at: number, size: number) => { crypto.getRandomValues(new Uint8Array(memory.buffer, at, size)); return 0; },
      sched_yield: () => 0,
      proc_exit: (code: number) => { throw new Error(`the engine ended (${code})`); },
    };
    // There are no files here: whatever else the libraries could ask of a system is refused (EBADF).
    // Compiled while it arrives, where it is served as what it is; so browsers also keep what they compiled.
    const streamed = response.headers.get('content-type') === 'application/wasm' && 'compileStreaming' in WebAssembly;
    const module = await (streamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
    for (const { name } of WebAssembly.Module.imports(module)) wasi[name] ??= () => 8;
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi as WebAssembly.ModuleImports });
    memory = instance.exports['memory'] as WebAssembly.Memory;
    (instance.exports['_initialize'] as () => void)();
    return new Engine(instance);
  }

  // Texts are passed as bytes of the engine's memory.
  call(name: string, ...args: (number | string)[]): Answer {
    const exports = this.instance.exports as Record<string, (...a: number[]) => number>;
    const memory = this.instance.exports['memory'] as WebAssembly.Memory;
    const lent: number[] = [];
    const plain = args.map((arg) => {
      if (typeof arg === 'number') return arg;
      const bytes = new TextEncoder().encode(arg);
      const at = exports['parlor_alloc']!(bytes.length + 1);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      new Uint8Array(memory.buffer)[at + bytes.length] = 0;
      lent.push(at);
      return at;
    });
    const result = exports[`parlor_${name}`]!(...plain);
    for (const at of lent) exports['parlor_free']!(at);
    if (!result) return { ok: true };
    const all = new Uint8Array(memory.buffer);
    let end = result;
    while (all[end] !== 0) ++end;
    return JSON.parse(new TextDecoder().decode(all.subarray(result, end))) as Answer;
  }
}
