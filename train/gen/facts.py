"""Fact sheets: things with attributes, in sentences and in questions.

What is in them is partly real and partly made up, with values by chance, so
that reading is learnt and not the facts.
"""
from . import lex
from .base import Phrases, fill


class Attr:
    """One attribute: how to make a value, say it, ask for it and answer."""

    def __init__(self, key, make, say, ask, answer, short):
        self.key, self.make = key, make
        self.say, self.ask, self.answer = say, ask, answer
        self.short = short  # as in "and its {short}?"


def _num(a, b, unit="", comma=True):
    def make(r):
        n = r.int(a, b)
        s = "{:,}".format(n) if comma and n >= 1000 and r.chance(0.7) else str(n)
        return s + (" " + unit if unit else "")
    return make


def _big(r):
    return r.pick(["%d.%d million" % (r.int(1, 90), r.int(1, 9)), "%d million" % r.int(1, 190), "{:,}".format(r.int(2000, 900000)), "%d,000" % r.int(3, 900), str(r.int(300, 9999))])


def _year(a, b):
    return lambda r: str(r.int(a, b))


def _of(seq):
    return lambda r: r.entity(seq)


def _made(suffixes):
    return lambda r: r.made(lambda: r.syllables(2)) + r.pick(suffixes)


LANGUAGES = "French Spanish Italian German Polish Norwegian Swedish Finnish Danish Portuguese Greek Dutch Irish Hungarian Romanian Bulgarian Croatian Serbian Turkish Arabic Swahili Japanese Chinese Hindi Thai Vietnamese English Icelandic Latvian Estonian Georgian Armenian Nepali Mongolian Lao Khmer Samoan Quechua Wolof Basque Catalan Welsh".split()
CURRENCIES = ["euro", "krone", "franc", "peso", "dinar", "rupee", "yen", "lira", "pound", "shilling", "dollar", "leu", "lev", "zloty", "forint", "koruna", "dram", "lari", "rial", "baht", "dong", "kip", "sol", "boliviano", "real", "rand", "birr", "naira", "cedi", "taka", "som", "tenge"]
CONTINENTS = ["Europe", "Asia", "Africa", "South America", "North America", "Oceania"]
DIETS = ["leaves and fruit", "fish", "small insects", "grass", "seeds and nuts", "nectar", "mice and voles", "plankton", "roots and bark", "worms", "berries", "carrion", "algae"]
HABITATS = ["mountain forests", "shallow coastal waters", "dry grassland", "river banks", "old barns", "coral reefs", "swamps", "the tundra", "bamboo thickets", "city parks", "deep caves", "rocky deserts"]
GENRES = ["novel", "play", "poem", "memoir", "travel book", "collection of essays", "fairy tale", "detective story", "history", "cookbook"]
JOBS = ["botanist", "painter", "engineer", "composer", "architect", "physician", "poet", "astronomer", "chemist", "historian", "sculptor", "mathematician", "sailor", "teacher", "photographer", "geologist", "translator", "weaver", "violinist", "cartographer"]
WORKS = ["the {a} {n}", "a map of {c}", "a new kind of {n}", "the {n} of {c}", "studies of the {n}", "the first {n} school"]
USES = ["cutting paper", "measuring wind", "storing grain", "sending short messages", "keeping food cold", "drawing circles", "lifting stones", "cleaning wool", "checking spelling", "sorting letters", "watching logs", "compressing files", "tuning strings", "drying herbs", "heating water", "joining pipes", "grinding coffee", "mapping caves", "testing web pages", "backing up folders"]
CAUSES = ["a lack of oxygen", "sudden cooling", "too much salt", "friction between two surfaces", "a broken seal", "the pull of the moon", "a fungus in the soil", "dust in the air", "low pressure", "a loose wire", "moist air that cools", "a missing index", "a full disk", "sunlight on ice"]
REMEDIES = ["fresh air", "a pinch of salt", "a slow restart", "warm water", "a new seal", "rest and water", "better light", "a thin coat of oil", "opening the windows", "cleaning the filter", "a cold cloth", "vinegar", "shade", "turning it off for ten minutes", "ginger tea", "an index on the table"]
MATERIALS = ["oak", "copper", "clay", "wool", "glass", "steel", "bamboo", "linen", "granite", "brass", "leather", "felt", "marble", "tin", "slate"]
MEANINGS = ["to speak too softly to be heard", "a small gift between neighbours", "the smell of rain on dry ground", "a person who repairs clocks", "to leave without saying goodbye", "a path made by animals", "the last light before night", "a debt that nobody claims", "to fold cloth in three", "a bowl for salt", "a very stubborn child", "to count twice", "a shelter for boats", "someone who speaks for others", "a rope used on ships", "the edge of a forest", "a meal eaten standing", "to mend a net", "a promise made in writing", "the noise of many birds"]
OPPOSITES = ["hot=cold", "early=late", "empty=full", "rough=smooth", "brave=timid", "scarce=plentiful", "ancient=modern", "rigid=flexible", "arrive=depart", "expand=shrink", "victory=defeat", "generous=mean", "public=private", "transparent=opaque", "shallow=deep", "ascend=descend", "praise=blame", "rural=urban", "temporary=permanent", "guilty=innocent"]


