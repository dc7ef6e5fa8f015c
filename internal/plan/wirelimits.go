package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// LimitsJSON is a list of changes as the plan's JSON has them.
func LimitsJSON(limits []LimitChange) ([]byte, error) {
	b := append(make([]byte, 0, 2+256*len(limits)), '[')
	var err error
	for i := range limits {
		if b, err = appendLimit(comma(b, i == 0), &limits[i]); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendLimit appends a change as encoding/json would write its wireChange, without
// looking at types a hundred thousand times.
func appendLimit(b []byte, c *LimitChange) ([]byte, error) {
	known := c.Before.known()
	if y := c.Before.At.Year(); known && (y < 0 || y > 9999) {
		return nil, fmt.Errorf("encode limit %s: no JSON for the year %d", c.Email, y)
	}
	b = field(b, `{"kind":"limit","action":`, c.Action)
	b = field(b, `,"key":`, string(c.Email))
	if c.SendAs != string(c.Email) && c.SendAs != "" {
		b = field(b, `,"send_as":`, c.SendAs)
	}
	if c.UserID != "" {
		b = field(b, `,"user_id":`, c.UserID)
	}
	b = field(b, `,"before":{"grade":`, string(c.Before.Grade))
	if known {
		b = strconv.AppendInt(append(b, `,"value":`...), c.Before.Value, 10)
		b = append(c.Before.At.AppendFormat(append(b, `,"at":"`...), time.RFC3339Nano), '"')
	}
	b = strconv.AppendInt(append(b, `},"after":`...), c.After, 10)
	if c.Why != "" {
		b = field(b, `,"why":`, c.Why)
	}
	if c.Reason != "" {
		b = field(b, `,"reason":`, c.Reason)
	}
	if !c.Source.IsZero() {
		b = field(b, `,"source":{"file":`, c.Source.File)
		b = strconv.AppendInt(append(b, `,"line":`...), int64(c.Source.Line), 10)
		b = strconv.AppendInt(append(b, `,"column":`...), int64(c.Source.Column), 10)
		b = append(b, '}')
	}
	return append(b, '}'), nil
}

// field appends what comes before a text, and the text.
func field(b []byte, before, text string) []byte {
	b = append(b, before...)
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			quoted, _ := json.Marshal(text) // any text can be
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}
