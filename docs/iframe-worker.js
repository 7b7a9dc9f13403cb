// Search in pages opened from disk. Browsers refuse to start a worker from a file, so its script runs in a hidden frame
// that passes messages on; the rest of the site does not notice.
if (location.protocol === "file:") {
  // The script of the search asks for this name to find out where it is.
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.receive(data);
      inside.importScripts = (...scripts) => this.load(scripts);
      this.load([address]).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    load(scripts) {
      const inside = this.frame.contentDocument;
      return scripts.reduce(
        (before, address) =>
          before.then(
            () =>
              new Promise((resolve, reject) => {
                const script = inside.createElement("script");
                script.src = new URL(address, location.href).href;
                script.onload = resolve;
                script.onerror = reject;
                inside.head.append(script);
              }),
          ),
        Promise.resolve(),
      );
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    receive(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