def _work(r):
    return fill(r.pick(WORKS), {"a": r.entity(lex.ADJ), "n": r.noun(), "c": r.city()})


def A(key, make, short, say, ask, answer):
    return Attr(key, make, Phrases(say.split("|")), Phrases(ask.split("|")), Phrases(answer.split("|")), short)


PLACE = [
    A("capital", lambda r: r.city(), "capital",
      "The capital of {n} is {v}.|{v} is the capital of {n}.|Its capital is {v}.|Government sits in the capital, {v}.|The capital city is {v}.",
      "what is the capital of {n}?|What's the capital of {n}|capital of {n}?|which city is the capital of {n}?|{n}'s capital?|tell me the capital of {n}|do you know the capital of {n}?|name the capital of {n}|which is the capital city of {n}|what's {n}'s capital city?|i need the capital of {n}|What city is {n}'s capital?",
      "The capital of {n} is {v}.|{v} is the capital of {n}."),
    A("population", _big, "population",
      "{n} has a population of {v}.|About {v} people live there.|Its population is {v}.|The population of {n} is {v}.|{n} is home to {v} people.",
      "what is the population of {n}?|how many people live in {n}?|population of {n}|{n} population?|How many inhabitants does {n} have?|how big is the population of {n}|do you know how many people {n} has?|number of people in {n}?|how populous is {n}?|what's {n}'s population",
      "The population of {n} is {v}.|{n} has a population of {v}."),
    A("area", _num(200, 900000, "square kilometres"), "area",
      "It covers {v}.|The area of {n} is {v}.|{n} covers {v}.|Its area is {v}.|The land measures {v}.",
      "how large is {n}?|what is the area of {n}?|area of {n}|how big is {n}?|What's the size of {n}?|how much land does {n} cover?|{n}, how big is it|what area does {n} have?|how many square kilometres is {n}?|size of {n} please",
      "The area of {n} is {v}.|{n} covers {v}."),
    A("currency", _of(CURRENCIES), "currency",
      "The currency of {n} is the {v}.|People pay with the {v}.|Its currency is the {v}.|The {v} is the money of {n}.|{n} uses the {v}.",
      "what is the currency of {n}?|what money do they use in {n}?|currency of {n}?|how do you pay in {n}?|What's the currency in {n}|which currency does {n} use?|what do people pay with in {n}?|{n} currency|money used in {n}?|which money do I need in {n}?",
      "The currency of {n} is the {v}.|{n} uses the {v}."),
    A("language", _of(LANGUAGES), "language",
      "The official language is {v}.|Most people speak {v}.|{v} is spoken in {n}.|In {n} people speak {v}.|Its language is {v}.",
      "what language do they speak in {n}?|which language is spoken in {n}?|official language of {n}|what do people speak in {n}?|language of {n}?|What's the main language in {n}?|do you know what they speak in {n}|what is the language of {n}?|in {n}, which language is spoken?|which language would I need in {n}?",
      "The language of {n} is {v}.|In {n} people speak {v}."),
    A("continent", _of(CONTINENTS), "continent",
      "{n} lies in {v}.|It is a country in {v}.|{n} is in {v}.|It belongs to {v}.|{n} is part of {v}.",
      "where is {n}?|on which continent is {n}?|which continent is {n} in?|what continent is {n} on|where does {n} lie?|{n} is on what continent?|in which part of the world is {n}?|where in the world is {n}|location of {n}?|what part of the world is {n} in?",
      "{n} is in {v}.|{n} lies in {v}."),
]
MOUNTAIN = [
    A("height", _num(600, 8800, "metres"), "height",
      "{n} is {v} high.|It rises to {v}.|The summit stands at {v}.|Its height is {v}.|{n} reaches {v}.",
      "how high is {n}?|what is the height of {n}?|height of {n}|How tall is {n}?|what's the elevation of {n}?|how many metres is {n}|{n}, how high?|tell me how high {n} is|what height does {n} reach?|how far up does {n} go?",
      "{n} is {v} high.|The height of {n} is {v}."),
    A("country", lambda r: r.country(), "country",
      "{n} lies in {v}.|It stands in {v}.|The mountain is in {v}.|{n} is found in {v}.|It belongs to {v}.",
      "where is {n}?|in which country is {n}?|which country is {n} in?|where can I find {n}?|where does {n} stand|{n} is in what country?|what country has {n}?|location of {n}|where's {n}?|in what country does {n} lie?",
      "{n} is in {v}.|{n} lies in {v}."),
    A("climbed", _year(1786, 1990), "first ascent",
      "It was first climbed in {v}.|The first ascent was in {v}.|{n} was first climbed in {v}.|Nobody reached the top before {v}.|Climbers first reached the top in {v}.",
      "when was {n} first climbed?|when was the first ascent of {n}?|first ascent of {n}|what year was {n} climbed first?|who knows when {n} was first climbed|in which year was {n} climbed for the first time?|when did people first climb {n}?|year of the first ascent of {n}?|when did somebody first get to the top of {n}?|{n} first climbed when",
      "{n} was first climbed in {v}.|The first ascent of {n} was in {v}."),
]
RIVER = [
    A("length", _num(40, 6000, "kilometres"), "length",
      "{n} is {v} long.|It runs for {v}.|Its length is {v}.|The river measures {v}.|From source to mouth {n} is {v} long.",
      "how long is {n}?|what is the length of {n}?|length of {n}|How many kilometres is {n}?|how long does {n} run|tell me the length of {n}|{n}, how long is it?|what's {n}'s length?|how far does {n} flow?|how long a river is {n}?",
      "{n} is {v} long.|The length of {n} is {v}."),
    A("source", lambda r: "the " + r.made(lambda: r.syllables(2)).capitalize() + r.pick([" hills", " mountains", " glacier", " springs"]), "source",
      "{n} rises in {v}.|Its source is in {v}.|It begins in {v}.|The source lies in {v}.|Water comes down from {v}.",
      "where does {n} rise?|what is the source of {n}?|source of {n}|where does {n} begin?|where is the source of {n}?|where does {n} come from|{n} starts where?|from where does {n} flow?|in which hills does {n} start?|where's the source of {n}?",
      "{n} rises in {v}.|The source of {n} is in {v}."),
    A("mouth", lambda r: r.pick(["the North Sea", "the Black Sea", "Lake " + r.made(lambda: r.syllables(2)).capitalize(), "the bay of " + r.city(), "the Baltic Sea", "the Atlantic", "the Gulf of " + r.city()]), "mouth",
      "It flows into {v}.|{n} ends in {v}.|Its mouth is at {v}.|It reaches {v}.|{n} empties into {v}.",
      "where does {n} end?|into what does {n} flow?|where does {n} flow to?|mouth of {n}?|which sea does {n} reach?|where does {n} go|what does {n} flow into?|where is the mouth of {n}?|where does {n} empty?|{n} ends where?",
      "{n} flows into {v}."),
]
BOOK = [
    A("author", lambda r: r.name(), "author",
      "{n} was written by {v}.|Its author is {v}.|{v} wrote {n}.|The author of {n} is {v}.|It is a work by {v}.",
      "who wrote {n}?|who is the author of {n}?|author of {n}|Who's the author of {n}?|by whom is {n}?|do you know who wrote {n}|{n} is by whom?|whose book is {n}?|name the author of {n}|who was {n} written by?",
      "{n} was written by {v}.|The author of {n} is {v}."),
    A("year", _year(1604, 2025), "year",
      "It appeared in {v}.|{n} was published in {v}.|The first edition is from {v}.|It came out in {v}.|Publication was in {v}.",
      "when was {n} published?|when did {n} come out?|what year is {n} from?|year of {n}|in which year did {n} appear?|how old is {n}, which year?|publication date of {n}?|when did {n} first appear|from what year is {n}?|when was {n} first printed?",
      "{n} was published in {v}.|{n} appeared in {v}."),
    A("genre", _of(GENRES), "genre",
      "{n} is a {v}.|It is a {v}.|The book is a {v}.|Readers know it as a {v}.|By kind it is a {v}.",
      "what kind of book is {n}?|what genre is {n}?|genre of {n}|is {n} a novel or what?|what sort of book is {n}|which kind of text is {n}?|what type of work is {n}?|{n}, what genre?|what kind of thing is {n}?|tell me the genre of {n}",
      "{n} is a {v}."),
    A("pages", _num(60, 1200, "pages"), "number of pages",
      "It has {v}.|{n} has {v}.|The book runs to {v}.|The edition has {v}.|It is {v} long.",
      "how many pages does {n} have?|how long is {n}?|number of pages of {n}|how thick is {n}|page count of {n}?|how many pages is {n}|what's the page count of {n}?|{n}, how many pages?|is {n} long, how many pages?|length of {n} in pages?",
      "{n} has {v}."),
]
PERSON = [
    A("born", _year(1480, 1998), "year of birth",
      "{n} was born in {v}.|The year of birth is {v}.|Born in {v}.|{n} came into the world in {v}.|Birth: {v}.",
      "when was {n} born?|what year was {n} born?|birth year of {n}|in which year was {n} born|when is {n} from, what year born?|{n} born when?|year of birth of {n}?|do you know when {n} was born?|how long ago was {n} born, which year?|when did {n} come into the world?",
      "{n} was born in {v}."),
    A("birthplace", lambda r: r.city(), "place of birth",
      "The place of birth is {v}.|{n} was born at {v}.|{n} comes from {v}.|{n} grew up in {v}.|Home town: {v}.",
      "where was {n} born?|where does {n} come from?|birthplace of {n}|what is {n}'s home town?|where is {n} from?|from which city is {n}?|which town is {n} from|{n} comes from where?|what's the home town of {n}?|where did {n} grow up?",
      "{n} comes from {v}."),
    A("job", _of(JOBS), "profession",
      "{n} was a {v}.|{n} worked as a {v}.|By profession {n} was a {v}.|{n} is known as a {v}.|The {v} {n} is well remembered.",
      "what did {n} do?|what was {n}'s job?|profession of {n}|what was {n} by profession?|what did {n} do for a living|who was {n}?|what kind of work did {n} do?|was {n} a painter or what?|what's {n}'s profession?|what is {n} known as?",
      "{n} was a {v}."),
    A("known", _work, "best known work",
      "{n} is best known for {v}.|The most famous work is {v}.|{n} became famous for {v}.|People remember {n} for {v}.|The great work of {n} is {v}.",
      "what is {n} known for?|why is {n} famous?|what made {n} famous?|what is the best known work of {n}|what's {n} famous for?|for what is {n} remembered?|why do people know {n}?|{n} is famous for what?|main work of {n}?|what did {n} become famous for?",
      "{n} is known for {v}."),
    A("died", _year(1999, 2024), "year of death",
      "{n} died in {v}.|The year of death is {v}.|Death came in {v}.|{n} passed away in {v}.|Died: {v}.",
      "when did {n} die?|what year did {n} die?|year of death of {n}|in which year did {n} die|when did {n} pass away?|{n} died when?|date of death of {n}?|do you know when {n} died?|until when did {n} live?|when was {n}'s death?",
      "{n} died in {v}."),
]
BUILDING = [
    A("height", _num(12, 640, "metres"), "height",
      "{n} is {v} high.|It is {v} tall.|The building reaches {v}.|Its height is {v}.|The top is at {v}.",
      "how high is {n}?|how tall is {n}?|height of {n}|what is the height of {n}?|how many metres high is {n}|{n}, how tall?|what height is {n}?|tell me how tall {n} is|what's the height of {n}|how far up does {n} go?",
      "{n} is {v} high.|The height of {n} is {v}."),
    A("architect", lambda r: r.name(), "architect",
      "{n} was designed by {v}.|The architect was {v}.|{v} designed {n}.|{v} drew the plans of {n}.|Its architect is {v}.",
      "who designed {n}?|who was the architect of {n}?|architect of {n}|Who built {n}?|who drew the plans for {n}?|by whom was {n} designed|{n} was designed by whom?|which architect made {n}?|name the architect of {n}|who is behind the design of {n}?",
      "{n} was designed by {v}.|The architect of {n} was {v}."),
    A("opened", _year(1702, 2026), "opening year",
      "{n} opened in {v}.|It was opened in {v}.|The doors opened in {v}.|{n} has been open since {v}.|The opening was in {v}.",
      "when did {n} open?|when was {n} opened?|opening year of {n}|what year did {n} open?|since when is {n} open|in which year was {n} opened?|{n} opened when?|how long has {n} been open, since which year?|when was the opening of {n}?|year {n} opened?",
      "{n} opened in {v}."),
    A("city", lambda r: r.city(), "city",
      "{n} stands in {v}.|It is in {v}.|The building is in {v}.|{n} can be seen in {v}.|It was built in {v}.",
      "where is {n}?|in which city is {n}?|which city has {n}?|where does {n} stand?|where can I see {n}?|{n} is in what city|location of {n}?|what town is {n} in?|where's {n}?|in what place is {n}?",
      "{n} is in {v}.|{n} stands in {v}."),
]
ANIMAL = [
    A("lifespan", _num(2, 120, "years"), "lifespan",
      "{n} lives about {v}.|It lives for {v}.|Its lifespan is {v}.|{n} can reach an age of {v}.|They live {v}.",
      "how long does {n} live?|what is the lifespan of {n}?|lifespan of {n}|how old does {n} get?|what age can {n} reach?|how many years does {n} live|{n}, how old can it get?|how long is the life of {n}?|what's the life expectancy of {n}?|until what age does {n} live?",
      "{n} lives about {v}."),
    A("diet", _of(DIETS), "diet",
      "{n} eats {v}.|It feeds on {v}.|Its diet is {v}.|It lives on {v}.|The food of {n} is {v}.",
      "what does {n} eat?|what does {n} feed on?|diet of {n}|food of {n}?|what is {n}'s diet?|what do you feed {n}|{n} eats what?|on what does {n} live?|what's on the menu of {n}?|which food does {n} eat?",
      "{n} eats {v}."),
    A("habitat", _of(HABITATS), "habitat",
      "{n} lives in {v}.|It is found in {v}.|Its habitat is {v}.|Its home is {v}.|You find {n} in {v}.",
      "where does {n} live?|what is the habitat of {n}?|habitat of {n}|where can you find {n}?|where is {n} found?|in what places does {n} live|{n} lives where?|what kind of place does {n} live in?|where's the home of {n}?|which habitat does {n} have?",
      "{n} lives in {v}."),
    A("weight", _num(1, 900, "kilograms"), "weight",
      "{n} weighs up to {v}.|It weighs {v}.|Its weight is {v}.|An adult weighs {v}.|A full-grown one has {v}.",
      "how heavy is {n}?|how much does {n} weigh?|weight of {n}|what does {n} weigh?|what is the weight of {n}?|how many kilos is {n}|{n}, how heavy?|how heavy does {n} get?|what's the weight of {n}|tell me how heavy {n} is",
      "{n} weighs up to {v}."),
]
THING = [
    A("use", _of(USES), "use",
      "{n} is used for {v}.|It is used for {v}.|People use {n} for {v}.|Its purpose is {v}.|{n} serves for {v}.",
      "what is {n} used for?|what is {n} for?|use of {n}|what do you do with {n}?|what's the purpose of {n}?|what can {n} be used for|why would I use {n}?|{n} is good for what?|what does {n} do?|for what do people use {n}?",
      "{n} is used for {v}."),
    A("inventor", lambda r: r.name(), "inventor",
      "{n} was invented by {v}.|Its inventor is {v}.|{v} invented {n}.|The idea of {n} is due to {v}.|{v} made the first {n}.",
      "who invented {n}?|inventor of {n}|who is the inventor of {n}?|who made {n} first?|who came up with {n}?|{n} was invented by whom|by whom was {n} invented?|whose invention is {n}?|who thought of {n}?|name the inventor of {n}",
      "{n} was invented by {v}."),
    A("made_of", _of(MATERIALS), "material",
      "{n} is made of {v}.|It is made of {v}.|The material is {v}.|It consists of {v}.|Makers use {v} for it.",
      "what is {n} made of?|material of {n}|which material is {n} made from?|what's {n} made of?|of what is {n} made|what material is used for {n}?|{n} consists of what?|what do they make {n} from?|what is the material of {n}?|is {n} made of metal or what?",
      "{n} is made of {v}."),
    A("price", lambda r: r.pick(["%s euros" % r.price(), "$%s" % r.price(), "£%s" % r.price(), "%d euros" % r.int(3, 2000)]), "price",
      "{n} costs {v}.|Its price is {v}.|It sells for {v}.|You pay {v}.|The price of {n} is {v}.",
      "how much is {n}?|what does {n} cost?|price of {n}|how much does {n} cost?|what's the price of {n}?|how expensive is {n}|{n} costs how much?|what do I pay for {n}?|what is the price for {n}?|{n} price?",
      "{n} costs {v}.|The price of {n} is {v}."),
]
PHENOMENON = [
    A("cause", _of(CAUSES), "cause",
      "{n} is caused by {v}.|The cause of {n} is {v}.|It comes from {v}.|{v} leads to {n}.|{n} happens because of {v}.",
      "what causes {n}?|what is the cause of {n}?|cause of {n}|why does {n} happen?|where does {n} come from?|what leads to {n}|how come {n} happens?|why is there {n}?|what's behind {n}?|what brings about {n}?",
      "{n} is caused by {v}."),
    A("remedy", _of(REMEDIES), "remedy",
      "Against {n} helps {v}.|The remedy is {v}.|{n} is treated with {v}.|What helps is {v}.|The best remedy against {n} is {v}.",
      "what helps against {n}?|how do I get rid of {n}?|remedy for {n}|what can I do against {n}?|how is {n} treated?|what's good against {n}|how do you stop {n}?|cure for {n}?|how can {n} be avoided?|what should I do about {n}?",
      "Against {n} helps {v}."),
    A("season", lambda r: r.pick(["spring", "summer", "autumn", "winter", "the rainy season", "early morning", "late evening"]), "season",
      "{n} is most common in {v}.|It occurs mostly in {v}.|You see it most in {v}.|{n} comes mostly in {v}.|Its time is {v}.",
      "when does {n} occur?|when is {n} most common?|season of {n}|what time of year does {n} come?|at what time do you see {n}?|when do you get {n}|in which season is {n} common?|when does {n} come?|when is the time of {n}?|{n} occurs when?",
      "{n} is most common in {v}."),
]
COMPANY = [
    A("founder", lambda r: r.name(), "founder",
      "{n} was founded by {v}.|{v} founded {n}.|The founder is {v}.|Its founder was {v}.|It goes back to {v}.",
      "who founded {n}?|founder of {n}|who is the founder of {n}?|who started {n}?|by whom was {n} founded?|who set up {n}|{n} was founded by whom?|whose company is {n}, who founded it?|name the founder of {n}|who created {n}?",
      "{n} was founded by {v}."),
    A("seat", lambda r: r.city(), "headquarters",
      "{n} has its headquarters in {v}.|It is based in {v}.|The head office is in {v}.|Its seat is {v}.|{n} works from {v}.",
      "where is {n} based?|where are the headquarters of {n}?|headquarters of {n}|in which city is {n}?|where does {n} have its office?|where's {n} located|{n} is based where?|what city is {n} in?|seat of {n}?|where do I find {n}?",
      "{n} is based in {v}."),
    A("staff", _num(3, 90000, "people"), "number of employees",
      "It employs {v}.|{n} has a staff of {v}.|{v} work there.|The company employs {v}.|Its staff counts {v}.",
      "how many people work at {n}?|how many employees does {n} have?|staff of {n}|how big is {n}?|how many work for {n}?|number of employees at {n}|{n}, how many people?|what's the headcount of {n}?|how large is the staff of {n}?|size of {n}'s staff?",
      "{n} employs {v}."),
    A("boss", lambda r: r.name(), "director",
      "The director of {n} is {v}.|{v} runs {n}.|It is led by {v}.|{n} is led by {v}.|The chief is {v}.",
      "who runs {n}?|who is the director of {n}?|director of {n}|who leads {n}?|who is the boss of {n}?|who's in charge at {n}|{n} is run by whom?|who heads {n}?|name the head of {n}|who's the chief of {n}?",
      "{n} is led by {v}."),
    A("product", lambda r: r.entity(lex.FOODS) if r.chance(0.4) else r.noun() + "s", "main product",
      "{n} makes {v}.|Its main product is {v}.|It is known for its {v}.|The company sells {v}.|{n} sells {v}.",
      "what does {n} make?|what does {n} sell?|main product of {n}|what is {n} known for selling?|what can I buy from {n}?|{n} makes what|what's the product of {n}?|which goods come from {n}?|what do they produce at {n}?|what is {n}'s business?",
      "{n} sells {v}."),
]
EVENT = [
    A("date", lambda r: "%d %s %d" % (r.int(1, 28), r.pick(lex.MONTHS), r.int(2019, 2031)), "date",
      "{n} takes place on {v}.|The date is {v}.|It is on {v}.|{n} happens on {v}.|{n} starts on {v}.",
      "when is {n}?|what date is {n}?|date of {n}|on which day is {n}?|when does {n} start?|when does {n} take place|{n} is when?|what day is {n} on?|do you know the date of {n}?|when's {n}?",
      "{n} is on {v}."),
    A("place", lambda r: r.pick(["the town hall", "the old harbour", r.city(), "hall %d" % r.int(1, 9), "the school gym", "room %d" % r.int(10, 400), "the market square", "the library", "the " + r.noun() + " garden"]), "place",
      "It takes place at {v}.|The place is {v}.|People meet at {v}.|The venue is {v}.|{n} is held at {v}.",
      "where is {n}?|where does {n} take place?|place of {n}|what is the venue of {n}?|where do we meet for {n}?|{n} is where|at which place is {n}?|where's {n} held?|where do I go for {n}?|what's the location of {n}?",
      "{n} takes place at {v}."),
    A("fee", lambda r: r.pick(["free", "%d euros" % r.int(2, 90), "$%d" % r.int(2, 120), "a donation"]), "entry fee",
      "Entry is {v}.|The entry fee is {v}.|Tickets: {v}.|Admission is {v}.|The ticket price: {v}.",
      "how much is entry to {n}?|what is the entry fee of {n}?|entry fee for {n}|what do tickets for {n} cost?|how much do I pay for {n}?|is {n} free|price of a ticket to {n}?|{n} costs what?|what does {n} cost?|ticket price for {n}?",
      "Entry to {n} is {v}."),
    A("guest", lambda r: r.name(), "speaker",
      "The speaker is {v}.|{v} speaks at {n}.|{v} gives the opening speech.|The guest is {v}.|{v} will open it.",
      "who speaks at {n}?|who is the speaker of {n}?|speaker at {n}|who gives the speech at {n}?|who opens {n}?|who's the guest at {n}|{n}: who speaks?|which guest comes to {n}?|name the speaker of {n}|who will talk at {n}?",
      "The speaker at {n} is {v}."),
]
TERM = [
    A("meaning", _of(MEANINGS), "meaning",
      "{n} means {v}.|The word {n} means {v}.|{n}: {v}.|By {n} people mean {v}.|It means {v}.",
      "what does {n} mean?|meaning of {n}|what is {n}?|define {n}|what's the meaning of {n}?|explain the word {n}|{n} means what?|what do you call {n}, what does it mean?|definition of {n} please|what is meant by {n}?",
      "{n} means {v}."),
    A("origin", _of(LANGUAGES), "origin",
      "The word comes from {v}.|It was borrowed from {v}.|Its origin is {v}.|{n} is a {v} word.|It goes back to {v}.",
      "where does the word {n} come from?|from which language is {n}?|origin of {n}|what language is {n} from?|which language gave us {n}?|where is {n} from|{n} comes from what language?|what's the origin of the word {n}?|etymology of {n}?|is {n} a French word or what?",
      "The word {n} comes from {v}."),
    A("opposite", lambda r: r.entity(lex.ADJ), "opposite",
      "The opposite of {n} is {v}.|Its opposite is {v}.|{v} is the opposite of {n}.|The contrary is {v}.|Who is not {n} is {v}.",
      "what is the opposite of {n}?|opposite of {n}|what's the opposite of {n}?|give me the opposite of {n}|which word is the opposite of {n}?|what's the contrary of {n}|antonym of {n}?|what means the reverse of {n}?|the opposite of {n} is what?|name the opposite of {n}",
      "The opposite of {n} is {v}."),
]
SERVICE = [
    A("port", lambda r: str(r.pick([80, 443, 8080, 3000, 5432, 6379, 9090, 22, 25]) if r.chance(0.3) else r.int(1024, 65535)), "port",
      "{n} listens on port {v}.|It runs on port {v}.|The port is {v}.|Its port is {v}.|Connect to port {v}.",
      "which port does {n} use?|what port is {n} on?|port of {n}|on which port does {n} listen?|what's the port of {n}?|{n} port|what port do I need for {n}?|which port is {n} running on?|tell me the port for {n}|where does {n} listen, which port?",
      "{n} listens on port {v}."),
    A("version", lambda r: "%d.%d.%d" % (r.int(0, 12), r.int(0, 30), r.int(0, 20)), "version",
      "The current version of {n} is {v}.|{n} is at version {v}.|Version {v} is the latest.|Its latest release is {v}.|The release is {v}.",
      "what is the version of {n}?|which version is {n}?|version of {n}|what's the latest {n} version?|what version of {n} is current?|newest release of {n}|{n} version?|which release of {n} is out?|what's the current release of {n}?|is there a new {n}, which version?",
      "The version of {n} is {v}."),
    A("owner", lambda r: r.name(), "owner",
      "{v} looks after {n}.|The owner is {v}.|{n} belongs to {v}.|Ask {v} about {n}.|It is maintained by {v}.",
      "who owns {n}?|who is responsible for {n}?|owner of {n}|who maintains {n}?|whom do I ask about {n}?|who looks after {n}|{n} belongs to whom?|who's the maintainer of {n}?|who takes care of {n}?|contact for {n}?",
      "{v} is responsible for {n}."),
    A("licence", lambda r: r.pick(["Apache 2.0", "MIT", "GPL 3", "BSD", "MPL 2.0", "ISC", "a commercial one"]), "licence",
      "Its licence is {v}.|The licence of {n} is {v}.|{n} comes under the licence {v}.|Licence: {v}.|It may be used under {v}.",
      "what licence does {n} have?|which licence is {n} under?|licence of {n}|license for {n}?|under which licence is {n}?|what's the license of {n}|{n} license?|is {n} free software, which licence?|how is {n} licensed?|under what terms is {n} published?",
      "The licence of {n} is {v}."),
]


