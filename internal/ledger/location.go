package ledger

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Location is where a ledger is: a file, or a name in a PostgreSQL database.
type Location struct {
	path  string   // of a file, "" for PostgreSQL
	url   *url.URL // of the database; may hold a password
	name  string   // of the ledger in the database
	plain string   // the same without secrets, to be shown
}

// defaultName is the ledger of a database whose URL names none.
const defaultName = "default"

// Locate reads the URL of a ledger: file:PATH, a bare path, or postgres://…, where the
// parameter ledger=NAME chooses one of several ledgers in the same tables and every other
// one is PostgreSQL's own. A relative path begins at dir. Its errors never repeat the
// URL, because it may hold a password.
func Locate(text, dir string) (Location, error) {
	scheme, rest, found := strings.Cut(text, ":")
	switch {
	case !found || len(scheme) == 1: // a path, perhaps with a drive letter
		rest = text
	case scheme == "file":
		rest = strings.TrimPrefix(rest, "//")
	case scheme == "postgres" || scheme == "postgresql":
		return locateShared(text)
	default:
		return Location{}, fmt.Errorf("the scheme of ledger %q is not known: write file:PATH or postgres://HOST/DATABASE", scheme+":…")
	}
	if rest == "" {
		return Location{}, errors.New("the ledger URL names no file")
	}
	path := filepath.FromSlash(rest)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return Location{path: path, plain: path}, nil
}

func locateShared(text string) (Location, error) {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return Location{}, errors.New("the ledger URL is not a valid URL: write postgres://HOST/DATABASE and escape special characters with %")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Location{}, errors.New("the ledger URL has parameters that cannot be read: escape special characters with %")
	}
	l := Location{url: u, name: defaultName}
	if query.Has("ledger") {
		l.name = query.Get("ledger")
		if l.name == "" {
			return Location{}, errors.New("the ledger URL names no ledger after ledger=")
		}
	}
	query.Del("ledger")
	u.RawQuery = query.Encode()
	shown := url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}
	if u.User != nil {
		shown.User = url.User(u.User.Username())
	}
	public := url.Values{}
	for _, key := range []string{"host", "port", "dbname", "service", "search_path"} {
		if query.Has(key) {
			public[key] = query[key]
		}
	}
	if l.name != defaultName {
		public.Set("ledger", l.name)
	}
	shown.RawQuery = public.Encode()
	l.plain = shown.String()
	return l, nil
}

// String is the location without secrets.
func (l Location) String() string { return l.plain }

// Shared reports whether several machines can use the ledger: it is in PostgreSQL.
func (l Location) Shared() bool { return l.url != nil }

// HasPassword reports whether the URL holds a password, which must then come from
// the environment: others see the arguments of a process and the configuration.
func (l Location) HasPassword() bool {
	if l.url == nil {
		return false
	}
	_, set := l.url.User.Password()
	for key := range l.url.Query() {
		set = set || strings.Contains(strings.ToLower(key), "password")
	}
	return set
}

// Read reads the ledger without its lock. One that does not exist is an empty Log.
func (l Location) Read(ctx context.Context) (*Log, error) {
	if !l.Shared() {
		return Read(l.path)
	}
	return l.readShared(ctx)
}

// Open opens the ledger for appending and takes its lock; a *LockedError names who
// holds it. What is missing, a file or tables, is made. The caller closes the Journal.
func (l Location) Open(ctx context.Context, o Options) (*Journal, error) {
	if !l.Shared() {
		return Open(l.path, o)
	}
	return l.openShared(ctx, o)
}
