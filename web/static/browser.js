// What the page asks of the browser beyond its document: keeping things, files in and out, other windows.
// One object, `mergelab`, which the page's module calls by name.
import { resetLayout } from "./panes.js";

const NAME = "mergelab";
const inMemory = { work: new Map(), files: new Map() };
let database;

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open() {
  database ??= (() => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("work");
      request.result.createObjectStore("files");
    };
    return settled(request);
  })();
  return database;
}

// A browser that keeps nothing (a private window) has a store that ends with the page.
async function inStore(store, mode, act, otherwise) {
  try {
    const transaction = (await open()).transaction(store, mode);
    return await settled(act(transaction.objectStore(store)));
  } catch {
    return otherwise(inMemory[store]);
  }
}

const put = (store, key, value) =>
  inStore(store, "readwrite", (kept) => kept.put(value, key), (kept) => void kept.set(key, value));
const get = (store, key) => inStore(store, "readonly", (kept) => kept.get(key), (kept) => kept.get(key));
const keys = (store) => inStore(store, "readonly", (kept) => kept.getAllKeys(), (kept) => [...kept.keys()]);

// Texts of the first version of this page lay in localStorage, one key each.
const OLD = /^mergelab\/(text|solved)\/([^/]+)\/(.+)$/;

function oldTexts(place) {
  const found = [];
  try {
    for (const key of Object.keys(localStorage)) {
      const [, kind, of, sheet] = OLD.exec(key) ?? [];
      if (of === place) found.push([kind, sheet, localStorage.getItem(key)]);
    }
  } catch {
    return [];
  }
  return found;
}

function forgetOld(place) {
  for (const [kind, sheet] of oldTexts(place)) localStorage.removeItem(`mergelab/${kind}/${place}/${sheet}`);
}

// The last edits before a page goes: a database may not get to them any more, localStorage does.
const LAST = "mergelab/last/";

function keepLast(place, record) {
  try {
    localStorage.setItem(LAST + place, record);
  } catch {
    // Full or forbidden: what was saved before stays.
  }
}

function lastOf(place) {
  try {
    return localStorage.getItem(LAST + place) ?? undefined;
  } catch {
    return undefined;
  }
}

function forgetLast(place) {
  try {
    localStorage.removeItem(LAST + place);
  } catch {
    // What cannot be forgotten is merged again.
  }
}

async function keepsNothing() {
  try {
    await open();
    return false;
  } catch {
    return true;
  }
}

const windows = "BroadcastChannel" in self ? new BroadcastChannel(NAME) : undefined;
const tellOthers = (place, record) => windows?.postMessage([place, record]);

function download(name, bytes, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// To the engine, in order: what follows files waits until they were read.
let queue = Promise.resolve();

function post(worker, text) {
  queue = queue.then(() => worker.postMessage(text));
}

function postFiles(worker, key) {
  queue = queue.then(async () => worker.postMessage({ put: { key, files: (await get("files", key)) ?? [] } }));
}

function postZip(worker, table) {
  queue = queue.then(() => worker.postMessage({ zip: table }));
}

const MAX_BYTES = 100_000_000;
const MAX_FILES = 5_000;

// Everything below a dropped folder, as [path, file].
async function below(entry, found) {
  if (found.length > MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push([entry.fullPath.replace(/^\/+/, ""), file]);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inside of some) await below(inside, found);
  }
}

let nTaken = 0;

async function take(name, files, said) {
  const size = files.reduce((sum, [, file]) => sum + file.size, 0);
  if (size > MAX_BYTES || files.length > MAX_FILES) {
    said("refused", "", `${name} is more than this tab can hold: up to ${MAX_BYTES / 1_000_000} MB in ${MAX_FILES} files.`);
    return;
  }
  const key = `${Date.now()}-${nTaken++}`;
  await put("files", key, files);
  said("file", key, name);
}

async function takeDropped(items, said) {
  // Entries are gone once the event is over: they are asked for first.
  for (const entry of [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)) {
    const found = [];
    await below(entry, found);
    await take(entry.name, found, said);
  }
}

async function takePicked(input, said) {
  const files = [...input.files];
  const kind = input.dataset.takes;
  input.value = "";
  if (kind === "work") {
    // A file of work is text; anything of this size is not one.
    for (const file of files) said("work", file.name, file.size > 50_000_000 ? "" : await file.text());
  } else if (kind === "data") {
    for (const file of files) await take(file.name, [[file.name, file]], said);
  } else if (kind === "folder" && files.length > 0) {
    const name = files[0].webkitRelativePath.split("/")[0];
    await take(name, files.map((file) => [file.webkitRelativePath, file]), said);
  }
}

let startOffline = () => {};

// The service worker comes last: everything that is seen first has gone over the line by then.
async function offline(said) {
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    registration.addEventListener("updatefound", () => {
      const next = registration.installing;
      next.addEventListener("statechange", () => {
        if (next.state === "installed" && navigator.serviceWorker.controller) said("update", "", "");
      });
    });
  } catch {
    // Without one (a private window, an old browser) the site needs its network, as any other does.
  }
}

// `said(kind, a, b)` hears of other windows ("other"), of picked files of work ("work"), of data ("file", "refused"), of
// a page that goes ("leaving"), of a new version ("update").
function listen(said) {
  startOffline = () => offline(said);
  windows?.addEventListener("message", ({ data: [place, record] }) => said("other", place, record));
  addEventListener("pagehide", () => said("leaving", "", ""));
  document.addEventListener("visibilitychange", () => document.hidden && said("leaving", "", ""));
  document.addEventListener("change", ({ target }) => target.dataset?.takes && takePicked(target, said));
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? mark(false));
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    takeDropped(event.dataTransfer.items, said);
  });
}

globalThis.mergelab = {
  offline: () => startOffline(),
  put, get, keys, oldTexts, forgetOld, keepLast, lastOf, forgetLast, keepsNothing, tellOthers, download, post, postFiles,
  postZip, listen, resetLayout,
};
