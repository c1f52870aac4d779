// Bundles the editor into web/static/editor.js. Beside it: the licences of what is in the bundle, and a record that
// ties the bundle to these sources; `cargo test -p xtask` reads the record, so nothing else needs node.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const BUNDLE = "../static/editor.js";

const made = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  alias: { "style-mod": "./src/adopted.ts" },
  metafile: true,
  outfile: BUNDLE,
});

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
const sources = ["build.mjs", "package.json", "package-lock.json", ...readdirSync("src").map((name) => `src/${name}`)];
const lines = sources.sort().map((name) => `${name} ${hash(readFileSync(name))}\n`);
const record = { sources: hash(lines.join("")), bundle: hash(readFileSync(BUNDLE)) };
writeFileSync("built.json", JSON.stringify(record, null, 2) + "\n");
writeFileSync("third-party.txt", notices(Object.keys(made.metafile.inputs)));

/** One line a package, then each text of a licence once, with the packages that carry it. */
function notices(inputs) {
  const folder = (input) => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  const packages = [...new Set(inputs.map(folder).filter(Boolean))].sort();
  const owners = new Map();
  let list = "";
  for (const name of packages) {
    const at = join("node_modules", name);
    const { version, license, author } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    if (!license || !file) throw new Error(`${name} states no licence, or ships no text of it`);
    const holder = typeof author === "string" ? author : author?.name;
    list += `${name} ${version}: ${license}${holder ? `, by ${holder}` : ""}\n`;
    const text = readFileSync(join(at, file), "utf8").replaceAll("\r\n", "\n").trimEnd();
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
  }
  const texts = [...owners].map(([text, names]) => `\n${"-".repeat(80)}\n${names.join(", ")}\n\n${text}\n`);
  return `The editor contains these packages, under the licences named.\n\n${list}${texts.join("")}`;
}
