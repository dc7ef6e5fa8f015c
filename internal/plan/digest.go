package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// AddFindings adds what the policies say of the plan. The digest covers it.
func (p *Plan) AddFindings(findings []org.Finding) {
	p.Findings = append(p.Findings, findings...)
	p.seal()
}

// seal gives the plan its digest. Bytes that are not UTF-8 cannot be stored as JSON, so
// a plan with any becomes first what a reader of the stored plan will see.
func (p *Plan) seal() {
	var replaced bool
	p.Project = strings.ToValidUTF8(p.Project, "\uFFFD")
	if p.Digest, replaced = p.sealed(); !replaced {
		return
	}
	created, project := p.CreatedAt, p.Project
	if data, err := p.MarshalJSON(); err == nil && p.UnmarshalJSON(data) == nil {
		p.CreatedAt, p.Project = created, project
		p.Digest, _ = p.sealed()
	}
}

// sealed is the digest of everything a reviewer sees apart from when the plan was made
// and by which path the project was named, which may differ on equal facts. It is "" for
// a value that is not JSON, which never came from config or live: no stored plan has that
// digest. replaced says that some bytes may not be UTF-8.
func (p *Plan) sealed() (digest string, replaced bool) {
	h := sha256.New()
	err := p.write(p.head(), func(piece []byte) {
		replaced = replaced || bytes.Contains(piece, []byte(`\ufffd`))
		h.Write(piece)
	})
	if err != nil {
		return "", false
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), replaced
}

// Decode reads a stored plan and checks that its digest is that of its contents and that
// nothing stands beside them, so that a plan edited after its review is refused. Only
// its layout, CreatedAt and Project are free.
func Decode(data []byte) (*Plan, error) {
	var head struct {
		FormatVersion string `json:"format_version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("not a govctl plan: %w", err)
	}
	if head.FormatVersion == "" {
		return nil, errors.New("not a govctl plan: format_version is missing")
	}
	if head.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("plan format %s is not known to this govctl (it writes %s)", head.FormatVersion, FormatVersion)
	}
	p := new(Plan)
	if err := p.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	got, _ := p.sealed()
	if got != p.Digest || got == "" {
		return nil, &TamperedError{Recorded: p.Digest, Computed: got}
	}
	canonical, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if !sameTokens(data, canonical) {
		return nil, &TamperedError{Recorded: p.Digest, Computed: got}
	}
	return p, nil
}

// sameTokens reports whether two JSON texts differ in layout only. Comparing decoded
// values would not see repeated, unknown or re-spelled names, which another reader of
// the file may take for the plan.
func sameTokens(a, b []byte) bool {
	var compact bytes.Buffer
	if json.Compact(&compact, a) == nil && bytes.Equal(compact.Bytes(), b) {
		return true
	}
	x, y := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	x.UseNumber()
	y.UseNumber()
	for {
		s, err1 := x.Token()
		t, err2 := y.Token()
		if err1 != nil || err2 != nil {
			return errors.Is(err1, io.EOF) && errors.Is(err2, io.EOF)
		}
		if s != t {
			return false
		}
	}
}

// TamperedError means that a stored plan is not the one that was made.
type TamperedError struct{ Recorded, Computed string }

// Error names both digests.
func (e *TamperedError) Error() string {
	if e.Recorded == e.Computed {
		return "the plan file has fields that are unknown, repeated or out of order"
	}
	return fmt.Sprintf("the plan's contents do not match its digest: recorded %s, computed %s", e.Recorded, e.Computed)
}
