package service

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/govctl/govctl/internal/api"
)

// problem is an error whose text is meant for the client (C39, U70).
type problem struct {
	status int
	detail string
	header http.Header // added to the answer
}

// Error is the text the client gets.
func (p *problem) Error() string { return p.detail }

// refuse makes a problem.
func refuse(status int, format string, args ...any) error {
	return &problem{status: status, detail: fmt.Sprintf(format, args...)}
}

// invalid is the commonest problem: 400.
func invalid(format string, args ...any) error {
	return refuse(http.StatusBadRequest, format, args...)
}

func notAllowed(methods []string) error {
	return &problem{
		status: http.StatusMethodNotAllowed,
		detail: "the method is not allowed here; allowed: " + strings.Join(methods, ", "),
		header: http.Header{"Allow": {strings.Join(methods, ", ")}},
	}
}

// refusal is the answer to a problem.
type refusal struct {
	api.ErrorBody
	*otlpStatus // only of the traces endpoint
	header      http.Header
}

func (p *problem) answer(id string) refusal {
	title := http.StatusText(p.status)
	if title == "" {
		title = fmt.Sprintf("Status %d", p.status)
	}
	body := api.ErrorBody{Title: title, Detail: p.detail, Status: p.status, RequestID: id}
	return refusal{ErrorBody: body, header: p.header}
}
