package cluster

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"leeway/core/coretest"
	"leeway/search/cluster/queue"
)

// TestThreeNodes proves over an outside cluster of three servers of which one is shut
// down in the middle: the one that the coordinator is connected to.
func TestThreeNodes(t *testing.T) {
	if !coretest.Long() {
		t.Skip("starts three servers; make test-long runs it")
	}
	nodes, urls := threeNodes(t)
	lead := coretest.Must(queue.Dial(t.Context(), queue.Access{URLs: strings.Join(urls, ","), Name: "lead", Lead: true,
		Replicas: 3, Patience: 3 * time.Second}))
	defer func() { _ = lead.Close() }()
	worker := coretest.Must(queue.Dial(t.Context(), queue.Access{URLs: strings.Join(urls[1:], ",")}))
	defer func() { _ = worker.Close() }()
	startWorkers(t, worker, workerOptions("one"), workerOptions("two"))
	x := newTree()
	x.done = func(proved int) {
		if proved == 5 {
			for _, n := range nodes {
				if connected(n, "lead") {
					n.Shutdown()
				}
			}
		}
	}
	x.complete(t, open(t, lead).Prove(t.Context(), x.shared()))
}

// connected reports whether a connection of some name is one to a server.
func connected(s *server.Server, name string) bool {
	list, err := s.Connz(&server.ConnzOptions{})
	return err == nil && slices.ContainsFunc(list.Conns, func(c *server.ConnInfo) bool { return c.Name == name })
}

// threeNodes starts a cluster of three servers and waits until it has a leader.
func threeNodes(t *testing.T) (nodes []*server.Server, urls []string) {
	t.Helper()
	var ports []int
	var routes []*url.URL
	for range 3 {
		l := coretest.Must(net.Listen("tcp", "127.0.0.1:0"))
		port := l.Addr().(*net.TCPAddr).Port
		coretest.Try(l.Close())
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	for i, port := range ports {
		s := coretest.Must(server.NewServer(&server.Options{ServerName: fmt.Sprintf("n%d", i), Host: "127.0.0.1", Port: -1,
			JetStream: true, StoreDir: t.TempDir(),
			NoLog: true, NoSigs: true, Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: port},
			Routes: routes}))
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		nodes = append(nodes, s)
	}
	for _, s := range nodes {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a server did not start")
		}
		urls = append(urls, s.ClientURL())
	}
	return nodes, urls
}
