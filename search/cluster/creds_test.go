package cluster

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"leeway/core/coretest"
	"leeway/search/cluster/queue"
)

// A signer is a key pair with its public part.
type signer struct {
	nkeys.KeyPair
	public string
}

func newSigner(t *testing.T, create func() (nkeys.KeyPair, error)) signer {
	t.Helper()
	pair := coretest.Must(create())
	public := coretest.Must(pair.PublicKey())
	return signer{pair, public}
}

// credsOf writes the credentials of a new user of an account.
func credsOf(t *testing.T, account signer) string {
	t.Helper()
	user := newSigner(t, nkeys.CreateUser)
	text := coretest.Must(jwt.NewUserClaims(user.public).Encode(account))
	seed := coretest.Must(user.Seed())
	creds := coretest.Must(jwt.FormatUserConfig(text, seed))
	file := filepath.Join(t.TempDir(), "user.creds")
	coretest.Try(os.WriteFile(file, creds, 0o600))
	return file
}

// TestCredentials proves over an outside server that knows an account by its token in
// the form JWT, with JetStream: users of that account may join, others not.
func TestCredentials(t *testing.T) {
	operator := newSigner(t, nkeys.CreateOperator)
	account, system := newSigner(t, nkeys.CreateAccount), newSigner(t, nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(account.public)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit,
		Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	accounts := &server.MemAccResolver{}
	for _, c := range []*jwt.AccountClaims{claims, jwt.NewAccountClaims(system.public)} {
		text := coretest.Must(c.Encode(operator))
		coretest.Try(accounts.Store(c.Subject, text))
	}
	s := coretest.Must(server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true,
		StoreDir: t.TempDir(),
		NoLog:    true, NoSigs: true,
		TrustedKeys: []string{operator.public}, AccountResolver: accounts, SystemAccount: system.public}))
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server did not start")
	}
	for _, file := range []string{"", credsOf(t, newSigner(t, nkeys.CreateAccount))} {
		if _, err := queue.Dial(t.Context(), queue.Access{URLs: s.ClientURL(), CredsFile: file, Lead: true}); err == nil {
			t.Errorf("credentials %q open", file)
		}
	}
	queue := func(lead bool) queue.Queue {
		q := coretest.Must(queue.Dial(t.Context(), queue.Access{URLs: s.ClientURL(), CredsFile: credsOf(t, account),
			Lead: lead}))
		t.Cleanup(func() { _ = q.Close() })
		return q
	}
	x := newTree()
	c := open(t, queue(true))
	startWorkers(t, queue(false), workerOptions("one"))
	x.complete(t, c.Prove(t.Context(), x.shared()))
}
