package basic_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/tool/basic"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2+2": "4", "2 + 3 * 4": "14", "(2+3)*4": "20", "2^3^2": "512", "-2^2": "-4", "(-2)^2": "4", "2**10": "1024", "2^-2": "0.25", "10-4-3": "3", "100/10/2": "5",
		"0.1+0.2": "0.3", "1/3": "0.333333333333333", "1/3*3": "1", "7 // 2": "3", "-7 // 2": "-4", "7 % 3": "1", "-7 % 3": "2", "17 mod 5": "2",
		"15% of 80": "12", "20%": "0.2", "200 * 5%": "10", "50%+1": "1.5", "5!": "120", "3!^2": "36", "2+2=": "4", "1,000,000 / 4": "250000", "max(1,000)": "1", "1_000*2": "2000",
		"20% of 80": "16", "80 - 20%": "79.8", "100 + 5%": "100.05", "100 - 5 % + 1": "100.95", "20 % - 3": "-2.8", "7%-3": "-2.93", "10 % (-3)": "-2", "mod(7,-3)": "-2", "5 %": "0.05", "(3!)!": "720", "(2³)²": "64",
		"1,234.5 * 2": "2469", "12,345,678": "12345678", "123,456e3": "123456000", "(1,000)": "1000", "max((1,000), 2)": "1000",
		"0xff + 0b11 + 0o7": "265", "1e3": "1000", "1.5e-3": "0.0015", "3²": "9", "√16": "4", "6×7÷2−1": "20",
		"sqrt(2)": "1.4142135623731", "sqrt(1/4)": "0.5", "sqrt(1e40)": "100000000000000000000", "8^(1/3)": "2", "cbrt(27)": "3",
		"sin(pi)": "0", "cos(0)": "1", "sin(30°)": "0.5", "tan(45°)": "1", "ln(e)": "1", "log10(1000)": "3", "log2(1/8)": "-3", "log(81, 3)": "4", "exp(0)": "1", "math.sqrt(9)": "3",
		"round(2.5)": "3", "round(-2.5)": "-3", "round(3.14159, 2)": "3.14", "floor(-1.5)": "-2", "ceil(-1.5)": "-1", "trunc(-1.5)": "-1", "abs(-3)": "3",
		"min(3, 1, 2)": "1", "max(3, 1, 2)": "3", "sum(1,2,3)": "6", "mean(1,2,4)": "2.33333333333333", "median(4,1,3,2)": "2.5", "gcd(12, 18)": "6", "lcm(4, 6)": "12",
		"2^200": "1606938044258990275541962092341162602522202993782792835301376", "123456789*987654321": "121932631112635269",
		"0.1^30": "0.000000000000000000000000000001", "1e30/7": "1.42857142857143e+29", "pi": "3.14159265358979", "2*pi": "6.28318530717959", "PI": "3.14159265358979",
	} {
		n, err := basic.Evaluate(in)
		if err != nil || n.String() != want {
			t.Errorf("%s = %v (%v), want %s", in, n, err, want)
		}
	}
}

func TestEvaluateRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "empty", "1/0": "division by zero", "5 % 0": "division by zero", "0^-1": "no value", "sqrt(-1)": "not a real number", "(-8)^(1/3)": "not a real number",
		"2(3+4)": "operator is missing", "2 3": "operator is missing", "(1+2": "parenthesis is missing", "1+": "ends too early", "1+*2": "a number is missing", "x+1": "not a number that is known",
		"foo(1)": "no function", "log(10)": "two things", "sqrt()": "takes 1 value", "atan2(1)": "takes 2 values", "ln(0)": "no value", "ln(-1)": "no value", "tan(90°)": "no value", "3.5!": "factorial", "(-1)!": "factorial",
		"9^9^9": "digits", "2^1e9": "digits", "1e99999": "too large", "99999!": "digits", "1.2.3": "not a number", "0xzz": "", "$5": "no meaning", "rm -rf /": "", "__import__('os')": "",
		"sin(1e12*pi)": "where in a turn", "cos(1e70)": "where in a turn", "tan(450°)": "no value", "cbrt(10^400)": "too large or too small", "(1e-400)^0.25": "too large or too small", "atan2(1e-400, 1)": "too large or too small", "log(8, 1)": "no value",
		"7 % -3": "remainder or per cent", "-7 %-3": "remainder or per cent", "7 % +3": "remainder or per cent", "3!!": "(3!)!", "2³²": "2^32",
		"0,125 * 8": "write a point for decimals", "1.234,567 * 2": "write a point", "12345,678": "write a point", "3.5,000": "write a point", "1,5": "write a point", "1,2345": "write a point", "1,000,00": "write a point", "1,000,0000": "write a point", "(0,125 * 8)": "write a point", "1,234.567,890": "write a point",
		strings.Repeat("(", 200) + "1": "too deeply", strings.Repeat("-", 200) + "1": "too deeply", strings.Repeat("1+", 3000) + "1": "too long", "exp(99999)": "too large",
	} {
		n, err := basic.Evaluate(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s = %v, %v, want %q", in, n, err, want)
		}
		if code := moothall.ErrorCode(err); code != moothall.CodeInvalid && code != moothall.CodeTooLarge {
			t.Errorf("%.40s: code %s", in, code)
		}
	}
}

