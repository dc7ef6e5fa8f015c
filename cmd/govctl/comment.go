package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/forge"
	"github.com/govctl/govctl/internal/render"
)

// commentFlags are the flags of comment.
type commentFlags struct {
	forge, api, repository string
	tokenFile, author      string
	change                 int
	name                   string
	issue                  bool
	labels                 []string
	maxBytes               int
}

func (a *app) commentCommand() *cobra.Command {
	var flags commentFlags
	c := &cobra.Command{
		Use:   "comment PLAN.json | DRIFT.json | REPORT.json",
		Short: "Keep a comment on a pull or merge request, or an issue, up to date",
		Long: `Comment writes a saved plan, drift report or apply report on the pull or merge request
this job is about. There is one comment for each project: it is edited in place, not
written again when it says the same, and never overwritten by an older run. With --issue a
drift report becomes an issue, opened when something differs and closed when it does not; a
project that could not be judged keeps its issue open.

The number, the repository and the address of the API come from the runner. The token comes
from GITHUB_TOKEN, or GITLAB_TOKEN or CI_JOB_TOKEN, or --token-file.

What the code host refuses is a warning and exit code 0: a plan is as good without its
comment. On a pull request from a fork, whose token may not write, GitHub gets the text as
the summary of the step.`,
		Example: "  govctl comment plan.json\n  govctl comment drift.json --issue --label drift\n  govctl comment plan.json --forge gitlab --repository acme/gov --change 12",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runComment(c.Context(), flags, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&flags.forge, "forge", "auto", "code host: auto, github, gitlab")
	f.StringVar(&flags.api, "api-url", "", "base address of its API")
	f.StringVar(&flags.repository, "repository", "", "OWNER/NAME, or the number or path of a GitLab project")
	f.IntVar(&flags.change, "change", 0, "number of the pull or merge request")
	f.StringVar(&flags.tokenFile, "token-file", "", "file with the token")
	f.StringVar(&flags.author, "author", "", "login the token writes as (default: ask)")
	f.StringVar(&flags.name, "name", "", "what the project is called (default: its directory in the repository)")
	f.BoolVar(&flags.issue, "issue", false, "keep an issue about drift instead of a comment")
	f.StringSliceVar(&flags.labels, "label", nil, "label for an issue that is opened; repeatable")
	f.IntVar(&flags.maxBytes, "max-comment-bytes", 0, fmt.Sprintf("longest text (default %d on GitHub, %d on GitLab)", commentBytes[forge.GitHub], commentBytes[forge.GitLab]))
	return c
}

// commentBytes is the longest text for each code host, with room below their own limits.
var commentBytes = map[string]int{forge.GitHub: render.MarkdownBudget, forge.GitLab: 950_000}

// minCommentBytes leaves room for the marker and the smallest text.
const minCommentBytes = render.MinMarkdownBudget + 6000

// commentReport is what comment did, as JSON.
type commentReport struct {
	FormatVersion string `json:"format_version"`
	Action        string `json:"action"` // as of forge.Outcome, or skipped or failed
	Link          string `json:"link"`
	Reason        string `json:"reason"` // why it was skipped or failed
	Bytes         int    `json:"bytes"`  // of the text
}

// Actions of a commentReport besides those of a forge.
const (
	commentSkipped = "skipped"
	commentFailed  = "failed"
)

func (a *app) runComment(ctx context.Context, flags commentFlags, file string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON, render.Markdown})
	if err != nil {
		return err
	}
	r, err := a.readResult(file)
	if err != nil {
		return err
	}
	run, err := flags.over(a.ciRun())
	if err != nil {
		return err
	}
	if r.usage != nil {
		return &hinted{errors.New("a report for people is not posted as a comment"), "name a plan, an apply report or a drift report"}
	}
	if flags.issue && r.drift == nil {
		return errors.New("--issue is about drift: name a drift report")
	}
	post, err := commentPost(r, flags, run)
	if err != nil {
		return err
	}
	report := &commentReport{FormatVersion: "1.0"}
	err = a.post(ctx, r, flags, run, &post, report)
	if err != nil {
		report.Action, report.Reason = commentFailed, err.Error()
		a.warnOf("comment", err)
	}
	if run.Fork || errors.Is(err, forge.ErrForbidden) {
		a.summarizePost(r)
	}
	report.Bytes = len(post.Body())
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		switch format {
		case render.JSON:
			return render.WriteJSON(w, report)
		case render.Markdown:
			_, err := io.WriteString(w, post.Body())
			return err
		}
		_, err := fmt.Fprintln(w, report.text())
		return err
	})
}

// text is what became of a comment in one line.
func (r *commentReport) text() string {
	line := r.Action
	for _, more := range []string{r.Link, r.Reason} {
		if more != "" {
			line += "  " + render.Clean(more)
		}
	}
	return line
}

// over lets flags win over what the runner says.
func (f commentFlags) over(run ci.Run) (ci.Run, error) {
	switch f.forge {
	case "auto", "":
	case forge.GitHub, forge.GitLab:
		run.Forge = f.forge
	default:
		return run, fmt.Errorf("--forge %q is not auto, github or gitlab", f.forge)
	}
	if run.Forge == "" {
		return run, &hinted{errors.New("nothing says which code host this is about"), "pass --forge, --repository and --change"}
	}
	if run.API == "" {
		run.API = map[string]string{forge.GitHub: "https://api.github.com", forge.GitLab: "https://gitlab.com/api/v4"}[run.Forge]
	}
	run.API, run.Repository = firstOf(f.api, run.API), firstOf(f.repository, run.Repository)
	if f.change != 0 {
		run.Change = f.change
	}
	if f.maxBytes != 0 && f.maxBytes < minCommentBytes {
		return run, fmt.Errorf("--max-comment-bytes %d is less than %d", f.maxBytes, minCommentBytes)
	}
	return run, nil
}

