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

func startOnce(bin string) (took time.Duration, resident int64, err error) {
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
		resident, err = residentBytes(cmd.Process.Pid)
		return took, resident, err
	}
	return 0, 0, errors.New("the program ended before it was up")
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