// What large, small and nearly whole numbers give was reckoned with 120 digits.
func TestFunctions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"sin(1e15)": "0.858272793170236", "cos(1e15)": "-0.51319373778697", "tan(1e15)": "-1.67241478212758", "sin(1e15 + 0.1)": "0.80275111990416", "sin(10^50)": "-0.78967249342931",
		"cos(-100.1)": "0.908563081748644", "tan(1.5707963)": "37320539.5867165", "sin(22)": "-0.00885130929040388", "sin(1e-16)/1e-16": "1", "tan(1e-17)": "1e-17", "sin(1e-20*pi)": "3.14159265358979e-20",
		"sin(0)": "0", "tan(0)": "0", "sin(-pi)": "0", "cos(pi)": "-1", "cos(pi/2)": "0", "sin(1e6*pi)": "0", "cos(180000090°)": "0", "tan(180°)": "0", "cos(60°)": "0.5", "sin(-90°)": "-1", "tan(135°)": "-1",
		"log10(10^400)": "400", "log10(1e-400)": "-400", "log2(2^60000)": "60000", "log(1/3^700, 3)": "-700", "ln(10^400)": "921.034037197618", "ln(1e-400)": "-921.034037197618", "log10(2*10^400)": "400.301029995664",
		"log10(5e-320)": "-319.301029995664", "log(10^400, 2.5)": "1005.17663789282", "ln(1 + 1e-20)": "1e-20", "ln(1.001)": "0.000999500333083533", "log2(3)": "1.58496250072116", "log(8, 0.5)": "-3",
	} {
		n, err := basic.Evaluate(in)
		if err != nil || n.String() != want {
			t.Errorf("%s = %v (%v), want %s", in, n, err, want)
		}
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, s := range []string{"1+2*3", "sqrt(2)^2", "15% of 80", "round(1/3, 2)", "5!", "max(1,2)", "1,000", "0x1f", "-2^-2", "sin(30°)", "((((1", "log(8,2)", "7 // 0", "9^9^9", "7 % -3", "2³²", "3!!", "0,5", "7 %", "7 % -", "sin(1e59)", "tan(1e-300)", "ln(1e-9999)", "cos(-1e8°)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := basic.Evaluate(s)
		if err != nil {
			return
		}
		if out := n.String(); out == "" || len(out) > 30_000 {
			t.Fatalf("%q gives %d characters", s, len(out))
		}
	})
}

func FuzzCalculate(f *testing.F) {
	for _, s := range []string{"2026-12-25 - 2026-11-16", "2026-11-16 + 90 days", "2026-11-16 minus 2 weeks =", "weekday of 2026-12-25", "0000-00-00 - 9999-99-99", "9999-12-31 + 999999 weeks", "1000-10-10", "(2026-12-25 - 2026-11-16) / 7", "1-2026-1-1-2026-1-2", "11:05 - 7:40", "0:00 − 9999 hours and 99999 min", "99:99 + 1h", "8,849 m in feet", "5 ft 11 in in cm", "30 °C in °F", "1 1/2 cups in ml", "200 min in hours and minutes", "1e999 km in mm", "0 in in in", "1 hour 20 minutes + 45 minutes", "3 * (5 ft 6 in) - 1e9 m in km", "2 hours / 0", "5kg+300g", "9999-12-31 - 0001-01-01 in weeks and days"} {
		f.Add(s)
	}
	tools := basic.New(nil, &basic.Options{}).All()
	f.Fuzz(func(t *testing.T, s string) {
		args, err := json.Marshal(map[string]string{"expression": s})
		if err != nil {
			t.Fatal(err)
		}
		if r := run(t, tools, "calculate", string(args)); r.Text == "" {
			t.Fatalf("%q gives nothing: %+v", s, r)
		}
	})
}

