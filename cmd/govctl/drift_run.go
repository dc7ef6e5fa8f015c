package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/notify"
	"github.com/govctl/govctl/internal/render"
)

// tellFlags say whom a run of drift tells how it went, besides its outputs.
type tellFlags struct {
	termination string
	notify      string
	notifyOn    string
	many        bool // this is one of many projects: nobody's last line is meant
}

func (f *tellFlags) bind(set *pflag.FlagSet) {
	set.StringVar(&f.termination, "termination-log", "", "file for one line of JSON about the run (default in Kubernetes: "+terminationLog+")")
	set.StringVar(&f.notify, "notify", "", "post a signed notice to this address; secret ones only from GOVCTL_NOTIFY_URL (or _FILE)")
	set.StringVar(&f.notifyOn, "notify-on", notifyNew, "what is worth a notice: new, drift (also when unknown), always (also errors)")
}

// driftRun is how one run of drift went.
type driftRun struct {
	name  string
	began time.Time
	code  int
	r     *drift.Report // nil when it failed before it knew anything
	err   error
}

// superviseDrift runs drift and tells whoever wants to know how it went, whether it
// succeeded or not: metrics first, then the pod's or the journal's line, then notices.
func (a *app) superviseDrift(ctx context.Context, flags driftFlags) error {
	outs, err := a.outputs(render.DriftFormats())
	if err != nil {
		return err
	}
	targets, err := a.noticeTargets(flags.tell)
	if err != nil {
		return err
	}
	outs, metrics := metricsApart(outs)
	run := driftRun{name: projectName(flags.name, flags.dir), began: a.now()}
	run.r, run.err = a.runDrift(ctx, flags, outs)
	run.code = exitCode(a.seen, run.err, context.Cause(ctx))
	for _, file := range metrics {
		if err := a.writeMetrics(file, run); err != nil {
			run.err = errors.Join(run.err, err)
		}
	}
	run.code = exitCode(a.seen, run.err, context.Cause(ctx))
	a.tellTermination(flags.tell, run)
	if !a.tellNotices(ctx, targets, flags.tell.notifyOn, run) {
		a.keepUntold(run, outs, flags.dir)
	}
	a.tellVerdict(flags.tell, run)
	return run.err
}

// metricsApart takes the files of metrics out of a list: they tell also of a run that
// fails, so they are written when it is over.
func metricsApart(outs []output) (rest []output, files []string) {
	for _, o := range outs {
		if o.format == render.Prometheus && o.file != "" {
			files = append(files, o.file)
		} else {
			rest = append(rest, o)
		}
	}
	return rest, files
}

// writeMetrics replaces a file for the textfile collector as a whole. It is readable for
// everybody, because the collector is somebody else, and its temporary name does not end
// in .prom.
func (a *app) writeMetrics(file string, run driftRun) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the metrics until now: %w", err)
	}
	var b bytes.Buffer
	end := a.now()
	err = render.DriftMetrics(&b, run.r, render.Run{
		Command: "drift", Project: run.name, Ended: end, Took: end.Sub(run.began), ExitCode: run.code,
		Success: oneOfCodes(run.code, exitDone, exitChanges, exitDenied), Requests: a.asked.all(),
	}, old, render.Options{Version: buildInfo().Version})
	if err != nil {
		return err
	}
	if err := maybe.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write metrics to %s: %w", file, err)
	}
	if err := os.Chmod(file, 0o644); err != nil { // whatever the umask is
		return fmt.Errorf("write metrics to %s: %w", file, err)
	}
	return nil
}

func oneOfCodes(code int, list ...int) bool {
	for _, c := range list {
		if c == code {
			return true
		}
	}
	return false
}

// notice is what there is to tell.
func (run driftRun) notice(link string) notify.Notice {
	if run.r == nil {
		text := "Unknown: drift could not be looked for"
		if run.err != nil {
			text = "Unknown: " + render.Clean(errorText(run.err))
		}
		return notify.OfFailure(run.name, text, run.began, link)
	}
	fresh := map[string]bool{}
	for _, ref := range run.r.Fresh() {
		fresh[ref.Fingerprint] = true
	}
	return notify.OfDrift(run.r, fresh, link)
}

const (
	// terminationLog is where Kubernetes looks for the last words of a container.
	terminationLog = "/dev/termination-log"
	// maxTermination is how much of it Kubernetes keeps, in bytes.
	maxTermination = 4096
)

// terminationFile is where last words go, "" for nowhere.
func (f tellFlags) terminationFile() string {
	if f.termination != "" || f.many || os.Getenv("KUBERNETES_SERVICE_HOST") == "" {
		return f.termination
	}
	file, err := os.OpenFile(terminationLog, os.O_WRONLY, 0)
	if err != nil {
		return "" // it belongs to somebody else
	}
	_ = file.Close() // nothing was written
	return terminationLog
}

// tellTermination writes one line for whoever looks at a pod that has ended. The file is
// mounted there and cannot be replaced. That nobody can write it is worth a warning.
func (a *app) tellTermination(tell tellFlags, run driftRun) {
	file := tell.terminationFile()
	if file == "" {
		return
	}
	if err := os.WriteFile(file, lastWords(run.notice(runLink()), run.code), 0o644); err != nil {
		a.logger().Warn("the termination log was not written", "error", render.Message(err.Error()))
	}
}

// lastWords is a notice as one line of JSON that is short enough.
func lastWords(n notify.Notice, code int) []byte {
	for {
		line, err := json.Marshal(struct {
			ExitCode int `json:"exit_code"`
			notify.Notice
		}{code, n})
		switch {
		case err != nil:
			return []byte(`{"exit_code":` + fmt.Sprint(code) + "}\n") // never: it is made of strings and numbers
		case len(line) < maxTermination:
			return append(line, '\n')
		case len(n.Items) > 0:
			n.Items, n.More = n.Items[:len(n.Items)-1], n.More+1
		default:
			n.Link, n.Text = "", "see the log"
			n.Project, n.Organization = "", ""
		}
	}
}

// tellVerdict ends the log with the verdict where the last line is all that a scheduler
// shows. An error is said by main, last of all.
func (a *app) tellVerdict(tell tellFlags, run driftRun) {
	if run.r == nil || run.err != nil || tell.terminationFile() == "" && !a.journalled() {
		return
	}
	level := journalNotice
	if run.r.Verdict != drift.InSync {
		level = journalWarning
	}
	fmt.Fprintf(a.atLevel(level), "govctl drift: %s: %s\n", render.Clean(run.name), render.DriftVerdict(run.r))
}
