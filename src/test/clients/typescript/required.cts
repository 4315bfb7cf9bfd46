/** A project in CommonJS: with the types, and the same classes as an import has by its own way. */

import client = require("@arbitration/client");
import node = require("@arbitration/client/node");

const policy: client.RetryPolicy = new client.RetryPolicy({ attempts: 2 });
const cases = new client.CasesApi(new client.Platform("https://cases.example.org/", client.Credentials.resume("token"), { retries: policy }));
node.fileAt(__filename).then(({ name, size }) => console.log(`required: ${cases instanceof client.BaseAPI} ${name} ${size > 0}`));
