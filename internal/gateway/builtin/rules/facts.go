package rules

// place is what is known of one country.
type place struct {
	country string
	capital string
	people  string // of the country
	city    string // inhabitants of the capital
	money   string // the currency
}

// places are countries that people ask about first. Numbers are rounded.
var places = []place{
	{"France", "Paris", "68 million", "2.1 million", "the euro"},
	{"Germany", "Berlin", "84 million", "3.7 million", "the euro"},
	{"Spain", "Madrid", "48 million", "3.3 million", "the euro"},
	{"Italy", "Rome", "59 million", "2.8 million", "the euro"},
	{"Portugal", "Lisbon", "10.5 million", "0.55 million", "the euro"},
	{"the United Kingdom", "London", "68 million", "8.9 million", "the pound sterling"},
	{"Ireland", "Dublin", "5.3 million", "0.59 million", "the euro"},
	{"the Netherlands", "Amsterdam", "18 million", "0.93 million", "the euro"},
	{"Belgium", "Brussels", "11.8 million", "1.2 million", "the euro"},
	{"Switzerland", "Bern", "9 million", "0.13 million", "the Swiss franc"},
	{"Austria", "Vienna", "9.1 million", "2 million", "the euro"},
	{"Poland", "Warsaw", "37 million", "1.9 million", "the złoty"},
	{"Czechia", "Prague", "10.9 million", "1.4 million", "the koruna"},
	{"Hungary", "Budapest", "9.6 million", "1.7 million", "the forint"},
	{"Greece", "Athens", "10.4 million", "0.64 million", "the euro"},
	{"Sweden", "Stockholm", "10.6 million", "0.99 million", "the Swedish krona"},
	{"Norway", "Oslo", "5.6 million", "0.72 million", "the Norwegian krone"},
	{"Denmark", "Copenhagen", "6 million", "0.66 million", "the Danish krone"},
	{"Finland", "Helsinki", "5.6 million", "0.68 million", "the euro"},
	{"Iceland", "Reykjavik", "0.39 million", "0.14 million", "the Icelandic króna"},
	{"Ukraine", "Kyiv", "38 million", "2.9 million", "the hryvnia"},
	{"Turkey", "Ankara", "85 million", "5.8 million", "the lira"},
	{"Egypt", "Cairo", "110 million", "10 million", "the Egyptian pound"},
	{"Morocco", "Rabat", "37 million", "0.6 million", "the dirham"},
	{"Kenya", "Nairobi", "55 million", "4.8 million", "the Kenyan shilling"},
	{"South Africa", "Pretoria", "62 million", "0.74 million", "the rand"},
	{"India", "New Delhi", "1,430 million", "0.25 million", "the rupee"},
	{"China", "Beijing", "1,410 million", "22 million", "the renminbi"},
	{"Japan", "Tokyo", "124 million", "14 million", "the yen"},
	{"South Korea", "Seoul", "52 million", "9.4 million", "the won"},
	{"Vietnam", "Hanoi", "100 million", "8.5 million", "the đồng"},
	{"Thailand", "Bangkok", "71 million", "5.5 million", "the baht"},
	{"Indonesia", "Jakarta", "280 million", "10.7 million", "the rupiah"},
	{"Australia", "Canberra", "27 million", "0.46 million", "the Australian dollar"},
	{"New Zealand", "Wellington", "5.2 million", "0.21 million", "the New Zealand dollar"},
	{"Canada", "Ottawa", "40 million", "1 million", "the Canadian dollar"},
	{"the United States", "Washington, D.C.", "335 million", "0.68 million", "the US dollar"},
	{"Mexico", "Mexico City", "129 million", "9.2 million", "the peso"},
	{"Brazil", "Brasília", "203 million", "2.8 million", "the real"},
	{"Argentina", "Buenos Aires", "46 million", "3.1 million", "the peso"},
	{"Chile", "Santiago", "19.6 million", "6.2 million", "the peso"},
}
