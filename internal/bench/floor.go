package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/govctl/govctl/internal/api"
)

// floor does the parts of a job that nobody can leave out, one after the other, and
// nothing with them.
func floor(args []string) error {
	f := flag.NewFlagSet("floor", flag.ContinueOnError)
	base := f.String("url", "", "server")
	walk := f.Bool("walk", false, "read all pages of members")
	put := f.Int("put", 0, "send a limit for every member, this many requests at once")
	table := f.String("csv", "", "read a CSV file")
	native := f.String("hcl", "", "parse an HCL file")
	plain := f.String("yaml", "", "parse a YAML file")
	lines := f.String("lines", "", "read the lines of a file")
	if err := f.Parse(args); err != nil {
		return err
	}
	var err error
	if *table != "" {
		err = errors.Join(err, readCSV(*table))
	}
	if *native != "" {
		err = errors.Join(err, parseHCL(*native))
	}
	if *plain != "" {
		err = errors.Join(err, parseYAML(*plain))
	}
	if *lines != "" {
		err = errors.Join(err, readLines(*lines))
	}
	var members []string
	if *walk {
		var failed error
		members, failed = walkMembers(*base)
		err = errors.Join(err, failed)
	}
	if *put > 0 {
		err = errors.Join(err, putLimits(*base, members, *put))
	}
	return err
}

func walkMembers(base string) ([]string, error) {
	var members []string
	for cursor := ""; ; {
		var page api.UsersPage
		query := url.Values{"limit": {"100"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		if err := exchange(http.MethodGet, base+api.PathUsers+"?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		for _, u := range page.Users {
			members = append(members, *u.Email)
		}
		if !page.Pagination.HasMore {
			return members, nil
		}
		cursor = *page.Pagination.NextCursor
	}
}

func putLimits(base string, members []string, parallel int) error {
	var group errgroup.Group
	group.SetLimit(parallel)
	for from := 0; from < len(members); from += api.MaxLimits {
		some := members[from:min(from+api.MaxLimits, len(members))]
		group.Go(func() error {
			ask := api.LimitsRequest{Users: make([]api.Limit, len(some))}
			for i, m := range some {
				ask.Users[i] = api.Limit{Email: m, Limit: int64(limit(from + i))}
			}
			var got api.LimitsResult
			return exchange(http.MethodPut, base+api.PathLimits, ask, &got)
		})
	}
	return group.Wait()
}

func exchange(method, address string, send, receive any) error {
	var body io.Reader
	if send != nil {
		data, err := json.Marshal(send)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, address, answer.Status)
	}
	return json.Unmarshal(data, receive)
}

func readCSV(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	for {
		if _, err := r.Read(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func parseHCL(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if _, problems := hclsyntax.ParseConfig(data, path, hcl.InitialPos); problems.HasErrors() {
		return problems
	}
	return nil
}

func parseYAML(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var node yaml.Node
	return yaml.Unmarshal(data, &node)
}

func readLines(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() { // what is in them is not the question
	}
	return lines.Err()
}
