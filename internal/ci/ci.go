// Package ci speaks the conventions of the runner that a command runs in.
//
// Everything is a pure function of the environment, which is passed in, apart from
// Append. Odd data never makes a command fail: what cannot be understood is not known.
// Secrets are none of its business, except for telling a runner which words to hide.
package ci

import (
	"fmt"
	"slices"
	"strings"
)

// Env looks a variable of the environment up; "" is the same as unset.
type Env func(name string) string

// Runner is a system that runs jobs.
type Runner string

// The runners whose conventions are known.
const (
	None    Runner = "none"
	GitHub  Runner = "github"
	GitLab  Runner = "gitlab"
	Jenkins Runner = "jenkins"
)

// Choices lists what --ci accepts.
func Choices() []string {
	return []string{"auto", string(None), string(GitHub), string(GitLab), string(Jenkins)}
}

// Detect is the runner that was chosen, or for "auto" and "" the one the environment
// tells of. An unknown choice is an error.
func Detect(choice string, env Env) (Runner, error) {
	if choice != "" && choice != "auto" {
		if !slices.Contains(Choices(), choice) {
			return None, fmt.Errorf("%q is not one of %s", choice, strings.Join(Choices(), ", "))
		}
		return Runner(choice), nil
	}
	switch { // some runners set the variable to false where they only imitate it
	case env("GITHUB_ACTIONS") == "true":
		return GitHub, nil
	case env("GITLAB_CI") == "true":
		return GitLab, nil
	case env("JENKINS_URL") != "":
		return Jenkins, nil
	}
	return None, nil
}
