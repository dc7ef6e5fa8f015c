package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/sample"
)

// embedded is the base address of the service inside this binary.
const embedded = "embedded:"

// connection is where the service is and how to be let in.
type connection struct {
	baseURL, appURL string
	ownKey          string // key of the embedded service, "" for a real one
}

// purpose decides which key is used and whether writes are possible at all.
type purpose int

const (
	forReading purpose = iota
	forWriting
	forTelemetry // spans about oneself, with the key of a reader
)

// baseURL is the address as the user named it: flag, environment, configuration.
func (a *app) baseURL(p *config.Project) string {
	return firstOf(a.flags.baseURL, os.Getenv("GOVCTL_BASE_URL"), p.Service.BaseURL)
}

// connect finds the service, starting the embedded one if that is meant.
func (a *app) connect(ctx context.Context, p *config.Project) (*connection, error) {
	base := a.baseURL(p)
	if base == "" {
		return nil, &hinted{errors.New("no service to talk to"),
			`write service { base_url = "https://…" }, or "embedded:" to try govctl without an account; or pass --base-url`}
	}
	if options, ok := strings.CutPrefix(base, embedded); ok {
		members, err := extraMembers(options)
		if err != nil {
			return nil, err
		}
		return a.startEmbedded(ctx, filepath.Join(p.Dir, ".govctl"), members)
	}
	return &connection{
		baseURL: base,
		appURL:  firstOf(a.flags.appURL, os.Getenv("GOVCTL_APP_URL"), p.Service.AppURL, base),
	}, nil
}

// extraMembers reads what follows "embedded:": nothing, or ?members=N for N more members
// than the sample organization has, to try bulk files on.
func extraMembers(options string) (int, error) {
	if options == "" {
		return 0, nil
	}
	text, ok := strings.CutPrefix(options, "?members=")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 0 || n > sample.MaxExtra {
		return 0, fmt.Errorf("base address %q: write embedded: or embedded:?members=N, N up to %d", embedded+options, sample.MaxExtra)
	}
	return n, nil
}

// startEmbedded serves the embedded service on a loopback port for as long as the
// command runs. An empty one is filled with the sample organization and extra members.
func (a *app) startEmbedded(ctx context.Context, dir string, extra int) (*connection, error) {
	key := "embedded-" + uuid.NewString()
	s, err := service.Open(ctx, service.Options{
		Database: filepath.Join(dir, "service.db"), Now: a.now, Logger: a.logger(), OwnerKey: key,
	})
	if err != nil {
		return nil, fmt.Errorf("start the embedded service: %w", err)
	}
	a.closers = append(a.closers, func() { _ = s.Close() })
	if err := sample.Load(ctx, s.Store()); err != nil {
		return nil, fmt.Errorf("fill the embedded service: %w", err)
	}
	if err := sample.Extend(ctx, s.Store(), extra); err != nil {
		return nil, fmt.Errorf("fill the embedded service: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the embedded service: %w", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends by Shutdown
	}()
	a.closers = append(a.closers, func() { // the command is over: no request is in flight
		_ = server.Close()
		<-done
	})
	url := "http://" + listener.Addr().String()
	return &connection{baseURL: url, appURL: url, ownKey: key}, nil
}

// client makes a client for reading or for writing. When ctx ends it tries nothing again.
func (a *app) client(ctx context.Context, c *connection, why purpose) (*client.Client, error) {
	key := c.ownKey
	if key == "" {
		var err error
		if key, err = a.apiKey(why); err != nil {
			return nil, err
		}
		a.mask(key)
	}
	log, retries := a.logger(), 0 // 0: the client's own choice
	if a.flags.maxWait == 0 {
		retries = -1
	}
	return client.New(client.Options{
		MaxWait: a.flags.maxWait, Retries: retries, Quit: ctx,
		BaseURL: c.baseURL, AppURL: c.appURL, Key: key, ReadOnly: why == forReading,
		InsecureHTTP: a.flags.insecure, UserAgent: "govctl/" + buildInfo().Version, Timeout: a.flags.timeout,
		OnRequest: func(e client.Event) {
			a.asked.note(e)
			log.Debug("request", "method", e.Method, "path", e.Path, "status", e.Status, "attempt", e.Attempt, "took", e.Duration)
		},
	})
}

// apiKey finds the credential. Apply prefers GOVCTL_WRITE_API_KEY, so that plans can
// run with a reader's key. Keys are never taken from a flag or the configuration.
func (a *app) apiKey(why purpose) (string, error) {
	names := []string{"GOVCTL_API_KEY"}
	if why == forWriting {
		names = []string{"GOVCTL_WRITE_API_KEY", "GOVCTL_API_KEY"}
	}
	if a.flags.apiKeyFile != "" && (why != forWriting || !hasKey("GOVCTL_WRITE_API_KEY")) {
		return keyFromFile(a.flags.apiKeyFile)
	}
	for _, name := range names {
		switch {
		case os.Getenv(name) != "":
			return strings.TrimSpace(os.Getenv(name)), nil
		case os.Getenv(name+"_FILE") != "":
			return keyFromFile(os.Getenv(name + "_FILE"))
		case os.Getenv(name+"_COMMAND") != "":
			return keyFromCommand(os.Getenv(name + "_COMMAND"))
		}
	}
	return "", &hinted{errors.New("no API key"),
		"set GOVCTL_API_KEY (or GOVCTL_API_KEY_FILE, GOVCTL_API_KEY_COMMAND), or pass --api-key-file; keys are made at {app_url}/settings/api-keys"}
}

// hasKey reports whether the environment says in any way where the key called name is.
func hasKey(name string) bool {
	return firstOf(os.Getenv(name), os.Getenv(name+"_FILE"), os.Getenv(name+"_COMMAND")) != ""
}

func keyFromFile(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the API key: %w", err)
	}
	return oneLine(string(data), "file "+path)
}

func keyFromCommand(command string) (string, error) {
	shell := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	out, err := exec.Command(shell[0], shell[1], command).Output()
	if err != nil {
		return "", fmt.Errorf("run the API key command: %w", err) // its output may be a secret
	}
	return oneLine(string(out), "command")
}

func oneLine(s, from string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s, "\r\n") {
		return "", fmt.Errorf("the API key %s must hold exactly one line", from)
	}
	return s, nil
}
