declare module 'virtual:pieces' {
  export const drawings: Record<string, string>;
}
declare const BUILD: { wasm: boolean };
