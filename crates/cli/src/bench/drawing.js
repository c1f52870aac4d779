// How long a step takes to be drawn: from the key press until the page is laid out anew, per step and view.
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const at = () => Number(document.querySelector("#timeline").value);
// The page draws in microtasks; a timer would add its own delay.
const drawn = async (was) => {
  for (let turn = 0; turn < 1000 && was() === false; turn++) await null;
  if (!was()) throw new Error("a step was not drawn");
  return document.body.offsetHeight;
};
document.activeElement?.blur();
const times = [];
for (const view of ["t", "f", "c", "o", "p", "n", "m", "l", "h"]) {
  press(view);
  press("Home");
  await wait(50);
  const last = Number(document.querySelector("#timeline").max);
  for (const [key, to] of [["ArrowRight", last], ["ArrowLeft", 0]]) {
    while (at() !== to) {
      const from = at();
      const start = performance.now();
      press(key);
      await drawn(() => at() !== from);
      times.push(performance.now() - start);
      await wait(5);
    }
  }
}
return { times_ms: times };
