package builtin

// place is what is known of one country.
type place struct {
	country string
	capital string
	people  string // of the country
	city    string // inhabitants of the capital
}

// places are countries that people ask about first. Numbers are rounded.
var places = []place{
	{"France", "Paris", "68 million", "2.1 million"},
	{"Germany", "Berlin", "84 million", "3.7 million"},
	{"Spain", "Madrid", "48 million", "3.3 million"},
	{"Italy", "Rome", "59 million", "2.8 million"},
	{"Portugal", "Lisbon", "10.5 million", "0.55 million"},
	{"the United Kingdom", "London", "68 million", "8.9 million"},
	{"Ireland", "Dublin", "5.3 million", "0.59 million"},
	{"the Netherlands", "Amsterdam", "18 million", "0.93 million"},
	{"Belgium", "Brussels", "11.8 million", "1.2 million"},
	{"Switzerland", "Bern", "9 million", "0.13 million"},
	{"Austria", "Vienna", "9.1 million", "2 million"},
	{"Poland", "Warsaw", "37 million", "1.9 million"},
	{"Czechia", "Prague", "10.9 million", "1.4 million"},
	{"Hungary", "Budapest", "9.6 million", "1.7 million"},
	{"Greece", "Athens", "10.4 million", "0.64 million"},
	{"Sweden", "Stockholm", "10.6 million", "0.99 million"},
	{"Norway", "Oslo", "5.6 million", "0.72 million"},
	{"Denmark", "Copenhagen", "6 million", "0.66 million"},
	{"Finland", "Helsinki", "5.6 million", "0.68 million"},
	{"Iceland", "Reykjavik", "0.39 million", "0.14 million"},
	{"Ukraine", "Kyiv", "38 million", "2.9 million"},
	{"Turkey", "Ankara", "85 million", "5.8 million"},
	{"Egypt", "Cairo", "110 million", "10 million"},
	{"Morocco", "Rabat", "37 million", "0.6 million"},
	{"Kenya", "Nairobi", "55 million", "4.8 million"},
	{"South Africa", "Pretoria", "62 million", "0.74 million"},
	{"India", "New Delhi", "1,430 million", "0.25 million"},
	{"China", "Beijing", "1,410 million", "22 million"},
	{"Japan", "Tokyo", "124 million", "14 million"},
	{"South Korea", "Seoul", "52 million", "9.4 million"},
	{"Vietnam", "Hanoi", "100 million", "8.5 million"},
	{"Thailand", "Bangkok", "71 million", "5.5 million"},
	{"Indonesia", "Jakarta", "280 million", "10.7 million"},
	{"Australia", "Canberra", "27 million", "0.46 million"},
	{"New Zealand", "Wellington", "5.2 million", "0.21 million"},
	{"Canada", "Ottawa", "40 million", "1 million"},
	{"the United States", "Washington, D.C.", "335 million", "0.68 million"},
	{"Mexico", "Mexico City", "129 million", "9.2 million"},
	{"Brazil", "Brasília", "203 million", "2.8 million"},
	{"Argentina", "Buenos Aires", "46 million", "3.1 million"},
	{"Chile", "Santiago", "19.6 million", "6.2 million"},
}
