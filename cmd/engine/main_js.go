// Command engine is package leeway/cmd/work/engine as a WebAssembly module, in a worker of a browser: it answers the
// messages that the worker gets.
package main

import (
	"encoding/json"
	"syscall/js"

	"leeway/cmd/work"
	"leeway/cmd/work/engine"
)

func main() {
	page := js.Global()
	e := &engine.Engine{Version: work.Version, Send: func(r engine.Reply) {
		text, err := json.Marshal(r)
		if err != nil {
			text, _ = json.Marshal(engine.Reply{ID: r.ID, Error: err.Error()}) // of texts and numbers
		}
		page.Call("postMessage", string(text))
	}}
	page.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.Handle(args[0].Get("data").String())
		return nil
	}))
	page.Call("postMessage", `{"ready":true}`)
	select {}
}
