// What the editor can do. Undo is the page's: one history for every editor, kept with the text.
import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
  moveCompletionSelection,
} from "@codemirror/autocomplete";
import { defaultKeymap, indentLess, indentMore } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { LanguageSupport, bracketMatching, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  type KeyBinding,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type Words, complete } from "./completion";
import { sparkSql } from "./spark";
import { theme } from "./theme";

export const language = new Compartment();
export const attributes = new Compartment();

/** Python by its first words, which are hard to mistake; the engine looks closer. */
const PYTHON = new RegExp(
  [
    String.raw`^\s*from\s+[\w.]+\s+import\s`,
    String.raw`^\s*import\s+\w`,
    String.raw`^\s*\w+\s*=\s*\(?\s*(?:DeltaTable|spark|F|Window|df)\s*\.`,
    String.raw`^\s*\(?\s*(?:DeltaTable|spark|F|Window|df)\s*\.`,
    String.raw`^(?:print|display)\(`,
    String.raw`^(?:def|class|for|while|if|with)\b.*:\s*$`,
    String.raw`^%python`,
  ].join("|"),
  "m",
);

/** The language of a text, as an extension. */
export function languageOf(text: string): Extension {
  return PYTHON.test(text) ? new LanguageSupport(pythonLanguage) : new LanguageSupport(sparkSql.language);
}

/** A text that becomes Python, or is it no longer, is coloured otherwise from then on. */
const followLanguage = EditorState.transactionExtender.of((transaction) => {
  if (!transaction.docChanged) return null;
  const now = transaction.newDoc.toString();
  const isSame = PYTHON.test(transaction.startState.doc.toString()) === PYTHON.test(now);
  return isSame ? null : { effects: language.reconfigure(languageOf(now)) };
});

/** The list opens with nothing chosen, so Enter is a new line; Tab takes the first. */
function takeCompletion(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  return acceptCompletion(view) || (moveCompletionSelection(true)(view) && acceptCompletion(view));
}

/** Keys that the page answers, wherever the keyboard is. */
const OF_THE_PAGE = new Set(["Mod-Enter", "Shift-Mod-Enter", "Mod-z", "Mod-y", "Mod-Shift-z", "F8"]);

const keys: KeyBinding[] = [
  { key: "Tab", run: takeCompletion },
  { key: "Tab", run: indentMore, shift: indentLess },
  ...completionKeymap,
  ...searchKeymap,
  ...defaultKeymap,
].filter((binding) => !OF_THE_PAGE.has(binding.key ?? ""));

/** A browser's own undo knows nothing of the page's. */
const noNativeUndo = EditorView.domEventHandlers({
  beforeinput: (event) => {
    if (!event.inputType.startsWith("history")) return false;
    event.preventDefault();
    return true;
  },
});

/** Everything but what changes with the element's attributes. */
export function extensions(words: () => Words): Extension {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    autocompletion({ override: [complete(words)], selectOnOpen: false, icons: false }),
    EditorState.tabSize.of(4),
    noNativeUndo,
    followLanguage,
    keymap.of(keys),
    theme,
  ];
}
