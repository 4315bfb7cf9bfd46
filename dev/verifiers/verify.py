# Asks the Python library of Standard Webhooks whether a delivery is genuine: {"secret": …, "headers": {…}, "body": …} on standard input.
# Exit code 0: it is; 3: it is refused.
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

delivery = json.load(sys.stdin)
try:
    Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
except WebhookVerificationError as refused:
    print(refused)
    sys.exit(3)
