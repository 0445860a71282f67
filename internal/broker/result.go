package broker

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"moothall"
	"moothall/internal/broker/firewall"
	"moothall/internal/schema"
)

// maxData bounds what programs get of a result.
const maxData = 4 << 20

// sanitise makes a result fit for a model: no secrets, nothing that passes
// for the hall's own marks, no more than the tool's share, and an envelope
// around what comes from outside or from the person's files.
func (b *Broker) sanitise(c *call, out *outcome) {
	res, spec := &out.res, c.entry.spec
	res.Text = redact(strings.ToValidUTF8(res.Text, "\uFFFD"), out.secrets)
	res.Data = redactData(res.Data, out.secrets)
	res.Cut = redact(res.Cut, out.secrets)
	if out.silent { // our own words
		return
	}
	if !out.untried {
		res.Labels |= spec.Taints
		// Who changes a file is shown what stands around the change; a result
		// without labels shows nothing of it.
		if b.files.from(c.read()) || res.Labels != 0 && b.files.from(c.paths[moothall.PathWrite]) {
			res.Labels |= moothall.Untrusted
		}
	}
	if len(res.Data) > maxData {
		res.Data = nil
		res.Cut = joined(res.Cut, fmt.Sprintf("the data, more than %d bytes", maxData))
	}
	if b.finds(spec) && res.Status == moothall.CallOK {
		out.news = c.agent.session.known.learnFound(*res)
	}
	b.trim(spec, res)
	if res.Labels.Has(moothall.Private) {
		out.kept = c.agent.session.held.learn(res.Text)
	}
	if spec.Risk == moothall.RiskNone && res.Labels == 0 {
		return
	}
	res.Data = cleanData(res.Data)
	report := firewall.Scan(res.Text)
	res.Score = report.Score
	mark := ""
	if res.Status == moothall.CallFailed {
		mark = "[tool failed]\n"
	} else if res.Status == moothall.CallUnavailable {
		mark = "[tool unavailable]\n"
	}
	res.Text = mark + firewall.Wrap(res.Text, firewall.NewNonce(), firewall.Meta{Tool: string(spec.Name), Score: res.Score})
}

// trim cuts the text to the tool's share, on a whole character.
func (b *Broker) trim(spec moothall.ToolSpec, res *moothall.ToolResult) {
	most := spec.MaxResult
	fill(&most, b.opt.MaxResult)
	if len(res.Text) <= most {
		return
	}
	was := len(res.Text)
	res.Text = cutText(res.Text, most)
	res.Cut = joined(res.Cut, fmt.Sprintf("%d of %d bytes of text", was-len(res.Text), was))
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// cutText returns at most n bytes of s, on a whole character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// cleanNote makes a tool's word of progress fit for a line.
func cleanNote(s string) (string, []string) {
	return firewall.Clean(cutText(strings.ToValidUTF8(s, "\uFFFD"), 500))
}

// redactData takes secrets out of data. Escapes that could hide one are
// undone first; what is no JSON is no data.
func redactData(data json.RawMessage, secrets []moothall.Secret) json.RawMessage {
	if len(data) == 0 || !json.Valid(data) {
		return nil
	}
	if len(secrets) == 0 {
		return data
	}
	plain, err := schema.Canonical(data)
	if err != nil {
		return nil
	}
	clean := []byte(redact(string(plain), secrets))
	if !json.Valid(clean) {
		return nil
	}
	return clean
}
