// The engine: the program as a WebAssembly module, in a worker. It stands, packed, in a script of its own, so that it
// also comes from disk, where nothing may be fetched.
"use strict";

const Engine = (() => {
  let packed; // the promise of its bytes
  const fetched = (address) => packed ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(unpacked(LeewayEngine));
    script.onerror = () => fail(new Error("the engine could not be loaded"));
    document.head.append(script);
  });

  // unpacked returns bytes: four for every five digits, the highest first.
  const unpacked = ({ bytes, digits, packed }) => {
    const value = new Map([...digits].map((digit, i) => [digit.charCodeAt(0), i]));
    const view = new DataView(new ArrayBuffer(packed.length / 5 * 4));
    for (let i = 0, n = 0; i < packed.length; i++) {
      n = (i % 5 ? n * 85 : 0) + value.get(packed.charCodeAt(i));
      if (i % 5 === 4) view.setUint32((i - 4) / 5 * 4, n);
    }
    return new Uint8Array(view.buffer, 0, bytes);
  };

  // What the worker does until the engine has taken over.
  const boot = () => {
    onmessage = async ({ data }) => {
      const bytes = await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
      const go = new Go();
      const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
      go.run(instance);
    };
  };

  // start returns a worker with the engine from an address. It answers in any order what it is asked.
  async function start(address) {
    const bytes = await fetched(address);
    const source = URL.createObjectURL(new Blob([`(${LeewayEngine.run})();\n(${boot})();`], { type: "text/javascript" }));
    const worker = new Worker(source);
    const asked = new Map();
    let last = 0;
    await new Promise((done, fail) => {
      worker.onmessage = done; // it is there
      worker.onerror = fail;
      worker.postMessage(bytes);
    });
    URL.revokeObjectURL(source);
    worker.onmessage = ({ data }) => {
      const reply = JSON.parse(data), question = asked.get(reply.id);
      if (!question) return;
      if (reply.progress) {
        question.tell?.(reply.progress);
        return;
      }
      asked.delete(reply.id);
      if (reply.error) question.fail(Object.assign(new Error(reply.error), { hint: reply.hint || "" }));
      else question.done(reply.answer);
    };
    return {
      // ask returns the promise of the answer to a question; tell is called with signs of progress.
      ask(question, tell) {
        const id = ++last;
        return new Promise((done, fail) => {
          asked.set(id, { done, fail, tell });
          worker.postMessage(JSON.stringify({ ...question, id }));
        });
      },
      // stop ends what is asked: the answers are the best so far.
      stop() { for (const id of asked.keys()) worker.postMessage(JSON.stringify({ command: "stop", id })); },
      // end ends the worker, and what is asked without answers.
      end() {
        worker.terminate();
        for (const { fail } of asked.values()) fail(new Error("stopped"));
        asked.clear();
      },
    };
  }

  return { start };
})();
