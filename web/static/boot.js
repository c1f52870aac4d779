// Starts the page. Its file names are those of the build, read from the head of index.html.
import "./browser.js";

const names = document.querySelector('meta[name="mergelab"]').dataset;
const say = (sentence) => {
  document.getElementById("boot").textContent = sentence;
};

// A new version that waits is taken now, before anything of the old one has started.
async function newest() {
  const waiting = (await navigator.serviceWorker?.getRegistration())?.waiting;
  if (!waiting) return;
  const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  waiting.postMessage("activate");
  await taken;
  location.reload();
  await new Promise(() => {});
}

if (typeof WebAssembly === "object") {
  try {
    await newest();
    const page = await import(new URL(names.page, document.baseURI));
    await page.default({ module_or_path: new URL(names.pageWasm, document.baseURI) });
  } catch (error) {
    say(`The page could not start: ${error.message ?? error}. Reload it, or try another browser.`);
  }
} else {
  say("This browser cannot run WebAssembly, and MergeLab is made of it. Any current browser can.");
}
