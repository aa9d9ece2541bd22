#!/usr/bin/env python3
"""Writes a table of closing prices as compact JSON on one line: make_payload.py BYTES [FILE].

The text is as long as it can be without passing BYTES, and the same on every run.
"""
import sys

HEAD = '{"columns":["date","code","name","close"],"rows":['
TAIL = "]}"


def row(i):
    return f'["2026{i % 12 + 1:02d}01","{2300 + i % 1000}","台積電",{100 + i % 900}.25]'


def payload(size):
    rows = []
    used = len(HEAD) + len(TAIL)
    i = 0
    while True:
        text = row(i)
        used += len(text.encode()) + (1 if rows else 0)
        if used > size:
            return HEAD + ",".join(rows) + TAIL
        rows.append(text)
        i += 1


def main():
    if len(sys.argv) not in (2, 3) or not sys.argv[1].isdecimal():
        sys.exit(__doc__)
    data = payload(int(sys.argv[1])).encode()
    if len(sys.argv) == 3:
        with open(sys.argv[2], "wb") as out:
            out.write(data)
    else:
        sys.stdout.buffer.write(data)


if __name__ == "__main__":
    main()
