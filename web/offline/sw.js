// Keeps the whole site in the browser: after the first visit everything works without a network.
// The build fills in the version and the names of all files.
const CACHE = "mergelab-{{version}}";
const FILES = {{files}};
const HOME = new URL("index.html", self.registration.scope).href;

addEventListener("install", (event) => {
  // Names without a hash may lie in the browser's own cache with an older content.
  const fresh = (name) => new Request(name, { cache: "no-cache" });
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(fresh))));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("mergelab-") && name !== CACHE;
  const forget = async () => {
    for (const name of (await caches.keys()).filter(isOld)) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(forget());
});

// The page says so at its next start: never in the middle of someone's work.
addEventListener("message", ({ data }) => data === "activate" && skipWaiting());

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  const path = url.split(/[?#]/)[0];
  const isHome = mode === "navigate" && (path === self.registration.scope || path === HOME);
  const answer = async () => {
    const kept = await (await caches.open(CACHE)).match(isHome ? HOME : event.request, { ignoreSearch: true });
    if (!kept) {
      const response = await fetch(event.request);
      // Python comes when it is first used, and stays.
      if (response.ok && /\/python[^/]*$/.test(path)) (await caches.open(CACHE)).put(event.request, response.clone());
      return response;
    }
    // A worker reads its query from its address, and a kept answer brings one without.
    return url.includes("?") ? new Response(kept.body, { headers: kept.headers }) : kept;
  };
  event.respondWith(answer());
});
