package basic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/basic"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	tools := basic.New(nil, nil).All()
	for asked, want := range map[string]string{
		"8,849 m in feet": "≈ 29032.15 feet", "8849 metres to ft": "≈ 29032.15 ft", "5 miles into km": "≈ 8.04672 km", "100 km/h in mph": "≈ 62.1371 mph", "1 m in mi": "≈ 0.000621371 mi",
		"30 C in F": "= 86 F", "350 f in celsius": "≈ 176.667 celsius", "30°C in °F": "= 86 °F", "-40 F in C": "= -40 C", "0 K in C": "= -273.15 C", "98.6 degrees Fahrenheit in Celsius": "= 37 Celsius", "451 F as C": "≈ 232.778 C",
		"3 in in cm": "= 7.62 cm", "5 feet 11 in cm": "= 180.34 cm", "5'9 in cm": "= 175.26 cm", "3h20m in minutes": "= 200 minutes", "3 hours 20 m in minutes": "= 200 minutes", "5 ft 11 in in cm": "= 180.34 cm", `5'11" in cm`: "= 180.34 cm", "12 st and 4 lb in kg": "≈ 78.0179 kg", "2 hours 30 minutes in minutes": "= 150 minutes",
		"180 cm in feet and inches": "≈ 5 feet 10.8661 inches", "200 minutes in hours and minutes": "= 3 hours 20 minutes", "150 lbs in stone and pounds": "= 10 stone 10 pounds",
		"179.99999 min in hours and minutes": "≈ 3 hours 0 minutes", "182.879999 cm in feet and inches": "≈ 6 feet 0 inches", "91.4399999 cm in feet and cm": "≈ 3 feet 0 cm", "179.9 min in hours and minutes": "= 2 hours 59.9 minutes",
		"1 day 2 hours 3 minutes in minutes": "= 1563 minutes", "1/2 h 5 min in min": "= 35 min", "1 1/2 h 5 min in min": "= 95 min", "250 Cal in kJ": "= 1046 kJ", "250 cal in kJ": "= 1.046 kJ", "10 NM in km": "= 18.52 km", "10 nm in mm": "≈ 0.00001 mm",
		"2 * 1.5 l in ml": "= 3000 ml", "(3 + 4) * 2 km in miles": "≈ 8.6992 miles", "1/3 km in m": "≈ 333.333 m", "1e3 m in km": "= 1 km", "max(1, 2) kg in g": "= 2000 g", "sqrt(4) m in cm": "= 200 cm",
		"1 1/2 cups in ml": "≈ 354.882 ml (US cups)", "2 gallons in litres": "≈ 7.57082 litres (US gallons)", "2 uk gallons in litres": "≈ 9.09218 litres", "1 l in cups": "≈ 4.22675 US cups",
		"500 MB in GB": "= 0.5 GB", "500 mb in gb": "= 0.5 gb", "8 Mbit in MB": "= 1 MB", "1 GiB in MB": "≈ 1073.74 MB", "1 light year in km": "= 9460730472580.8 km", "2 ha in m²": "= 20000 m²",
		"1000 kcal in kJ": "= 4184 kJ", "2 bar in psi": "≈ 29.0075 psi", "100 hp in kW": "≈ 74.57 kW", "10 knots in km/h": "= 18.52 km/h", "10 m in m =": "= 10 m", "2 fortnights in days": "= 28 days",
	} {
		r := run(t, tools, "calculate", arguments(t, asked))
		if r.Status != moothall.CallOK || r.Text != strings.TrimSuffix(asked, " =")+" "+want {
			t.Errorf("%s: %s %q", asked, r.Status, r.Text)
		}
	}
}

