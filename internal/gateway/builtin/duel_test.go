package builtin

import "testing"

// TestDueling decides what is arithmetic, and nothing else.
func TestDueling(t *testing.T) {
	t.Parallel()
	const most, least = "Wanted is the most. ", "Wanted is the least, that is the lowest number. "
	for thought, want := range map[string]string{
		most + "1200 for Petra. 950 for Jonas or 1200?":                                                             " 1200.",
		most + "1200 for Petra. 950 for Jonas or 1200? 1200. 1710 for Mira or 1200?":                                " 1710.",
		"I have the text; wanted is the longest. 4 km on Monday. 12.5 km on Friday or 4 km?":                        " 12.5 km.",
		least + "Asha 9. Terminal 2 45 or 9?":                                                                       " 9.",
		least + "Asha 9. Hahel 6 or 9?":                                                                             " 6.",
		"Wanted is the oldest, that is the earliest date. a.txt 2023-04-22. b.txt 2024-01-08 or 2023-04-22?":        " 2023-04-22.",
		"Wanted is the oldest, that is the earliest date. a.txt 2023-04-22. b.txt 2022-01-08 or 2023-04-22?":        " 2022-01-08.",
		"Wanted is the largest, that is the most bytes. a.txt 900 bytes. b.txt 1.2 kB or 900 bytes?":                " 1.2 kB.",
		"Wanted is the largest, that is the most bytes. a.txt 2.0 kB. b.txt 1999 bytes or 2.0 kB?":                  " 2.0 kB.",
		"Wanted is the most, that is the highest price. rice £1,048. tea £931.50 or £1,048?":                        " £1,048.",
		"Wanted is the earliest, that is the earliest opening time. baths 9:30. library 10:00 or 9:30?":             " 9:30.",
		"Wanted is the latest, that is the latest end. baths 13 March 2031. library 2 April 2030 or 13 March 2031?": " 13 March 2031.",
		"Wanted is the least, that is the lowest number. 5 or 5?":                                                   " 5.",
		"Wanted is the best, that is the finest hat. red 3. blue 4 or 3?":                                           "", // what is better is not known
		most + "1200 for Petra. 950 euros for Jonas or 1200 dollars?":                                               "",
		most + "2 for 3 boxes. 5 for 4 boxes or 2?":                                                                 "", // which of the numbers it is
		most + "1200 for Petra. Jonas or 1200?":                                                                     "",
		most + "1200 for Petra. 950 for Jonas or 1200":                                                              "",
		"Wanted is the least. 9 for Asha. 45 for Terminal 2 or 9?":                                                  "",
		most + "9 for team 1. 4 for team 12 or 9?":                                                                  "",
		"Wanted is the fastest. 11.9 seconds for Bo. 12.3 seconds for Ann or 11.9 seconds?":                         "",
		"Wanted is the youngest. 1990 for Bo. 1995 for Ann or 1990?":                                                "",
		"Wanted is the newest, that is the latest date. a 5 minutes ago. b 2 minutes ago or 5 minutes ago?":         "",
		"Wanted is the earliest, that is the earliest time. lunch 12 pm. dinner 7 pm or 12 pm?":                     " 12 pm.",
		"Wanted is the highest, that is the highest version. a 1.9. b 1.10 or 1.9?":                                 "",
		"Wanted is the most, that is the highest price. a €950. b €1.200 or €950?":                                  "",
		"Who has the most? 1200 or 950?":                                                                            "",
	} {
		if got := string(dueling{runes}.dictate(thought)); got != want {
			t.Errorf("%s %q, want %q", thought, got, want)
		}
	}
}
