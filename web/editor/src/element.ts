// <sql-editor text label problems words cursor>: draws what its attributes say and tells of typing by an `input` event.
//
// What takes the keyboard inside has the id `editor` and answers like a text area (`value`, `select`,
// `setSelectionRange`, …), so that the page need not know which of its two editors is there.
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { NO_WORDS, type Words } from "./completion";
import { attributes, extensions, language, languageOf } from "./extensions";
import { type Problem, isTyped, marks } from "./problems";

/** The smallest change that makes one text of another. */
export function difference(old: string, now: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { from: start, to: old.length - end, insert: now.slice(start, now.length - end) };
}

export class SqlEditor extends HTMLElement {
  static observedAttributes = ["text", "label", "problems", "words"];

  private view: EditorView | undefined;
  private words: Words = NO_WORDS;
  private changed = new Set<string>();

  constructor() {
    super();
    // Fields of the search panel are inside too; what is typed there is not the text.
    this.addEventListener("input", (event) => event.target !== this && event.stopPropagation());
  }

  get value(): string {
    return this.view?.state.doc.toString() ?? this.getAttribute("text") ?? "";
  }

  connectedCallback() {
    const doc = this.getAttribute("text") ?? "";
    this.readWords();
    const state = EditorState.create({
      doc,
      extensions: [
        extensions(() => this.words),
        language.of(languageOf(doc)),
        attributes.of(this.contentAttributes()),
        EditorView.updateListener.of((update) => {
          if (isTyped(update.transactions)) this.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }),
      ],
    });
    this.view = new EditorView({ state, parent: this });
    likeTextArea(this.view);
    this.mark();
    this.takeCursor();
  }

  disconnectedCallback() {
    this.view?.destroy();
    this.view = undefined;
  }

  /** The page changes several attributes at once, in any order; problems are about the text that comes with them. */
  attributeChangedCallback(name: string) {
    if (!this.view) return;
    if (this.changed.size === 0) queueMicrotask(() => this.redraw());
    this.changed.add(name);
  }

  private redraw() {
    const changed = new Set(this.changed);
    this.changed.clear();
    if (!this.view) return;
    if (changed.has("text")) this.write(this.getAttribute("text") ?? "");
    if (changed.has("words")) this.readWords();
    if (changed.has("problems")) this.mark();
    if (changed.has("problems") || changed.has("label")) {
      this.view.dispatch({ effects: attributes.reconfigure(this.contentAttributes()) });
    }
  }

  /** Makes the text what the page says; the cursor goes where it changed. */
  private write(text: string) {
    const view = this.view;
    const old = this.value;
    if (!view || text === old) return;
    const changes = difference(old, text);
    const anchor = changes.from + changes.insert.length;
    view.dispatch({ changes, selection: { anchor }, userEvent: "page", scrollIntoView: true });
  }

  private mark() {
    const view = this.view;
    if (view) view.dispatch(marks(view.state, this.problems()));
  }

  private problems(): Problem[] {
    return JSON.parse(this.getAttribute("problems") || "[]");
  }

  private readWords() {
    const words = this.getAttribute("words");
    this.words = words ? JSON.parse(words) : NO_WORDS;
  }

  private contentAttributes() {
    const isInvalid = this.problems().some((problem) => problem.severity === "error");
    return EditorView.contentAttributes.of({
      id: "editor",
      "aria-label": this.getAttribute("label") ?? "Editor",
      "aria-invalid": String(isInvalid),
      spellcheck: "false",
      // It has the focus anyway; said for tools that only look for this.
      tabindex: "0",
    });
  }

  /** Someone was typing in the text area that was here before: they go on where they were. */
  private takeCursor() {
    const cursor = this.getAttribute("cursor");
    if (!cursor || !this.view) return;
    const [anchor = 0, head = anchor] = cursor.split(",").map(Number);
    const end = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(anchor, end), head: Math.min(head, end) } });
    this.view.focus();
  }
}

/** Gives what takes the keyboard the parts of a text area that the page uses. */
function likeTextArea(view: EditorView) {
  const end = () => view.state.doc.length;
  const select = (anchor: number, head: number) => {
    const [from, to] = [Math.min(anchor, end()), Math.min(head, end())];
    view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  };
  Object.defineProperties(view.contentDOM, {
    value: { get: () => view.state.doc.toString() },
    selectionStart: { get: () => view.state.selection.main.from },
    selectionEnd: { get: () => view.state.selection.main.to },
    select: { value: () => select(0, end()) },
    setSelectionRange: { value: select },
  });
}
