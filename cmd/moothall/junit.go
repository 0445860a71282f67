package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"moothall"
	"moothall/internal/daemon"
)

// The JUnit form of a report, as build servers read it. Attributes that the
// common schema wants are always there.
type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Time     string     `xml:"time,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		At       string      `xml:"timestamp,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit writes a report in that form: one suite, one case a story.
func junit(r storyReport, began time.Time) ([]byte, error) {
	suite := junitSuite{
		Name: "stories", Tests: len(r.Stories), Failures: r.Failed, Skipped: r.Skipped, At: began.UTC().Format("2006-01-02T15:04:05"),
	}
	var took time.Duration
	for _, o := range r.Stories {
		took += o.Took
		suite.Cases = append(suite.Cases, junitOf(o))
	}
	suite.Time = junitTime(took)
	all := junitSuites{Name: "moothall", Tests: suite.Tests, Failures: suite.Failures, Time: suite.Time, Suite: suite}
	b, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

// reportFile is where a report goes, opened before there is one: that it cannot be
// written is to be known before the first story is played.
type reportFile struct {
	*os.File
	spare bool // made for a report that has not come
}

// openReport opens the file that was named; nil when none was. What is in it stays
// until a report takes its place.
func openReport(name string) (*reportFile, error) {
	if name == "" {
		return nil, nil
	}
	_, err := os.Lstat(name)
	spare := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, noReport(name, err)
	}
	return &reportFile{f, spare}, nil
}

func (r *reportFile) replace(text []byte) error {
	r.spare = false
	_, err := r.Write(text)
	if i, failed := r.Stat(); failed == nil && i.Mode().IsRegular() { // a pipe cannot be cut
		err = errors.Join(err, r.Truncate(int64(len(text))))
	}
	return err
}

func (r *reportFile) close() error {
	if r == nil {
		return nil
	}
	err := r.Close()
	if r.spare {
		err = errors.Join(err, os.Remove(r.Name()))
	}
	return err
}

func noReport(name string, err error) error {
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "write report", Message: "cannot write " + name, Err: err}
}

func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

func junitOf(o daemon.StoryOutcome) junitCase {
	name := o.Name
	if o.About != "" {
		name += ": " + o.About
	}
	c := junitCase{Name: xmlText(name), Class: "stories." + xmlText(strings.ReplaceAll(o.Name, ".", "_")), Time: junitTime(o.Took)}
	switch {
	case o.Skipped != "":
		c.Skipped = &junitSkipped{xmlText(o.Skipped)}
	case !o.Passed:
		f := &junitFailure{Message: "the story has no turns", Type: "expectation"}
		var b strings.Builder
		for i, t := range o.Turns {
			for _, problem := range t.Failures {
				if b.Len() == 0 {
					f.Message = xmlText(problem)
				}
				fmt.Fprintf(&b, "turn %d, %q: %s\n", i+1, t.Query, problem)
			}
			if len(t.Failures) > 0 {
				fmt.Fprintf(&b, "the answer was: %s\n", t.Answer)
			}
		}
		f.Text = xmlText(b.String())
		c.Failure = f
	}
	return c
}

// xmlText replaces what XML 1.0 cannot hold, however it is escaped: answers
// come from models.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD && r != utf8.RuneError, r >= 0x10000:
			return r
		}
		return '\uFFFD'
	}, s)
}
