#!/usr/bin/env python3
"""Sends the same random requests to two DynamoDB endpoints and compares the answers.

    fidelity/compare.py OURS THEIRS [--requests N] [--seed S] [--verbose]

OURS is dynamo's endpoint with dynamo.authentication = off, THEIRS another
implementation that takes any credentials (DynamoDB Local).  Requests are well
formed or slightly broken; status, error type, message and body are compared.
A difference that known_differences.json explains is counted by its reason; any
other is shrunk to a small case and printed, and makes the exit status 1.
"""
import argparse
import collections
import copy
import decimal
import http.client
import json
import os
import random
import re
import sys
import urllib.parse

import generate

decimal.getcontext().prec = 50
HERE = os.path.dirname(os.path.abspath(__file__))
SETS = ("SS", "NS", "BS")
ENVELOPE = "1 validation error detected: "


class Endpoint:
    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname, parts.port or 8000
        self.connection = None

    def send(self, operation, request):
        return self.receive(*self.begin(operation, request))

    def begin(self, operation, request):
        """Send a request; what receive() needs for the answer."""
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": "DynamoDB_20120810." + operation,
            "Authorization": "AWS4-HMAC-SHA256 Credential=fidelity/20260101/us-east-1/dynamodb/aws4_request, "
                             "SignedHeaders=host, Signature=0",
            "X-Amz-Date": "20260101T000000Z",
        }
        body = json.dumps(request).encode()
        try:
            self.write(body, headers)
        except (OSError, http.client.HTTPException):
            self.drop()                     # receive() tries once more
        return body, headers

    def write(self, body, headers):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        self.connection.request("POST", "/", body, headers)

    def drop(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def receive(self, body, headers):
        for attempt in (1, 2):
            try:
                if self.connection is None:
                    self.write(body, headers)
                response = self.connection.getresponse()
                data = response.read()
                return Answer(response.status, json.loads(data) if data.strip() else {})
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.drop()
                if attempt == 2:
                    return Answer(0, {"__type": "NoAnswer", "message": repr(error)})


class Answer:
    def __init__(self, status, body):
        self.status = status
        self.body = body
        self.error = str(body.get("__type", "")).rsplit("#", 1)[-1] if status != 200 else None
        self.message = body.get("message", body.get("Message", "")) if status != 200 else None

    def text(self):
        if self.error:
            reasons = self.body.get("CancellationReasons")
            return "%d %s: %s%s" % (self.status, self.error, self.message,
                                    " " + json.dumps(reasons, sort_keys=True) if reasons else "")
        return "%d %s" % (self.status, json.dumps(self.body, sort_keys=True)[:800])


def normal_number(text):
    try:
        return str(decimal.Decimal(text).normalize() + 0)
    except decimal.InvalidOperation:
        return text


def normal_member(name, value):
    if name == "N" and isinstance(value, str):
        return normal_number(value)
    if name in SETS and isinstance(value, list) and all(isinstance(member, str) for member in value):
        return sorted(normal_number(member) if name == "NS" else member for member in value)
    return normal(value)


def normal(value):
    """Members of sets have no order; DynamoDB Local gives numbers back as they were sent."""
    if isinstance(value, dict):
        return {name: normal_member(name, member) for name, member in value.items()}
    if isinstance(value, list):
        return [normal(v) for v in value]
    return value


def unordered(items):
    return sorted(json.dumps(normal(item), sort_keys=True) for item in items)


def in_space(item, space):
    return item.get("p", {}).get("S", space).startswith(space)


def comparable(operation, request, body, space):
    """What of a successful answer has to be equal."""
    body = normal(copy.deepcopy(body))
    body.pop("ConsumedCapacity", None)       # DynamoDB Local charges indexes by rules of its own
    body.pop("ItemCollectionMetrics", None)
    if operation == "Scan":
        # items of other key spaces may differ since a difference that is explained
        body = {"Items": [item for item in body.get("Items", []) if in_space(item, space)]}
    if operation == "Scan" or (operation == "Query" and "IndexName" in request):
        # the order of a Scan, and of equal index keys, is nobody's business
        if "Limit" in request:
            for member in ("Items", "Count", "LastEvaluatedKey"):
                body.pop(member, None)
        elif "Items" in body:
            body["Items"] = unordered(body["Items"])
    if operation == "BatchGetItem":
        body["Responses"] = {t: unordered(v) for t, v in body.get("Responses", {}).items()}
    return body


def reasons(body):
    """Why a transaction was cancelled; DynamoDB Local ends a text with a full stop."""
    made = normal(body.get("CancellationReasons"))
    for reason in made or []:
        if "Message" in reason:
            reason["Message"] = reason["Message"].rstrip(".")
    return made


def same(operation, request, ours, theirs, space):
    if ours.status != theirs.status or ours.error != theirs.error:
        return False
    if ours.error:
        return ours.message == theirs.message and \
            normal(ours.body.get("Item")) == normal(theirs.body.get("Item")) and \
            reasons(ours.body) == reasons(theirs.body)
    return comparable(operation, request, ours.body, space) == comparable(operation, request, theirs.body, space)


def kind(ours, theirs):
    """What a difference is about, without its particulars."""
    def of(answer):
        return (answer.error, re.sub(r"[\"'\[{(].*|[0-9]+", "", answer.message)) if answer.error else None
    return of(ours), of(theirs)


class Known:
    """Rules: all of the given patterns must match; the first that fits explains the difference."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.rules = json.load(f)

    def reason(self, operation, request, ours, theirs):
        if ours.error and ours.status == theirs.status and ours.message == ENVELOPE + theirs.message:
            return "the newer validation framework's envelope"
        texts = {"operation": operation, "ours": ours.text(), "theirs": theirs.text(),
                 "request": json.dumps(request, sort_keys=True)}
        for rule in self.rules:
            if all(re.search(rule[name], text, re.S) for name, text in texts.items() if name in rule):
                return rule["reason"]
        return None


class Comparison:
    def __init__(self, ours, theirs, seed, known):
        self.ours, self.theirs, self.known = ours, theirs, known
        self.random = random.Random(seed)
        self.prefix = "f%x" % (seed & 0xffffffff)
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.cases = []
        self.kinds = set()
        self.space = 0

    def both(self, operation, request):
        sent = [(endpoint, endpoint.begin(operation, request)) for endpoint in (self.ours, self.theirs)]
        return tuple(endpoint.receive(*written) for endpoint, written in sent)

    def set_up(self):
        for table in generate.tables(self.prefix):
            for answer in self.both("CreateTable", table):
                if answer.error and answer.error != "ResourceInUseException":
                    sys.exit("CreateTable: " + answer.text())

    def clean_up(self):
        for table in generate.tables(self.prefix):
            self.both("DeleteTable", {"TableName": table["TableName"]})

    def clean(self):
        for operation, request in generate.cleaning(self.prefix, "k%d." % self.space):
            self.both(operation, request)

    def settle_creations(self, operation, request):
        """An update that only removes creates no item; DynamoDB Local creates one of its key."""
        for key in generate.removals(operation, request):
            ours, theirs = self.both("GetItem", key)
            if "Item" not in ours.body and theirs.body.get("Item", {}).keys() == key["Key"].keys():
                self.reasons["an update that only removes creates no item"] += 1
                self.theirs.send("DeleteItem", key)

    def differs(self, operation, request):
        ours, theirs = self.both(operation, request)
        if ours.status in (0, 500):
            return "fault", ours, theirs
        if ours.status == 200:
            self.settle_creations(operation, request)
        if same(operation, request, ours, theirs, "k%d." % self.space):
            return None, ours, theirs
        return self.known.reason(operation, request, ours, theirs) or "", ours, theirs

    def renamed(self, steps):
        """The same steps in a key space of their own."""
        old = "k%d." % self.space
        self.space += 1
        text = json.dumps(steps).replace(old, "k%d." % self.space)
        # replayed steps may come from any earlier space
        return json.loads(re.sub(r"k\d+\.", "k%d." % self.space, text))

    def fails(self, steps, wanted):
        """Do the steps end in a difference of this kind?"""
        self.clean()
        steps = self.renamed(steps)
        for operation, request in steps[:-1]:
            reason, ours, theirs = self.differs(operation, request)
            if reason is not None and not (ours.error and theirs.error):
                return False
        reason, ours, theirs = self.differs(*steps[-1])
        return reason in ("", "fault") and kind(ours, theirs) == wanted

    def shrink(self, steps, wanted):
        if self.fails(steps[-1:], wanted):
            steps = steps[-1:]
        elif not self.fails(steps, wanted):
            return steps[-1:], False
        size = len(steps) // 2
        while size >= 1:                        # fewer steps before it
            i = 0
            while i < len(steps) - 1:
                fewer = steps[:i] + steps[min(i + size, len(steps) - 1):]
                if self.fails(fewer, wanted):
                    steps = fewer
                else:
                    i += size
            size //= 2
        operation, request = steps[-1]
        for path in list(generate.paths(request)):   # fewer members in it
            smaller = generate.without(request, path)
            if smaller is not None and self.fails(steps[:-1] + [[operation, smaller]], wanted):
                request = smaller
                steps[-1] = [operation, request]
        return steps, True

    def run(self, requests, verbose=False):
        history = []
        for number in range(requests):
            if number % 80 == 0 or history is None:
                self.clean()
                self.space += 1
                history = []
                maker = generate.Maker(self.random, self.prefix, "k%d." % self.space)
            if len(self.cases) >= 40:
                print("too many differences: stopped after %d requests" % number)
                break
            if verbose and number % 1000 == 0:
                print("%d requests" % number, flush=True)
            operation, request = maker.request()
            history.append([operation, request])
            reason, ours, theirs = self.differs(operation, request)
            self.counts[operation] += 1
            self.counts["error" if ours.error else "ok"] += 1
            if reason is None:
                continue
            if reason not in ("", "fault"):
                self.reasons[reason] += 1
            elif kind(ours, theirs) in self.kinds and ours.error:
                self.counts["differences like one before"] += 1
            else:
                self.kinds.add(kind(ours, theirs))
                self.report(history, kind(ours, theirs))
                history = None                  # it has left the key space
                continue
            if not (ours.error and theirs.error):
                history = None                  # the items may differ from here on

    def report(self, history, wanted):
        steps, again = self.shrink(copy.deepcopy(history), wanted)
        steps = self.renamed(steps)
        answers = [self.both(*step) for step in steps]
        self.cases.append(steps)
        print("\n== difference %d%s" % (len(self.cases), "" if again else " (seen once, not reproduced)"))
        for (operation, request), (ours, theirs) in zip(steps, answers):
            print("%s %s" % (operation, json.dumps(request)[:1500]))
        print("   ours:   %s\n   theirs: %s" % (answers[-1][0].text(), answers[-1][1].text()), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ours")
    arguments.add_argument("theirs")
    arguments.add_argument("--requests", type=int, default=20000)
    arguments.add_argument("--seed", type=int, default=None)
    arguments.add_argument("--verbose", action="store_true")
    given = arguments.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().getrandbits(31)
    print("seed %d" % seed, flush=True)
    comparison = Comparison(Endpoint(given.ours), Endpoint(given.theirs), seed,
                            Known(os.path.join(HERE, "known_differences.json")))
    comparison.set_up()
    try:
        comparison.run(given.requests, given.verbose)
    finally:
        comparison.clean_up()
    print("\n%s" % ", ".join("%s %d" % item for item in sorted(comparison.counts.items())))
    for reason, count in comparison.reasons.most_common():
        print("known, %d times: %s" % (count, reason))
    print("%d differences without a reason" % len(comparison.cases))
    return 1 if comparison.cases else 0


if __name__ == "__main__":
    sys.exit(main())
