package service

import (
	"encoding/json"
	"net/http"

	"github.com/govctl/govctl/internal/service/openapi"
)

// describe answers GET openapi.json: the contract itself, without a key.
func describe(r *http.Request) (int, any, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return 0, nil, notAllowed([]string{http.MethodGet, http.MethodHead})
	}
	text, err := openapi.JSON()
	return http.StatusOK, json.RawMessage(text), err
}
