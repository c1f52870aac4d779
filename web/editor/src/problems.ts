// Complaints of the engine as marks in the text, with what it suggests as buttons.
import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorState, Text, Transaction } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/** Places count UTF-16 units. */
export interface Problem {
  severity: "error" | "warning";
  from: number;
  to: number;
  condition: string;
  message: string;
  edits: { label: string; from: number; to: number; insert: string }[];
}

/** Marks the problems of this very text. */
export function marks(state: EditorState, problems: readonly Problem[]): ReturnType<typeof setDiagnostics> {
  const end = state.doc.length;
  const clamp = (at: number) => Math.min(Math.max(at, 0), end);
  const diagnostics = problems.map((problem): Diagnostic => ({
    from: clamp(problem.from),
    to: clamp(Math.max(problem.to, problem.from)),
    severity: problem.severity,
    source: problem.condition,
    message: problem.message,
    actions: problem.edits.map((edit) => action(state.doc, edit)),
  }));
  return setDiagnostics(state, diagnostics.sort((left, right) => left.from - right.from));
}

/** A suggestion is about the text that it was made for; on any other it does nothing. */
function action(doc: Text, edit: Problem["edits"][number]): Action {
  return {
    name: `Try: ${edit.label}`,
    apply(view: EditorView) {
      if (!view.state.doc.eq(doc)) return;
      const { from, to, insert } = edit;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from, head: from + insert.length } });
      view.focus();
    },
  };
}

/** Whether a transaction is the learner's, or the page's own. */
export function isTyped(transactions: readonly Transaction[]): boolean {
  return transactions.some((transaction) => transaction.docChanged && !transaction.isUserEvent("page"));
}
