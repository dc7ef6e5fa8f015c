package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"
)

// transport is how a server protects what crosses the network.
type transport struct {
	cert, key string // files in PEM
	insecure  bool   // plain http also beyond this machine
}

func (t *transport) bind(c *cobra.Command) {
	c.Flags().StringVar(&t.cert, "tls-cert", "", "serve https with this certificate chain (PEM); needs --tls-key")
	c.Flags().StringVar(&t.key, "tls-key", "", "private key of the certificate (PEM)")
	c.Flags().BoolVar(&t.insecure, "insecure-listen", false, "listen beyond this machine without TLS, as behind a proxy that has it")
}

// config reads the certificate; nil without one.
func (t *transport) config() (*tls.Config, error) {
	if t.cert == "" && t.key == "" {
		return nil, nil
	}
	if t.cert == "" || t.key == "" {
		return nil, errors.New("--tls-cert and --tls-key belong together")
	}
	pair, err := tls.LoadX509KeyPair(t.cert, t.key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// check refuses to send keys over a network unencrypted (U80).
func (t *transport) check(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", listen, err)
	}
	ip := net.ParseIP(host)
	if t.cert != "" || t.insecure || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return &hinted{
		fmt.Errorf("--listen %s: keys would cross the network unencrypted", listen),
		"give --tls-cert and --tls-key, listen on 127.0.0.1, or say --insecure-listen when a proxy in front has TLS",
	}
}

// scheme is how the addresses of the server begin.
func (t *transport) scheme() string {
	if t.cert != "" {
		return "https://"
	}
	return "http://"
}
