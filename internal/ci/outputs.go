package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"unicode"
)

// Output is one value that later steps of a job can read. A key has lower-case letters,
// digits and hyphens.
type Output struct{ Key, Value string }

// Bool is an Output that is true or false.
func Bool(key string, v bool) Output {
	if v {
		return Output{key, "true"}
	}
	return Output{key, "false"}
}

// OutputFile encodes outputs for $GITHUB_OUTPUT. A value of several lines stands between
// delimiters that cannot be in it, because they are made from its digest.
func OutputFile(list []Output) []byte {
	var b strings.Builder
	for _, o := range list {
		if !strings.ContainsAny(o.Value, "\r\n") {
			b.WriteString(o.Key + "=" + o.Value + "\n")
			continue
		}
		sum := sha256.Sum256([]byte(o.Value))
		delimiter := "ghadelimiter_" + hex.EncodeToString(sum[:])
		b.WriteString(o.Key + "<<" + delimiter + "\n" + o.Value + "\n" + delimiter + "\n")
	}
	return []byte(b.String())
}

// Dotenv encodes outputs for a GitLab dotenv report or Jenkins' readProperties: names in
// upper case after GOVCTL_, each value on one line, because the format has no escapes.
func Dotenv(list []Output) []byte {
	var b strings.Builder
	for _, o := range list {
		name := "GOVCTL_" + strings.ToUpper(strings.ReplaceAll(o.Key, "-", "_"))
		b.WriteString(name + "=" + strings.Map(printable, o.Value) + "\n")
	}
	return []byte(b.String())
}

// printable replaces what would end a line or steer a terminal.
func printable(r rune) rune {
	if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
		return ' '
	}
	return r
}

// summaryMost is how much of a step's summary is used. The runner drops the whole file
// when it is larger than 1,048,576 bytes, and rewrites it before it measures.
const summaryMost = 1_000_000

// SummaryRoom is how many bytes may be added to a step summary of size bytes, 0 for none.
func SummaryRoom(size int64) int { return int(max(0, summaryMost-size)) }

// Append adds data to a file of the runner's and makes the file if it is not there. What
// others wrote before without a line end gets one: the runner refuses the file otherwise.
func Append(path string, data []byte) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			data = append([]byte{'\n'}, data...)
		}
	}
	_, err = f.Write(data)
	return err
}
