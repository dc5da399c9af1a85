package objective_test

import (
	"errors"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

func TestParseTraffic(t *testing.T) {
	for text, want := range map[string]string{"all": "all", "clients": "clients:request=1:reply=1",
		"clients:reply=4": "clients:request=1:reply=4", "clients:reply=0:request=2": "clients:request=2:reply=0"} {
		if got, err := objective.ParseTraffic(text); err != nil || got.String() != want {
			t.Errorf("%s reads as %s, error %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"": "unknown traffic", "client": "unknown traffic",
		"all:request=1": "does not take this option", "clients:request=-1": "outside 0..", "clients:2": "does not take",
		"clients:request=0:reply=0": "nothing is sent", "clients:request=01": "not a whole number",
		"clients:request=9999999": "outside 0..1048576"} {
		_, err := objective.ParseTraffic(text)
		if wrong := (*core.InputError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestTrafficThatCannotBe(t *testing.T) {
	torus := core.MustTorus(4, 4)
	odr := objective.Problem{Routing: coretest.Must(routing.Parse(torus, "odr")), Size: 4}
	xy := coretest.Must(routing.Parse(torus, "xy"))
	rng := coretest.Rng(1, 1)
	one := objective.Traffic{Request: 1, Reply: 1}
	replies := func(r routing.Routing) objective.Traffic { return objective.Traffic{Request: 1, Reply: 1, Replies: r} }
	for _, c := range []struct {
		p    objective.Problem
		t    objective.Traffic
		want string
	}{
		{odr, objective.Traffic{Request: -1, Reply: 1}, "lie in 0..1048576"},
		{odr, objective.Traffic{Replies: xy}, "all-to-all traffic has no replies"},
		{odr, objective.Traffic{Request: 1, Replies: xy}, "needs requests and replies"},
		{odr, objective.Traffic{Reply: 1, Replies: xy}, "needs requests and replies"},
		{odr, replies(routing.NewAvoid(torus, routing.TieBoth)), "depend on the placement"},
		{odr, replies(coretest.Table(rng, torus, false)), "cannot be routed by a table"},
		{odr, replies(routing.NewUDR(core.MustTorus(4, 5), routing.TieBoth)), "another network than 4x4"},
		{objective.Problem{Routing: routing.NewAvoid(torus, routing.TieBoth)}, one, "depend on the placement"},
		{objective.FreeProblem(torus, routing.Free{}), one, "a free routing is for all-to-all traffic"},
		{objective.Problem{Routing: coretest.Must(routing.NewTable(torus, true, nil))}, one, "0 of the 240 ordered pairs"},
	} {
		_, err := c.p.WithTraffic(c.t)
		if wrong := (*core.InputError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.t, err, c.want)
		}
	}
	p := coretest.Must(odr.WithTraffic(replies(xy)))
	want := "--torus 4x4 --size 4 --routing odr:tie=plus --traffic clients:request=1:reply=1 " +
		"--reply-routing odr:order=1,0:tie=plus"
	if p.String() != want {
		t.Errorf("%s, want %s", p, want)
	}
	if p = coretest.Must(p.WithTraffic(replies(coretest.Must(routing.Parse(torus, "yx"))))); p.Traffic.Replies != nil {
		t.Error("the routing of the requests is kept as one of its own for replies")
	}
	if p = coretest.Must(p.WithTraffic(objective.Traffic{})); p.Traffic.Clients() {
		t.Error("all-to-all traffic has clients")
	}
}
