# A receiver of webhooks: WEBHOOK_SECRET=whsec_… PORT=9000 python3 docs/guides/receiver.py
import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def verify(headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(KEY, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(one.encode(), expected) for one in headers.get("webhook-signature", "").split())

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        good = verify(self.headers, body)
        if good:
            print(body.decode(), flush=True)  # Hand it to a queue, unless webhook-id was seen before.
        self.send_response(204 if good else 401)
        self.end_headers()

print("listening", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
