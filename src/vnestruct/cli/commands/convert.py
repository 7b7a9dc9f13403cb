"""`vnestruct convert`: a graph from one file format to another."""

from typing import Annotated

from vnestruct import io
from vnestruct.cli.options import GraphOptions, OutputFormat, argument
from vnestruct.cli.output import Console, place_of, print_json
from vnestruct.errors import ParameterError
from vnestruct.io.registry import format_named, format_of_path

Output = Annotated[
    str, argument("OUT", "File to write; its suffix gives the format and compression; - for standard output.")
]


def convert(*, graph: GraphOptions, output: Output, output_format: OutputFormat = None, console: Console) -> None:
    """Write a graph in another file format.

    Reports what the other format cannot store. The format .vng keeps everything and is mapped into memory instead of
    being read: convert a large graph to it once and use that file from then on.

    Examples
    --------
    vnestruct convert web.txt.gz web.vng
    vnestruct convert flights.csv flights.graphml --source from --target to --directed
    vnestruct convert web.vng - --output-format edgelist
    """
    if output_format is not None:
        format_named(output_format)[0].load_writer()
    elif format_of_path(output) is None:
        raise ParameterError(f"cannot tell the format of {output}; use a known suffix or --output-format")
    console.check_outputs(shown=output)
    loaded = graph.load(console)
    lost = io.write_graph(loaded, output, output_format)
    for loss in lost:
        console.note(f"Note: {loss}.")
    console.note(f"Wrote {place_of(output)}.")
    if console.json:
        print_json(graph.facts(loaded) | {"output": output, "lost": lost})
