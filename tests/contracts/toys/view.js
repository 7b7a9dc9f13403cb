// A toy view of the page: a card with the number of selected nodes.

function drawTally(page) {
  const card = byId("tally") ?? element("section", { id: "tally", className: "card" });
  card.replaceChildren(element("p", { text: counted(page.nodes.length, "node") }));
  document.querySelector("main").append(card);
}

views.push(drawTally);
