// The widths of the three columns: dragged or moved by arrow keys, and remembered in this browser.
const KEY = "mergelab/columns";
const SMALLEST = 15;
const root = document.documentElement;

function kept() {
  try {
    const shares = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(shares) && shares.length === 3 && shares.every((share) => share >= SMALLEST) ? shares : null;
  } catch {
    return null;
  }
}

function show(shares) {
  if (shares) root.style.setProperty("--columns", shares.map((share) => `minmax(0, ${share}fr)`).join(" auto "));
  else root.style.removeProperty("--columns");
}

function keep(shares) {
  show(shares);
  try {
    if (shares) localStorage.setItem(KEY, JSON.stringify(shares));
    else localStorage.removeItem(KEY);
  } catch {
    // They last as long as the page.
  }
}

export const resetLayout = () => keep(null);

// Between the columns before and after it; both together keep their width.
class PaneDivider extends HTMLElement {
  connectedCallback() {
    this.tabIndex = 0;
    this.role = "separator";
    this.ariaOrientation = "vertical";
    this.ariaLabel = "Width of the columns";
    this.title = "Drag, or arrow keys, to change the widths; Home or a double click puts them back";
    this.tell();
    this.onkeydown = (event) => {
      const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
      if (by) this.move(by);
      else if (event.key === "Home") resetLayout();
      else return;
      this.tell();
      event.preventDefault();
      // Elsewhere these keys step through the run.
      event.stopPropagation();
    };
    this.ondblclick = () => resetLayout();
    this.onpointerdown = (event) => {
      this.setPointerCapture(event.pointerId);
      let from = event.clientX;
      this.onpointermove = (moved) => {
        this.move(((moved.clientX - from) * 100) / this.parentElement.clientWidth);
        from = moved.clientX;
      };
    };
    this.onpointerup = this.onpointercancel = () => {
      this.onpointermove = null;
      this.tell();
    };
  }

  columns() {
    return [...this.parentElement.children].filter((child) => child.classList.contains("column"));
  }

  move(by) {
    const widths = this.columns().map((column) => column.offsetWidth);
    const all = widths.reduce((sum, width) => sum + width, 0);
    const shares = kept() ?? widths.map((width) => (width * 100) / all);
    const at = this.columns().indexOf(this.previousElementSibling);
    const limited = Math.max(SMALLEST - shares[at], Math.min(by, shares[at + 1] - SMALLEST));
    shares[at] += limited;
    shares[at + 1] -= limited;
    keep(shares);
  }

  tell() {
    const before = this.previousElementSibling?.clientWidth ?? 0;
    this.ariaValueNow = String(Math.round((before * 100) / (this.parentElement?.clientWidth || 1)));
  }
}

show(kept());
customElements.define("pane-divider", PaneDivider);
