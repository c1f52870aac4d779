// What opening the page took, once its engine is ready.
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = performance.now() + arguments[0];
while (window.engineReady === undefined) {
  if (performance.now() > until) throw new Error("the page's engine did not get ready");
  await wait(20);
}
const names = document.querySelector('meta[name="mergelab"]').dataset;
const sizes = () => {
  const entries = performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"));
  return new Map(entries.map((entry) => [entry.name.split("?")[0], entry.encodedBodySize]));
};
// The worker imports the engine's glue; that is in its list of resources, not in the page's.
const glue = new URL(names.engine, document.baseURI).href;
if (!sizes().has(glue)) await (await fetch(glue)).arrayBuffer();
const painted = performance.getEntriesByName("first-contentful-paint")[0] ?? performance.getEntriesByType("paint")[0];
return {
  first_paint_ms: painted?.startTime ?? null,
  engine_ready_ms: window.engineReady,
  bytes: [...sizes().values()].reduce((sum, size) => sum + size, 0),
  names: { ...names, base: document.baseURI },
};
