package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestInUnits lets the calculator convert, whatever factor the network has in mind.
func TestInUnits(t *testing.T) {
	t.Parallel()
	const own = `{"expression":"350 * 9 / 5 + 32"}`
	for question, want := range map[string]string{
		"350 f in celsius": "350 f in celsius", "What is 8,849 m in feet?": "8,849 m in feet", "how many km is 26.2 miles": "26.2 miles in km", "convert 5 kg to pounds please": "5 kg in pounds", "so 8086 cm makes how many feet": "8086 cm in feet", "3 m is how many in the end": "",
		"and 20 C to F": "20 C in F", "how many minutes are 3 hours and 20 minutes?": "3 hours and 20 minutes in minutes", "convert 3 hours and 20 minutes to minutes": "3 hours and 20 minutes in minutes", "5 ft 11 inches in cm": "5 ft 11 inches in cm", "how many oz in 2 lb, 3 oz": "2 lb, 3 oz in oz", "12 * 12": "12 * 12", "add 350 to 9": "", "how many days are in 3 weeks": "3 weeks in days", "how many seconds are there in a week?": "1 week in seconds", "how many hours in 1 day": "1 day in hours", "How many feet does a mile have?": "1 mile in feet", "how many hours in 2.5 days please": "2.5 days in hours",
		"how many grams are in a cup": "", "how many kcal in 2 cups": "", "how many days are there in a year": "", "how many minutes are there in an hour of football": "", "how many days is 3 weeks?": "3 weeks in days", "a room of 3 m by 5 m": "",
		"and what is 5 kg plus 300 g?": "5 kg + 300 g", "What is 45 minutes plus 1 hour 20 minutes?": "45 minutes + 1 hour 20 minutes", "2 hours - 45 minutes": "2 hours - 45 minutes", "5 kg+300 g": "5 kg+300 g", "500 MB PLUS 2 GB": "500 MB + 2 GB", "5 kg plus tax": "", "I ran 5 km plus 3 km yesterday": "", "20 c plus 5 c": "",
	} {
		expected := own
		if want != "" {
			expected = `{"expression":"` + want + `"}`
		}
		if got := asSaid(moothall.ToolCall{Name: "calculate", Arguments: json.RawMessage(own)}, question, "", nil); string(got) != expected {
			t.Errorf("%s: %s", question, got)
		}
	}
}

// TestSameShare takes the last share of the amount that the person names.
func TestSameShare(t *testing.T) {
	t.Parallel()
	came := []moothall.Message{{Role: moothall.RoleTool, Content: "15% of 230 = 34.5"}}
	for _, c := range []struct {
		sum, question string
		messages      []moothall.Message
		want          string
	}{
		{"480% of 230", "and of 480?", came, "15% of 480"},
		{"20% of 230", "and 20?", came, ""},
		{"20% of 230", "and 20% of it", came, ""},
		{"480% of 230", "and of 480?", nil, ""},
		{"480% of 99", "and of 480?", came, ""},
		{"15% of 480", "and of 480?", came, ""},
		{"48% of 230", "and of 480?", came, ""},
	} {
		if got := sameShare(c.sum, c.question, c.messages); got != c.want {
			t.Errorf("%s after %q: %q", c.sum, c.question, got)
		}
	}
}

