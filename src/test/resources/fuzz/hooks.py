"""Puts what exists on the platform into every other well-formed request that Schemathesis makes, and tells how each was answered.

FUZZ_PLAYS names a JSON file, operationId to {"once": bool, "plays": [{"token": str or null, "path": {...}, "body": {...}}]}: the
members of `path` and `body` replace those of the request, null takes one out. Plays of an operation are taken in turn, or each
once. FUZZ_ANSWERS names the file that gets a line "operationId status" for each answer. FUZZ_URL is where the platform is: what ends
the session that it comes with is asked by somebody who signed in for that request alone. Nothing here is random: the same seed makes
the same requests.
"""

import json
import os
import time
import urllib.error
import urllib.request
from collections import Counter

import schemathesis

with open(os.environ["FUZZ_PLAYS"], encoding="utf-8") as file:
    PLAYS = json.load(file)
ANSWERS = open(os.environ["FUZZ_ANSWERS"], "w", encoding="utf-8", buffering=1)
SEEN = Counter()
WRONG = Counter()
# Of every contract.
EXAMPLE_KEY = "0d9a3f7e-5b64-4c0e-9a44-6f1f6c1d2b3a"


def name(case):
    return case.operation.definition.raw["operationId"]


def play(operation, turn):
    known = PLAYS.get(operation)
    if known is None or known["once"] and turn >= len(known["plays"]):
        return None
    return known["plays"][turn % len(known["plays"])]


# Schemathesis reuses what it has seen in answers: the published key, which signs every token of the run, and the users who play. What
# would end them names nothing, unless it is a play.
ENDING = {"withdrawKey": "kid", "disableUser": "userID"}

# Operations that end the session they are called with.
SPENDING = {"signOut", "revokeSession"}


def post(path, body):
    """Asks the platform, which may say that this comes too often."""
    request = urllib.request.Request(
        os.environ["FUZZ_URL"] + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code != 429:
                raise
            time.sleep(0.1)
    raise RuntimeError(path + " is refused again and again")


def fresh_token():
    person = {"email": "spends@example.org", "first_name": "Sven", "last_name": "Spender"}
    id_token = post("/auth/demo/id-token", person)["idToken"]
    return post("/auth/authenticate/demo", {"idToken": id_token})["accessToken"]


def bearer(token):
    def sign(request):
        request.headers["Authorization"] = "Bearer " + token
        return request

    return sign


@schemathesis.hook
def before_call(context, case, kwargs):
    if name(case) in SPENDING:
        kwargs["auth"] = bearer(fresh_token())
    # What is wrong on purpose stays as it is, so that it is refused for that reason, and not answered as a good request with this key was.
    if case.meta is None or not case.meta.generation.mode.is_positive:
        if case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
            WRONG[name(case)] += 1
            case.headers["Idempotency-Key"] = f"{name(case)}-wrong-{WRONG[name(case)]}"
        return
    turn, of_every_second = divmod(SEEN[name(case)], 2)
    SEEN[name(case)] += 1
    chosen = None if of_every_second else play(name(case), turn)
    if chosen is None:
        if name(case) in ENDING and isinstance(case.body, dict):
            case.body[ENDING[name(case)]] = "unknown"
        return
    if isinstance(case.body, dict):
        body = {**case.body, **chosen["body"]}
        case.body = {member: value for member, value in body.items() if value is not None or member not in chosen["body"]}
    if chosen["path"]:
        case.path_parameters = {**case.path_parameters, **chosen["path"]}
    # A made-up revision or range fits nothing, and a key that comes again with another body is refused.
    for header in ("If-Match", "Range", "If-Range"):
        case.headers.pop(header, None)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{name(case)}-{turn}"
    if chosen["token"] is not None:
        kwargs["auth"] = bearer(chosen["token"])


@schemathesis.hook
def after_call(context, case, response):
    ANSWERS.write(f"{name(case)} {response.status_code}\n")
