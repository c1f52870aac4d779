// Starts the site's own worker, as the page does, and keeps it at `window.bench` for the calls after this one.
// Arguments: the file names of the build, the page's greeting as JSON text.
const [names, hello] = arguments;
const address = `${names.worker}?engine=${names.engine}&wasm=${names.engineWasm}`;
const worker = new Worker(new URL(address, names.base), { type: "module" });
const said = () =>
  new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message ?? "the worker could not be loaded"));
    worker.onmessage = ({ data }) => resolve(data);
  });

// Time from posting a request to its reply, and what the reply complains about.
const ask = async (request) => {
  const start = performance.now();
  worker.postMessage(request);
  for (;;) {
    const data = await said();
    const ms = performance.now() - start;
    if (typeof data !== "string") throw new Error(JSON.stringify(data));
    const { body } = JSON.parse(data);
    if (body.note) continue;
    const errors = (body.statements ?? []).map((done) => done.error).concat(body.errors ?? []);
    const complaint = body.message ?? errors.find((error) => error)?.message;
    if (complaint) throw new Error(complaint);
    return { ms, reply: body.reply, length: data.length };
  }
};

window.bench?.worker.terminate();
window.bench = { worker, ask };
for (;;) {
  const signal = await said();
  if (signal.unavailable) throw new Error(signal.unavailable);
  if ("ready" in signal) break;
}
return await ask(hello);