// TestSumming has questions that are nothing but a sum, and others that look like one.
func TestSumming(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"what is the square root of 1,764?": "sqrt(1764)", "12 * 8": "12 * 8", "what's 17 x 23": "17 * 23", "(3 + 4) * 2 =": "(3 + 4) * 2", "and 2+2?": "2+2", "what is 1,200 + 34.5?": "1,200 + 34.5",
		"what is 7 factorial": "factorial(7)", "what's 20% off 85 euros": "85 - 20% of 85", "15 percent off $40?": "40 - 15% of 40", "what day was 3 October 1990": "weekday of 1990-10-03", "which weekday is December 24th, 2030?": "weekday of 2030-12-24", "what day was it on the 3rd of october 1990": "weekday of 1990-10-03", "what day was august 1st 1999": "weekday of 1999-08-01", "what day is 2030-01-02": "weekday of 2030-01-02",
		"what day is it": "", "what day was the battle of 1990": "", "20% off everything": "",
		"what is 2026-12-24": "", "24/7": "", "what is 9/11": "", "call +49 170 1234": "", "what is 12": "", "3 + 4 apples": "", "room 12 - 14": "", "10 - 12": "", "what is 10 - 12": "10 - 12", "10 - 12 =": "10 - 12", "the square root of the matter": "",
	} {
		if got := plainSum(question); got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
	said := func(answer string) moothall.GenerateRequest {
		return moothall.GenerateRequest{
			Tools:    []moothall.ToolSpec{{Name: calculates}},
			Messages: []moothall.Message{{Role: moothall.RoleAssistant, Content: answer}, {Role: moothall.RoleUser}},
		}
	}
	for _, c := range []struct{ answer, question, want string }{
		{"Mount Everest is 8,849 metres high.", "how high is it in feet?", "8849 metres are wanted in feet, so I calculate 8849 metres in feet."},
		{"Mount Everest is 8,849 metres high.", "and in miles", "8849 metres are wanted in miles, so I calculate 8849 metres in miles."},
		{"Mount Everest is 8,849 metres high.", "how heavy is it in kilos?", ""},
		{"It is 3 km long and 20 m wide.", "in feet please", ""},
		{"It is -5 °C there.", "in fahrenheit?", "-5 °C are wanted in fahrenheit, so I calculate -5 °C in fahrenheit."},
		{"It is 3 km long.", "in km?", ""},
		{"A timer for 10 minutes is not to be had here.", "ok then tell me how many seconds that is", "10 minutes are wanted in seconds, so I calculate 10 minutes in seconds."},
		{"It is 3 km long.", "how many metres is that?", "3 km are wanted in metres, so I calculate 3 km in metres."},
		{"It is 3 km long.", "how many litres is that?", ""},
		{"It is 3 km long.", "how many people work in feet", ""},
		{"Hello!", "and in miles", ""},
		{"Hello!", "12 * 8", "Numbers are asked for, so I let calculate work out 12 * 8."},
	} {
		r := said(c.answer)
		if got := newSumming(nil, c.question, r).thought; got != c.want {
			t.Errorf("%s after %q: %q", c.question, c.answer, got)
		}
		r.Tools = nil
		if got := newSumming(nil, c.question, r).thought; got != "" {
			t.Errorf("without a calculator it thinks %q", got)
		}
	}
}

// TestInAll adds what somebody wants added.
func TestInAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ told, question, sum, want string }{
		{"my flat has 3 rooms, the rent is 840 and heating is 95 a month", "what do I pay in all each month?", "840 / 95", "840 + 95"},
		{"Tom owes me 40 euros and Lisa owes me 25.", "How much do they owe me together?", "40 * 25", "40 + 25"},
		{"1,250.50 for the bed, 3 for the nails", "what is that altogether", "1,250.50 * 3", "1,250.50 + 3"},
		{"I bought 3 tickets at 12 euros each.", "how much is that in total?", "3 * 12", ""},
		{"We need 6 crates with 24 bottles each", "how many bottles is that altogether?", "6 * 24", ""},
		{"we have 6 crates and 24 bottles", "how many is that altogether?", "6 * 24", ""},
		{"the rent is 840 and heating is 95", "how much is that in all", "840 + 95", ""},
		{"the rent is 840 and heating is 95", "what is that in all", "95 * 12", ""},
		{"the rent is 840 and heating is 95", "how much is that in all for 12 months", "840 * 95", ""},
		{"the bill is 60 and we are 4", "what does that make together per person", "60 / 4", ""},
		{"heating is 95 and we have it for 12 months", "what is that in total a year", "95 * 12", ""},
		{"the rent is 840, and we stay for 6 months", "what's the rent for all of it", "840 * 6", ""},
	} {
		messages := []moothall.Message{{Role: moothall.RoleUser, Content: c.told}, {Role: moothall.RoleUser, Content: c.question}}
		if got := inAll(c.sum, c.question, messages); got != c.want {
			t.Errorf("%s %s: %q", c.question, c.sum, got)
		}
	}
}

