package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/coreos/go-systemd/v22/journal"
)

// Levels as the journal reads them at the beginning of a line (sd-daemon).
const (
	journalError   = "<3>"
	journalWarning = "<4>"
	journalNotice  = "<5>"
	journalInfo    = "<6>"
	journalDebug   = "<7>"
)

// journalled reports whether what goes to stderr is read by systemd's journal.
func (a *app) journalled() bool {
	if f, ok := a.err.(*os.File); !ok || f != os.Stderr {
		return false
	}
	is, err := journal.StderrIsJournalStream()
	return err == nil && is
}

// atLevel is stderr for lines of one level, where somebody reads levels.
func (a *app) atLevel(level string) io.Writer {
	if !a.journalled() {
		return a.err
	}
	return &leveled{w: a.err, level: level, begin: true}
}

// leveled writes a level before each line.
type leveled struct {
	w     io.Writer
	level string
	begin bool // of a line
}

func (l *leveled) Write(p []byte) (int, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(p) {
		if l.begin {
			out.WriteString(l.level)
		}
		out.Write(line)
		l.begin = line[len(line)-1] == '\n'
	}
	if _, err := l.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// journalHandler writes messages with their level before them, and without the time,
// which the journal knows better.
type journalHandler struct {
	slog.Handler
	out *levelSwitch
}

// levelSwitch is the one writer of all handlers that come from one.
type levelSwitch struct {
	mu sync.Mutex
	leveled
}

func newJournalHandler(w io.Writer, o slog.HandlerOptions) slog.Handler {
	out := &levelSwitch{leveled: leveled{w: w, begin: true}}
	o.ReplaceAttr = func(groups []string, attr slog.Attr) slog.Attr {
		if len(groups) == 0 && (attr.Key == slog.TimeKey || attr.Key == slog.LevelKey) {
			return slog.Attr{}
		}
		return attr
	}
	return journalHandler{slog.NewTextHandler(&out.leveled, &o), out}
}

// Handle writes one message.
func (h journalHandler) Handle(ctx context.Context, r slog.Record) error {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	switch {
	case r.Level >= slog.LevelError:
		h.out.level = journalError
	case r.Level >= slog.LevelWarn:
		h.out.level = journalWarning
	case r.Level >= slog.LevelInfo:
		h.out.level = journalInfo
	default:
		h.out.level = journalDebug
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the level before the line.
func (h journalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return journalHandler{h.Handler.WithAttrs(attrs), h.out}
}

// WithGroup keeps the level before the line.
func (h journalHandler) WithGroup(name string) slog.Handler {
	return journalHandler{h.Handler.WithGroup(name), h.out}
}
