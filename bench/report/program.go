package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// startUp starts the program n times on fresh homes and notes how long it
// took to a healthy answer and how much memory it held then.
func startUp(bin string, n int, into map[string][]float64) error {
	for range n {
		took, resident, err := startOnce(bin)
		if err != nil {
			return err
		}
		into["start ms"] = append(into["start ms"], float64(took.Microseconds())/1000)
		into["resident MB"] = append(into["resident MB"], float64(resident)/1e6)
	}
	return nil
}

// questions are asked of the built-in network: two tools and its library.
var questions = []string{"What is 17% of 2,340?", "When was the Eiffel Tower built?", "Tell me the current time in Lisbon"}

// answers starts the program n times, has the questions answered and notes how
// much memory it holds then.
func answers(bin string, n int, into map[string][]float64) error {
	for range n {
		_, resident, err := startOnce(bin, questions...)
		if err != nil {
			return err
		}
		into["answered MB"] = append(into["answered MB"], float64(resident)/1e6)
	}
	return nil
}

// startOnce starts the program on a fresh home, asks questions once it is
// healthy, and ends it.
func startOnce(bin string, questions ...string) (took time.Duration, resident int64, err error) {
	home, err := os.MkdirTemp("", "moothall-bench-*")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(home)
	cmd := exec.Command(bin, "up", "--headless", "--home", home, "--port", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	cmd.Stderr = os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, stop(cmd)) }()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		url, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "API")
		if !ok {
			continue
		}
		resp, err := http.Get(strings.TrimSpace(url))
		if err != nil {
			return 0, 0, err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return 0, 0, fmt.Errorf("health: %s", resp.Status)
		}
		took = time.Since(began)
		for _, q := range questions {
			if err := ask(bin, home, q); err != nil {
				return 0, 0, err
			}
		}
		resident, err = residentBytes(cmd.Process.Pid)
		return took, resident, err
	}
	return 0, 0, errors.New("the program ended before it was up")
}

// ask has a question answered by the built-in network.
func ask(bin, home, question string) error {
	cmd := exec.Command(bin, "--home", home, "ask", "--model", "builtin/moothall-mini", question)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ask: %w\n%s", err, text)
	}
	return nil
}

func stop(cmd *exec.Cmd) error {
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return cmd.Wait()
}

func residentBytes(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * int64(os.Getpagesize()), nil
}
