"""Which columns of a table are the ends and the weights of edges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import for_each
from vnestruct.errors import ParameterError
from vnestruct.graph.columns import ColumnRequest, choose_columns

FLIGHTS = ["origin", "dest", "flights"]


@for_each(
    ("names", "given", "expected"),
    [
        (["Weight", "To", "From"], {}, (2, 1, 0)),
        ([":START_ID", ":END_ID", ":TYPE"], {}, (0, 1, None)),
        (["since", ":START_ID(Person)", ":END_ID(Film)"], {}, (1, 2, None)),
        (["knows:START_ID(Person)", ":END_ID(Person)"], {}, (0, 1, None)),
        (["u", "weight"], {}, (0, 1, None)),
        (["when", "Receiver", "Sender", "n"], {}, (2, 1, None)),
        (["index", "friend"], {"source": 1, "target": 2}, (0, 1, None)),
        (["a", "from", "to"], {"source": "from"}, (1, 2, None)),
        (["a", "from", "to"], {"target": "to"}, (1, 2, None)),
        (["a", "from", "to"], {"source": "to", "target": "a"}, (2, 0, None)),
    ],
)
def test_columns_are_chosen(names: list[str], given: dict[str, Any], expected: tuple[int, int, int | None]) -> None:
    choice = choose_columns(names, ColumnRequest(**given), ParameterError)
    assert choice[:3] == expected
    assert choice.names == (names[expected[0]], names[expected[1]])


@for_each(
    ("names", "given", "advice"),
    [
        (["w", "x", "y"], {}, "`source='x'` `target='y'`"),
        (["from", "somewhere", "v"], {}, "`source='from'` `target='somewhere'`"),
        (["Unnamed: 0", "x", "y"], {}, "`source='x'` `target='y'`"),
        (["", "friend"], {}, "`source` and `target`"),
        (FLIGHTS, {"source": "orign"}, "`source='origin'` `target='dest'`"),
        (FLIGHTS, {"target": "Origin "}, "`source` and `target`"),
        (FLIGHTS, {"source": "dest", "target": "orig"}, "`source='dest'` `target='origin'`"),
        (FLIGHTS, {"weight": "flight"}, "`weight='flights'`"),
        (FLIGHTS, {"weight": "cost"}, "`weight`"),
        (FLIGHTS, {"weight": True}, "`weight`"),
        (["node", "h1", "h2"], {}, "`source` and `target`"),
    ],
)
def test_a_wrong_or_doubtful_choice_gets_the_right_arguments(names: list[str], given: Any, advice: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        choose_columns(names, ColumnRequest(**given), ParameterError)
    assert str(refusal.value).endswith(advice)