// run calls a tool by its name.
func run(t *testing.T, tools []moothall.Tool, name moothall.ToolName, args string) moothall.ToolResult {
	t.Helper()
	for _, tool := range tools {
		if tool.Spec().Name == name {
			r, err := tool.Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{ID: "c", Name: name, Arguments: json.RawMessage(args)}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no tool %s", name)
	return moothall.ToolResult{}
}

func TestCalculateAndNow(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 15, 23, 30, 0, 0, time.UTC)
	tools := basic.New(nil, &basic.Options{Now: func() time.Time { return at }, Zone: berlin}).All()
	for _, c := range []struct {
		name, args, want string
		status           moothall.CallStatus
	}{
		{"calculate", `{"expression":"6*7"}`, "6*7 = 42", moothall.CallOK},
		{"calculate", `{"expression":"1/3"}`, "1/3 ≈ 0.333333333333333 (exactly 1/3)", moothall.CallOK},
		{"calculate", `{"expression":"sqrt(2)"}`, "sqrt(2) ≈ 1.4142135623731", moothall.CallOK},
		{"calculate", `{"expression":"1/0"}`, "a division by zero has no value", moothall.CallFailed},
		{"calculate", `{"expression":"2026-12-25 - 2026-11-16"}`, "2026-12-25 - 2026-11-16 = 39 days", moothall.CallOK},
		{"calculate", `{"expression":" 2024-03-01 − 2024-02-28 ="}`, "2024-03-01 − 2024-02-28 = 2 days", moothall.CallOK},
		{"calculate", `{"expression":"2026-11-15 minus 2026-11-16"}`, "2026-11-15 minus 2026-11-16 = -1 day", moothall.CallOK},
		{"calculate", `{"expression":"9999-12-31 - 0001-01-01"}`, "9999-12-31 - 0001-01-01 = 3652058 days", moothall.CallOK},
		{"calculate", `{"expression":"2026-11-16 + 90 days"}`, "2026-11-16 + 90 days = 2027-02-14, a Sunday", moothall.CallOK},
		{"calculate", `{"expression":"2026-11-16 - 2 weeks"}`, "2026-11-16 - 2 weeks = 2026-11-02, a Monday", moothall.CallOK},
		{"calculate", `{"expression":"2026-11-16 + 3"}`, "2026-11-16 + 3 = 2026-11-19, a Thursday", moothall.CallOK},
		{"calculate", `{"expression":"weekday of 2026-12-25"}`, "weekday of 2026-12-25 = Friday", moothall.CallOK},
		{"calculate", `{"expression":"Weekday(2026-12-25)"}`, "Weekday(2026-12-25) = Friday", moothall.CallOK},
		{"calculate", `{"expression":"weekday of 2026-13-25"}`, "2026-13-25 is no date of the calendar", moothall.CallFailed},
		{"calculate", `{"expression":"2026-02-30 - 2026-02-01"}`, "2026-02-30 is no date of the calendar", moothall.CallFailed},
		{"calculate", `{"expression":"9999-12-31 + 1"}`, "the date is too far away", moothall.CallFailed},
		{"calculate", `{"expression":"11:05 - 7:40"}`, "11:05 - 7:40 = 3 hours 25 minutes", moothall.CallOK},
		{"calculate", `{"expression":"6:15 minus 22:30 ="}`, "6:15 minus 22:30 = 7 hours 45 minutes, over midnight", moothall.CallOK},
		{"calculate", `{"expression":"10:01 − 9:00"}`, "10:01 − 9:00 = 1 hour 1 minute", moothall.CallOK},
		{"calculate", `{"expression":"9:30 - 9:30"}`, "9:30 - 9:30 = 0 minutes", moothall.CallOK},
		{"calculate", `{"expression":"12:00 - 10:00"}`, "12:00 - 10:00 = 2 hours", moothall.CallOK},
		{"calculate", `{"expression":"18:30 + 95 minutes"}`, "18:30 + 95 minutes = 20:05", moothall.CallOK},
		{"calculate", `{"expression":"18:30 plus 1 hour and 5 min"}`, "18:30 plus 1 hour and 5 min = 19:35", moothall.CallOK},
		{"calculate", `{"expression":"22:10 + 3h"}`, "22:10 + 3h = 01:10, the next day", moothall.CallOK},
		{"calculate", `{"expression":"1:10 - 90 minutes"}`, "1:10 - 90 minutes = 23:40, the day before", moothall.CallOK},
		{"calculate", `{"expression":"0:00 - 48 hours 1 minute"}`, "0:00 - 48 hours 1 minute = 23:59, 3 days before", moothall.CallOK},
		{"calculate", `{"expression":"0:00 + 9999 hours"}`, "0:00 + 9999 hours = 15:00, 416 days later", moothall.CallOK},
		{"calculate", `{"expression":"24:00 - 9:00"}`, "24:00 is no time of the day", moothall.CallFailed},
		{"calculate", `{"expression":"9:75 + 5 minutes"}`, "9:75 is no time of the day", moothall.CallFailed},
		{"calculate", `{"expression":"1000-10-10"}`, "1000-10-10 = 980", moothall.CallOK},
		{"calculate", `{"expression":"1000-10-10 * 2"}`, "1000-10-10 * 2 = 970", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-25-2026-11-16"}`, "2026-12-25-2026-11-16 = 39 days", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-25 -2026-11-16"}`, "2026-12-25 -2026-11-16 = 39 days", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-5 - 2026-9-1"}`, "2026-12-5 - 2026-9-1 = 95 days", moothall.CallOK},
		{"calculate", `{"expression":"(2026-12-25 - 2026-11-16) / 7"}`, "(2026-12-25 - 2026-11-16) / 7 ≈ 5.57142857142857 (exactly 39/7)", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-25 - 2026-11-16 + 1"}`, "2026-12-25 - 2026-11-16 + 1 = 40", moothall.CallOK},
		{"calculate", `{"expression":"1 plus 2026-12-25 minus 2026-11-16 minus 2"}`, "1 plus 2026-12-25 minus 2026-11-16 minus 2 = 38", moothall.CallOK},
		{"calculate", `{"expression":"abs(2026-11-16-2026-12-25)"}`, "abs(2026-11-16-2026-12-25) = 39", moothall.CallOK},
		{"calculate", `{"expression":"max(2026-12-25 - 2026-11-16, 2026-12-25 - 2026-10-16)"}`, "max(2026-12-25 - 2026-11-16, 2026-12-25 - 2026-10-16) = 70", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-25 - 2026-11-13 days in weeks"}`, "2026-12-25 - 2026-11-13 days in weeks = 6 weeks", moothall.CallOK},
		{"calculate", `{"expression":"2026-12-25 - 2026-11-16 / 7"}`, "put parentheses around 2026-12-25 - 2026-11-16, which is a number of days", moothall.CallFailed},
		{"calculate", `{"expression":"7 - 2026-12-25 - 2026-11-16"}`, "put parentheses around 2026-12-25 - 2026-11-16, which is a number of days", moothall.CallFailed},
		{"calculate", `{"expression":"(2026-02-30 - 2026-02-01) / 7"}`, "2026-02-30 is no date of the calendar", moothall.CallFailed},
		{"calculate", `{"expression":"2026-12-25 + 2026-11-16"}`, "2026-12-25 is a date and no number; calculate the days between two dates, as in 2026-12-25 - 2026-11-16", moothall.CallFailed},
		{"calculate", `{"expression":"2026-12-25 - (2026-11-16 - 3)"}`, "2026-12-25 is a date and no number; calculate the days between two dates, as in 2026-12-25 - 2026-11-16", moothall.CallFailed},
		{"calculate", `{"expr":"1"}`, "the arguments do not fit the tool", moothall.CallFailed},
		{"now", `{}`, "Monday, 16 November 2026, 00:30:00 CET (UTC+01:00), week 47 of the year.", moothall.CallOK},
		{"now", ``, "Monday, 16 November 2026, 00:30:00 CET (UTC+01:00), week 47 of the year.", moothall.CallOK},
		{"now", `{"zone":"America/New_York"}`, "Sunday, 15 November 2026, 18:30:00 EST (UTC-05:00), week 46 of the year.", moothall.CallOK},
		{"now", `{"zone":"Moon/Base"}`, "there is no time zone of that name. What helps: write it like Europe/Berlin or UTC", moothall.CallFailed},
	} {
		if r := run(t, tools, moothall.ToolName(c.name), c.args); r.Text != c.want || r.Status != c.status {
			t.Errorf("%s %s: %s %q", c.name, c.args, r.Status, r.Text)
		}
	}
}

// judge is a model that replies by looking at the prompt.
type judge func(moothall.GenerateRequest) (string, error)

func (j judge) Generate(_ context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		text, err := j(r)
		yield(moothall.Chunk{Text: text, Stop: moothall.StopDone}, err)
	}
}

// goodFirst reports whether the answer GOOD was shown first.
func goodFirst(r moothall.GenerateRequest) bool {
	p := r.Messages[1].Content
	return strings.Index(p, "GOOD") < strings.Index(p, "POOR")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	fair := func(r moothall.GenerateRequest) (string, error) {
		if goodFirst(r) {
			return "Feedback: right [RESULT] A", nil
		}
		return "Feedback: right [RESULT] B", nil
	}
	always := func(s string) judge { return func(moothall.GenerateRequest) (string, error) { return s, nil } }
	for name, c := range map[string]struct {
		model judge
		want  string
	}{
		"fair": {fair, "a"}, "first place": {always("[RESULT] A"), "tie"}, "second place": {always("x [RESULT] B."), "tie"},
		"prose": {always("The first one."), "unknown"}, "JSON": {always(`{"reason":"r","better":"first"}`), "unknown"},
		"two": {always("[RESULT] A [RESULT] B"), "unknown"}, "a number": {always("[RESULT] 4"), "unknown"}, "empty": {always(""), "unknown"},
	} {
		r := run(t, basic.New(c.model, nil).All(), "compare_answers", `{"question":"q","answer_a":"GOOD","answer_b":"POOR"}`)
		var d basic.CompareData
		if err := json.Unmarshal(r.Data, &d); err != nil || d.Better != c.want {
			t.Errorf("%s: %q %v", name, r.Text, err)
		}
	}
	broken := judge(func(moothall.GenerateRequest) (string, error) { return "", errors.New("x") })
	if r := run(t, basic.New(broken, nil).All(), "compare_answers", `{"question":"q","answer_a":"GOOD","answer_b":"POOR"}`); r.Status != moothall.CallFailed {
		t.Errorf("%+v", r)
	}
	for _, tool := range basic.New(nil, nil).All() {
		if tool.Spec().Name != "compare_answers" {
			continue
		}
		r := moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(`{"question":"q","answer_a":"a","answer_b":"b"}`)}}
		if got, err := tool.Run(t.Context(), r); moothall.ErrorCode(err) != moothall.CodeNotConfigured {
			t.Errorf("without a model: %+v, %v", got, err)
		}
	}
	var orders, roles = map[bool]int{}, map[moothall.ModelRole]int{}
	seen := judge(func(r moothall.GenerateRequest) (string, error) {
		orders[goodFirst(r)]++
		roles[r.Role]++
		return fair(r)
	})
	run(t, basic.New(seen, nil).All(), "compare_answers", `{"question":"q","answer_a":"GOOD","answer_b":"POOR"}`)
	if orders[true] != 1 || orders[false] != 1 || roles[moothall.ModelCritic] != 2 {
		t.Errorf("orders %v, roles %v", orders, roles)
	}
}

