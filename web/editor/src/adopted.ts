// Stands in for `style-mod`, which writes a <style> element into a document that has a head. The page's
// Content-Security-Policy forbids that; a constructed style sheet needs no permission. What is handed on looks like a
// root without a head, for which `style-mod` builds just that.
import { StyleModule as Original } from "../node_modules/style-mod/src/style-mod.js";

const root = {
  ownerDocument: document,
  get adoptedStyleSheets() {
    return document.adoptedStyleSheets;
  },
  set adoptedStyleSheets(sheets: CSSStyleSheet[]) {
    document.adoptedStyleSheets = sheets;
  },
};

export class StyleModule extends Original {
  static mount(_: unknown, modules: Original | readonly Original[]) {
    super.mount(root as unknown as ShadowRoot, modules);
  }
}
