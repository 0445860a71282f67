"""Kinds of things with their attributes: what can be said of a country, a book or a service, and how it is asked."""
from . import facts_more, lex, values
from . import attrs as attributes
from .attrs import Attr
from .facts_names import NAMES, animal, book, building, company, country, event, mountain, phenomenon, river, service, term, thing
from .facts_values import (CAUSES, CONTINENTS, CURRENCIES, DIETS, GENRES, HABITATS, JOBS, LANGUAGES, MATERIALS, MEANINGS, REMEDIES, USES,
                           big, cause, coin, continent, food, genre, habitat, job, language, material, meaning, num, of, remedy, season,
                           work, year)
from .phrases import Phrases


def A(key, make, short, say, ask, answer):
    return Attr(key, make, Phrases(say.split("|")), Phrases(ask.split("|")), Phrases(answer.split("|")), short)


PLACE = [
    A("capital", lambda r: r.city(), "capital",
      "The capital of {n} is {v}.|{v} is the capital of {n}.|Its capital is {v}.|Government sits in the capital, {v}.|The capital city is {v}.",
      "what is the capital of {n}?|What's the capital of {n}|capital of {n}?|which city is the capital of {n}?|{n}'s capital?|tell me the capital of {n}|do you know the capital of {n}?|name the capital of {n}|which is the capital city of {n}|what's {n}'s capital city?|i need the capital of {n}|What city is {n}'s capital?",
      "The capital of {n} is {v}.|{v} is the capital of {n}."),
    A("population", big, "population",
      "{n} has a population of {v}.|About {v} people live there.|Its population is {v}.|The population of {n} is {v}.|{n} is home to {v} people.",
      "what is the population of {n}?|how many people live in {n}?|population of {n}|{n} population?|How many inhabitants does {n} have?|how big is the population of {n}|do you know how many people {n} has?|number of people in {n}?|how populous is {n}?|what's {n}'s population",
      "The population of {n} is {v}.|{n} has a population of {v}."),
    A("area", num(200, 900000, "square kilometres"), "area",
      "It covers {v}.|The area of {n} is {v}.|{n} covers {v}.|Its area is {v}.|The land measures {v}.",
      "how large is {n}?|what is the area of {n}?|area of {n}|how big is {n}?|What's the size of {n}?|how much land does {n} cover?|{n}, how big is it|what area does {n} have?|how many square kilometres is {n}?|size of {n} please",
      "The area of {n} is {v}.|{n} covers {v}."),
    A("currency", of(CURRENCIES, coin), "currency",
      "The currency of {n} is the {v}.|People pay with the {v}.|Its currency is the {v}.|The {v} is the money of {n}.|{n} uses the {v}.",
      "what is the currency of {n}?|what money do they use in {n}?|currency of {n}?|how do you pay in {n}?|What's the currency in {n}|which currency does {n} use?|what do people pay with in {n}?|{n} currency|money used in {n}?|which money do I need in {n}?",
      "The currency of {n} is the {v}.|{n} uses the {v}."),
    A("language", of(LANGUAGES, language), "language",
      "The official language is {v}.|Most people speak {v}.|{v} is spoken in {n}.|In {n} people speak {v}.|Its language is {v}.",
      "what language do they speak in {n}?|which language is spoken in {n}?|official language of {n}|what do people speak in {n}?|language of {n}?|What's the main language in {n}?|do you know what they speak in {n}|what is the language of {n}?|in {n}, which language is spoken?|which language would I need in {n}?",
      "The language of {n} is {v}.|In {n} people speak {v}."),
    A("continent", of(CONTINENTS, continent), "continent",
      "{n} lies in {v}.|It is a country in {v}.|{n} is in {v}.|It belongs to {v}.|{n} is part of {v}.",
      "where is {n}?|on which continent is {n}?|which continent is {n} in?|what continent is {n} on|where does {n} lie?|{n} is on what continent?|in which part of the world is {n}?|where in the world is {n}|location of {n}?|what part of the world is {n} in?",
      "{n} is in {v}.|{n} lies in {v}."),
]
MOUNTAIN = [
    A("height", num(600, 8800, "metres"), "height",
      "{n} is {v} high.|It rises to {v}.|The summit stands at {v}.|Its height is {v}.|{n} reaches {v}.",
      "how high is {n}?|what is the height of {n}?|height of {n}|How tall is {n}?|what's the elevation of {n}?|how many metres is {n}|{n}, how high?|tell me how high {n} is|what height does {n} reach?|how far up does {n} go?",
      "{n} is {v} high.|The height of {n} is {v}."),
    A("country", lambda r: r.country(), "country",
      "{n} lies in {v}.|It stands in {v}.|The mountain is in {v}.|{n} is found in {v}.|It belongs to {v}.",
      "where is {n}?|in which country is {n}?|which country is {n} in?|where can I find {n}?|where does {n} stand|{n} is in what country?|what country has {n}?|location of {n}|where's {n}?|in what country does {n} lie?",
      "{n} is in {v}.|{n} lies in {v}."),
    A("climbed", year(1786, 1990), "first ascent",
      "It was first climbed in {v}.|The first ascent was in {v}.|{n} was first climbed in {v}.|Nobody reached the top before {v}.|Climbers first reached the top in {v}.",
      "when was {n} first climbed?|when was the first ascent of {n}?|first ascent of {n}|what year was {n} climbed first?|who knows when {n} was first climbed|in which year was {n} climbed for the first time?|when did people first climb {n}?|year of the first ascent of {n}?|when did somebody first get to the top of {n}?|{n} first climbed when",
      "{n} was first climbed in {v}.|The first ascent of {n} was in {v}."),
]
RIVER = [
    A("length", num(40, 6000, "kilometres"), "length",
      "{n} is {v} long.|It runs for {v}.|Its length is {v}.|The river measures {v}.|From source to mouth {n} is {v} long.",
      "how long is {n}?|what is the length of {n}?|length of {n}|How many kilometres is {n}?|how long does {n} run|tell me the length of {n}|{n}, how long is it?|what's {n}'s length?|how far does {n} flow?|how long a river is {n}?",
      "{n} is {v} long.|The length of {n} is {v}."),
    A("source", lambda r: "the " + r.made(lambda: r.syllables(2)).capitalize() + r.pick([" hills", " mountains", " glacier", " springs"]),
      "source",
      "{n} rises in {v}.|Its source is in {v}.|It begins in {v}.|The source lies in {v}.|Water comes down from {v}.",
      "where does {n} rise?|what is the source of {n}?|source of {n}|where does {n} begin?|where is the source of {n}?|where does {n} come from|{n} starts where?|from where does {n} flow?|in which hills does {n} start?|where's the source of {n}?",
      "{n} rises in {v}.|The source of {n} is in {v}."),
    A("mouth", lambda r: r.pick(["the North Sea", "the Black Sea", "Lake " + r.made(lambda: r.syllables(2)).capitalize(),
                                 "the bay of " + r.city(), "the Baltic Sea", "the Atlantic", "the Gulf of " + r.city()]), "mouth",
      "It flows into {v}.|{n} ends in {v}.|Its mouth is at {v}.|It reaches {v}.|{n} empties into {v}.",
      "where does {n} end?|into what does {n} flow?|where does {n} flow to?|mouth of {n}?|which sea does {n} reach?|where does {n} go|what does {n} flow into?|where is the mouth of {n}?|where does {n} empty?|{n} ends where?",
      "{n} flows into {v}."),
]
BOOK = [
    A("author", lambda r: r.name(), "author",
      "{n} was written by {v}.|Its author is {v}.|{v} wrote {n}.|The author of {n} is {v}.|It is a work by {v}.",
      "who wrote {n}?|who is the author of {n}?|author of {n}|Who's the author of {n}?|by whom is {n}?|do you know who wrote {n}|{n} is by whom?|whose book is {n}?|name the author of {n}|who was {n} written by?",
      "{n} was written by {v}.|The author of {n} is {v}."),
    A("year", year(1604, 2025), "year",
      "It appeared in {v}.|{n} was published in {v}.|The first edition is from {v}.|It came out in {v}.|Publication was in {v}.",
      "when was {n} published?|when did {n} come out?|what year is {n} from?|year of {n}|in which year did {n} appear?|how old is {n}, which year?|publication date of {n}?|when did {n} first appear|from what year is {n}?|when was {n} first printed?",
      "{n} was published in {v}.|{n} appeared in {v}."),
    A("genre", of(GENRES, genre), "genre",
      "{n} is a {v}.|It is a {v}.|The book is a {v}.|Readers know it as a {v}.|By kind it is a {v}.",
      "what kind of book is {n}?|what genre is {n}?|genre of {n}|is {n} a novel or what?|what sort of book is {n}|which kind of text is {n}?|what type of work is {n}?|{n}, what genre?|what kind of thing is {n}?|tell me the genre of {n}",
      "{n} is a {v}."),
    A("pages", num(60, 1200, "pages"), "number of pages",
      "It has {v}.|{n} has {v}.|The book runs to {v}.|The edition has {v}.|It is {v} long.",
      "how many pages does {n} have?|how long is {n}?|number of pages of {n}|how thick is {n}|page count of {n}?|how many pages is {n}|what's the page count of {n}?|{n}, how many pages?|is {n} long, how many pages?|length of {n} in pages?",
      "{n} has {v}."),
]
PERSON = [
    A("born", year(1480, 1998), "year of birth",
      "{n} was born in {v}.|The year of birth is {v}.|Born in {v}.|{n} came into the world in {v}.|Birth: {v}.",
      "when was {n} born?|what year was {n} born?|birth year of {n}|in which year was {n} born|when is {n} from, what year born?|{n} born when?|year of birth of {n}?|do you know when {n} was born?|how long ago was {n} born, which year?|when did {n} come into the world?",
      "{n} was born in {v}."),
    A("birthplace", lambda r: r.city(), "place of birth",
      "The place of birth is {v}.|{n} was born at {v}.|{n} comes from {v}.|{n} grew up in {v}.|Home town: {v}.",
      "where was {n} born?|where does {n} come from?|birthplace of {n}|what is {n}'s home town?|where is {n} from?|from which city is {n}?|which town is {n} from|{n} comes from where?|what's the home town of {n}?|where did {n} grow up?",
      "{n} comes from {v}."),
    A("job", of(JOBS, job), "profession",
      "{n} was a {v}.|{n} worked as a {v}.|By profession {n} was a {v}.|{n} is known as a {v}.|The {v} {n} is well remembered.",
      "what did {n} do?|what was {n}'s job?|profession of {n}|what was {n} by profession?|what did {n} do for a living|who was {n}?|what kind of work did {n} do?|was {n} a painter or what?|what's {n}'s profession?|what is {n} known as?",
      "{n} was a {v}."),
    A("known", work, "best known work",
      "{n} is best known for {v}.|The most famous work is {v}.|{n} became famous for {v}.|People remember {n} for {v}.|The great work of {n} is {v}.",
      "what is {n} known for?|why is {n} famous?|what made {n} famous?|what is the best known work of {n}|what's {n} famous for?|for what is {n} remembered?|why do people know {n}?|{n} is famous for what?|main work of {n}?|what did {n} become famous for?",
      "{n} is known for {v}."),
    A("died", year(1999, 2024), "year of death",
      "{n} died in {v}.|The year of death is {v}.|Death came in {v}.|{n} passed away in {v}.|Died: {v}.",
      "when did {n} die?|what year did {n} die?|year of death of {n}|in which year did {n} die|when did {n} pass away?|{n} died when?|date of death of {n}?|do you know when {n} died?|until when did {n} live?|when was {n}'s death?",
      "{n} died in {v}."),
]
BUILDING = [
    A("height", num(12, 640, "metres"), "height",
      "{n} is {v} high.|It is {v} tall.|The building reaches {v}.|Its height is {v}.|The top is at {v}.",
      "how high is {n}?|how tall is {n}?|height of {n}|what is the height of {n}?|how many metres high is {n}|{n}, how tall?|what height is {n}?|tell me how tall {n} is|what's the height of {n}|how far up does {n} go?",
      "{n} is {v} high.|The height of {n} is {v}."),
    A("architect", lambda r: r.name(), "architect",
      "{n} was designed by {v}.|The architect was {v}.|{v} designed {n}.|{v} drew the plans of {n}.|Its architect is {v}.",
      "who designed {n}?|who was the architect of {n}?|architect of {n}|Who built {n}?|who drew the plans for {n}?|by whom was {n} designed|{n} was designed by whom?|which architect made {n}?|name the architect of {n}|who is behind the design of {n}?",
      "{n} was designed by {v}.|The architect of {n} was {v}."),
    A("opened", year(1702, 2026), "opening year",
      "{n} opened in {v}.|It was opened in {v}.|The doors opened in {v}.|{n} has been open since {v}.|The opening was in {v}.",
      "when did {n} open?|when was {n} opened?|opening year of {n}|what year did {n} open?|since when is {n} open|in which year was {n} opened?|{n} opened when?|how long has {n} been open, since which year?|when was the opening of {n}?|year {n} opened?",
      "{n} opened in {v}."),
    A("city", lambda r: r.city(), "city",
      "{n} stands in {v}.|It is in {v}.|The building is in {v}.|{n} can be seen in {v}.|It was built in {v}.",
      "where is {n}?|in which city is {n}?|which city has {n}?|where does {n} stand?|where can I see {n}?|{n} is in what city|location of {n}?|what town is {n} in?|where's {n}?|in what place is {n}?",
      "{n} is in {v}.|{n} stands in {v}."),
]
ANIMAL = [
    A("lifespan", num(2, 120, "years"), "lifespan",
      "{n} lives about {v}.|It lives for {v}.|Its lifespan is {v}.|{n} can reach an age of {v}.|They live {v}.",
      "how long does {n} live?|what is the lifespan of {n}?|lifespan of {n}|how old does {n} get?|what age can {n} reach?|how many years does {n} live|{n}, how old can it get?|how long is the life of {n}?|what's the life expectancy of {n}?|until what age does {n} live?",
      "{n} lives about {v}."),
    A("diet", of(DIETS, food), "diet",
      "{n} eats {v}.|It feeds on {v}.|Its diet is {v}.|It lives on {v}.|The food of {n} is {v}.",
      "what does {n} eat?|what does {n} feed on?|diet of {n}|food of {n}?|what is {n}'s diet?|what do you feed {n}|{n} eats what?|on what does {n} live?|what's on the menu of {n}?|which food does {n} eat?",
      "{n} eats {v}."),
    A("habitat", of(HABITATS, habitat), "habitat",
      "{n} lives in {v}.|It is found in {v}.|Its habitat is {v}.|Its home is {v}.|You find {n} in {v}.",
      "where does {n} live?|what is the habitat of {n}?|habitat of {n}|where can you find {n}?|where is {n} found?|in what places does {n} live|{n} lives where?|what kind of place does {n} live in?|where's the home of {n}?|which habitat does {n} have?",
      "{n} lives in {v}."),
    A("weight", num(1, 900, "kilograms"), "weight",
      "{n} weighs up to {v}.|It weighs {v}.|Its weight is {v}.|An adult weighs {v}.|A full-grown one has {v}.",
      "how heavy is {n}?|how much does {n} weigh?|weight of {n}|what does {n} weigh?|what is the weight of {n}?|how many kilos is {n}|{n}, how heavy?|how heavy does {n} get?|what's the weight of {n}|tell me how heavy {n} is",
      "{n} weighs up to {v}."),
]
THING = [
    A("use", of(USES, values.purpose), "use",
      "{n} is used for {v}.|It is used for {v}.|People use {n} for {v}.|Its purpose is {v}.|{n} serves for {v}.",
      "what is {n} used for?|what is {n} for?|use of {n}|what do you do with {n}?|what's the purpose of {n}?|what can {n} be used for|why would I use {n}?|{n} is good for what?|what does {n} do?|for what do people use {n}?",
      "{n} is used for {v}."),
    A("inventor", lambda r: r.name(), "inventor",
      "{n} was invented by {v}.|Its inventor is {v}.|{v} invented {n}.|The idea of {n} is due to {v}.|{v} was the first to make {n}.",
      "who invented {n}?|inventor of {n}|who is the inventor of {n}?|who made {n} first?|who came up with {n}?|{n} was invented by whom|by whom was {n} invented?|whose invention is {n}?|who thought of {n}?|name the inventor of {n}",
      "{n} was invented by {v}."),
    A("made_of", of(MATERIALS, material), "material",
      "{n} is made of {v}.|It is made of {v}.|The material is {v}.|It consists of {v}.|Makers use {v} for it.",
      "what is {n} made of?|material of {n}|which material is {n} made from?|what's {n} made of?|of what is {n} made|what material is used for {n}?|{n} consists of what?|what do they make {n} from?|what is the material of {n}?|is {n} made of metal or what?",
      "{n} is made of {v}."),
    A("price", values.money, "price",
      "{n} costs {v}.|Its price is {v}.|It sells for {v}.|You pay {v}.|The price of {n} is {v}.",
      "how much is {n}?|what does {n} cost?|price of {n}|how much does {n} cost?|what's the price of {n}?|how expensive is {n}|{n} costs how much?|what do I pay for {n}?|what is the price for {n}?|{n} price?",
      "{n} costs {v}.|The price of {n} is {v}."),
]
PHENOMENON = [
    A("cause", of(CAUSES, cause), "cause",
      "{n} is caused by {v}.|The cause of {n} is {v}.|It comes from {v}.|{v} leads to {n}.|{n} happens because of {v}.",
      "what causes {n}?|what is the cause of {n}?|cause of {n}|why does {n} happen?|where does {n} come from?|what leads to {n}|how come {n} happens?|why is there {n}?|what's behind {n}?|what brings about {n}?",
      "{n} is caused by {v}."),
    A("remedy", of(REMEDIES, remedy), "remedy",
      "Against {n} helps {v}.|The remedy is {v}.|{n} is treated with {v}.|What helps is {v}.|The best remedy against {n} is {v}.",
      "what helps against {n}?|how do I get rid of {n}?|remedy for {n}|what can I do against {n}?|how is {n} treated?|what's good against {n}|how do you stop {n}?|cure for {n}?|how can {n} be avoided?|what should I do about {n}?",
      "Against {n} helps {v}."),
    A("season", of(["spring", "summer", "autumn", "winter", "the rainy season", "early morning", "late evening"], season), "season",
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
    A("staff", num(3, 90000, "people"), "number of employees",
      "It employs {v}.|{n} has a staff of {v}.|{v} work there.|The company employs {v}.|Its staff counts {v}.",
      "how many people work at {n}?|how many employees does {n} have?|staff of {n}|how big is {n}?|how many work for {n}?|number of employees at {n}|{n}, how many people?|what's the headcount of {n}?|how large is the staff of {n}?|size of {n}'s staff?",
      "{n} employs {v}."),
    A("boss", lambda r: r.name(), "director",
      "The director of {n} is {v}.|{v} runs {n}.|It is led by {v}.|{n} is led by {v}.|The chief is {v}.",
      "who runs {n}?|who is the director of {n}?|director of {n}|who leads {n}?|who is the boss of {n}?|who's in charge at {n}|{n} is run by whom?|who heads {n}?|name the head of {n}|who's the chief of {n}?",
      "{n} is led by {v}."),
    A("product", lambda r: food(r), "main product",
      "{n} makes {v}.|Its main product is {v}.|It is known for its {v}.|The company sells {v}.|{n} sells {v}.",
      "what does {n} make?|what does {n} sell?|main product of {n}|what is {n} known for selling?|what can I buy from {n}?|{n} makes what|what's the product of {n}?|which goods come from {n}?|what do they produce at {n}?|what is {n}'s business?",
      "{n} sells {v}."),
]
EVENT = [
    A("date", lambda r: "%d %s %d" % (r.int(1, 28), r.pick(lex.MONTHS), r.int(2019, 2031)), "date",
      "{n} takes place on {v}.|The date is {v}.|It is on {v}.|{n} happens on {v}.|{n} starts on {v}.",
      "when is {n}?|what date is {n}?|date of {n}|on which day is {n}?|when does {n} start?|when does {n} take place|{n} is when?|what day is {n} on?|do you know the date of {n}?|when's {n}?",
      "{n} is on {v}."),
    A("place", values.place, "place",
      "It takes place at {v}.|The place is {v}.|People meet at {v}.|The venue is {v}.|{n} is held at {v}.",
      "where is {n}?|where does {n} take place?|place of {n}|what is the venue of {n}?|where do we meet for {n}?|{n} is where|at which place is {n}?|where's {n} held?|where do I go for {n}?|what's the location of {n}?",
      "{n} takes place at {v}."),
    A("fee", of(["free", "a donation"], values.money), "entry fee",
      "Entry is {v}.|The entry fee is {v}.|Tickets: {v}.|Admission is {v}.|The ticket price: {v}.",
      "how much is entry to {n}?|what is the entry fee of {n}?|entry fee for {n}|what do tickets for {n} cost?|how much do I pay for {n}?|is {n} free|price of a ticket to {n}?|{n} costs what?|what does {n} cost?|ticket price for {n}?",
      "Entry to {n} is {v}."),
    A("guest", lambda r: r.name(), "speaker",
      "The speaker is {v}.|{v} speaks at {n}.|{v} gives the opening speech.|The guest is {v}.|{v} will open it.",
      "who speaks at {n}?|who is the speaker of {n}?|speaker at {n}|who gives the speech at {n}?|who opens {n}?|who's the guest at {n}|{n}: who speaks?|which guest comes to {n}?|name the speaker of {n}|who will talk at {n}?",
      "The speaker at {n} is {v}."),
]
TERM = [
    A("meaning", of(MEANINGS, meaning), "meaning",
      "{n} means {v}.|The word {n} means {v}.|{n}: {v}.|By {n} people mean {v}.|It means {v}.",
      "what does {n} mean?|meaning of {n}|what is {n}?|define {n}|what's the meaning of {n}?|explain the word {n}|{n} means what?|what do you call {n}, what does it mean?|definition of {n} please|what is meant by {n}?",
      "{n} means {v}."),
    A("origin", of(LANGUAGES, language), "origin",
      "The word comes from {v}.|It was borrowed from {v}.|Its origin is {v}.|{n} is a {v} word.|It goes back to {v}.",
      "where does the word {n} come from?|from which language is {n}?|origin of {n}|what language is {n} from?|which language gave us {n}?|where is {n} from|{n} comes from what language?|what's the origin of the word {n}?|etymology of {n}?|is {n} a French word or what?",
      "The word {n} comes from {v}."),
    A("opposite", of(lex.ADJ, values.made), "opposite",
      "The opposite of {n} is {v}.|Its opposite is {v}.|{v} is the opposite of {n}.|The contrary is {v}.|Somebody who is not {n} is {v}.",
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
    A("licence", of(["Apache 2.0", "MIT", "GPL 3", "BSD", "MPL 2.0", "ISC", "a commercial one"],
                    lambda r: values.cap(r) + r.pick(["", " %d" % r.int(1, 4), " %d.%d" % (r.int(1, 4), r.int(0, 9)), " Public Licence"])),
      "licence",
      "Its licence is {v}.|The licence of {n} is {v}.|{n} comes under the licence {v}.|Licence: {v}.|It may be used under {v}.",
      "what licence does {n} have?|which licence is {n} under?|licence of {n}|license for {n}?|under which licence is {n}?|what's the license of {n}|{n} license?|is {n} free software, which licence?|how is {n} licensed?|under what terms is {n} published?",
      "The licence of {n} is {v}."),
]


# kind: weight, name maker, attributes, pronoun possessive, pronoun
KINDS = [
    (3, "country", country, PLACE, "its", "it"), (1.5, "mountain", mountain, MOUNTAIN, "its", "it"),
    (1.5, "river", river, RIVER, "its", "it"),
    (2, "book", book, BOOK, "its", "it"), (2, "person", lambda r: r.name(), PERSON, "their", "they"),
    (1.5, "building", building, BUILDING, "its", "it"),
    (1.5, "animal", animal, ANIMAL, "its", "it"), (2.5, "thing", thing, THING, "its", "it"),
    (1, "phenomenon", phenomenon, PHENOMENON, "its", "it"), (2, "company", company, COMPANY, "its", "it"),
    (2, "event", event, EVENT, "its", "it"), (1.5, "term", term, TERM, "its", "it"), (1.5, "service", service, SERVICE, "its", "it"),
]
facts_more.add(KINDS)
WEIGHTS = [(k[0], k) for k in KINDS]
_own = {"place", "org", "event", "service", "thing", "mountain"}


def _maker(name, thing):
    """Names for a written kind: most of them say what it is, as in "the Gostrot bridge"."""
    make = NAMES.get(name, thing)
    if name not in _own:
        return make
    return lambda r: "the " + values.cap(r) + " " + thing if r.chance(0.75) else make(r)


# the written kinds weigh as much as the others for each of their attributes
for _t, (_n, _a) in attributes.written().items():
    WEIGHTS.append((0.45 * len(_a), (0, _t, _maker(_n, _t), _a, *(("their", "they") if _n == "person" else ("its", "it")))))
