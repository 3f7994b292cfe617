// The static page without a network: everything it is made of is kept when it is first opened.
//
// site.sh puts the files and a checksum of them into SITE, so that a changed page is fetched anew. A new version is used when
// every tab with the old one is closed: no page ever sees files of two versions.

const SITE = { version: "", files: [""] };

const NAME = `lurd ${SITE.version}`;

/** @param {any} event */
const kept = async (event) => {
  const { pathname } = new URL(event.request.url);
  const cache = await caches.open(NAME);
  const found = await cache.match(event.request.mode === "navigate" ? "./" : pathname, { ignoreSearch: true });
  return found ?? fetch(event.request);
};

addEventListener("install", (/** @type {any} */ event) => {
  const fetched = SITE.files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fetched)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  const others = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("lurd ") && name !== NAME).map((name) => caches.delete(name)));
    await /** @type {any} */ (globalThis).clients.claim();
  };
  event.waitUntil(others());
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  // Whether there is a server is asked of the network.
  const asked = url.pathname.startsWith(new URL("./api/", location.href).pathname);
  if (event.request.method === "GET" && url.origin === location.origin && !asked) event.respondWith(kept(event));
});
