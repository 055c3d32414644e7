// Answers from what was kept when the net does not; games are kept as they are opened. A file with its hash in its name never
// changes, so it is fetched once, also from one version of the page to the next.
const name = 'parlor-VERSION';
const files = ['FILES'];
const forever = (path) => /-[0-9A-Za-z]{8,}\.\w+$/.test(path);
const fill = async () => {
  const cache = await caches.open(name);
  await Promise.all(files.map(async (file) => {
    const before = forever(file) ? await caches.match(file) : undefined;
    if (before) await cache.put(file, before);
    else await cache.add(new Request(file, { cache: forever(file) ? 'default' : 'no-cache' }));
  }));
};
self.addEventListener('install', (event) => { event.waitUntil(fill().then(() => self.skipWaiting())); });
self.addEventListener('activate', (event) => { event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((other) => other !== name).map((other) => caches.delete(other)))).then(() => self.clients.claim())); });
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
  const kept = () => caches.match(event.request.mode === 'navigate' ? '/index.html' : event.request, { ignoreSearch: true });
  if (forever(url.pathname)) { event.respondWith(kept().then((answer) => answer ?? fetch(event.request))); return; }
  event.respondWith(fetch(event.request).then(async (answer) => {
    if (answer.ok && url.pathname.startsWith('/games/')) await (await caches.open(name)).put(event.request, answer.clone());
    return answer;
  }, async () => (await kept()) ?? Response.error()));
});
