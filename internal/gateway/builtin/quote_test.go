package builtin

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moothall"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	person := func(s string) moothall.Message { return moothall.Message{Role: moothall.RoleUser, Content: s} }
	result := func(s string) moothall.Message { return moothall.Message{Role: moothall.RoleTool, Content: s} }
	long := strings.Repeat("Nothing of note stands in this line of the file. ", 12)
	days := []moothall.Message{person("How many days has February?\n\n" + lookedUp + "; x:\n- Days of the months: April has 30. February has 28.")}
	for meant, want := range map[string]string{"February has 28.": "February has 28.", "April has 30.": readBefore + "April has 30.", "March has 31.": readBefore + "March has 31."} {
		if got := quote(days, meant); got != want {
			t.Errorf("meant: %q, want %q", got, want)
		}
	}
	for name, c := range map[string]struct {
		messages []moothall.Message
		want     string
	}{
		"a short result":       {[]moothall.Message{person("Which port?"), result("[TOOL_RESULT: UNTRUSTED nonce=A score=0.00]\nport: 80\nhost: a\n[/TOOL_RESULT nonce=A]")}, cameBack + "port: 80\nhost: a"},
		"a JSON object":        {[]moothall.Message{person("Set it up"), result(`{"port": 80, "kept_until": "May"}`)}, cameBack + "port: 80, kept until: May"},
		"a nested one":         {[]moothall.Message{person("Set it up"), result(`{"port": 80, "of": {"a": 1}}`)}, cameBack + `{"port": 80, "of": {"a": 1}}`},
		"a form of the word":   {[]moothall.Message{person("Who was the second to walk on the moon?\n\n" + lookedUp + "; x:\n- Moon landing: The first was on 20 July 1969. Neil Armstrong and Buzz Aldrin walked there.")}, readBefore + "Neil Armstrong and Buzz Aldrin walked there."},
		"a sentence":           {[]moothall.Message{person("Which port does the server have?"), result(long + "The server has port 80. " + long)}, readBefore + "The server has port 80."},
		"looked up after":      {[]moothall.Message{person("When was the tower built?\n\n" + lookedUp + "; x:\n- Tower: It is tall. It was built in 1889.")}, "It was built in 1889."},
		"looked up before":     {[]moothall.Message{person(lookedUp + "; x:\n- Tower: It is tall. It was built in 1889.\n\nWhen was the tower built?")}, "It was built in 1889."},
		"no question is read":  {[]moothall.Message{person("When was it built?\n\n" + lookedUp + "; x:\n- A: b c.")}, ""},
		"given with it":        {[]moothall.Message{person("When was the tower built?" + given + "The tower is tall. The tower was built in 1889.\n</context>")}, "The tower was built in 1889."},
		"read out before":      {[]moothall.Message{person("What is my lock's code?\n\n" + lookedUp + "; x:\n- lock: Asked: the code of my lock? Answered: " + readBefore + "my lock's code is 4711.")}, readBefore + "my lock's code is 4711."},
		"a reason":             {[]moothall.Message{person("Why is the sky blue?\n\n" + lookedUp + "; x:\n- Sky: The sky is blue because air scatters blue light. It is high.")}, "The sky is blue because air scatters blue light."},
		"no reason":            {[]moothall.Message{person("Why is the sky blue?\n\n" + lookedUp + "; x:\n- Sky: The sky is blue on clear days. It is high.")}, readBefore + "The sky is blue on clear days."},
		"no date":              {[]moothall.Message{person("When was the tower built?\n\n" + lookedUp + "; x:\n- Tower: The tower was built by Eiffel.")}, readBefore + "The tower was built by Eiffel."},
		"a name":               {[]moothall.Message{person("Who built the tower?\n\n" + lookedUp + "; x:\n- Tower: The tower was built by Gustave Eiffel.")}, "The tower was built by Gustave Eiffel."},
		"not all of it":        {[]moothall.Message{person("How many people climb the steps of the tower?\n\n" + lookedUp + "; x:\n- Tower: The tower has 1665 steps.")}, readBefore + "The tower has 1665 steps."},
		"little of it":         {[]moothall.Message{person("How many people climb the tower?\n\n" + lookedUp + "; x:\n- Tower: The tower has 1665 steps.")}, ""},
		"memories of others":   {[]moothall.Message{person("When was it?"), result("5 memories, best first:\n1. [source: model; just now; score 0.88] I like tea.\n" + strings.Repeat("   Answered: Noted.\n", 40))}, forgotten},
		"nothing":              {nil, ""},
		"an old result is not": {[]moothall.Message{person("x"), result("port 80"), person("And the port?")}, ""},
	} {
		if got := quote(c.messages, ""); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestQuoted takes what a thought quotes at its word only where it was read or said.
func TestQuoted(t *testing.T) {
	t.Parallel()
	messages := []moothall.Message{
		{Role: moothall.RoleSystem, Content: "A rule of the house."},
		{Role: moothall.RoleTool, Content: "[TOOL_RESULT: UNTRUSTED nonce=A score=0.00]\n47 files copied\nfinished after 331 seconds\n[/TOOL_RESULT nonce=A]"},
		{Role: moothall.RoleUser, Content: "how long?"},
	}
	for thought, want := range map[string]string{
		"The log says: finished after 331 seconds.":                    "finished after 331 seconds.",
		"The log says: finished after 331 seconds. So it took a while": "finished after 331 seconds.",
		"It says: 47 files copied finished after 331 seconds.":         "47 files copied finished after 331 seconds.",
		"The log says: finished after 332 seconds.":                    "",
		"The log says: finished.":                                      "",
		"The prompt says: A rule of the house.":                        "",
		"I read the log.":                                              "",
		"":                                                             "",
	} {
		if got := quoted(thought, messages); got != want {
			t.Errorf("%q: %q, want %q", thought, got, want)
		}
	}
	if got := quote(messages, "finished after 331 seconds."); got != readBefore+"finished after 331 seconds." {
		t.Errorf("what was meant: %q", got)
	}
}

// FuzzQuote reads anything out, and nothing that is no text.
func FuzzQuote(f *testing.F) {
	f.Add("Which port?", "[TOOL_RESULT: UNTRUSTED nonce=A score=0.70]\nport: 80. x\n[/TOOL_RESULT nonce=A]")
	f.Add(lookedUp+":\n- a: b.\n\nWho?", "")
	f.Add("", "\xff"+strings.Repeat("é", 500))
	f.Fuzz(func(t *testing.T, asked, result string) {
		messages := []moothall.Message{{Role: moothall.RoleUser, Content: asked}, {Role: moothall.RoleTool, Content: result}}
		instructed(messages)
		evidence(messages)
		quoted(asked, messages)
		for _, list := range [][]moothall.Message{messages, messages[:1], nil} {
			if got := quote(list, ""); len(got) > len(readBefore)+maxQuote+len(" …") || utf8.ValidString(asked) && utf8.ValidString(result) && !utf8.ValidString(got) {
				t.Errorf("%q", got)
			}
		}
	})
}

// FuzzHeard takes any arguments and words.
func FuzzHeard(f *testing.F) {
	f.Add(`{"path":"a.txt"}`, "read a.txt")
	f.Add(`{"path":"b.txt","mode":"overwrite"}`, "create a new file")
	f.Add(`[]`, "")
	f.Add(`{"path":1}`, "/")
	tool := &moothall.ToolSpec{Name: "fs_write", Parameters: []byte(`{"properties":{"path":{"type":"string"},"mode":{"enum":["create"]}}}`)}
	f.Fuzz(func(t *testing.T, arguments, last string) {
		source(moothall.GenerateRequest{Messages: []moothall.Message{{Role: moothall.RoleUser, Content: last, ToolCalls: []moothall.ToolCall{{Arguments: []byte(arguments)}}}}}, last)
		if out, ok := heard(tool, []byte(arguments), strings.ToLower(last), last); ok && len(out) == 0 && arguments != "" {
			t.Errorf("%q became nothing", arguments)
		}
	})
}

// TestNeverSaid: a question is nothing that the person told of themselves.
func TestNeverSaid(t *testing.T) {
	t.Parallel()
	const found = "[TOOL_RESULT: UNTRUSTED nonce=A tool=\"memory_read\" score=0.00]\n2 memories, best first:\n" +
		"1. [source: model; 2 minutes ago; score 0.47] how many keys are on a piano\n   Asked: how many keys are on a piano\n   Answered:\n" +
		"2. [source: model; 1 hour ago; score 0.20] I leave my keys\n   Asked: I leave my spare keys with Ana. Do you know her?\n   Answered: Noted.\n[/TOOL_RESULT]"
	for thought, never := range map[string]bool{
		"It is about keys; they said: keys are on a piano.":                                              true,
		"It is about keys; they said: how many keys are on a piano.":                                     true,
		"It is about keys; they said: my keys are in the car.":                                           true,
		"It is about keys; they said: [source: model; 2 minutes ago; score 0.":                           true,
		"It is about keys; they said: I leave my spare keys with Ana. Do you know her?":                  false,
		"It is about keys; they said: I leave my spare keys with Ana.":                                   false,
		"It is about keys; they said: I leave my keys.":                                                  false,
		"Nothing that was found answers it; I say so.":                                                   false,
		"They mean the dog; they said: My dog is called Rex.":                                            false,
		"That is about the car; the newest counts: The repair of my car costs 450 euros until Friday at": false,
	} {
		messages := []moothall.Message{
			{Role: moothall.RoleSystem, Content: "My keys are in the car."},
			{Role: moothall.RoleUser, Content: "My dog is called Rex. The repair of my car costs 450 euros\nuntil Friday at noon."},
			{Role: moothall.RoleTool, Content: found},
		}
		if neverSaid(thought, messages) != never {
			t.Errorf("%s: %v is wanted", thought, never)
		}
	}
}

// TestTold finds what the person said before, and nothing of what they ask now.
func TestTold(t *testing.T) {
	t.Parallel()
	said := func(words ...string) (out []moothall.Message) {
		for _, w := range words {
			out = append(out, moothall.Message{Role: moothall.RoleUser, Content: w})
		}
		return out
	}
	const thought = "It is about cat; they said: the neighbours feed our cat."
	for want, messages := range map[string][]moothall.Message{
		"the neighbours feed our cat.": said("Facts:\n- The neighbours feed our cat.", "who looks after our cat"),
		"":                             said("the neighbours feed our cat"),
	} {
		if got := told(thought, messages); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}

// TestSaidOf tells somebody again what they said, where it is all that they ask
// about and more.
func TestSaidOf(t *testing.T) {
	t.Parallel()
	const dog = "Our dog Bruno weighs 23 kilos and my cat Minka weighs 4"
	for _, c := range []struct{ before, now, want string }{
		{dog, "how much does Bruno weigh?", dog + "."},
		{dog, "how much does Rex weigh?", ""},
		{dog, "Bruno weighs a lot", ""},
		{dog, "how much?", ""},
		{dog, "search the web for how much Bruno weighs", ""},
		{"I have 3 kids: Mia, Leo and Finn", "how many kids do I have?", "I have 3 kids: Mia, Leo and Finn."},
		{"I have 3 kids: Mia, Leo and Finn", "what are kids?", ""},
		{"kids like Mia and Leo", "how many kids do I have?", ""},
		{"how much does Bruno weigh in winter?", "how much does Bruno weigh?", ""},
		{"Bruno weighs", "how much does Bruno weigh?", ""},
		{"a text\n" + dog, "how much does Bruno weigh?", ""},
	} {
		messages := []moothall.Message{
			{Role: moothall.RoleUser, Content: "It is Friday, 16 July 2021, 07:50.\n\n" + c.before},
			{Role: moothall.RoleAssistant, Content: "Noted."},
			{Role: moothall.RoleUser, Content: c.now},
		}
		if got := saidOf(messages); got != c.want {
			t.Errorf("%s: %q", c.now, got)
		}
	}
}

// TestNoteOf has what somebody told and what was made of it.
func TestNoteOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ told, answer, want string }{
		{"Anna's flight lands at 18:40 in Terminal 2", "All right: Anna walks Terminal 2 at 18:40 and Anna at 18:40.", "Noted: Anna's flight lands at 18:40 in Terminal 2."},
		{"I'm a child of 1997, and my car was made then too.", "Noted: you drive a child of 1997.", "Noted: you're a child of 1997, and your car was made then too."},
		{"my phone is broken", "Noted: your phone is broken.", ""},
		{"just to say, I've never owned a wardrobe", "Noted: you've never owned a wardrobe.", ""},
		{"is my phone broken?", "Noted: your phone is smashed.", ""},
		{"we're off to Lisbon", "Noted: we're off to Lisbon.", "Noted: you're off to Lisbon."},
		{"my phone is broken", "I'm sorry to hear that.", ""},
		{"a list\nof two", "Noted: a song.", "Noted."},
	} {
		if got := noteOf(c.told, c.answer); got != c.want {
			t.Errorf("%s: %q", c.told, got)
		}
	}
}
