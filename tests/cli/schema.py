#!/usr/bin/env python3
"""Holds the reports of `stalldoc analyze -f json` against testdata/schema/stalldoc-1.json.

usage: schema.py PROGRAM SOURCE_ROOT [PATH...]
Without paths: all of testdata/, and a share of ../shared/corpus where it is there.
Exit status 77 (skipped) where python3 has no jsonschema.
"""
# SPDX-License-Identifier: MIT
import glob
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3 has no jsonschema")
    sys.exit(77)


def refuse(text):
    raise ValueError("bare %s" % text)


def inputs_of(root):
    found = sorted(glob.glob(os.path.join(root, "testdata", "*")))
    corpus = os.path.join(root, "..", "shared", "corpus")
    if not os.path.isdir(corpus):
        print("note: no ../shared/corpus, only testdata is looked at")
    for folder in ("logs-mini", "cases", "logs-llm"):
        found += sorted(glob.glob(os.path.join(corpus, folder, "*")))[::7]
    return found


def judge(program, validator, path):
    """What is wrong with the report on `path`; None: nothing."""
    runs = [subprocess.run([program, "analyze", "-f", "json", "--", path], stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=120) for _ in range(2)]
    if runs[0].returncode not in (0, 1, 2):
        return "exit status %d" % runs[0].returncode
    if runs[0].stdout != runs[1].stdout:
        return "two reports differ"
    if not runs[0].stdout:
        return None if runs[0].returncode == 2 and runs[0].stderr else "no report and no word"
    try:
        report = json.loads(runs[0].stdout.decode("utf-8"), parse_constant=refuse)
    except ValueError as e:
        return "no JSON: %s" % e
    for wrong in validator.iter_errors(report):
        return "%s at %s" % (wrong.message[:200], "/".join(str(p) for p in wrong.absolute_path))
    if report["verdict"]["exit_code"] != runs[0].returncode:
        return "exit status %d, exit_code %d" % (runs[0].returncode, report["verdict"]["exit_code"])
    ids = [f["id"] for f in report["findings"]]
    said = [a["finding"] for c in report["causes"] for a in c["because"] + c["against"]]
    lost = [f for f in said if f is not None and f not in ids]
    lost += [f["absorbed_by"] for f in report["findings"] if f.get("absorbed_by") not in ids + [None]]
    return "no finding %s" % lost[0] if lost else None


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(root, "testdata", "schema", "stalldoc-1.json"), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    paths = sys.argv[3:] or inputs_of(root)
    wrong = 0
    for path in paths:
        why = judge(program, validator, path)
        if why:
            wrong += 1
            print("%s: %s" % (path, why))
    print("%d of %d reports are sound" % (len(paths) - wrong, len(paths)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
