package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestTransport: keys cross a network only with TLS, or when somebody insists.
func TestTransport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listen string
		t      transport
		ok     bool
	}{
		{"127.0.0.1:8080", transport{}, true},
		{"[::1]:8080", transport{}, true},
		{"localhost:0", transport{}, true},
		{"0.0.0.0:8080", transport{}, false},
		{":8080", transport{}, false},
		{"192.0.2.1:8080", transport{}, false},
		{"example.com:8080", transport{}, false},
		{"8080", transport{insecure: true}, false},
		{"0.0.0.0:8080", transport{insecure: true}, true},
		{"0.0.0.0:8080", transport{cert: "c", key: "k"}, true},
	} {
		if err := c.t.check(c.listen); (err == nil) != c.ok {
			t.Errorf("%s %+v: %v", c.listen, c.t, err)
		}
	}
	for _, bad := range []transport{{cert: "c"}, {key: "k"}, {cert: "missing", key: "missing"}} {
		if _, err := bad.config(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// TestServeTLS serves https, accepts a token that service token made, and stops when it
// is told to.
func TestServeTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key, roots := certificate(t, dir)
	db := filepath.Join(dir, "service.db")
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan int, 1)
	go func() {
		args := []string{"serve", "--sample", "--database", db, "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key}
		done <- run(ctx, args, stdio{in: strings.NewReader(""), out: in, err: io.Discard, now: time.Now})
		_ = in.Close()
	}()
	url := address(t, out)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	t.Cleanup(client.CloseIdleConnections)
	var token, talk bytes.Buffer
	args := []string{"service", "token", "--user", "grace@acme.example", "--ttl", "5m", "--database", db}
	if code := run(ctx, args, stdio{in: strings.NewReader(""), out: &token, err: &talk, now: time.Now}); code != 0 {
		t.Fatalf("service token: %d %s", code, talk.String())
	}
	if strings.Contains(talk.String(), strings.TrimSpace(token.String())) || !strings.Contains(talk.String(), "manager") {
		t.Errorf("stderr: %s", talk.String())
	}
	get := func(path, key string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp
	}
	if resp := get("/api/v0/organization/users", strings.TrimSpace(token.String())); resp.StatusCode != http.StatusOK || resp.ProtoMajor != 2 {
		t.Errorf("with the token: %s %s", resp.Status, resp.Proto)
	}
	if code := run(ctx, []string{"service", "token", "end", "--database", db}, stdio{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now}); code != 0 {
		t.Errorf("service token end: %d", code)
	}
	if resp := get("/api/v0/organization/users", strings.TrimSpace(token.String())); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("after token end: %s", resp.Status)
	}
	stop()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("serve does not stop")
	}
}

// address reads what serve prints until it says where it listens, and the rest.
func address(t *testing.T, out io.Reader) string {
	t.Helper()
	buffer := make([]byte, 4096)
	n, err := out.Read(buffer)
	if err != nil {
		t.Fatal("serve ended early:", err)
	}
	m := regexp.MustCompile(`listening on (https://\S+)`).FindSubmatch(buffer[:n])
	if m == nil {
		t.Fatalf("serve says %q", buffer[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends when serve does
	return string(m[1])
}

// certificate makes a certificate for loopback that signs itself.
func certificate(t *testing.T, dir string) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile, roots
}
