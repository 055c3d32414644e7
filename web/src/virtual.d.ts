declare module 'virtual:pieces' {
  export const drawings: Record<string, string>;
}
// How the page was built: names of its files, and what the engine for browsers can do (build.mjs).
declare module 'virtual:built' {
  export const built: { worker: string; engine: string; player: string; plays: boolean; readsTexts: boolean; firsts: string[] };
}
// What the editor offers while one types (build.mjs).
declare module 'virtual:language' {
  export const language: { sections: string[]; words: { name: string; family: string; about: string }[] };
}