// far is a critic elsewhere: what it is asked leaves this machine.
type far struct {
	moothall.Model
	err error
}

func (f far) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		if yield(moothall.Chunk{Text: "Feedback: x [RESULT] A", Sent: []moothall.Egress{{Host: "critic.example", Bytes: 700}}}, nil) && f.err != nil {
			yield(moothall.Chunk{}, f.err)
		}
	}
}

// What a comparison sends to a model elsewhere is in its result, also when no
// comparison comes of it.
func TestCompareTellsWhatItSends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int64
	}{{nil, 1400}, {errors.New("gone"), 700}} {
		r := run(t, basic.New(far{err: c.err}, nil).All(), "compare_answers", `{"question":"q","answer_a":"GOOD","answer_b":"POOR"}`)
		if len(r.Sent) != 1 || r.Sent[0] != (moothall.Egress{Host: "critic.example", Bytes: c.want}) {
			t.Errorf("with the error %v: sent %v, want %d bytes", c.err, r.Sent, c.want)
		}
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	for _, tool := range basic.New(nil, nil).All() {
		s := tool.Spec()
		if !json.Valid(s.Parameters) || !strings.Contains(string(s.Parameters), `"additionalProperties":false`) || s.Timeout == 0 || s.MaxResult == 0 || !s.ReadOnly || len(s.Aliases) == 0 {
			t.Errorf("%+v", s)
		}
	}
}
