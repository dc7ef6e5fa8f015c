package forge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

type gitlabHost struct {
	c       *gitlab.Client
	project string
	job     bool
}

func newGitLab(o Options) (host, error) {
	open := gitlab.NewClient
	if o.JobToken {
		open = gitlab.NewJobClient
	}
	c, err := open(o.Token,
		gitlab.WithBaseURL(o.API), gitlab.WithHTTPClient(o.client()), gitlab.WithoutRetries(), gitlab.WithUserAgent(o.UserAgent),
		gitlab.WithURLWarningLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	)
	if err != nil {
		return nil, err
	}
	return &gitlabHost{c, o.Repository, o.JobToken}, nil
}

func (g *gitlabHost) login(ctx context.Context) (string, error) {
	if g.job { // the token of a job may ask about its job only
		j, _, err := g.c.Jobs.GetJobTokensJob(nil, gitlab.WithContext(ctx))
		if err == nil && j.User == nil {
			err = errors.New("the job has no user")
		}
		if err != nil {
			return "", gitlabError(err)
		}
		return j.User.Username, nil
	}
	u, _, err := g.c.Users.CurrentUser(gitlab.WithContext(ctx))
	if err != nil {
		return "", gitlabError(err)
	}
	return u.Username, nil
}

func (g *gitlabHost) comments(ctx context.Context, change int) iter.Seq2[note, error] {
	return pages(func(page int) ([]note, int, error) {
		list, resp, err := g.c.Notes.ListMergeRequestNotes(g.project, int64(change), &gitlab.ListMergeRequestNotesOptions{
			OrderBy: new("created_at"), Sort: new("asc"),
			ListOptions: gitlab.ListOptions{PerPage: pageSize, Page: int64(page)},
		}, gitlab.WithContext(ctx))
		if err != nil {
			return nil, 0, gitlabError(err)
		}
		out := make([]note, len(list))
		for i, n := range list {
			out[i] = gitlabNote(n)
		}
		return out, int(resp.NextPage), nil
	})
}

func (g *gitlabHost) addComment(ctx context.Context, change int, body string) (note, error) {
	n, _, err := g.c.Notes.CreateMergeRequestNote(g.project, int64(change), &gitlab.CreateMergeRequestNoteOptions{Body: &body}, gitlab.WithContext(ctx))
	return gitlabNote(n), gitlabError(err)
}

func (g *gitlabHost) setComment(ctx context.Context, change int, id int64, body string) (note, error) {
	n, _, err := g.c.Notes.UpdateMergeRequestNote(g.project, int64(change), id, &gitlab.UpdateMergeRequestNoteOptions{Body: &body}, gitlab.WithContext(ctx))
	return gitlabNote(n), gitlabError(err)
}

func (g *gitlabHost) issues(ctx context.Context, author string) iter.Seq2[note, error] {
	return pages(func(page int) ([]note, int, error) {
		list, resp, err := g.c.Issues.ListProjectIssues(g.project, &gitlab.ListProjectIssuesOptions{
			State: new("all"), Scope: new("all"), AuthorUsername: &author, OrderBy: new("created_at"), Sort: new("asc"),
			ListOptions: gitlab.ListOptions{PerPage: pageSize, Page: int64(page)},
		}, gitlab.WithContext(ctx))
		if err != nil {
			return nil, 0, gitlabError(err)
		}
		out := make([]note, len(list))
		for i, n := range list {
			out[i] = gitlabIssue(n)
		}
		return out, int(resp.NextPage), nil
	})
}

func (g *gitlabHost) addIssue(ctx context.Context, title, body string, labels []string) (note, error) {
	o := &gitlab.CreateIssueOptions{Title: &title, Description: &body}
	if len(labels) > 0 {
		o.Labels = (*gitlab.LabelOptions)(&labels)
	}
	i, _, err := g.c.Issues.CreateIssue(g.project, o, gitlab.WithContext(ctx))
	return gitlabIssue(i), gitlabError(err)
}

func (g *gitlabHost) setIssue(ctx context.Context, number int64, e issueEdit) (note, error) {
	o := &gitlab.UpdateIssueOptions{Description: &e.body}
	switch {
	case e.close:
		o.StateEvent = new("close")
	case e.reopen:
		o.StateEvent = new("reopen")
	}
	i, _, err := g.c.Issues.UpdateIssue(g.project, number, o, gitlab.WithContext(ctx))
	return gitlabIssue(i), gitlabError(err)
}

// gitlabNote is zero for nil. The API does not say where the page of a note is.
func gitlabNote(n *gitlab.Note) note {
	if n == nil {
		return note{}
	}
	return note{id: n.ID, author: n.Author.Username, body: n.Body, link: fmt.Sprintf("note %d", n.ID)}
}

func gitlabIssue(i *gitlab.Issue) note {
	if i == nil {
		return note{}
	}
	n := note{id: i.IID, body: i.Description, link: i.WebURL, closed: i.State == "closed"}
	if i.Author != nil {
		n.author = i.Author.Username
	}
	return n
}

// gitlabError is nil for nil.
func gitlabError(err error) error {
	var e *gitlab.ErrorResponse
	switch {
	case errors.Is(err, gitlab.ErrNotFound):
		return fmt.Errorf("%w: %w", ErrForbidden, err)
	case !errors.As(err, &e) || e.Response == nil:
		return err
	}
	return refusal(e.Response.StatusCode, err.Error(), err)
}
