package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/hooks"
	"github.com/govctl/govctl/internal/render"
)

// deliverWithin is how long the agent waits for a delivery at most (T46).
const deliverWithin = 900 * time.Millisecond

// deliverFlags say where events go and whose they are.
type deliverFlags struct {
	url, spool string
	from       hooks.Sender
}

func (d *deliverFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&d.url, "url", "", "API base address (default: --base-url, GOVCTL_BASE_URL)")
	f.StringVar(&d.spool, "spool", "", "directory of events that wait (GOVCTL_SPOOL; default: in the user's state directory)")
	f.StringVar(&d.from.UserID, "user-id", "", "id of the person in the organization (GOVCTL_USER_ID)")
}

func (a *app) hooksDeliverCommand() *cobra.Command {
	var d deliverFlags
	c := &cobra.Command{
		Use: "deliver", Short: "As a hook: tell the service of the event on standard input",
		Long: `Deliver is a command for hooks.json. It keeps the event on standard input in a spool on
disk, sends what waits there to the service as spans (counted in hooks_by_event), and
ends within a second with exit code 0 whatever happens: the agent is never held up. What
cannot be sent is sent by a later event, or by govctl hooks flush. Neither messages nor
directories leave the machine.`,
		Example: `  {"Stop": [{"hooks": [{"type": "command", "command": "govctl hooks deliver --url https://api.example.com"}]}]}`,
		Args:    cobra.ArbitraryArgs,
		// Wrong flags and wrong values of global ones must not hold up the agent either.
		PersistentPreRunE: func(*cobra.Command, []string) error { a.complain(a.checkGlobals()); return nil },
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				a.complain(fmt.Errorf("%q is not understood; events come on standard input", args[0]))
			}
			a.runDeliver(c.Context(), d)
			return nil
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { a.complain(flagError(c, err)); return nil })
	d.bind(c.Flags())
	c.Flags().StringVar(&d.from.Client, "client", "unknown", "client of the agent: terminal-ui, web, non-interactive-cli; events do not say")
	c.Flags().StringVar(&d.from.Matcher, "matcher", "", "matcher that this hook has in hooks.json")
	c.Flags().StringVar(&d.from.Command, "command", "govctl hooks deliver", "name under which the delivery is counted")
	return c
}

// complain says in one line on stderr what went wrong.
func (a *app) complain(err error) {
	if err != nil {
		fmt.Fprintf(a.err, "govctl hooks deliver: %s\n", strings.Join(strings.Fields(render.Message(errorText(err))), " "))
	}
}

// runDeliver delivers for as long as the agent may wait. Then it leaves the work where it
// is: an event that is in the spool is not lost, and the process ends with the command.
func (a *app) runDeliver(ctx context.Context, d deliverFlags) {
	ctx, cancel := context.WithTimeout(ctx, deliverWithin)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("a fault of govctl: %v", p)
			}
		}()
		done <- a.deliver(ctx, d)
	}()
	select {
	case err := <-done:
		a.complain(err)
	case <-ctx.Done():
		a.complain(errors.New("not done in time; an event that was read is kept and sent later"))
	}
}

func (a *app) deliver(ctx context.Context, d deliverFlags) error {
	input, err := io.ReadAll(io.LimitReader(a.in, hooks.MaxInput+1))
	if err != nil {
		return fmt.Errorf("read the event: %w", err)
	}
	d.from.UserID = d.user()
	event, err := hooks.ParseEvent(input)
	if err != nil {
		return err
	}
	record, err := hooks.NewRecord(event, d.from, a.now())
	if err != nil {
		return err
	}
	spool, err := d.open()
	if err != nil {
		return err
	}
	if err := spool.Add(record); err != nil {
		return err
	}
	if done, err := a.flush(ctx, d, spool); err != nil {
		return fmt.Errorf("%w; events waiting: %d", err, done.Left)
	}
	return nil
}

// user is whose events they are, "" when nobody said.
func (d deliverFlags) user() string { return firstOf(d.from.UserID, os.Getenv("GOVCTL_USER_ID")) }

// open opens the spool that is named, or that of the user.
func (d deliverFlags) open() (*hooks.Spool, error) {
	dir := firstOf(d.spool, os.Getenv("GOVCTL_SPOOL"))
	if dir == "" {
		state, err := stateDir()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(state, "govctl", "hooks")
	}
	return hooks.OpenSpool(dir)
}

// stateDir is where programs of this user keep what must outlive them.
func stateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if runtime.GOOS != "linux" {
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// flush sends what waits in a spool.
func (a *app) flush(ctx context.Context, d deliverFlags, spool *hooks.Spool) (hooks.Delivered, error) {
	url := firstOf(d.url, a.flags.baseURL, os.Getenv("GOVCTL_BASE_URL"))
	if url == "" || strings.HasPrefix(url, embedded) {
		return left(spool, &hinted{errors.New("no service to deliver to"), "pass --url with the address of one that runs"})
	}
	c, err := a.client(ctx, &connection{baseURL: url, appURL: url}, forTelemetry)
	if err != nil {
		return left(spool, err)
	}
	return spool.Flush(ctx, c, d.user())
}

// left is a flush that could not begin.
func left(spool *hooks.Spool, why error) (hooks.Delivered, error) {
	n, _, err := spool.Waiting()
	return hooks.Delivered{Left: n}, errors.Join(why, err)
}

func (a *app) hooksFlushCommand() *cobra.Command {
	var d deliverFlags
	c := &cobra.Command{
		Use: "flush", Short: "Send the events that wait for the service",
		Long: `Flush sends what hooks deliver could not, and says what is left. It takes the time it
needs; run it when the service is back, or on a schedule.`,
		Example: "  govctl hooks flush --url https://api.example.com",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.runHooksFlush(c.Context(), d)
		},
	}
	d.bind(c.Flags())
	return c
}

func (a *app) runHooksFlush(ctx context.Context, d deliverFlags) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	spool, err := d.open()
	if err != nil {
		return err
	}
	done, why := a.flush(ctx, d, spool)
	if err := a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		return render.HooksDelivered(w, format, done)
	}); err != nil {
		return err
	}
	return why
}