def _country(r): return r.country()
def _mountain(r): return r.pick(["Mount ", "Mount ", "the ", ""]) + r.made(lambda: r.syllables(2)).capitalize() + r.pick(["", "", "horn", " Peak", "berg"])
def _river(r): return "the " + r.made(lambda: r.syllables(2)).capitalize() + r.pick(["", "", " River"])


def _book(r):
    t = r.pick(["The {a} {n}", "A {n} in {c}", "The {n} and the {m}", "{a} {n}s", "Letters from {c}", "The {n} Keeper", "{p} and the {n}", "Under the {a} {n}", "The Last {n}", "{n} Season"])
    return fill(t, {"a": r.entity(lex.ADJ).capitalize(), "n": r.noun().capitalize(), "m": r.noun().capitalize(), "c": r.city(), "p": r.first()})


def _building(r): return r.pick(["the {a} Tower", "the {c} Bridge", "the {n} House", "{c} Cathedral", "the {c} Opera", "the {n} Museum", "{p} Hall", "the {c} Library", "the {a} Gate"]).format(
    a=r.entity(lex.ADJ).capitalize(), c=r.city(), n=r.noun().capitalize(), p=r.entity(lex.LAST))


ANIMALS = "fox otter heron badger lynx beaver owl salmon tortoise hedgehog stork bat seal raven mole toad newt crane ibex marmot viper finch swan pike carp eel crab moth beetle hare stoat marten kite gull puffin walrus camel llama tapir okapi gecko iguana python ibis panda koala wombat emu kiwi".split()


