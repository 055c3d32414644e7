// Where the files of the page lie, whatever address it is shown under.
export const folder = new URL('.', (document.querySelector('script[data-page]') as HTMLScriptElement | null)?.src ?? location.href);
export const asset = (name: string): string => new URL(name, folder).href;
