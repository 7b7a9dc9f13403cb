// Time: a slider over periods, what has changed in each, and the role of every node then.

const STEP = 700;
const NONE = -1;

function readPeriods(data) {
  const { periods } = data;
  if (!periods) return;
  periods.counts = periods.start.map((_, period) => {
    const counts = data.roles.map(() => 0);
    for (const role of rolesIn(data, period)) if (role < counts.length) counts[role] += 1;
    return counts;
  });
}

// A date for what looks like one, else the number.
function momentOf(seconds) {
  if (!(seconds > 1e8 && seconds < 2.5e11)) return String(seconds);
  return new Date(1000 * seconds).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");
}

// The role of every node in a period; a number that no role has where the node has no link.
function rolesIn(data, period) {
  return data.periodRoles.subarray(period * data.nodes, (period + 1) * data.nodes);
}

function startTime(page) {
  const { periods } = page.data;
  if (!periods) return;
  const last = periods.start.length - 1;
  byId("time").hidden = false;
  byId("period").max = last + 1;
  byId("period").oninput = () => choosePeriod(page, byId("period").value - 1);
  byId("all-periods").onclick = () => choosePeriod(page, NONE);
  byId("play").onclick = () => {
    if (page.playing) { stopPlaying(page); return; }
    byId("play").textContent = "Pause";
    const next = () => {
      showPeriod(page, page.period >= last ? 0 : page.period + 1);
      if (page.period === last) stopPlaying(page);
    };
    page.playing = setInterval(next, STEP);
    next();
  };
  new ResizeObserver(() => drawScores(page)).observe(byId("scores"));
  describePeriod(page);
}

function stopPlaying(page) {
  clearInterval(page.playing);
  page.playing = null;
  byId("play").textContent = "Play";
}

function choosePeriod(page, period) {
  stopPlaying(page);
  showPeriod(page, period);
}

// Show one period, or NONE for all of them.
function showPeriod(page, period) {
  const { data, plots: { drawing } } = page;
  const now = period < 0 ? null : rolesIn(data, period);
  const isThere = (node) => !now || now[node] < data.roles.length;
  Object.assign(page, { period, now, active: now && [...now.keys()].filter(isThere) });
  describePeriod(page);
  const { node, links } = drawing.points;
  drawing.shapes = Uint8Array.from(node, (one) => shapeOf((isThere(one) && now ? now : data.role)[one]));
  drawing.links = links.filter((_, i) => isThere(node[links[i & ~1]]) && isThere(node[links[i | 1]]));
  page.show(page.view);
  page.recolour();
  if (page.role >= 0) page.selectRole(page.role);
  else page.select(page.nodes);
}

// The words beside the slider, and the numbers of nodes on the cards.
function describePeriod(page) {
  const { data: { periods, roles }, period } = page;
  let text = `All ${counted(periods.start.length, "period")}: move the slider to see one${periods.left ? `; ${number(periods.left)} earlier ones are left out` : ""}`;
  const counts = periods.counts[period];
  const total = counts?.reduce((sum, count) => sum + count, 0);
  if (counts) {
    const rank = 1 + periods.scores.filter((score, other) => score > periods.scores[period] || (score === periods.scores[period] && other < period)).length;
    text = `${momentOf(periods.start[period])} · ${counted(total, "node")}, ${counted(periods.links[period], "link")} · change score `
      + `${periods.scores[period].toFixed(2)}, number ${rank} of ${periods.start.length}`;
  }
  byId("time-caption").textContent = text;
  byId("period").value = period + 1;
  byId("period").setAttribute("aria-valuetext", text);
  byId("all-periods").setAttribute("aria-pressed", String(period < 0));
  page.shares = roles.map((one) => (counts ? counts[one.role] / Math.max(total, 1) : one.share));
  document.querySelectorAll("#roles .role .facts").forEach((facts, role) => {
    facts.textContent = counts ? `${counted(counts[role], "node")} then, ${percent(page.shares[role])}` : cardFacts(roles[role]);
  });
  drawScores(page);
}

// One bar per period; the one that is shown stands out. Bars stand above the places of the slider's thumb.
function drawScores(page) {
  const { periods } = page.data;
  const { width, height } = byId("scores").getBoundingClientRect();
  if (!periods || width < 50) return;
  const most = Math.max(1e-9, ...periods.scores);
  const room = (width - 16) / periods.start.length;
  byId("scores").replaceChildren(picture(width, height, { role: "img", "aria-label": "Change score of each period" }, ...periods.scores.flatMap((score, period) => {
    const tall = Math.max(1, (score / most) * (height - 2));
    const shown = period === page.period;
    const middle = 8 + (period + 1) * room;
    const bar = shape("rect", {
      x: middle - Math.max(1, 0.35 * room), width: Math.max(2, 0.7 * room), y: height - tall, height: tall,
      fill: themeColour(shown ? "--accent" : "--muted"), "fill-opacity": shown || page.period < 0 ? 1 : 0.5,
    });
    // A low bar is clicked above it.
    const target = shape("rect", { x: middle - room / 2, width: room, height, "fill-opacity": 0, cursor: "pointer", "data-period": period },
      title(`${momentOf(periods.start[period])}: ${score.toFixed(2)}`));
    target.onclick = () => choosePeriod(page, period);
    return [bar, target];
  })));
}

// The roles of one node over time, in colours; a gap where it has no link.
function timeSection(page, node) {
  const { data, data: { periods } } = page;
  if (!periods) return [];
  const width = Math.max(220, byId("chosen").clientWidth || 300);
  const room = width / periods.start.length;
  const strip = picture(width, 22, { role: "img", "aria-label": "Role in each period", id: "history" });
  periods.start.forEach((start, period) => {
    const role = data.roles[rolesIn(data, period)[node]];
    if (!role) return;
    const style = { y: 0, width: Math.max(1, room - (room > 4 ? 1 : 0)), height: 16, fill: roleColour(page, role.role), cursor: "pointer", "data-period": period };
    const bar = shape("rect", { x: period * room, ...style }, title(`${momentOf(start)}: ${role.name}`));
    bar.onclick = () => showPeriod(page, period);
    strip.append(bar);
  });
  if (page.period >= 0) strip.append(shape("rect", { x: page.period * room, y: 18, width: Math.max(3, room), height: 4, fill: themeColour("--accent") }));
  return [element("h3", { text: "Role over time" }), strip];
}

views.push(drawScores);
