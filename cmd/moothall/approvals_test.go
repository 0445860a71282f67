package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest/ollamatest"
)

// up runs the hall until the test ends and returns where it answers.
func (p program) up() string {
	p.t.Helper()
	cmd := p.command("up", "--headless", "--port", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	address := regexp.MustCompile(`API +(http\S+)/health`)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			return m[1]
		}
	}
	p.t.Fatal("the hall did not come up")
	return ""
}

// shell is a call of run_code, which is of high risk.
func shell(script string) ollamatest.Reply {
	return calls("run_code", fmt.Sprintf(`{"language":"shell","code":%q}`, script))
}

// asking begins a turn over HTTP. What comes is its final answer.
func asking(t *testing.T, url string) <-chan moothall.Answer {
	t.Helper()
	done := make(chan moothall.Answer, 1)
	go func() {
		defer close(done)
		resp, err := http.Post(url+"/query", "application/json", strings.NewReader(`{"query":"run it"}`))
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		var a moothall.Answer
		if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
			t.Error(resp.Status, err)
		}
		done <- a
	}()
	return done
}

// TestApprovalsCommand: a turn of another program waits, and the person
// answers from a terminal.
func TestApprovalsCommand(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\n", model.URL)})
	url := p.up()
	if out := p.must("", "approvals", "list"); !strings.Contains(out, "Nothing waits") {
		t.Errorf("at first: %s", out)
	}
	for _, c := range []struct {
		answer   []string
		says     string
		status   moothall.CallStatus
		contains string
	}{
		{[]string{"approve"}, "once", moothall.CallOK, "asked-for"},
		{[]string{"approve", "--arguments", `{"language":"shell","code":"echo the-persons-own"}`}, "once", moothall.CallOK, "the-persons-own"},
		{[]string{"deny"}, "deny", moothall.CallDenied, "Denied"},
	} {
		model.Script(shell("echo asked-for"), ollamatest.Reply{Text: "finished"})
		answer := asking(t, url)
		id := openQuestion(t, p)
		args := append([]string{"approvals", c.answer[0], id}, c.answer[1:]...)
		if out := p.must("", args...); !strings.Contains(out, "run_code of generator: "+c.says) {
			t.Errorf("%v: %s", c.answer, out)
		}
		a := <-answer
		if len(a.Tools) == 1 && a.Tools[0].Status == moothall.CallUnavailable {
			cannot(t, "code is not run on this machine: "+a.Tools[0].Result)
		}
		if len(a.Tools) != 1 || a.Tools[0].Status != c.status || !strings.Contains(a.Tools[0].Result, c.contains) {
			t.Errorf("%v: %+v", c.answer, a)
		}
		if _, errs, code := p.run("", "approvals", "approve", id); code == 0 || errs == "" {
			t.Errorf("%v: a second answer ends with %d: %s", c.answer, code, errs)
		}
	}
	if out := p.must("", "approvals", "list", "--all"); strings.Count(out, "run_code") != 3 {
		t.Errorf("at last: %s", out)
	}
	if _, _, code := p.run("", "approvals", "approve", "no-such-question"); code != 1 {
		t.Errorf("a question that is none: exit code %d", code)
	}
	if _, _, code := p.run("", "approvals", "approve", "x", "--arguments", "{"); code != 2 {
		t.Errorf("arguments that are none: exit code %d", code)
	}
}

// openQuestion waits until one is open and returns its id.
func openQuestion(t *testing.T, p program) (id string) {
	t.Helper()
	until(t, "a question is open", func() bool {
		var list struct{ Approvals []moothall.Approval }
		if err := json.Unmarshal([]byte(p.must("", "approvals", "list", "--json")), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Approvals) == 1 {
			id = string(list.Approvals[0].ID)
		}
		return len(list.Approvals) == 1
	})
	return id
}

// TestAskUnattended: a script has nobody to ask. The answer comes, and the
// exit code says that a call was refused.
func TestAskUnattended(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\n", model.URL)})
	for _, running := range []bool{false, true} {
		if running {
			p.up()
		}
		model.Script(shell("echo no"), ollamatest.Reply{Text: "I could not."})
		out, errs, code := p.run("", "ask", "run it")
		if code != 3 || !strings.Contains(out, "I could not.") || !strings.Contains(errs, "run_code was refused: nobody was there to be asked") {
			t.Errorf("running=%v: exit code %d\n%s%s", running, code, out, errs)
		}
		model.Script(shell("echo no"), ollamatest.Reply{Text: "I could not."})
		if out, _, code := p.run("", "ask", "--json", "run it"); code != 3 || !json.Valid([]byte(out)) {
			t.Errorf("running=%v, as JSON: exit code %d\n%s", running, code, out)
		}
		// What needs nobody ends well, and so does what was refused for
		// another reason: that is the answer's business.
		model.Script(calls("calculate", `{"expression":"6*7"}`), ollamatest.Reply{Text: "42"})
		p.must("", "ask", "how much is it?")
		model.Script(calls("fs_read", `{"path":"/etc/hostname"}`), ollamatest.Reply{Text: "I may not."})
		p.must("", "ask", "read it")
	}
}

// TestChatUnattended: what is piped in are questions, never the answer to one
// of the broker's.
func TestChatUnattended(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\n", model.URL)})
	model.Script(shell("echo no"), ollamatest.Reply{Text: "I could not."}, ollamatest.Reply{Text: "That was a question."})
	out, errs, code := p.run("run it\nyes\n", "chat")
	if code != 0 || !strings.Contains(out, "I could not.") || !strings.Contains(out, "That was a question.") ||
		!strings.Contains(errs, "run_code was refused: nobody was there to be asked") || strings.Contains(errs, "allow it?") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

func TestPlainLines(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", maxContext)
	lines := newPlainLines(strings.NewReader(longest + "\r\nnext\n" + longest + longest))
	for _, want := range []string{longest, "next"} {
		if got, err := lines.line(t.Context(), "> "); got != want || err != nil {
			t.Errorf("%.10q of %d bytes, %v; want %d", got, len(got), err, len(want))
		}
	}
	if _, err := lines.line(t.Context(), "> "); moothall.ErrorCode(err) != moothall.CodeTooLarge {
		t.Errorf("a line that is too long: %v", err)
	}
	if _, err := newPlainLines(strings.NewReader("")).line(t.Context(), "> "); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}
