"""Write the golden values again: `python -m tests.golden`, or with the names of some groups."""

import json
import sys

from tests.golden import values

GROUPS = {
    "zoo": values.rows_of_zoo,
    "real": lambda: {name: values.rows_of_file(name) for name in values.REAL},
    "roles": lambda: {name: values.roles_of(name) for name in values.ROLES},
    "hashes": values.hashes,
    "malformed": values.malformed,
}

for group in sys.argv[1:] or GROUPS:
    content = {"logarithms": values.logarithms(), "values": GROUPS[group]()}
    text = json.dumps(content, indent=0, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    (values.FOLDER / f"{group}.json").write_text(text + "\n", encoding="utf-8")
