"""`vnestruct demo`: the roles of the families of Florence, and a picture of both."""

from pathlib import Path
from typing import Annotated

from vnestruct import roles
from vnestruct.cli.options import option
from vnestruct.cli.output import Console, print_json, print_text
from vnestruct.drawing.pictures import check_graph_picture

MARRIAGES = (
    ("Acciaiuoli", "Medici"), ("Albizzi", "Ginori"), ("Albizzi", "Guadagni"), ("Albizzi", "Medici"),
    ("Barbadori", "Castellani"), ("Barbadori", "Medici"), ("Bischeri", "Guadagni"), ("Bischeri", "Peruzzi"),
    ("Bischeri", "Strozzi"), ("Castellani", "Peruzzi"), ("Castellani", "Strozzi"), ("Guadagni", "Lamberteschi"),
    ("Guadagni", "Tornabuoni"), ("Medici", "Ridolfi"), ("Medici", "Salviati"), ("Medici", "Tornabuoni"),
    ("Pazzi", "Salviati"), ("Peruzzi", "Strozzi"), ("Ridolfi", "Strozzi"), ("Ridolfi", "Tornabuoni"),
)  # fmt: skip
"""Marriages between families of Florence, 1394 to 1434 (Padgett and Ansell 1993, doi:10.1086/230190)."""

Output = Annotated[Path, option("--output -o", "FILE", "Where to save the picture: .png, .svg or .pdf.")]


def demo(*, output: Output = Path("demo/families.png"), console: Console) -> None:
    """Find the roles of the families of Florence and draw them.

    The graph has 15 families, about 1430, linked by marriage. Families with the same role may be far apart: it
    depends only on how their surroundings look.

    Examples
    --------
    vnestruct demo
    vnestruct demo -o families.svg
    """
    check_graph_picture(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    console.check_outputs(str(output))
    model = roles.RoleClusterer(n_jobs=1).fit(MARRIAGES)
    roles.draw_roles(output, model, title="Families of Florence, linked by marriage, and their roles")
    members = {role.description: model.nodes_[model.labels_ == role.role].tolist() for role in model.describe()}
    if console.json:
        rows = [{"role": name, "nodes": nodes} for name, nodes in zip(model.names_, members.values(), strict=True)]
        print_json({"roles": rows, "picture": str(output)})
        return
    print_text(f"{len(model.nodes_)} families of Florence, {len(MARRIAGES)} marriages, {len(members)} roles:", "")
    for description, nodes in members.items():
        print_text(f"  {description}", f"    {', '.join(nodes)}")
    print_text("", f"The picture is in {output}")
