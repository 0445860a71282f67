package builtin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
)

const expenses = "/w/expenses.csv (UTF-8, 304 bytes, 4 lines):\ndate,category,item,amount\n2026-11-03,travel,train ticket,48.50\n2026-11-04,food,team lunch,86.20\n2026-11-14,travel,hotel,129.00\n"

func TestRowFor(t *testing.T) {
	t.Parallel()
	read := []moothall.Message{{Role: moothall.RoleTool, Content: expenses}, {Role: moothall.RoleAssistant, Content: "It says …"}}
	for question, want := range map[string]string{
		"ok and how much was the hotel":            "date 2026-11-14, category travel, item hotel, amount 129.00",
		"how much was the lunch in expenses.csv":   "date 2026-11-04, category food, item team lunch, amount 86.20",
		"what did i spend on travel":               "", // two of them
		"how much was the flight":                  "",
		"thanks for the hotel":                     "",
		"when did i go to the hotels":              "date 2026-11-14, category travel, item hotel, amount 129.00",
		"how many lines are there in expenses.csv": "",
	} {
		if got := rowFor(read, question); got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
	for _, text := range []string{"", "Dear Lena,\nthe invoice, as you know, is late,\nthanks", "a,b\n1,2\n", "milk 2\nbread 1"} {
		if got := rows(text); len(got) > 0 {
			t.Errorf("%q has rows: %v", text, got)
		}
	}
}

func TestAsItStands(t *testing.T) {
	t.Parallel()
	messages := []moothall.Message{{Role: moothall.RoleUser, Content: "read list.txt"}, {Role: moothall.RoleTool, Content: "/w/list.txt (UTF-8):\neggs\nmilk\nflour\n"}}
	for answer, want := range map[string]string{
		"list.txt says:\neggs\nmilk\nflour\ncheese": "list.txt says:\neggs\nmilk\nflour",
		"list.txt says:\neggs\nmilk\nflour":         "list.txt says:\neggs\nmilk\nflour",
		"It says eggs and cheese.":                  "It says eggs and cheese.",
	} {
		if got := asItStands(answer, messages); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestMuddled(t *testing.T) {
	t.Parallel()
	const odd = `an operator is missing before "%s"; write * for a product (at character 8)`
	for sum, c := range map[string]struct {
		why  string
		want bool
	}{
		"2027-0 four-09 - 2026-11-17": {fmt.Sprintf(odd, "four"), true},
		"3 apples + 4":                {fmt.Sprintf(odd, "apples"), false},
		"1 / 0":                       {"a division by zero has no value", false},
		"sqrt(-1)":                    {"the square root of a negative number is not a real number", false},
		"weekday of 2026-02-30":       {"2026-02-30 is no date of the calendar", false},
	} {
		args, err := json.Marshal(map[string]string{"expression": sum})
		if err != nil {
			t.Fatal(err)
		}
		messages := []moothall.Message{
			{Role: moothall.RoleUser, Content: "how many are 3 apples and 4"},
			{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c", Name: "calculate", Arguments: args}}},
			{Role: moothall.RoleTool, CallID: "c", Content: failure + " " + c.why},
		}
		if got := muddled(messages); got != c.want {
			t.Errorf("%s: %v", sum, got)
		}
	}
}

func FuzzRows(f *testing.F) {
	f.Add(expenses)
	f.Add("a;b\n1;2\n3;4")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range rows(text) {
			if len(r.names) != len(r.cells) || strings.Contains(r.words(), "\n") {
				t.Errorf("%+v", r)
			}
		}
	})
}
