// Runs before the page's own scripts: notes when the page's own engine answers its greeting.
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && JSON.parse(data).body?.reply === "hello") window.engineReady ??= performance.now();
    });
  }
};
