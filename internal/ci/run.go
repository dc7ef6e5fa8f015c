package ci

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Run is what a runner tells about the run a command is part of. Fields that it does not
// tell are zero.
type Run struct {
	Runner     Runner
	Forge      string // github | gitlab | "": where the code is reviewed
	API        string // base address of the forge's API
	Repository string // owner/name, or the number or path of a GitLab project
	Change     int    // number of the pull or merge request
	Head       string // commit that is reviewed, not the merge that a runner makes of it
	Fork       bool   // the change comes from another repository: its jobs may not write
	Link       string // page of the job
	Number     int64  // grows with every run
	Attempt    int64  // grows with every repetition of a run
}

// Read gathers what is known of a run. event is the contents of $GITHUB_EVENT_PATH, nil
// for none.
func Read(runner Runner, env Env, event []byte) Run {
	switch runner {
	case GitHub:
		return readGitHub(env, event)
	case GitLab:
		return readGitLab(env)
	case Jenkins:
		return readJenkins(env)
	}
	return Run{Runner: runner}
}

// githubEvent is the part of an event that says which pull request it is about.
type githubEvent struct {
	Number      int `json:"number"`
	PullRequest *struct {
		Number int `json:"number"`
		Head   struct {
			SHA  string `json:"sha"`
			Repo *struct {
				FullName string `json:"full_name"`
			} `json:"repo"`
		} `json:"head"`
		Base struct {
			Repo struct {
				FullName string `json:"full_name"`
			} `json:"repo"`
		} `json:"base"`
	} `json:"pull_request"`
	Issue *struct {
		Number      int             `json:"number"`
		PullRequest json.RawMessage `json:"pull_request"`
	} `json:"issue"`
}

var pullRef = regexp.MustCompile(`^refs/pull/([0-9]+)/`)

func readGitHub(env Env, event []byte) Run {
	r := Run{
		Runner: GitHub, Forge: string(GitHub), API: env("GITHUB_API_URL"), Repository: env("GITHUB_REPOSITORY"),
		Head: env("GITHUB_SHA"), Number: number(env("GITHUB_RUN_ID")), Attempt: number(env("GITHUB_RUN_ATTEMPT")),
	}
	if r.API == "" {
		r.API = "https://api.github.com"
	}
	if server := env("GITHUB_SERVER_URL"); server != "" && r.Repository != "" && r.Number != 0 {
		r.Link = server + "/" + r.Repository + "/actions/runs/" + env("GITHUB_RUN_ID")
		if r.Attempt > 0 {
			r.Link += "/attempts/" + env("GITHUB_RUN_ATTEMPT")
		}
	}
	if m := pullRef.FindStringSubmatch(env("GITHUB_REF")); m != nil {
		r.Change = int(number(m[1]))
	}
	var e githubEvent
	if json.Unmarshal(event, &e) != nil {
		return r
	}
	switch {
	case e.PullRequest != nil:
		p := e.PullRequest
		if p.Number > 0 {
			r.Change = p.Number
		}
		if p.Head.SHA != "" {
			r.Head = p.Head.SHA // GITHUB_SHA is the merge commit
		}
		// A repository that is gone was a fork. Only this event gets a token that
		// may not write.
		foreign := p.Head.Repo == nil || !strings.EqualFold(p.Head.Repo.FullName, p.Base.Repo.FullName)
		r.Fork = foreign && p.Base.Repo.FullName != "" && env("GITHUB_EVENT_NAME") == "pull_request"
	case e.Issue != nil && len(e.Issue.PullRequest) > 0:
		r.Change = e.Issue.Number
	}
	return r
}

func readGitLab(env Env) Run {
	r := Run{
		Runner: GitLab, Forge: string(GitLab), API: env("CI_API_V4_URL"),
		Repository: first(env("CI_MERGE_REQUEST_PROJECT_ID"), env("CI_PROJECT_ID")),
		Change:     int(number(env("CI_MERGE_REQUEST_IID"))),
		Head:       first(env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), env("CI_COMMIT_SHA")),
		Link:       env("CI_JOB_URL"), Number: number(env("CI_PIPELINE_ID")), Attempt: number(env("CI_JOB_ID")),
	}
	from, to := env("CI_MERGE_REQUEST_SOURCE_PROJECT_ID"), env("CI_MERGE_REQUEST_PROJECT_ID")
	r.Fork = from != "" && to != "" && from != to
	return r
}

// changePage matches the page of a pull or merge request.
var changePage = regexp.MustCompile(`^(https?://[^/]+)/(.+?)(/pull/|/-/merge_requests/)([0-9]+)`)

func readJenkins(env Env) Run {
	r := Run{
		Runner: Jenkins, Change: int(number(env("CHANGE_ID"))), Head: env("GIT_COMMIT"),
		Link: env("BUILD_URL"), Number: number(env("BUILD_NUMBER")), Fork: env("CHANGE_FORK") != "",
	}
	m := changePage.FindStringSubmatch(env("CHANGE_URL"))
	if m == nil {
		return r
	}
	r.Repository = m[2]
	switch u, err := url.Parse(m[1]); {
	case err != nil:
	case m[3] == "/-/merge_requests/":
		r.Forge, r.API = string(GitLab), m[1]+"/api/v4"
	case u.Hostname() == "github.com":
		r.Forge, r.API = string(GitHub), "https://api.github.com"
	default:
		r.Forge, r.API = string(GitHub), m[1]+"/api/v3"
	}
	return r
}

// number reads digits; anything else is 0.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
