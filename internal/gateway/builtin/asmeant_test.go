package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestAsMeant has calls that the person's words do not bear out.
func TestAsMeant(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{
		Tools:    []moothall.ToolSpec{{Name: fsRead}, {Name: fsWrite}},
		Messages: []moothall.Message{{Role: moothall.RoleTool, Content: "2026-12-25 - 2026-11-17 = 38 days"}},
	}
	for question, c := range map[string]struct{ name, args, wantName, want string }{
		"i mean in my file garden.csv":                       {fsWrite, `{"path":"garden.csv","content":"Saffron is dear."}`, fsRead, `{"path":"garden.csv"}`},
		"i mean write it to garden.csv":                      {fsWrite, `{"path":"garden.csv","content":"x"}`, fsWrite, `{"path":"garden.csv","content":"x"}`},
		"how many lines does it have?":                       {fsWrite, `{"path":"garden.csv","content":"x","mode":"append"}`, fsRead, `{"path":"garden.csv"}`},
		"and the average":                                    {fsWrite, `{"path":"garden.csv","content":"x","mode":"append"}`, fsRead, `{"path":"garden.csv"}`},
		"what's the total":                                   {fsWrite, `{"path":"garden.csv","content":"x"}`, fsRead, `{"path":"garden.csv"}`},
		"Where it says Bob in plan.txt it should say Ann":    {fsWrite, `{"path":"plan.txt","mode":"replace-text","old_text":"Bob","new_text":"Ann"}`, fsWrite, `{"path":"plan.txt","mode":"replace-text","old_text":"Bob","new_text":"Ann"}`},
		"Sum up report.txt in summary.txt":                   {fsWrite, `{"path":"summary.txt","content":"x"}`, fsWrite, `{"path":"summary.txt","content":"x"}`},
		"Total of 450 euros, log it in budget.txt":           {fsWrite, `{"path":"budget.txt","content":"450"}`, fsWrite, `{"path":"budget.txt","content":"450"}`},
		"Most important: buy milk. That goes into todo.txt":  {fsWrite, `{"path":"todo.txt","content":"buy milk"}`, fsWrite, `{"path":"todo.txt","content":"buy milk"}`},
		"put the total into sum.txt":                         {fsWrite, `{"path":"sum.txt","content":"5"}`, fsWrite, `{"path":"sum.txt","content":"5"}`},
		"now the same for b.txt":                             {fsWrite, `{"path":"b.txt","content":"x"}`, fsWrite, `{"path":"b.txt","content":"x"}`},
		"delete the fence line":                              {fsWrite, `{"path":"g.md","mode":"replace-text","old_text":"paint the fence","new_text":"paint the fence"}`, fsWrite, `{"path":"g.md","mode":"replace-text","old_text":"paint the fence","new_text":""}`},
		"delete the shed line":                               {fsWrite, `{"path":"g.md","mode":"replace-text","old_text":"paint the fence","new_text":"paint the fence"}`, fsWrite, `{"path":"g.md","mode":"replace-text","old_text":"paint the fence","new_text":"paint the fence"}`},
		"add a row: radish,north":                            {fsWrite, `{"path":"g.csv","mode":"replace-text","old_text":"radish,north","new_text":""}`, fsWrite, `{"path":"g.csv","mode":"append","content":"radish,north"}`},
		"take radish out of it":                              {fsWrite, `{"path":"g.csv","mode":"replace-text","old_text":"radish","new_text":""}`, fsWrite, `{"path":"g.csv","mode":"replace-text","old_text":"radish","new_text":""}`},
		"and in weeks":                                       {"calculate", `{"expression":"2026-11-17 in weeks"}`, "calculate", `{"expression":"38 days in weeks and days"}`},
		"which file mentions the dentist":                    {fsSearch, `{"pattern":"the dentist"}`, fsSearch, `{"pattern":"dentist"}`},
		`which file has "the dentist" in it`:                 {fsSearch, `{"pattern":"the dentist"}`, fsSearch, `{"pattern":"the dentist"}`},
		"thanks! when is the gig":                            {memoryRead, `{"query":"thanks! when is the gig"}`, memoryRead, `{"query":"when is the gig"}`},
		"it slipped my mind when I have lunch":               {memoryRead, `{"query":"it slipped my mind when I have lunch"}`, memoryRead, `{"query":"when I have lunch"}`},
		"what did I say about hello kitty":                   {memoryRead, `{"query":"what did I say about hello kitty"}`, memoryRead, `{"query":"what did I say about hello kitty"}`},
		"what is in tmp, down to level 6":                    {fsList, `{"depth":6,"limit":6,"path":"tmp"}`, fsList, `{"depth":6,"path":"tmp"}`},
		"list 6 entries of tmp":                              {fsList, `{"depth":6,"limit":6,"path":"tmp"}`, fsList, `{"limit":6,"path":"tmp"}`},
		"6 entries of tmp, 6 levels deep":                    {fsList, `{"depth":6,"limit":6,"path":"tmp"}`, fsList, `{"depth":6,"limit":6,"path":"tmp"}`},
		"note: dentist on 12 December at 10:30":              {memoryWrite, `{"name":"tablets","text":"my dentist lives on 12 December at 10:30"}`, memoryWrite, `{"name":"dentist 12 december","text":"dentist on 12 December at 10:30"}`},
		"remember that bins go out on Thursdays":             {memoryWrite, `{"name":"bins","text":"bins go out on Thursday and bins go out on Thursdays"}`, memoryWrite, `{"name":"bins","text":"bins go out on Thursdays"}`},
		"please remember I like my steak rare.":              {memoryWrite, `{"name":"steak","text":"I like my steak rare"}`, memoryWrite, `{"name":"steak","text":"I like my steak rare"}`},
		"remember to buy milk":                               {memoryWrite, `{"name":"milk","text":"I have to buy fresh milk"}`, memoryWrite, `{"name":"milk","text":"I have to buy fresh milk"}`},
		"what turns up in the files under antenna?":          {fsSearch, `{"pattern":"antenna","path":"antenna"}`, fsSearch, `{"pattern":"antenna"}`},
		"find notes in notes":                                {fsSearch, `{"pattern":"notes","path":"notes"}`, fsSearch, `{"pattern":"notes","path":"notes"}`},
		"Would you give me the closing time of the museum":   {webSearch, `{"query":"Would you give me the closing time of the museum"}`, webSearch, `{"query":"the closing time of the museum"}`},
		"please search the web for tell me lies":             {webSearch, `{"query":"please search the web for tell me lies"}`, webSearch, `{"query":"tell me lies"}`},
		"who told me that":                                   {webSearch, `{"query":"who told me that"}`, webSearch, `{"query":"who told me that"}`},
		"lines for a.conf: [x]\nk = 1\ntown = Graz\nz = 2":   {fsWrite, `{"path":"a.conf","content":"[x]\nk = 1\nz = 2\n"}`, fsWrite, `{"path":"a.conf","content":"[x]\nk = 1\ntown = Graz\nz = 2\n"}`},
		"save as a.txt:\nx\ny\nz":                            {fsWrite, `{"path":"a.txt","content":"x\ny\nz"}`, fsWrite, `{"path":"a.txt","content":"x\ny\nz"}`},
		"what do my notes say about a new kitchen":           {notesSearch, `{"query":"a new kitchen"}`, notesSearch, `{"query":"new kitchen"}`},
		`save "call Ben" to todo.txt and what is 15% of 90?`: {fsWrite, `{"path":"todo.txt","content":"13.5"}`, fsWrite, `{"path":"todo.txt","content":"call Ben"}`},
		`append the line “tea” to the file named b.md`:       {fsWrite, `{"path":"b.md","content":"coffee","mode":"append"}`, fsWrite, `{"path":"b.md","mode":"append","content":"tea"}`},
		`put "a" in x.txt and write "b" into y.txt`:          {fsWrite, `{"path":"y.txt","content":"a"}`, fsWrite, `{"path":"y.txt","content":"b"}`},
		`add "milk" to list.txt, one a line`:                 {fsWrite, `{"path":"list.txt","content":"Milk\n"}`, fsWrite, `{"path":"list.txt","content":"Milk\n"}`},
		`write the words of "Yesterday" to song.txt`:         {fsWrite, `{"path":"song.txt","content":"la"}`, fsWrite, `{"path":"song.txt","content":"la"}`},
		`save "a" to x.txt and the sum to y.txt`:             {fsWrite, `{"path":"y.txt","content":"13.5"}`, fsWrite, `{"path":"y.txt","content":"13.5"}`},
	} {
		got := asMeant(moothall.ToolCall{Name: moothall.ToolName(c.name), Arguments: json.RawMessage(c.args)}, question, "", r)
		if string(got.Name) != c.wantName || string(got.Arguments) != c.want {
			t.Errorf("%s: %s %s", question, got.Name, got.Arguments)
		}
	}
	wants := json.RawMessage(`{"path":"a.txt","content":"x"}`)
	if got := asMeant(moothall.ToolCall{Name: fsWrite, Arguments: wants}, "i mean a.txt", "", moothall.GenerateRequest{}); got.Name != fsWrite {
		t.Errorf("a tool that is not offered is called: %s", got.Name)
	}
}

