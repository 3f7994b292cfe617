// The static page without a network: everything it is made of is kept when it is first opened.
//
// site.sh puts the files and a checksum of them into SITE, so that a changed page is fetched anew. A new version is used when
// every tab with the old one is closed: no page ever sees files of two versions.
//
// Answers carry the headers that isolate a page from other sites, which a static host does not send. From the second visit on
// workers can therefore be told what others have found (lib/finds.js).

const SITE = { version: "", files: [""] };

const NAME = `lurd ${SITE.version}`;

/** @param {Response} response */
function isolated(response) {
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** @param {any} event */
const kept = async (event) => {
  const { pathname } = new URL(event.request.url);
  const cache = await caches.open(NAME);
  const found = await cache.match(event.request.mode === "navigate" ? "./" : pathname, { ignoreSearch: true });
  return found ? isolated(found) : fetch(event.request);
};

addEventListener("install", (/** @type {any} */ event) => {
  const fetched = SITE.files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fetched)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  const others = async () => {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name.startsWith("lurd ") && name !== NAME).map((name) => caches.delete(name)),
    );
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
