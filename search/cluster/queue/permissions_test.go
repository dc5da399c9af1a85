package queue

import (
	"testing"

	"leeway/core/coretest"
	"leeway/search/cluster/message"
)

// TestWorkerMayNotWrite has somebody with the token of a server of this process try what only the
// coordinator may do, and flood what workers may write to.
func TestWorkerMayNotWrite(t *testing.T) {
	s := coretest.Must(Start(Listen{Host: "127.0.0.1", Port: -1}))
	t.Cleanup(s.Stop)
	dial := func(a Access) *Nats {
		a.URLs, a.Token = "nats://"+s.Addr(), s.Token()
		q := coretest.Must(Dial(t.Context(), a))
		t.Cleanup(func() { _ = q.Close() })
		return q
	}
	lead := dial(Access{Lead: true, Server: s})
	worker := dial(Access{})
	ctx := t.Context()
	coretest.Try(lead.Put(ctx, message.KeyQuestion, []byte("true"), Any))
	for _, subject := range []string{"leeway.ledger", "leeway.unit.x", "$KV.leeway.question", "$KV.leeway.job",
		"$JS.API.STREAM.PURGE.leeway-ledger", "$JS.API.STREAM.DELETE.leeway-units", "$JS.API.STREAM.DELETE.KV_leeway",
		"$JS.API.STREAM.UPDATE.leeway-results", "$JS.API.STREAM.CREATE.more",
		"$JS.API.CONSUMER.DELETE.leeway-units.workers", "$JS.API.CONSUMER.CREATE.leeway-results",
		"$JS.API.CONSUMER.MSG.NEXT.leeway-results.coordinator"} {
		coretest.Try(worker.conn.Publish(subject, []byte("{}")))
	}
	junk := make([]byte, 1<<20)
	for range 130 { // 64 MiB are twice in that
		coretest.Try(worker.conn.Publish("leeway.result", junk))
	}
	coretest.Try(worker.conn.Flush())
	if f, err := lead.Get(ctx, message.KeyQuestion); err != nil || string(f.Value) != "true" {
		t.Errorf("the question is %s, %v", f.Value, err)
	}
	for name, most := range map[string]uint64{"leeway-units": 0, "leeway-ledger": 0, "leeway-results": 64 << 20} {
		stream := coretest.Must(lead.js.Stream(ctx, name))
		if have := stream.CachedInfo().State.Bytes; have > most {
			t.Errorf("%s holds %d bytes", name, have)
		}
	}
}
