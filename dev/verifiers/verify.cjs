// Asks the JavaScript library of Standard Webhooks whether a delivery is genuine: {"secret": …, "headers": {…}, "body": …} on standard
// input. Exit code 0: it is; 3: it is refused.
const { readFileSync } = require("node:fs");
const { Webhook, WebhookVerificationError } = require("standardwebhooks");

const delivery = JSON.parse(readFileSync(0, "utf8"));
try {
  new Webhook(delivery.secret).verify(delivery.body, delivery.headers);
} catch (refused) {
  if (!(refused instanceof WebhookVerificationError)) throw refused;
  console.log(refused.message);
  process.exit(3);
}
