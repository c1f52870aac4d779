// What can be written at the cursor: the page says which tables, functions and keywords there are.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { completePython, isPython } from "./python";
import { KEYWORD_LIST } from "./spark";

export interface Column {
  name: string;
  type: string;
}

export interface Table {
  name: string;
  kind: string;
  columns: Column[];
}

/** What the engine knows. */
export interface Words {
  tables: Table[];
  keywords: string[];
  functions: string[];
  /** Of Python: first what stands before the dot, then the names, with spaces. */
  members: string[];
}

export const NO_WORDS: Words = { tables: [], keywords: [], functions: [], members: [] };

/** Tables that the statement names come before the others, by a column's boost. */
const NAMED = 30;
const TABLE = 10;

const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);

/** The text of the statement around the cursor. */
function statement(context: CompletionContext): string {
  let node = syntaxTree(context.state).resolveInner(context.pos, -1);
  while (node.parent && node.name !== "Statement") node = node.parent;
  return context.state.sliceDoc(node.from, node.to);
}

/** The tables of a statement, by the names that it gives them. */
function named(text: string, tables: readonly Table[]): Map<string, Table> {
  const found = new Map<string, Table>();
  for (const table of tables) {
    const name = table.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const places = text.matchAll(new RegExp(`(?<![\\w.])${name}\\b(?:\\s+(?:as\\s+)?([a-z_]\\w*))?`, "gi"));
    for (const [, alias] of places) {
      found.set(table.name.toLowerCase(), table);
      const isWord = alias && !KEYWORD_LIST.includes(alias.toUpperCase());
      if (isWord) found.set(alias.toLowerCase(), table);
    }
  }
  return found;
}

function columns(table: Table, boost: number): Completion[] {
  return table.columns.map((column) => ({
    label: column.name,
    apply: quoted(column.name),
    detail: `${column.type} · ${table.name}`,
    type: "property",
    boost,
  }));
}

/** Completes from `words()`, asked anew each time: the catalog changes with the text. */
export function complete(words: () => Words) {
  return (context: CompletionContext): CompletionResult | null => {
    const inside = syntaxTree(context.state).resolveInner(context.pos, -1).name;
    if (isPython(context.state)) return completePython(context, words(), inside);
    if (/String|Comment/.test(inside)) return null;
    const { tables, keywords, functions } = words();
    const here = named(statement(context), tables);
    const member = context.matchBefore(/([A-Za-z_]\w*)\.\w*/);
    if (member) {
      const dot = member.text.indexOf(".");
      const table = here.get(member.text.slice(0, dot).toLowerCase());
      return table ? { from: member.from + dot + 1, options: columns(table, NAMED), validFor: /^\w*$/ } : null;
    }
    const word = context.matchBefore(/\w+/);
    if (!word && !context.explicit) return null;
    const options: Completion[] = [];
    for (const table of new Set(here.values())) options.push(...columns(table, NAMED));
    for (const [alias, table] of here) {
      if (!same(alias, table.name)) options.push({ label: alias, detail: table.name, type: "variable", boost: NAMED });
    }
    for (const { name, kind } of tables) options.push({ label: name, detail: kind, type: "class", boost: TABLE });
    for (const label of keywords.length ? keywords : KEYWORD_LIST) options.push({ label, type: "keyword" });
    for (const label of functions) options.push({ label, type: "function", detail: "function", boost: -NAMED });
    return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
  };
}
