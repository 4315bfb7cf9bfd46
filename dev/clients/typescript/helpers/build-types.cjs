// The types are the same for both kinds of modules; each kind looks for them beside its own scripts.
const { cpSync, writeFileSync } = require("node:fs");

cpSync("dist/esm", "dist/cjs", { recursive: true, filter: (path) => !path.endsWith(".js") });
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
