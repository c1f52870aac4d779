// The page's editor. Loading this file defines <sql-editor>; the page draws it like any other element.
import { SqlEditor } from "./element";

customElements.define("sql-editor", SqlEditor);
