package builtin

import "moothall"

// sender yields chunks, or collects them for one that wants the whole.
type sender struct {
	yield    func(moothall.Chunk, error) bool
	whole    bool
	started  bool // something was yielded
	left     bool // the caller broke out
	thinking string
	text     string
	calls    []moothall.ToolCall
}

func (s *sender) chunk(c moothall.Chunk) bool {
	if s.left {
		return false
	}
	c.Provider, c.Model = Name, Model
	s.started = true
	s.left = !s.yield(c, nil)
	return !s.left
}

func (s *sender) think(text string) bool {
	if text == "" {
		return true
	}
	if s.whole {
		s.thinking += text
		return true
	}
	return s.chunk(moothall.Chunk{Thinking: text})
}

func (s *sender) say(text string) bool {
	if text == "" {
		return true
	}
	if s.whole {
		s.text += text
		return true
	}
	return s.chunk(moothall.Chunk{Text: text})
}

func (s *sender) call(c moothall.ToolCall) bool {
	if s.whole {
		s.calls = append(s.calls, c)
		return true
	}
	return s.chunk(moothall.Chunk{ToolCalls: []moothall.ToolCall{c}})
}

// end sends what was collected, and the last chunk.
func (s *sender) end(stop moothall.StopReason, usage moothall.Usage) {
	if s.thinking != "" && !s.chunk(moothall.Chunk{Thinking: s.thinking}) ||
		s.text != "" && !s.chunk(moothall.Chunk{Text: s.text}) ||
		len(s.calls) > 0 && !s.chunk(moothall.Chunk{ToolCalls: s.calls}) {
		return
	}
	s.chunk(moothall.Chunk{Stop: stop, Usage: usage})
}
