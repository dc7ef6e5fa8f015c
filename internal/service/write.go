package service

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// zipFrom is the size from which an answer is compressed (U77); below it gzip saves nothing.
const zipFrom = 1024

// write sends one complete answer.
func (s *Service) write(w http.ResponseWriter, r *http.Request, status int, body any) {
	h := w.Header()
	if p, ok := body.(refusal); ok {
		maps.Copy(h, p.header)
	}
	if p, ok := body.(protobuf); ok {
		maps.Copy(h, p.header)
		s.send(w, r, status, string(mediaProtobuf), p.text)
		return
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		s.o.Logger.Error("encode answer", "error", err)
		http.Error(w, `{"title":"Internal Server Error","detail":"internal error","status":500,"requestId":""}`, http.StatusInternalServerError)
		return
	}
	s.send(w, r, status, "application/json", text.Bytes())
}

// send sends an answer that is bytes already.
func (s *Service) send(w http.ResponseWriter, r *http.Request, status int, contentType string, out []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept-Encoding")
	if len(out) > zipFrom && acceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		out = s.zip(out)
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := w.Write(out); err != nil {
		s.o.Logger.Debug("send answer", "error", err)
	}
}

// zip compresses with a writer from the pool: a new one costs 800 KB.
func (s *Service) zip(text []byte) []byte {
	var out bytes.Buffer
	z, ok := s.zips.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(&out, gzip.BestSpeed) // fails only for an unknown level
	}
	z.Reset(&out)
	_, _ = z.Write(text) // a bytes.Buffer takes everything
	_ = z.Close()
	s.zips.Put(z)
	return out.Bytes()
}

// acceptsGzip reads Accept-Encoding: gzip or * with a quality that is not 0.
func acceptsGzip(h http.Header) bool {
	any, named, namedOK := false, false, false
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		ok := true
		if q, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q="); found {
			quality, err := strconv.ParseFloat(q, 64)
			ok = err == nil && quality > 0
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			named, namedOK = true, ok
		case "*":
			any = ok
		}
	}
	if named {
		return namedOK
	}
	return any
}
