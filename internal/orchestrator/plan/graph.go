package plan

// cycle returns the subtasks that can never begin, in the plan's order;
// nothing when all can.
func cycle(list []Subtask) []string {
	waits := make(map[string]int, len(list))
	after := make(map[string][]string, len(list))
	for _, s := range list {
		waits[s.ID] += 0
		for _, d := range s.DependsOn {
			after[d] = append(after[d], s.ID)
			waits[s.ID]++
		}
	}
	var free []string
	for _, s := range list {
		for _, d := range s.DependsOn {
			if _, own := waits[d]; !own { // finished before this plan
				waits[s.ID]--
			}
		}
		if waits[s.ID] == 0 {
			free = append(free, s.ID)
		}
	}
	for len(free) > 0 {
		id := free[len(free)-1]
		free = free[:len(free)-1]
		delete(waits, id)
		for _, next := range after[id] {
			if waits[next]--; waits[next] == 0 {
				free = append(free, next)
			}
		}
	}
	var left []string
	for _, s := range list {
		if _, stuck := waits[s.ID]; stuck && len(left) < maxProblems {
			left = append(left, s.ID)
		}
	}
	return left
}
