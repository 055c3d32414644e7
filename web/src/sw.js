// Answers from what was kept when the net does not; games are kept as they are opened.
const name = 'parlor-VERSION';
const files = ['FILES'];
self.addEventListener('install', (event) => { event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)).then(() => self.skipWaiting())); });
self.addEventListener('activate', (event) => { event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((other) => other !== name).map((other) => caches.delete(other)))).then(() => self.clients.claim())); });
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
  const kept = async () => (await caches.match(event.request.mode === 'navigate' ? '/index.html' : event.request, { ignoreSearch: true })) ?? Response.error();
  event.respondWith(fetch(event.request).then(async (answer) => {
    if (answer.ok && url.pathname.startsWith('/games/')) await (await caches.open(name)).put(event.request, answer.clone());
    return answer;
  }, kept));
});