// commentPost is the text about a result within the limit of the code host.
func commentPost(r result, flags commentFlags, run ci.Run) (forge.Post, error) {
	p := forge.Post{Marker: forge.Marker{Run: run.Number, Attempt: run.Attempt, Head: run.Head}}
	if pageAddress.MatchString(run.Link) {
		p.Footer = "[The run this is from](" + run.Link + ")"
	}
	dir := "."
	switch {
	case r.plan != nil:
		p.Marker.Kind, p.Marker.Digest, dir = "plan", r.plan.Digest, firstOf(r.plan.Project, ".")
		plain := r.plan.Empty() && !r.plan.Blocked() && len(r.plan.Settings) == 0 && r.plan.Complete() && len(r.plan.Findings) == 0
		p.Silent = plain && refusals(r.plan) == nil
	case r.report != nil:
		p.Marker.Kind, p.Marker.Digest = "apply", r.report.PlanDigest
	default:
		p.Marker.Kind, dir = "drift", firstOf(r.drift.Project, ".")
	}
	p.Marker.Project = commentName(firstOf(flags.name, repositoryDir(filepath.FromSlash(dir))))
	limit := flags.maxBytes
	if limit == 0 {
		limit = commentBytes[run.Forge]
	}
	var err error
	p.Text, err = r.markdown(render.Options{Budget: limit - p.Overhead(), Head: run.Head})
	return p, err
}

// commentName keeps a marker short.
func commentName(s string) string {
	if len(s) <= 200 {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// pageAddress is an address that Markdown cannot take for anything else.
var pageAddress = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/?#&=%+-]+$`)

// markdown renders whichever result there is.
func (r result) markdown(o render.Options) (string, error) {
	var b bytes.Buffer
	var err error
	switch {
	case r.plan != nil:
		err = render.Plan(&b, render.Markdown, r.plan, o)
	case r.report != nil:
		err = render.Report(&b, render.Markdown, r.report, o)
	default:
		err = render.Drift(&b, render.Markdown, r.drift, o)
	}
	return b.String(), err
}

// summarizePost gives the text to the runner where the code host does not take it.
func (a *app) summarizePost(r result) {
	if a.runner.kind != ci.GitHub {
		return
	}
	a.summarize(func(w io.Writer, o render.Options) error {
		text, err := r.markdown(o)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		return err
	})
}

// post writes the comment or keeps the issue. A text that is too long for the host is
// written once more, shorter.
func (a *app) post(ctx context.Context, r result, flags commentFlags, run ci.Run, p *forge.Post, report *commentReport) error {
	switch {
	case run.Fork && !flags.issue:
		report.Action, report.Reason = commentSkipped, "the change comes from a fork, whose token may not write"
		return nil
	case run.Change == 0 && !flags.issue:
		report.Action, report.Reason = commentSkipped, "this run is not about a pull or merge request"
		return nil
	}
	f, err := a.openForge(flags, run)
	if err != nil {
		return err
	}
	out, err := write(ctx, f, r, flags, run, *p)
	if errors.Is(err, forge.ErrTooLong) {
		flags.maxBytes = minCommentBytes
		if *p, err = commentPost(r, flags, run); err == nil {
			out, err = write(ctx, f, r, flags, run, *p)
		}
	}
	report.Action, report.Link = out.Action, out.Link
	return err
}

// write comments, or keeps the issue of a drift report.
func write(ctx context.Context, f *forge.Forge, r result, flags commentFlags, run ci.Run, p forge.Post) (forge.Outcome, error) {
	if !flags.issue {
		return f.Comment(ctx, run.Change, p)
	}
	i := forge.Issue{Post: p, Title: "Drift: " + render.Clean(p.Marker.Project), Labels: flags.labels}
	switch r.drift.Verdict {
	case drift.InSync:
		i.State = forge.ShouldBeClosed
	case drift.Unknown:
		i.State = forge.ShouldStay
	}
	return f.Issue(ctx, i)
}

// openForge finds the token. It is never taken from a flag or the configuration.
func (a *app) openForge(flags commentFlags, run ci.Run) (*forge.Forge, error) {
	o := forge.Options{
		Kind: run.Forge, API: run.API, Repository: run.Repository, Author: flags.author,
		UserAgent: "govctl/" + buildInfo().Version, Timeout: a.flags.timeout,
	}
	env := os.Getenv
	switch {
	case flags.tokenFile != "":
		token, err := keyFromFile(flags.tokenFile)
		if err != nil {
			return nil, err
		}
		o.Token = token
		a.mask(token)
	case run.Forge == forge.GitHub:
		o.Token = firstOf(env("GITHUB_TOKEN"), env("GH_TOKEN"))
	default:
		o.Token = env("GITLAB_TOKEN")
		if o.Token == "" {
			o.Token, o.JobToken = env("CI_JOB_TOKEN"), true
		}
	}
	return forge.Open(o)
}