def _animal(r): return "the " + (r.entity(lex.ADJ) + " " if r.chance(0.6) else "") + (r.entity(ANIMALS) if r.chance(0.7) else r.made(lambda: r.syllables(2)))
def _thing(r): return r.weighted([(3, "the " + r.entity(lex.ADJ) + " " + r.noun()), (3, r.product()), (2, "a " + r.made(lambda: r.syllables(2))), (1, "the " + r.made(lambda: r.syllables(2)) + " " + r.noun())])
def _phenomenon(r): return r.pick([r.noun() + " " + r.pick(["rot", "rust", "fog", "fever", "noise", "drift", "glare", "cracks"]), r.made(lambda: r.syllables(2)) + r.pick([" fever", " fog", " blight", " syndrome", " lag", ""]), r.entity(lex.ADJ) + " " + r.pick(["mould", "frost", "leaks", "flicker", "headache", "lights"])])
def _company(r): return r.org()
def _event(r): return "the " + r.pick([r.city() + " " + r.pick(["fair", "marathon", "book market", "film night", "chess open", "conference", "concert"]), r.entity(lex.ADJ) + " " + r.pick(["meeting", "workshop", "festival", "auction", "exhibition", "lecture"]), r.noun() + " " + r.pick(["day", "contest", "show", "course", "tour"])])
def _term(r): return r.made(lambda: r.syllables(r.int(2, 3))) if r.chance(0.5) else r.entity(lex.ADJ)
def _service(r): return r.pick(["the " + r.noun() + " service", r.made(lambda: r.syllables(2)), r.noun() + "d", r.noun() + "-api", "the " + r.noun() + " server"])


