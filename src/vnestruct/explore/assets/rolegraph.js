// The graph of roles: one mark per role, as large as its share, and lines as wide as the roles meet often.

function drawRoleGraph(page) {
  const host = byId("rolegraph");
  const { width, height } = host.getBoundingClientRect();
  if (width < 50 || height < 50) return;
  const { roles, meetings } = page.data;
  const { shares } = page;
  const result = picture(width, height, {}, shape("rect", { width, height, fill: themeColour("--card") }));
  const room = Math.min(width, height);
  const narrow = width < 520;
  const largest = narrow ? 20 : Math.max(10, room * Math.min(0.085, 0.5 / roles.length));
  const wide = Math.min(0.5 * width - Math.min(110, 0.2 * width), 0.75 * width);
  // Room for the largest mark above and for its words below; three marks fill it better if the middle is lower.
  const [above, under] = [1.3 * largest + 24, 1.3 * largest + 72];
  const tall = (height - above - under) / (1 + (roles.length === 3 ? Math.sin(Math.PI / 6) : 1));
  const middle = above + tall;
  const places = roles.map((_, i) => {
    if (roles.length === 1) return [width / 2, height / 2];
    // A narrow picture has two columns instead of a circle, which leaves room for words.
    if (narrow) return [width * (i % 2 ? 0.74 : 0.26), above + ((height - above - under) * i) / (roles.length - 1)];
    const angle = (2 * Math.PI * i) / roles.length - Math.PI / 2;
    return [width / 2 + wide * Math.cos(angle), middle + tall * Math.sin(angle)];
  });
  const radius = (role) => Math.max(6, largest * Math.sqrt(shares[role] / Math.max(...shares)));
  const most = Math.max(1, ...meetings.flat());
  const lines = roles.flatMap((_, a) => roles.slice(a).map((other) => [a, other.role, meetings[a][other.role]]));
  for (const [a, b, count] of lines.sort((one, two) => one[2] - two[2])) {
    if (count === 0) continue;
    const chosen = page.role === a || page.role === b;
    const style = {
      fill: "none", stroke: themeColour(chosen ? "--accent" : "--muted"), "stroke-linecap": "round",
      "stroke-width": Math.max(0.6, (narrow ? 9 : 16) * Math.sqrt(count / most)), "stroke-opacity": page.role >= 0 && !chosen ? 0.12 : 0.3,
    };
    const [x, y] = places[a];
    // Links inside a role are a ring around its mark.
    result.append(a === b
      ? shape("circle", { cx: x, cy: y, r: 1.25 * radius(a) + 4 + style["stroke-width"] / 2, ...style }, title(`${counted(count, "link")} inside: ${roles[a].name}`))
      : shape("line", { x1: x, y1: y, x2: places[b][0], y2: places[b][1], ...style }, title(`${counted(count, "link")} between: ${roles[a].name}; ${roles[b].name}`)));
  }
  roles.forEach((one, role) => {
    const [x, y] = places[role];
    const group = shape("g", { tabindex: 0, role: "button", "aria-label": `Select role: ${one.name}`, "data-role": role, cursor: "pointer" },
      title(one.description), mark(page, role, x, y, radius(role), { stroke: themeColour(role === page.role ? "--ink" : "--card"), "stroke-width": role === page.role ? 3 : 1.5 }));
    const column = narrow ? 22 : Math.max(12, Math.min(22, Math.floor(width / 7 / Math.max(2.4, roles.length / 3))));
    const below = 1.25 * radius(role) + 20 + 14 * Math.sqrt(meetings[role][role] / most);
    [...wrapped(one.name, column), `${percent(shares[role])} of nodes`].forEach((line, i, all) => {
      const half = 3.4 * line.length;
      group.append(words(line, Math.min(width - half - 3, Math.max(half + 3, x)), y + below + 14 * i,
        { "text-anchor": "middle", "font-weight": i < all.length - 1 ? 600 : 400, ...(i === all.length - 1 && { fill: themeColour("--muted") }) }));
    });
    const select = () => page.selectRole(role);
    group.onclick = select;
    group.ondblclick = () => page.show("graph");
    group.onpointerenter = () => page.point(role);
    group.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      select();
      host.querySelector(`[data-role="${role}"]`)?.focus();
    };
    result.append(group);
  });
  host.replaceChildren(result);
}

views.push(drawRoleGraph);
