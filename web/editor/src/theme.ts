// The look: the page's own colours, so that light and dark are the style sheet's business.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.moduleKeyword],
    color: "var(--kw)",
    fontWeight: "600",
  },
  { tag: [tags.typeName, tags.definitionKeyword], color: "var(--kw)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--str)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--lit)" },
  { tag: tags.comment, color: "var(--rem)", fontStyle: "italic" },
]);

const tint = (colour: string, percent: number) => `color-mix(in srgb, var(${colour}) ${percent}%, transparent)`;

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", lineHeight: "inherit" },
  ".cm-content": { padding: "12px 16px 12px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--soft)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 14px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: tint("--sunken", 70) },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: tint("--upd", 32),
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: tint("--good", 25), outline: "1px solid var(--good)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: tint("--bad", 20) },
  ".cm-searchMatch": { backgroundColor: tint("--nop", 30) },
  ".cm-searchMatch-selected": { backgroundColor: tint("--upd", 45) },
  ".cm-lintRange": { paddingBottom: "0" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--nop) 1.5px" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--bad)" },
  ".cm-lintPoint-warning::after": { borderBottomColor: "var(--nop)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)", font: "13px var(--ui)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search input": { backgroundColor: "var(--surface)", color: "var(--text)" },
  ".cm-textfield": { border: "1px solid var(--strong-line)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--surface)", color: "var(--text)" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--strong-line)",
    borderRadius: "6px",
    boxShadow: "0 6px 20px rgb(0 0 0 / 18%)",
    font: "13px/1.45 var(--ui)",
    maxWidth: "min(60ch, 92vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { font: "13px/1.6 var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-text)",
  },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--soft)" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650" },
  ".cm-diagnostic": { padding: "7px 10px", borderLeftWidth: "4px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--nop)" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": {
    font: "500 13px/1 var(--ui)",
    minHeight: "26px",
    margin: "6px 8px 0 0",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--strong-line)",
    borderRadius: "6px",
  },
});

export const theme = [look, syntaxHighlighting(colours)];