// TestBothTogether adds two amounts of one kind, and nothing else.
func TestBothTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ told, question, want string }{
		{"Tom owes me 40 euros and Lisa owes me 25", "how much do they owe me together?", "40 + 25"},
		{"the bed was €1,250.50, the nails €3.", "what is that in all", "1,250.50 + 3"},
		{"the bed was €1,250.50, the nails $3.", "what is that in all", ""},
		{"Anna is 34 and Ben is 29", "And how old are they together?", "34 + 29"},
		{"we have 6 crates and 24 bottles", "how many is that altogether?", ""},
		{"I bought 3 tickets at 12 euros each.", "how much is that in total?", ""},
		{"the train leaves at 8:25 and the next at 9:40", "how much is that in all", ""},
		{"my flat has 3 rooms, the rent is 840 and heating is 95 a month", "what do I pay in all each month?", ""},
		{"I was born in 1990 and Ben in 1995", "how old are we together", ""},
		{"we live at 12a and work in room 5", "how many are we together", ""},
		{"how much is 5 and 6?", "how much is that together", ""},
		{"Tom owes me 40 euros", "how much do they owe me together?", ""},
		{"Tom owes me 40 euros and Lisa owes me 25", "who are they together?", ""},
		{"Tom owes me 40 euros and Lisa owes me 25", "how much do they owe me together per month?", ""},
	} {
		messages := []moothall.Message{{Role: moothall.RoleUser, Content: c.told}, {Role: moothall.RoleAssistant, Content: "Noted."}, {Role: moothall.RoleUser, Content: c.question}}
		if got := bothTogether(c.question, messages); got != c.want {
			t.Errorf("%s %s: %q", c.told, c.question, got)
		}
	}
}

// TestWithShare has the whole amount after a share of it.
func TestWithShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, result, question, want string }{
		{"calculate 15% tip on 64.50", "15% of 64.50 = 9.675", "and the total", "64.50 + 15% of 64.50"},
		{"whats 19% vat on 1280", "19% of 1280 = 243.2", "and the gross amount", "1280 + 19% of 1280"},
		{"how much is a discount of 20% on 90?", "20% of 90 = 18", "What's the final price then?", "90 - 20% of 90"},
		{"what is the 7.5% fee on 400", "7.5% of 400 = 30", "what is it in total", "400 + 7.5% of 400"},
		{"what is 17% of 2340", "17% of 2340 = 397.8", "and the total", ""},
		{"15% tip on 64.50 with 10% off", "15% of 64.50 = 9.675", "the total", ""},
		{"calculate 15% tip on 64.50", "15% of 64.50 = 9.675", "total population of France", ""},
		{"calculate 15% tip on 64.50", "64.50 + 3 = 67.50", "and the total?", ""},
	} {
		messages := []moothall.Message{{Role: moothall.RoleUser, Content: c.before}, {Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: calculates}}},
			{Role: moothall.RoleTool, ToolName: calculates, CallID: "a", Content: c.result}, {Role: moothall.RoleAssistant, Content: "That is it."}, {Role: moothall.RoleUser, Content: c.question}}
		if got := withShare(c.question, messages); got != c.want {
			t.Errorf("%s, %s: %q", c.before, c.question, got)
		}
	}
}

// TestUnsigned has differences as people mean them.
func TestUnsigned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sum, question, want string }{
		{"27 - 31", "how many years between them", "31 - 27"},
		{"27 - 31", "How much older is Sam?", "31 - 27"},
		{"31 - 27", "how many years between them", ""},
		{"27 - 31", "what is left of it", ""},
		{"27 - 31 - 2", "how many years apart are they", ""},
		{"2026-12-03 - 2026-12-09", "how many days are between them", ""},
	} {
		if got := unsigned(c.sum, c.question); got != c.want {
			t.Errorf("%s, %s: %q", c.question, c.sum, got)
		}
	}
}
