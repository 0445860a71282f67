package daemon

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/story"
)

// StoryOutcome is how one story went.
type StoryOutcome = story.Outcome

// StoryReport is how a run of stories went.
type StoryReport struct {
	Passed  int            `json:"passed"`
	Failed  int            `json:"failed"`
	Skipped int            `json:"skipped"` // they need what this hall has not, or has switched off
	Stories []StoryOutcome `json:"stories"`
}

// RunStories plays story files, or all in a folder, and reports each as it
// ends.
func RunStories(ctx context.Context, c moothall.Client, files []string, model string, each func(StoryOutcome)) (StoryReport, error) {
	var report StoryReport
	files, err := storyFiles(files)
	if err != nil {
		return report, err
	}
	stories := make([]story.Story, len(files))
	for i, file := range files { // all of them first: who plays for minutes is not to learn then of a mistake in the last
		if _, err := conf.Load(&stories[i], conf.Sources{File: file, FileRequired: true}); err != nil {
			return report, err
		}
	}
	for _, s := range stories {
		out := story.Play(ctx, c, s, story.Options{Model: model})
		switch {
		case out.Skipped != "":
			report.Skipped++
		case out.Passed:
			report.Passed++
		default:
			report.Failed++
		}
		report.Stories = append(report.Stories, out)
		each(out)
	}
	return report, nil
}

// storyFiles replaces folders by the stories in them.
func storyFiles(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeNotFound, Op: "stories", Message: "there is no " + name, Err: err}
		}
		if !info.IsDir() {
			out = append(out, name)
			continue
		}
		found, err := filepath.Glob(filepath.Join(name, "*.yaml"))
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "stories", Err: err}
		}
		slices.Sort(found)
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, moothall.Fail(moothall.CodeNotFound, "stories", "no story files were found")
	}
	return out, nil
}
