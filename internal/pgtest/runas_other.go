//go:build !unix

package pgtest

import (
	"errors"
	"os/exec"
	"os/user"
)

func runAs(*user.User, string) (func(*exec.Cmd), error) {
	return nil, errors.ErrUnsupported
}
