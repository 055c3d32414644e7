// Serves web/dist as `parlor serve` does: the page under every address, with the same policy, compressed where a browser
// takes it, and kept for ever where the name has a hash.
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.txt': 'text/plain; charset=utf-8' };
export const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

// `wait` may hold an answer back: it gives what is waited for, by path.
export function serve(folder, port = 0, wait = () => null) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    await wait(path);
    if (path.startsWith('/api/')) { response.writeHead(404, { 'content-type': 'application/json' }).end('{"ok":false,"error":{"code":"NOT_FOUND","message":"no server"}}'); return; }
    let file = join(folder, path);
    if (!file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      if (extname(path)) { response.writeHead(404).end(); return; }
      file = join(folder, 'index.html');
    }
    const packed = /gzip/.test(request.headers['accept-encoding'] ?? '') && existsSync(`${file}.gz`);
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy, 'x-content-type-options': 'nosniff', vary: 'accept-encoding',
      'cache-control': /-[0-9A-Za-z]{8,}\.\w+$/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache', ...(packed ? { 'content-encoding': 'gzip' } : {}),
    }).end(readFileSync(packed ? `${file}.gz` : file));
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done({ server, address: `http://127.0.0.1:${server.address().port}` })));
}
if (process.argv[1]?.endsWith('serve.mjs')) serve(new URL('../dist', import.meta.url).pathname, Number(process.argv[2] ?? 8099)).then(({ address }) => console.log(address));
