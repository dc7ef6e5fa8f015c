package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

// fingerprintFile is where a project keeps the key that secrets are marked with. It must
// not be committed: whoever has it can try secrets until one has a fingerprint.
const fingerprintFile = ".govctl/fingerprint.key"

// fingerprintSize is the length of the key in bytes.
const fingerprintSize = 32

// redactor hides the secrets of the project in dir behind fingerprints. Their key is made
// when the first secret is met. Where it cannot be kept, one for this run alone still
// tells the secrets of this run apart.
func (a *app) redactor(dir string) (org.Redactor, error) {
	path := filepath.Join(dir, filepath.FromSlash(fingerprintFile))
	key, err := readFingerprintKey(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return org.Redactor{}, err
	}
	kept := err == nil
	made := sync.OnceFunc(func() {
		if kept {
			return
		}
		if key, err = makeFingerprintKey(path); err == nil {
			kept = true
			return
		}
		key = newFingerprintKey()
		fmt.Fprintln(a.err, render.Message(fmt.Sprintf(
			"note: secrets have no fingerprints, and whether they changed since an earlier run cannot be seen: %v", err)))
	})
	return org.NewRedactor(func() ([]byte, bool) {
		made()
		return key, kept
	}), nil
}

// readFingerprintKey reads the key and refuses one that others may know.
func readFingerprintKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the key of fingerprints: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, &hinted{fmt.Errorf("the key of fingerprints %s may be read by others (mode %04o)", path, info.Mode().Perm()),
			"chmod 600 it if nobody has; else delete it, and a new one is made"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key of fingerprints: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != fingerprintSize { // err would show a part of it
		return nil, &hinted{fmt.Errorf("the key of fingerprints %s is not one that govctl made", path), "delete it, and a new one is made"}
	}
	return key, nil
}

// makeFingerprintKey keeps a new key for the owner alone, and returns the one that is
// kept: another run may have been faster.
func makeFingerprintKey(path string) (key []byte, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // 0600
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = fmt.Fprintf(f, "%x\n", newFingerprintKey())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) { // never replaces
		return nil, err
	}
	return readFingerprintKey(path)
}

func newFingerprintKey() []byte {
	key := make([]byte, fingerprintSize)
	_, _ = rand.Read(key) // never fails
	return key
}
