// The same marks and links without WebGL: on a plain canvas, and as the text of an SVG picture.

class CanvasPainter {
  constructor(canvas) {
    this.brush = canvas.getContext("2d");
    this.arrays = {};
  }

  set(name, array) { this.arrays[name] = array; }

  paint(view, ratio, style) {
    const { brush, arrays } = this;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, view.width, view.height);
    for (const [name, stroke] of [["links", style.links], ["own", style.own]]) {
      if (!stroke || !arrays[name]?.length) continue;
      brush.strokeStyle = rgba(stroke);
      brush.lineWidth = 1;
      brush.beginPath();
      for (let i = 0; i < arrays[name].length; i += 2) {
        brush.moveTo(...this.at(view, arrays[name][i]));
        brush.lineTo(...this.at(view, arrays[name][i + 1]));
      }
      brush.stroke();
    }
    for (const mark of visibleMarks(view, arrays, style.grow)) {
      brush.fillStyle = mark.colour;
      brush.globalAlpha = mark.alpha;
      brush.fill(new Path2D(shapePath(mark.shape, mark.x, mark.y, mark.radius)));
    }
    brush.globalAlpha = 1;
  }

  at(view, place) {
    return view.toScreen(this.arrays.position[2 * place], this.arrays.position[2 * place + 1]);
  }
}

function rgba([red, green, blue, alpha]) {
  return `rgb(${[red, green, blue].map((one) => Math.round(255 * one)).join(" ")} / ${alpha})`;
}

function* visibleMarks(view, arrays, grow) {
  for (const place of arrays.order) {
    const [x, y] = view.toScreen(arrays.position[2 * place], arrays.position[2 * place + 1]);
    if (x < -20 || y < -20 || x > view.width + 20 || y > view.height + 20) continue;
    const [red, green, blue, alpha] = arrays.colour.subarray(4 * place, 4 * place + 4);
    const colour = `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
    yield { x, y, colour, alpha: alpha / 255, shape: arrays.shape[place], radius: Math.max(1, arrays.size[place] * grow) };
  }
}

// A plot as an SVG picture; links that are wholly outside are left out.
function plotAsSvg(plot) {
  const { view, arrays } = plot;
  const style = plot.style();
  const result = picture(view.width, view.height);
  result.append(shape("rect", { width: view.width, height: view.height, fill: themeColour("--card") }));
  const at = (place) => view.toScreen(arrays.position[2 * place], arrays.position[2 * place + 1]);
  for (const [name, stroke] of [["links", style.links], ["own", style.own]]) {
    const lines = [];
    for (let i = 0; stroke && i < arrays[name].length; i += 2) {
      const [a, b] = [at(arrays[name][i]), at(arrays[name][i + 1])];
      const outside = Math.max(a[0], b[0]) < 0 || Math.min(a[0], b[0]) > view.width
        || Math.max(a[1], b[1]) < 0 || Math.min(a[1], b[1]) > view.height;
      if (!outside) lines.push(`M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${b[0].toFixed(1)} ${b[1].toFixed(1)}`);
    }
    if (lines.length) {
      const [red, green, blue, alpha] = stroke;
      result.append(shape("path", { d: lines.join(""), fill: "none", stroke: rgba([red, green, blue, 1]), "stroke-opacity": alpha }));
    }
  }
  for (const one of visibleMarks(view, arrays, style.grow)) {
    result.append(shape("path", { d: shapePath(one.shape, one.x, one.y, one.radius), fill: one.colour, "fill-opacity": one.alpha.toFixed(2) }));
  }
  for (const { text, x, y, size, anchor } of [...plot.axisWords(), ...plot.labelWords()]) {
    result.append(words(text, x, y, { "font-size": size, "text-anchor": anchor }));
  }
  return result;
}
