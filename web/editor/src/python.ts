// What can be written at the cursor of a Python program.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { pythonLanguage } from "@codemirror/lang-python";
import { language } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Words } from "./completion";

/** What is in scope of every program, and the words that programs of this kind need. */
const IN_SCOPE = ["DeltaTable", "F", "Window", "display", "spark"];
const KEYWORDS =
  "and as assert break class continue def elif else except False finally for from if import in is lambda None not or " +
  "pass raise return True try while with";

/** What a name gives before a dot. What is not here may be anything, so every member is offered. */
const KNOWN: Record<string, string[]> = {
  DeltaTable: ["DeltaTable"],
  F: ["F"],
  Window: ["Window", "WindowSpec"],
  functions: ["F"],
  read: ["DataFrameReader"],
  spark: ["SparkSession"],
  write: ["DataFrameWriter"],
};

/** What a call gives before a dot. */
const GIVEN: Record<string, string[]> = {
  col: ["Column"],
  cube: ["GroupedData"],
  groupBy: ["GroupedData"],
  groupby: ["GroupedData"],
  merge: ["DeltaMergeBuilder"],
  optimize: ["DeltaOptimizeBuilder"],
  orderBy: ["DataFrame", "WindowSpec"],
  partitionBy: ["DataFrameWriter", "WindowSpec"],
  rollup: ["GroupedData"],
  table: ["DataFrame"],
  toDF: ["DataFrame"],
  when: ["Column"],
};

export const isPython = (state: EditorState) => state.facet(language) === pythonLanguage;

/** Strings hold names of tables and columns; a dot is followed by members; everything else is a name. */
export function completePython(context: CompletionContext, words: Words, inside: string): CompletionResult | null {
  if (/Comment/.test(inside)) return null;
  const word = context.matchBefore(/\w+/);
  const from = word?.from ?? context.pos;
  const found = (options: Completion[]) => ({ from, options, validFor: /^\w*$/ });
  if (/String/.test(inside)) return word || context.explicit ? found(named(words)) : null;
  const before = context.state.sliceDoc(Math.max(0, from - 2000), from);
  const dot = /(?:(\w+)|(\)))\s*\.\s*$/.exec(before);
  if (dot) return found(members(words, owners(dot[1], before.slice(0, dot.index + 1))));
  if (!word && !context.explicit) return null;
  const option = (type: string) => (label: string) => ({ label, type });
  return found([
    ...assigned(context.state.doc.toString()).map(option("variable")),
    ...IN_SCOPE.map(option("class")),
    ...KEYWORDS.split(" ").map(option("keyword")),
  ]);
}

/** Every table and column, once. */
function named({ tables }: Words): Completion[] {
  const columns = new Map<string, Completion>();
  for (const table of tables) {
    for (const { name, type } of table.columns) {
      columns.set(name, { label: name, detail: `${type} · ${table.name}`, type: "property", boost: 1 });
    }
  }
  return [...columns.values(), ...tables.map(({ name, kind }) => ({ label: name, detail: kind, type: "class" }))];
}

/** What the names or the call before a dot may be; nothing where that is unknown. */
function owners(name: string | undefined, before: string): string[] | undefined {
  if (name) return KNOWN[name];
  const call = calledBefore(before);
  if (call?.startsWith("when") && call !== "when") return ["DeltaMergeBuilder"];
  return call ? GIVEN[call] : undefined;
}

/** The function of the call that a text ends with. */
function calledBefore(text: string): string | undefined {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (")]}".includes(text[at])) depth += 1;
    if ("([{".includes(text[at])) depth -= 1;
    if (depth === 0) return /(\w+)\s*$/.exec(text.slice(0, at))?.[1];
  }
  return undefined;
}

function members(words: Words, wanted: string[] | undefined): Completion[] {
  const found = new Map<string, Completion>();
  for (const line of words.members) {
    const [owner, ...names] = line.split(" ");
    // Functions are behind F only; the others may be behind any name.
    if (wanted ? !wanted.includes(owner) : owner === "F" || owner === "SparkSession") continue;
    for (const label of names) {
      const detail = found.get(label)?.detail;
      found.set(label, { label, type: "function", detail: detail ? `${detail}, ${owner}` : owner });
    }
  }
  return [...found.values()];
}

/** The names that a program gives. */
function assigned(text: string): string[] {
  const names = new Set<string>();
  for (const [, name, other] of text.matchAll(/^[ \t]*(?:(\w+)[ \t]*=(?!=)|(?:def|class)[ \t]+(\w+))/gm)) {
    names.add(name ?? other);
  }
  return [...names];
}
