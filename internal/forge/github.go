package forge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/google/go-github/v89/github"
)

// actionsBot is who the token of a workflow writes as. Such a token may not ask.
const actionsBot = "github-actions[bot]"

type githubHost struct {
	c           *github.Client
	owner, name string
}

func newGitHub(o Options) (host, error) {
	owner, name, ok := strings.Cut(o.Repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("repository %q is not OWNER/NAME", o.Repository)
	}
	base := strings.TrimRight(o.API, "/") + "/"
	c, err := github.NewClient(
		github.WithHTTPClient(o.client()), github.WithAuthToken(o.Token), github.WithUserAgent(o.UserAgent), github.WithURLs(&base, nil),
	)
	if err != nil {
		return nil, err
	}
	return &githubHost{c, owner, name}, nil
}

func (g *githubHost) login(ctx context.Context) (string, error) {
	u, resp, err := g.c.Users.Get(ctx, "")
	if resp != nil && resp.StatusCode == http.StatusForbidden {
		return actionsBot, nil
	}
	if err != nil {
		return "", githubError(err)
	}
	return u.GetLogin(), nil
}

func (g *githubHost) comments(ctx context.Context, change int) iter.Seq2[note, error] {
	return pages(func(page int) ([]note, int, error) {
		list, resp, err := g.c.Issues.ListComments(ctx, g.owner, g.name, change,
			&github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: pageSize, Page: page}})
		if err != nil {
			return nil, 0, githubError(err)
		}
		out := make([]note, len(list))
		for i, c := range list {
			out[i] = githubComment(c)
		}
		return out, resp.NextPage, nil
	})
}

func (g *githubHost) addComment(ctx context.Context, change int, body string) (note, error) {
	c, _, err := g.c.Issues.CreateComment(ctx, g.owner, g.name, change, &github.IssueComment{Body: &body})
	return githubComment(c), githubError(err)
}

func (g *githubHost) setComment(ctx context.Context, _ int, id int64, body string) (note, error) {
	c, _, err := g.c.Issues.EditComment(ctx, g.owner, g.name, id, &github.IssueComment{Body: &body})
	return githubComment(c), githubError(err)
}

func (g *githubHost) issues(ctx context.Context, author string) iter.Seq2[note, error] {
	return pages(func(page int) ([]note, int, error) {
		list, resp, err := g.c.Issues.ListByRepo(ctx, g.owner, g.name, &github.IssueListByRepoOptions{
			State: "all", Creator: author, Sort: "created", Direction: "asc",
			ListOptions: github.ListOptions{PerPage: pageSize, Page: page},
		})
		if err != nil {
			return nil, 0, githubError(err)
		}
		var out []note
		for _, i := range list {
			if !i.IsPullRequest() { // the list has both
				out = append(out, githubIssue(i))
			}
		}
		return out, resp.NextPage, nil
	})
}

func (g *githubHost) addIssue(ctx context.Context, title, body string, labels []string) (note, error) {
	r := &github.IssueRequest{Title: &title, Body: &body}
	if len(labels) > 0 {
		r.Labels = &labels
	}
	i, _, err := g.c.Issues.Create(ctx, g.owner, g.name, r)
	return githubIssue(i), githubError(err)
}

func (g *githubHost) setIssue(ctx context.Context, number int64, e issueEdit) (note, error) {
	r := &github.IssueRequest{Body: &e.body}
	switch {
	case e.close:
		r.State, r.StateReason = new("closed"), new("completed")
	case e.reopen:
		r.State = new("open")
	}
	i, _, err := g.c.Issues.Edit(ctx, g.owner, g.name, int(number), r)
	return githubIssue(i), githubError(err)
}

func githubComment(c *github.IssueComment) note {
	return note{id: c.GetID(), author: c.GetUser().GetLogin(), body: c.GetBody(), link: c.GetHTMLURL()}
}

func githubIssue(i *github.Issue) note {
	return note{
		id: int64(i.GetNumber()), author: i.GetUser().GetLogin(), body: i.GetBody(), link: i.GetHTMLURL(),
		closed: i.GetState() == "closed",
	}
}

// githubError is nil for nil.
func githubError(err error) error {
	var e *github.ErrorResponse
	if !errors.As(err, &e) || e.Response == nil {
		return err
	}
	return refusal(e.Response.StatusCode, err.Error(), err)
}

// pages reads a list page by page. A next page of 0 ends it.
func pages(read func(page int) (list []note, next int, err error)) iter.Seq2[note, error] {
	return func(yield func(note, error) bool) {
		for page, n := 1, 0; page != 0; n++ {
			if n == maxPages {
				yield(note{}, fmt.Errorf("more than %d pages", maxPages))
				return
			}
			list, next, err := read(page)
			if err != nil {
				yield(note{}, err)
				return
			}
			for _, one := range list {
				if !yield(one, nil) {
					return
				}
			}
			page = next
		}
	}
}