# kind: weight, name maker, attributes, pronoun possessive, pronoun
KINDS = [
    (3, "country", _country, PLACE, "its", "it"), (1.5, "mountain", _mountain, MOUNTAIN, "its", "it"), (1.5, "river", _river, RIVER, "its", "it"),
    (2, "book", _book, BOOK, "its", "it"), (2, "person", lambda r: r.name(), PERSON, "their", "they"), (1.5, "building", _building, BUILDING, "its", "it"),
    (1.5, "animal", _animal, ANIMAL, "its", "it"), (2.5, "thing", _thing, THING, "its", "it"), (1, "phenomenon", _phenomenon, PHENOMENON, "its", "it"), (2, "company", _company, COMPANY, "its", "it"),
    (2, "event", _event, EVENT, "its", "it"), (1.5, "term", _term, TERM, "its", "it"), (1.5, "service", _service, SERVICE, "its", "it"),
]
_weights = [(k[0], k) for k in KINDS]


def an(t, v):
    """The article before a value that begins with a vowel."""
    return t.replace(" a {v}", " an {v}") if v[:1] in "aeiou" else t


class Sheet:
    """A thing with some attributes and their values."""

    def __init__(self, r, attrs=None, kind=None):
        k = kind or r.weighted(_weights)
        self.kind, self.attrs_all, self.its, self.it = k[1], k[3], k[4], k[5]
        self.name = k[2](r)
        n = attrs or r.int(1, min(4, len(k[3])))
        self.attrs = r.some(k[3], n)
        self.values = {a.key: a.make(r) for a in self.attrs}

    def start(self):
        """The name at the beginning of a sentence."""
        return self.name[0].upper() + self.name[1:]

    def sentence(self, r, a, named=False):
        v = self.values[a.key]
        for _ in range(6):
            t = r.phrase(a.say)
            if not named or "{n}" in t:
                break
        s = fill(an(t, v), {"n": self.name, "v": v})
        return s[0].upper() + s[1:]

    def text(self, r, noise=0.3):
        """All of it in prose; the first sentence names the thing."""
        out = [self.sentence(r, a, i == 0) for i, a in enumerate(self.attrs)]
        if out and self.name.lower() not in out[0].lower():
            out[0] = self.start() + ": " + out[0]
        i, most = 1, 5
        if noise and r.chance(0.04):  # now and then a long text
            noise, most = 0.95, r.int(6, 22)
        while r.chance(noise) and i < most:
            out.insert(r.int(1, len(out)), r.sentence())
            i += 1
        return " ".join(out)

    def question(self, r, a):
        return fill(r.phrase(a.ask), {"n": self.name})

    def answer(self, r, a):
        v = self.values[a.key]
        s = fill(an(r.phrase(a.answer), v), {"n": self.name, "v": v})
        return s[0].upper() + s[1:]

    def bare(self):
        """The name without its article."""
        for art in ("the ", "a ", "The "):
            if self.name.startswith(art):
                return self.name[len(art):]
        return self.name
