// The engine's home. Gets the file names of engine and Python in its address; speaks JSON text for requests and
// replies, and small objects about itself: {progress}, {building}, {ready}, {panic}, {unavailable}, {refused}.
// Bytes do not fit text: {put: {key, files}} brings files in, {zip: table} is answered by [table, bytes].
const names = new URL(self.location).searchParams;
const address = (name) => new URL(names.get(name), self.location);
const POLL_MILLISECONDS = 1000;

async function download(response) {
  const total = Number(response.headers.get("x-uncompressed-length") ?? response.headers.get("content-length") ?? 0);
  // With a content encoding the length is that of the compressed bytes, which nobody gets to count.
  const known = response.headers.get("content-encoding") ? 0 : total;
  let loaded = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      postMessage({ progress: { loaded, total: Math.max(known, known && loaded) } });
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: { "content-type": "application/wasm" } });
}

// While a development server still compiles the engine there is a status file beside the page.
async function whenBuilt() {
  for (;;) {
    const response = await fetch(address("wasm"));
    if (response.ok) return response;
    const status = await fetch(new URL("build-status.json", self.location), { cache: "no-store" });
    if (!status.ok) throw new Error(`the engine could not be loaded (HTTP ${response.status})`);
    const { sentence, failed } = await status.json();
    if (failed) throw new Error(sentence);
    postMessage({ building: sentence });
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

// Python is a module of its own, fetched when a program first runs.
let python;
let notebook;

async function loadPython() {
  const module = await import(address("python"));
  await module.default({ module_or_path: address("pythonwasm") });
  return module;
}

const notLoaded = (error) => ({
  kind: "MERGELAB_PYTHON_NOT_LOADED",
  message: `Python could not be loaded: ${error?.message ?? error}`,
  hint: "It is fetched when a program first runs. Run again when there is a network; SQL needs none.",
});

// Gives why the program stopped early, as JSON text.
async function runProgram(engine) {
  const [text, isFresh] = engine.wanted();
  try {
    python ??= await loadPython();
  } catch (error) {
    return JSON.stringify(notLoaded(error));
  }
  if (!notebook) notebook = new python.Notebook(engine.answer, engine.print);
  else if (isFresh) notebook.forget();
  return notebook.run(text);
}

async function answered(engine, request) {
  let reply = engine.handle(request, (note) => postMessage(note));
  while (reply === undefined) reply = engine.ended(await runProgram(engine));
  return reply;
}

async function serve(engine, data) {
  if (typeof data === "string") {
    postMessage(await answered(engine, data));
  } else if (data.put) {
    for (const [path, file] of data.put.files) {
      const refused = engine.put(data.put.key, path, new Uint8Array(await file.arrayBuffer()));
      if (refused) postMessage({ refused });
    }
  } else if (data.zip) {
    const zip = engine.zip(data.zip);
    postMessage(typeof zip === "string" ? { refused: zip } : [data.zip, zip]);
  }
}

async function start() {
  const response = await whenBuilt();
  const engine = await import(address("engine"));
  await engine.default({ module_or_path: await download(response) });
  // One after the other: a request may be about files that came before it.
  let turn = Promise.resolve();
  self.onmessage = ({ data }) => {
    turn = turn.then(() => serve(engine, data)).catch((error) => {
      // A module keeps what a panic said; an error of the glue is only in the exception.
      const said = engine.last_panic?.() ?? python?.last_panic?.();
      postMessage({ panic: said ?? String(error?.message ?? error) });
    });
  };
  postMessage({ ready: null });
}

start().catch((error) => postMessage({ unavailable: String(error?.message ?? error) }));
