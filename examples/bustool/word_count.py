#!/usr/bin/env python3
"""A tool on Moothall's bus, in Python without any library.

It announces word_count on tool.schema, hears tool.request.word_count and
answers on tool.result.word_count. The bus is NATS, whose protocol is lines of
text; the subject on the wire ends in the name of who speaks.

    MOOTHALL_BUS=127.0.0.1:4222 MOOTHALL_GUEST=words MOOTHALL_PASSWORD=... python3 word_count.py
"""

import json
import os
import socket
import sys
import time
import uuid
from datetime import datetime, timezone

GUEST = os.environ.get("MOOTHALL_GUEST", "words")
TOOL = "word_count"
SCHEMA = {
    "name": TOOL,
    "description": "Counts the words, lines and characters of a text.",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text to count in."}},
        "required": ["text"],
        "additionalProperties": False,
    },
}


def word_count(arguments):
    """The tool itself: arguments in, an answer out."""
    text = arguments.get("text")
    if not isinstance(text, str):
        return {"status": "failed", "text": "The argument text is missing or no string."}
    count = {"words": len(text.split()), "lines": len(text.splitlines()), "characters": len(text)}
    return {
        "status": "ok",
        "text": "{words} words, {lines} lines, {characters} characters".format(**count),
        "data": count,
    }


def envelope(subject, payload, correlation=None):
    """An event of the hall. Subject and sender must be those of the wire."""
    event = {
        "id": str(uuid.uuid4()),
        "subject": subject,
        "type": ("tool.schema" if subject == "tool.schema" else "tool.result") + "/1",
        "time": datetime.now(timezone.utc).isoformat(),
        "sender": GUEST,
        "payload": payload,
    }
    if correlation:
        event["correlation_id"] = correlation
    return event


class Bus:
    """As much of a NATS client as a tool needs."""

    def __init__(self, address, password):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.socket.settimeout(None)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()  # INFO: what the server can do
        hello = {"user": GUEST, "pass": password, "verbose": False, "pedantic": False, "lang": "python", "version": "1"}
        self.send(b"CONNECT " + json.dumps(hello).encode() + b"\r\nPING\r\n")

    def send(self, data):
        self.socket.sendall(data)

    def publish(self, event):
        data = json.dumps(event, ensure_ascii=False).encode()
        self.send(b"PUB %s.%s %d\r\n%s\r\n" % (event["subject"].encode(), GUEST.encode(), len(data), data))

    def subscribe(self, subject):
        self.send(b"SUB %s 1\r\n" % subject.encode())

    def messages(self):
        """Yields what arrives until the server goes away."""
        while line := self.lines.readline():
            word, _, rest = line.decode().strip().partition(" ")
            if word == "PING":
                self.send(b"PONG\r\n")
            elif word == "-ERR":
                raise ConnectionError(rest)
            elif word == "MSG":  # subject, subscription, maybe a reply, size
                size = int(rest.split()[-1])
                yield self.lines.read(size + 2)[:size]


def serve(address, password):
    bus = Bus(address, password)
    bus.subscribe("tool.request." + TOOL + ".broker")
    bus.publish(envelope("tool.schema", SCHEMA))
    print("announced " + TOOL, flush=True)
    for data in bus.messages():
        request = json.loads(data)
        answer = word_count(request["payload"]["arguments"])
        bus.publish(envelope("tool.result." + TOOL, answer, correlation=request["id"]))


def main():
    address = os.environ.get("MOOTHALL_BUS", "127.0.0.1:4222")
    password = os.environ.get("MOOTHALL_PASSWORD")
    if not password:
        sys.exit("MOOTHALL_PASSWORD is missing: the hall writes it into the folder guests of its home when it starts with the guest in its moothall.yaml")
    while True:  # the hall may come and go; the tool announces itself anew
        try:
            serve(address, password)
        except OSError as error:
            print(error, file=sys.stderr, flush=True)
        time.sleep(2)


if __name__ == "__main__":
    main()
