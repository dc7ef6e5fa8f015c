package notify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"
)

// What Slack takes, in characters, and what is worth reading in a channel.
const (
	maxHeader  = 150
	maxSection = 3000
	slackItems = 10
)

// Slack posts n to an incoming webhook.
func (s *Sender) Slack(ctx context.Context, address string, n Notice) error {
	if err := CheckAddress(address, s.Insecure); err != nil {
		return err
	}
	err := slack.PostWebhookCustomHTTPContext(ctx, address, s.HTTP, slackMessage(n))
	var status slack.StatusCodeError
	var limited *slack.RateLimitedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &status):
		return fmt.Errorf("it answered with status %d", status.Code)
	case errors.As(err, &limited):
		return errors.New("it answered with status 429")
	}
	return hidden(err)
}

// slackMessage lays a notice out. Foreign words stand in code spans, which have no
// mentions, links and emoji; the header is plain text.
func slackMessage(n Notice) *slack.WebhookMessage {
	title := "govctl drift"
	if n.Project != "" {
		title += ": " + n.Project
	}
	blocks := []slack.Block{
		slack.NewHeaderBlock(slack.NewTextBlockObject(slack.PlainTextType, most(title, maxHeader), false, false)),
		markdown("*" + plainWords(n.Text) + "*"),
	}
	for _, i := range n.Items[:min(len(n.Items), slackItems)] {
		line := code(i.Key)
		if i.New {
			line = "*new* " + line
		}
		line += "\n" + code(i.What)
		if i.Who != "" {
			line += "\n" + code(i.Who)
		}
		blocks = append(blocks, markdown(line))
	}
	if more := n.More + len(n.Items) - min(len(n.Items), slackItems); more > 0 {
		blocks = append(blocks, markdown(fmt.Sprintf("… and %d more", more)))
	}
	var about []string
	if n.Organization != "" {
		about = append(about, code(n.Organization))
	}
	if n.Revision > 0 {
		about = append(about, fmt.Sprintf("settings as of revision %d", n.Revision))
	}
	if n.Link != "" && CheckAddress(n.Link, true) == nil && !strings.ContainsAny(n.Link, "|<> \n") {
		about = append(about, "<"+escape(n.Link)+"|the run>")
	}
	if len(about) > 0 {
		blocks = append(blocks, slack.NewContextBlock("", slack.NewTextBlockObject(slack.MarkdownType, strings.Join(about, " · "), false, true)))
	}
	return &slack.WebhookMessage{Text: most(plainWords(title+": "+n.Text), maxSection), Blocks: &slack.Blocks{BlockSet: blocks}}
}

func markdown(text string) slack.Block {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, most(text, maxSection), false, true), nil, nil)
}

// code is a code span. Slack has no way to write its border inside; an apostrophe stands
// for it.
func code(s string) string { return "`" + escape(strings.ReplaceAll(s, "`", "'")) + "`" }

// plainWords is a sentence of ours, in which nothing may be markup all the same.
func plainWords(s string) string {
	return escape(strings.NewReplacer("*", "∗", "_", "＿", "~", "∼", "`", "'", "@", "＠").Replace(s))
}

// escape writes what Slack takes for mentions and links.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// most cuts a text that Slack would refuse.
func most(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
