package service

import (
	"mime"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/govctl/govctl/internal/api"
)

// protobuf is an answer that is not JSON.
type protobuf struct {
	text   []byte
	header http.Header // added to the answer
}

// asOTLP writes an answer of the traces endpoint in the encoding of its request, as OTLP
// demands it also of errors; other answers stay as they are. In JSON an error has the
// fields of this API and those of google.rpc.Status.
func asOTLP(r *http.Request, body any) any {
	if r.URL.Path != api.PathTraces {
		return body
	}
	name, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	binary := err == nil && media(name) == mediaProtobuf
	switch b := body.(type) {
	case refusal:
		if binary {
			return protobuf{b.protobuf(), b.header}
		}
		b.otlpStatus = &otlpStatus{Code: rpcCode(b.Status), Message: b.Detail}
		return b
	case exported:
		if binary {
			return protobuf{text: b.protobuf()}
		}
		return b.json()
	}
	return body
}

// otlpStatus is a google.rpc.Status.
type otlpStatus struct {
	Code    uint64 `json:"code"`
	Message string `json:"message"`
}

func (p refusal) protobuf() []byte {
	text := protowire.AppendTag(nil, 1, protowire.VarintType)
	text = protowire.AppendVarint(text, rpcCode(p.Status))
	text = protowire.AppendTag(text, 2, protowire.BytesType)
	return protowire.AppendString(text, p.Detail)
}

// rpcCode is the google.rpc.Code of an HTTP status.
func rpcCode(status int) uint64 {
	switch status {
	case http.StatusBadRequest, http.StatusUnsupportedMediaType:
		return 3 // INVALID_ARGUMENT
	case http.StatusNotFound:
		return 5
	case http.StatusForbidden:
		return 7 // PERMISSION_DENIED
	case http.StatusRequestEntityTooLarge, http.StatusTooManyRequests:
		return 8 // RESOURCE_EXHAUSTED
	case http.StatusMethodNotAllowed:
		return 12 // UNIMPLEMENTED
	case http.StatusInternalServerError:
		return 13
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return 14 // UNAVAILABLE
	case http.StatusUnauthorized:
		return 16
	}
	return 2 // UNKNOWN
}

// protobuf is an ExportTraceServiceResponse, empty when there is nothing to say.
func (e exported) protobuf() []byte {
	var partial []byte
	if e.rejected != 0 {
		partial = protowire.AppendTag(partial, 1, protowire.VarintType)
		partial = protowire.AppendVarint(partial, uint64(e.rejected))
	}
	if e.message != "" {
		partial = protowire.AppendTag(partial, 2, protowire.BytesType)
		partial = protowire.AppendString(partial, e.message)
	}
	if len(partial) == 0 {
		return []byte{}
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
}

// json is the same in JSON, where OTLP writes 64-bit numbers as texts.
func (e exported) json() any {
	if e == (exported{}) {
		return struct{}{}
	}
	partial := map[string]string{"errorMessage": e.message}
	if e.rejected != 0 {
		partial["rejectedSpans"] = strconv.FormatInt(e.rejected, 10)
	}
	return map[string]any{"partialSuccess": partial}
}
