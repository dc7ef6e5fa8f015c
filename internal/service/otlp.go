package service

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/govctl/govctl/internal/service/usage"
)

// maxTraces is the largest request with spans, as it is sent and unpacked.
const maxTraces = 16 << 20

// media is how a sender of spans writes them, and is answered.
type media string

const (
	mediaJSON     media = "application/json"
	mediaProtobuf media = "application/x-protobuf"
)

// mediaOf reads the headers of a request with spans.
func mediaOf(h http.Header) (media, error) {
	name, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	m := media(name)
	if err != nil || m != mediaJSON && m != mediaProtobuf {
		return "", refuse(http.StatusUnsupportedMediaType, "spans are sent as %s or %s", mediaProtobuf, mediaJSON)
	}
	if _, ok := zipped(h); !ok {
		return "", refuse(http.StatusUnsupportedMediaType, "spans are sent as they are or with gzip")
	}
	return m, nil
}

// zipped tells whether a body is compressed; ok is false for what is not supported.
func zipped(h http.Header) (yes, ok bool) {
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding"))) {
	case "", "identity":
		return false, true
	case "gzip", "x-gzip":
		return true, true
	}
	return false, false
}

// readTraces reads the body of a request and unpacks it: 413, then 400.
func readTraces(r *http.Request) (raw []byte, err error) {
	body := io.Reader(http.MaxBytesReader(nil, r.Body, maxTraces))
	if yes, _ := zipped(r.Header); yes {
		z, err := gzip.NewReader(body)
		if err != nil {
			return nil, unreadable(err, "the body is not gzip")
		}
		body = z
	}
	raw, err = io.ReadAll(io.LimitReader(body, maxTraces+1))
	if err != nil {
		return nil, unreadable(err, "the body could not be read")
	}
	if len(raw) > maxTraces {
		return nil, refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", maxTraces)
	}
	return raw, nil
}

func unreadable(err error, detail string) error {
	if big := new(http.MaxBytesError); errors.As(err, &big) {
		return refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", maxTraces)
	}
	return invalid("%s", detail)
}

// decode reads an ExportTraceServiceRequest, whose text it changes; TracesData is the same
// on the wire. Its own package would bring gRPC.
func (m media) decode(raw []byte) (*tracepb.TracesData, error) {
	data := &tracepb.TracesData{}
	var err error
	if m == mediaJSON {
		hideSnakeCase(raw)
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(raw, data)
	} else {
		err = proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(raw, data)
	}
	if err != nil {
		return nil, invalid("the body is no OTLP trace request in %s", m)
	}
	for _, resource := range data.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				if !m.fixIDs(span) {
					return nil, invalid("a traceId is not 16 bytes or a spanId not 8 bytes")
				}
			}
		}
	}
	return data, nil
}

// fixIDs checks the ids of a span. OTLP writes them in JSON as hex digits, unlike all other
// bytes, which are base64; what was decoded as base64 is encoded again and decoded as hex.
func (m media) fixIDs(span *tracepb.Span) bool {
	if m == mediaJSON {
		var errTrace, errSpan error
		span.TraceId, errTrace = hex.DecodeString(base64.StdEncoding.EncodeToString(span.GetTraceId()))
		span.SpanId, errSpan = hex.DecodeString(base64.StdEncoding.EncodeToString(span.GetSpanId()))
		if errTrace != nil || errSpan != nil {
			return false
		}
	}
	return len(span.GetTraceId()) == 16 && len(span.GetSpanId()) == 8
}

// attributesOf finds an attribute of a span or else of its resource. Of a key that stands
// twice the first counts.
func attributesOf(span, resource []*commonpb.KeyValue) usage.Attributes {
	return func(key string) usage.Value {
		for _, kv := range span {
			if kv.GetKey() == key {
				return valueOf(kv.GetValue())
			}
		}
		for _, kv := range resource {
			if kv.GetKey() == key {
				return valueOf(kv.GetValue())
			}
		}
		return usage.Value{}
	}
}

func valueOf(v *commonpb.AnyValue) usage.Value {
	switch v := v.GetValue().(type) {
	case nil:
		return usage.Value{}
	case *commonpb.AnyValue_StringValue:
		return usage.String(v.StringValue)
	case *commonpb.AnyValue_IntValue:
		return usage.Int(v.IntValue)
	case *commonpb.AnyValue_DoubleValue:
		return usage.Double(v.DoubleValue)
	case *commonpb.AnyValue_BoolValue:
		return usage.Bool(v.BoolValue)
	}
	return usage.Unsupported()
}
