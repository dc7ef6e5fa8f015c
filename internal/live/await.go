package live

import (
	"context"
	"errors"
	"net/http"

	"github.com/govctl/govctl/internal/org"
)

// Await asks for the newest revision until it meets every expectation of list, and returns
// the last one it saw, nil for none. Between two asks it calls pause, which returns an
// error to end the wait; that error, a cancelled ctx and a refused key are the only ones
// it gives up for: a service may be away for a while.
func Await(ctx context.Context, r SettingsReader, list []org.Expectation, pause func(context.Context) error) (*org.Revision, error) {
	var newest *org.Revision
	var trouble error // of the last ask
	for {
		change, err := first(ctx, r)
		if err == nil && change != nil {
			var now org.Revision
			if now, err = Revision(*change, org.Redactor{}); err == nil {
				newest = &now
			}
		}
		switch trouble = err; {
		case status(err) == http.StatusUnauthorized:
			return newest, err
		case err == nil && newest != nil && meetsAll(newest.Settings, list):
			return newest, nil
		}
		if err := pause(ctx); err != nil {
			return newest, errors.Join(err, trouble)
		}
	}
}

func meetsAll(settings map[string]any, list []org.Expectation) bool {
	for _, e := range list {
		if !e.Meets(settings) {
			return false
		}
	}
	return true
}
