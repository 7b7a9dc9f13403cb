// Links and marks of a plot by WebGL: one call for all links, one for all marks.

const POINTS = `#version 300 es
in vec2 position; in float size; in float shape; in vec4 colour;
uniform vec2 scale, shift; uniform float grow;
out vec4 tint; flat out float cell;
void main() {
  gl_Position = vec4(position * scale + shift, 0.0, 1.0);
  gl_PointSize = max(2.0, size * grow);
  tint = colour; cell = shape;
}`;
const MARKS = `#version 300 es
precision mediump float;
in vec4 tint; flat in float cell; uniform sampler2D atlas; uniform vec3 outline; out vec4 result;
void main() {
  vec4 mark = texture(atlas, vec2((cell + gl_PointCoord.x) / ${SHAPES.length}.0, gl_PointCoord.y));
  float fill = mark.a > 0.0 ? mark.r / mark.a : 0.0;
  result = vec4(mix(outline, tint.rgb, fill), mark.a * tint.a);
  if (result.a < 0.01) discard;
}`;
const LINES = `#version 300 es
in vec2 position; uniform vec2 scale, shift;
void main() { gl_Position = vec4(position * scale + shift, 0.0, 1.0); }`;
const STROKES = `#version 300 es
precision mediump float;
uniform vec4 stroke; out vec4 result;
void main() { result = stroke; }`;

class WebGlPainter {
  // Lines need smoothing; marks have smooth edges already.
  static make(canvas, antialias) {
    const gl = canvas.getContext("webgl2", { antialias, preserveDrawingBuffer: true });
    return gl && new WebGlPainter(gl);
  }

  constructor(gl) {
    this.gl = gl;
    this.points = this.program(POINTS, MARKS);
    this.lines = this.program(LINES, STROKES);
    this.buffers = {};
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, shapeAtlas(64));
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const part = gl.createShader(kind);
      gl.shaderSource(part, text);
      gl.compileShader(part);
      gl.attachShader(program, part);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  // Send an array to the graphics card: "position", "size", "shape", "colour", or the lists "order", "links", "own".
  set(name, array) {
    const { gl } = this;
    const list = name === "order" || name === "links" || name === "own";
    const kind = list ? gl.ELEMENT_ARRAY_BUFFER : gl.ARRAY_BUFFER;
    this.buffers[name] ??= { kind, buffer: gl.createBuffer() };
    this.buffers[name].count = array.length;
    gl.bindBuffer(kind, this.buffers[name].buffer);
    gl.bufferData(kind, array, gl.STATIC_DRAW);
  }

  attribute(program, name, size, type, normalised = false) {
    const { gl } = this;
    const place = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name].buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, normalised, 0, 0);
  }

  paint(view, ratio, style) {
    const { gl } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const [a, b] = view.middle;
    const scale = [(2 * view.sx) / view.width, (2 * view.sy) / view.height];
    const shift = [(2 * a) / view.width - 1 - view.x * scale[0], 1 - (2 * b) / view.height - view.y * scale[1]];
    for (const program of [this.lines, this.points]) {
      gl.useProgram(program);
      gl.uniform2fv(gl.getUniformLocation(program, "scale"), scale);
      gl.uniform2fv(gl.getUniformLocation(program, "shift"), shift);
    }
    gl.useProgram(this.lines);
    this.attribute(this.lines, "position", 2, gl.FLOAT);
    for (const [name, stroke] of [["links", style.links], ["own", style.own]]) {
      if (!stroke || !this.buffers[name]?.count) continue;
      gl.uniform4fv(gl.getUniformLocation(this.lines, "stroke"), stroke);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers[name].buffer);
      gl.drawElements(gl.LINES, this.buffers[name].count, gl.UNSIGNED_INT, 0);
    }
    gl.useProgram(this.points);
    this.attribute(this.points, "position", 2, gl.FLOAT);
    this.attribute(this.points, "size", 1, gl.FLOAT);
    this.attribute(this.points, "shape", 1, gl.UNSIGNED_BYTE);
    this.attribute(this.points, "colour", 4, gl.UNSIGNED_BYTE, true);
    gl.uniform1f(gl.getUniformLocation(this.points, "grow"), 2 * REACH * ratio * style.grow);
    gl.uniform3fv(gl.getUniformLocation(this.points, "outline"), style.outline);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.order.buffer);
    gl.drawElements(gl.POINTS, this.buffers.order.count, gl.UNSIGNED_INT, 0);
  }
}