func TestTakesOther(t *testing.T) {
	t.Parallel()
	call := func(old string) moothall.ToolCall {
		args, err := json.Marshal(edit{Path: "list.txt", Mode: "replace-text", OldText: &old, NewText: new(string)})
		if err != nil {
			t.Fatal(err)
		}
		return moothall.ToolCall{Name: fsWrite, Arguments: args}
	}
	for question, c := range map[string]struct {
		old  string
		want bool
	}{
		"take the onions off the list please": {"eggs", true},
		"take onions off the list":            {"2 onions", false},
		"remove the onion from it":            {"onions", false},
		"delete \"a b\" from the file":        {"a b", false},
		"now without it":                      {"eggs", false}, // whatever it is
		"delete the fence line":               {"build a birdhouse", true},
		"delete the fence one":                {"paint the fence", false},
		"delete the last line":                {"build a birdhouse", false},
	} {
		if got := takesOther(call(c.old), question); got != c.want {
			t.Errorf("%s, %s: %v", question, c.old, got)
		}
	}
}

// TestTakingBack has a network that says again what it did, to somebody who wants
// it undone.
func TestTakingBack(t *testing.T) {
	t.Parallel()
	call := moothall.ToolCall{ID: "c", Name: fsWrite, Arguments: json.RawMessage(`{"path":"garden.csv","content":"x"}`)}
	before := []moothall.Message{
		{Role: moothall.RoleUser, Content: "i mean in my file"}, {Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{call}},
		{Role: moothall.RoleTool, ToolName: fsWrite, CallID: "c", Content: "Changed garden.csv: 271 bytes before, 46 bytes now, 1 lines (UTF-8).\n"}, {Role: moothall.RoleAssistant, Content: "Done."},
	}
	for question, want := range map[string]string{
		"no, please undo that":         "What I changed is kept. To put it back, run: moothall undo garden.csv",
		"thank you":                    "You're welcome.",
		"how do i undo my last commit": "You're welcome.",
	} {
		r := moothall.GenerateRequest{Role: moothall.ModelChat, Messages: append(before, moothall.Message{Role: moothall.RoleUser, Content: question})}
		e := evidence(r.Messages)
		e.Answer = "You're welcome."
		if got := final(r, e); got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
	before[2].Content = failure + " garden.csv is read-only"
	if got := changed(before); got != "" {
		t.Errorf("a call that failed has changed %s", got)
	}
}