func TestUnitsRefused(t *testing.T) {
	t.Parallel()
	tools := basic.New(nil, nil).All()
	for asked, want := range map[string]string{
		"5 feet 12 in cm": "operator is missing", "3 kg 20 m in minutes": "cannot be", "5 kg in m": "m measures length, and what is to be converted is a mass", "5 euros in dollars": "no rates of exchange", "20 km in dollars": "no rates of exchange", "1 ton in kg": "say which one",
		"3 years in days": "count days", "20 degrees in F": "celsius or fahrenheit", "10 furlongs in m": "furlongs is no unit", "10 m in furlongs": "furlongs is no unit", "2 feet in inches and miles": "cannot be given in",
		"30 C in F and K": "cannot be given in", "-5 m in feet and inches": "cannot be given in", "3 kg 20 cm in m": "cannot be added", "20 C 5 F in K": "cannot be added", "1/0 km in m": "division by zero", "-5 ft 11 in in cm": "convert it alone", "2 * 5 ft 6 in in cm": "convert it alone", "10 - 5 ft 6 in 2 cm in cm": "convert it alone", "0,125 kg in g": "write a point for decimals", "1,5 km in m": "write a point for decimals", "many km in m": "not a number that is known",
	} {
		r := run(t, tools, "calculate", arguments(t, asked))
		if r.Status != moothall.CallFailed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s %q, want %q", asked, r.Status, r.Text, want)
		}
	}
}

// What looks a little like a conversion stays a sum.
func TestNoUnits(t *testing.T) {
	t.Parallel()
	tools := basic.New(nil, nil).All()
	for asked, want := range map[string]string{"15% of 80": "15% of 80 = 12", "2 + 3": "2 + 3 = 5", "min(3, 4)": "min(3, 4) = 3", "17 mod 5": "17 mod 5 = 2"} {
		if r := run(t, tools, "calculate", arguments(t, asked)); r.Text != want {
			t.Errorf("%s: %q", asked, r.Text)
		}
	}
}

func arguments(t testing.TB, expression string) string {
	b, err := json.Marshal(map[string]string{"expression": expression})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSumsOfAmounts(t *testing.T) {
	t.Parallel()
	tools := basic.New(nil, nil).All()
	for asked, want := range map[string]string{
		"1 hour 20 minutes + 45 minutes": "= 2 hours 5 minutes", "45 minutes plus 1 hour 20 minutes": "= 2 hours 5 minutes", "2 hours - 45 min": "= 1 hour 15 minutes", "90 s + 30 s": "= 2 minutes",
		"3 * 45 minutes": "= 2 hours 15 minutes", "45 minutes * 3": "= 2 hours 15 minutes", "2 hours / 3": "= 40 minutes", "(1 hour 20 minutes) * 3": "= 4 hours", "3 * (1 hour 20 minutes)": "= 4 hours", "2 hours divided by 4": "= 30 minutes",
		"5 kg + 300 g": "= 5.3 kg", "5kg+300g": "= 5.3 kg", "2 weeks + 3 days": "= 17 days", "36 hours + 1 day": "= 60 hours", "10 min - 25 min": "= -15 min", "5 ft 11 in + 2 in": "= 73 in", "1 km - 1 mile": "≈ -0.609344 km",
		"500 MB + 1 GB": "= 1500 MB", "2 cups + 1 cup": "= 3 US cups", "0 min + 0 min": "= 0 minutes", "1 1/2 h + 30 min": "= 2 hours", "10 light-years - 2 light-years": "= 8 light-years",
		"1 hour 20 minutes + 45 minutes in minutes": "= 125 minutes", "5 kg + 300 g in lb": "≈ 11.6845 lb", "2027-01-01 - 2026-11-18 in weeks": "≈ 6.28571 weeks", "2027-01-01 - 2026-11-18 in weeks and days": "= 6 weeks 2 days", "2 cups + 1 cup in ml": "≈ 709.765 ml (US cup)",
		"2026-11-18 + 2 weeks 3 days": "= 2026-12-05, a Saturday", "2026-11-18 - 1 week and 1 day": "= 2026-11-10, a Tuesday",
	} {
		r := run(t, tools, "calculate", arguments(t, asked))
		if r.Status != moothall.CallOK || r.Text != asked+" "+want {
			t.Errorf("%s: %s %q, want %q", asked, r.Status, r.Text, want)
		}
	}
	for asked, want := range map[string]string{
		"5 kg + 3 m": "amounts of mass and length cannot be added", "20 C + 5 C": "temperatures cannot be added", "20 C * 2": "temperatures cannot be multiplied", "5 kg + 3": "operator is missing", "2 hours / 0": "division by zero",
		"1 hour 20 minutes * 3": "put parentheses around 1 hour 20 minutes", "2 months + 3 days": "months are not all of one length", "2 hours": "operator is missing",
	} {
		if r := run(t, tools, "calculate", arguments(t, asked)); r.Status != moothall.CallFailed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s %q, want %q", asked, r.Status, r.Text, want)
		}
	}
}
