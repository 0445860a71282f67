"""People, animals, things and events of the person's own: what is said of them, and asked for later with a pronoun or in few words."""
import re

from . import lex
from .chat_call import make_call
from .chat_memory import memory_result, second
from .chat_read import STATED
from .conv import speak
from .hall import read_rows
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .slots import fill
from .spans import query_of
from .wording import upper_first

PRONOUNS = {"she": ("she", "her", "her", "hers", "herself"), "he": ("he", "him", "his", "his", "himself"), "it": ("it", "it", "its", "its", "itself"), "they": ("they", "them", "their", "theirs", "themselves")}
# By class: nouns and the pronouns that can stand for them.
SUBJECTS = {
    "w": [(bars("sister|mother|mum|aunt|wife|daughter|niece|grandmother|girlfriend|mother-in-law|landlady|godmother|stepsister|half-sister|gran|sister-in-law|granddaughter|goddaughter"), ("she",)),
          (bars("brother|father|dad|uncle|husband|son|nephew|grandfather|boyfriend|father-in-law|landlord|godfather|stepbrother|half-brother|grandpa|brother-in-law|grandson|godson"), ("he",)),
          (bars("boss|neighbour|teacher|doctor|dentist|hairdresser|colleague|cousin|flatmate|coach|best friend|tenant|lawyer|accountant|plumber|physiotherapist|tutor|trainer|supervisor|pen pal|new intern|piano teacher|au pair|guest|gardener|babysitter|electrician|study partner|business partner|old schoolmate"), ("she", "he"))],
    "g": [(bars("parents|neighbours|grandparents|in-laws|tenants|cousins|nieces|nephews|godchildren|flatmates|colleagues|friends from school|guests|sisters|brothers|aunts"), ("they",))],
    "a": [(bars("dog|cat|horse|rabbit|parrot|tortoise|hamster|goat|pony|puppy|kitten|budgie|guinea pig|donkey|ferret|canary"), ("she", "he", "it"))],
    "t": [(bars("car|bike|van|boat|caravan|motorbike|laptop|phone|printer|camera|allotment|piano|guitar|violin|tent|sofa|washing machine|dishwasher|boiler|fridge|freezer|watch|drone|telescope|sewing machine|lawnmower|kayak|trailer|oven|router|e-reader|monitor|tractor|scooter|accordion|chainsaw|coffee machine|typewriter|bread machine|ladder"), ("it",))],
    "e": [(bars("wedding|exam|interview|concert|meeting|appointment|party|workshop|flight|course|operation|recital|trial lesson|viewing|reunion|marathon|lecture|training|conference|driving test|audition|hearing|first aid class|open day|rehearsal|job fair"), ("it",))],
}
JOBS = bars("nurse|carpenter|vet|tram driver|pastry cook|judge|translator|baker|florist|midwife|surveyor|pilot|librarian|optician|tailor|locksmith|roofer|chemist|editor|chimney sweep|beekeeper|sound engineer|welder|actuary|notary|tax adviser|shepherd|bookbinder|goldsmith|undertaker|forester|diver|clown")
CARS = bars("red Fiat|old Volvo|Skoda estate|electric Renault|blue Mini|Toyota hybrid|grey Passat|Ford pickup|yellow Beetle|small Peugeot|convertible|camper van|black Audi|Dacia|three-wheeler|white Kangoo")
INSTRUMENTS = bars("cello|trumpet|oboe|harp|accordion|double bass|flute|drums|banjo|viola|bassoon|organ|mandolin|French horn|tuba|recorder|lute|zither|saxophone")
LANGUAGES = bars("Portuguese|Dutch|Polish|Turkish|Welsh|Greek|Swahili|Finnish|Arabic|Czech|Korean|Basque|Hungarian|Danish|Tamil|Romanian|Icelandic|Catalan|Hindi")
ALLERGIES = bars("peanuts|shellfish|strawberries|eggs|walnuts|lilies|cat hair|wasps|kiwis|mushrooms|lentils|lupins|celery|soya beans|hazelnuts|mussels|painkillers")
HOBBIES = bars("climbing|birdwatching|pottery|fencing|rowing|chess|knitting|sailing|judo|beekeeping|origami|fishing|geocaching|model railways|stargazing|archery|tap dancing|calligraphy|diving|caving")
FOODS = bars("lasagne|dumplings|mango ice cream|fish cakes|pancakes|lentil soup|cheese fondue|apple pie|sushi|goulash|paella|meatballs|rhubarb crumble|couscous|risotto|waffles|stuffed peppers|gingerbread|pea soup|carrots|sausages")
SUBJECTS_TAUGHT = bars("law|geology|medicine|architecture|history|chemistry|Slavic languages|physics|psychology|theology|forestry|nutrition|astronomy|economics|music|philosophy|botany|social work")
BREEDS = bars("beagle|Siamese|Shetland|dachshund|Maine Coon|poodle|mongrel|terrier|lop|collie|Persian|whippet|husky|cockatiel|spaniel|Icelander|Rottweiler|tabby")
PLACES = bars("behind the shed|in the cellar|under the stairs|in the garage|at my mother's|in the attic|next to the boiler|by the window|in the second drawer|in the hall|on the balcony|at the marina|in row C|on the top shelf|behind the sofa|in the spare room|at the repair shop|at the end of the corridor|under the tarpaulin|in the blue box")
FEARS = bars("thunder|balloons|vacuum cleaners|umbrellas|geese|men with hats|fireworks|the postman's steps|lorries|plastic bags|hairdryers|skateboards|drums|ladders")
PARTS = bars("battery|pump|screen|brake|handle|seal|motor|strap|hinge|lamp|filter|switch|belt|cable|lock|fan|left wheel|lid|display|chain|valve")
HALLS = bars("town hall|old school|church hall|library|sports centre|fire station|concert hall|community centre|boathouse|museum|chapel|hotel by the station|clinic on the hill|university|theatre|youth club|market hall")
THINGS = bars("my passport|two photos|a towel|a packed lunch|my vaccination card|rubber boots|a cake|the signed form|my certificates|a warm jumper|a white shirt|cash|the red folder|a pen and paper|a torch|a sleeping bag|my glasses|sunscreen|the receipt|a helmet")
TOPICS = bars("bridge building|bees in winter|the new budget|first aid|rents|old maps|tides|the reorganisation|heat pumps|local elections|whales|bookkeeping|fire safety|pensions|soil|street names|sleep|the merger")
FLOORS = bars("ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|top")
TEAMS = bars("Ajax|Celtic|Everton|Porto|Benfica|Fulham|Torino|Sunderland|Anderlecht|Hibernian|Red Star|Villarreal|the Otters|the Ice Bears|the River Wolves|the Night Owls|the Harbour Hawks|the Red Foxes")
DIETS = bars("vegan|vegetarian|gluten-free|lactose-free|kosher|halal|low-salt|sugar-free|low-fat|dairy-free|nut-free|wheat-free|low-carb|meat-free|yeast-free|high-fibre")
PHOBIAS = bars("spiders|heights|lifts|needles|the dark|flying|snakes|deep water|clowns|mice|crowds|bridges|moths|cows|escalators|ghosts|tunnels|thunderstorms|blood|rats")
HABITS = bars("humming in the shower|whistling at breakfast|talking to plants|chewing pencils|counting stairs|tapping on the table|pocketing sugar packets|reading in the bath|arriving an hour early|wearing odd socks|labelling everything|drinking cold tea|correcting menus|interrupting people|eating crisps in bed|quoting proverbs|folding napkins into boats|saying everything twice")
HAIR = bars("red|black|grey|blond|chestnut|auburn|ginger|white|silver|dark brown|copper|jet-black|sandy|fair|light brown|pale blond")
NICKNAMES = bars("Bean|Sparky|Moose|Pickle|Professor|Smudge|Tiny|Button|Captain|Noodle|Badger|Turbo|Peanut|Goose|Ziggy|Biscuit|Sherlock|Pancake|Tiger|Bumble|Duchess")
SCHOOLS = bars("Oakfield|St Anne's|Northgate Comprehensive|Marlow Grammar|Hillside Primary|Riverbank Academy|Queen's College|Fairview High|Ashdown|Castle Street Primary|Brookside Academy|Elmwood Grammar|Linden Park|Kingsmead|Bishop's Hall|St Martin's")
PRIZES = bars("a hamper|a bicycle|a trip to Rome|a gold medal|a year's supply of coffee|a toaster|a silver cup|a microscope|a book voucher|a balloon ride|a piglet|a cruise on the Danube|a giant teddy bear|a barrel of honey|a weekend in Vienna|a trophy|a radio|a ham")
GOALS = bars("a sailing boat|a trip to Japan|a new roof|a grand piano|an electric bike|a greenhouse|a pottery kiln|a leather jacket|a horse|a sauna|a world cruise|a wood stove|a log cabin|a summer house|a carbon kayak|a tandem|a loom|a vineyard")
LOST = bars("wallet|umbrella|bus pass|ring|left glove|rucksack|hearing aid|scarf|driving licence|earring|library card|house key|diary|water bottle|hat|bracelet|identity card|purse")
DRINKS = bars("ginger tea|elderflower cordial|iced coffee|tomato juice|peppermint tea|lemonade|buttermilk|cocoa|sparkling water|apple juice|green tea|tonic water|hot milk|grape juice|oat milk|iced tea|rosehip tea|ginger beer")
GIFTS = bars("a wristwatch|a chess set|a pair of roller skates|a cookery course|a bathrobe|a globe|a pair of headphones|a hammock|a fountain pen|an atlas|a magic set|a bird house|a pasta machine|a drum kit|a kite|a jigsaw puzzle|a sledge|a music box")
INJURIES = bars("sprained ankle|broken wrist|torn ligament|slipped disc|stiff neck|bruised rib|swollen knee|cut thumb|broken toe|pulled muscle|dislocated shoulder|cracked elbow|concussion|black eye|inflamed tendon|broken collarbone")
STREETS = bars("Mill Lane|Station Road|Church Street|Elm Avenue|Harbour Street|Castle Hill|Green Lane|Market Square|River Walk|Orchard Way|Bridge Street|Park Terrace|Chapel Row|School Lane|Tanner Street|Cedar Close|Garden Street|Quarry Road")
COFFEES = bars("black|with oat milk|with two sugars|with cream|without sugar|white|iced|extra strong|with cinnamon|with soya milk|with honey|very weak|with cold milk|with a pinch of salt|with condensed milk|with cardamom")
COLLECTED = bars("stamps|beer mats|old keys|thimbles|postcards|teapots|coins|fossils|snow globes|matchboxes|records|cactuses|tin soldiers|clocks|fountain pens|old maps|sea shells|egg cups")
PICTURES = bars("anchor|swallow|snake|rose|compass|dragon|sailing ship|lighthouse|feather|wolf|sunflower|octopus|bee|skull|oak tree|swan|butterfly|mermaid")
LENT = bars("drill|bike pump|sleeping bag|cake tin|suitcase|hedge trimmer|tool box|raclette grill|dinner jacket|wheelbarrow|cookery book|road map|spirit level|sledge|picnic basket|paint roller|jigsaw|tripod")
TRICKS = bars("roll over|ring a bell|open doors|turn in circles|jump through a hoop|play dead|count to three|fetch the newspaper|walk backwards|push a ball|bow|climb a ladder|stand on two legs|spin a wheel|find hidden keys|nod")
TOYS = bars("rubber duck|old slipper|red ball|knotted rope|stuffed mouse|plush bear|wooden ring|paper bag|squeaking bone|tennis ball|little bell|cork|cardboard box|plastic bottle|woollen sock|empty tin")
MARKS = bars("a white spot on the chest|a crooked leg|a scar over the left eye|a limp|a bald patch on the neck|a black ring round one eye|a missing toe|a grey stripe down the back|a bent tail|a brown patch like a heart|two different eyes|a hoarse voice|a star on the forehead|an unusually long neck|a dark spot under the chin|a nick in the right eyelid")
CHEWED = bars("my slippers|the remote control|the curtain|my passport|the tax papers|the sofa cushion|the phone cable|a library book|the doormat|my straw hat|the birthday cake|my headphones|the telephone bill|the wallpaper|my left boot|the shopping list")
REASONS = bars("the storm|a strike|a burst pipe|a power cut|a double booking|the roadworks|a lost key|snow|the elections|a fire alarm|fog|a typing error|the flu|a flooded cellar|a bank holiday|a broken heating system|the football final")
ENTRANCES = bars("the back gate|the side door|Gate B|the car park door|the glass door|the garden gate|door 4|the cellar door|the revolving door|the tradesmen's entrance|the north gate|the stage door|the green door|the fire door|the archway|the courtyard gate")
HOTELS = bars("the White Swan|Hotel Bristol|the Crown|the Golden Lion|Hotel Astoria|the Station Hotel|the Blue Anchor|Pension Edelweiss|the Old Post|Hotel Miramar|the Three Keys|the Bear Inn|Hotel Central|the Lakeside Lodge|the youth hostel|the Black Horse")
CHARMS = bars("a chestnut|a four-leaf clover|a rabbit's foot|a bent penny|an old key|a red thread|a glass pig|a smooth pebble|a brass button|a tiny elephant|a shark's tooth|a silver spoon|a knitted frog|a horseshoe nail|a blue marble|a ladybird brooch")


def article(w):
    return ("an " if w[0].lower() in "aeiou" else "a ") + w


MAKE = {"first": lambda r: r.first(), "name": lambda r: r.name(), "city": lambda r: r.city(), "org": lambda r: r.org(), "job": lambda r: r.entity(JOBS), "date": lambda r: "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)),
        "age": lambda r: str(r.int(2, 96)), "phone": lambda r: "0%d %d" % (r.int(20, 99), r.int(100000, 999999)), "food": lambda r: r.entity(FOODS), "allergy": lambda r: r.entity(ALLERGIES), "weekday": lambda r: r.pick(lex.WEEKDAYS),
        "time": lambda r: r.time(), "car": lambda r: r.entity(CARS), "instrument": lambda r: r.entity(INSTRUMENTS), "language": lambda r: r.entity(LANGUAGES), "few": lambda r: r.pick(("two", "three", "four", "five", "six", "seven")),
        "colour": lambda r: r.entity(lex.COLOURS), "size": lambda r: str(r.int(21, 49)), "hobby": lambda r: r.entity(HOBBIES), "mail": lambda r: r.email(), "money": lambda r: "%d euros" % r.int(5, 900), "floor": lambda r: r.pick(FLOORS),
        "subject": lambda r: r.entity(SUBJECTS_TAUGHT), "hospital": lambda r: "%d%s" % (r.int(1, 9), r.pick("ABCDEF")), "year": lambda r: str(r.int(1971, 2026)), "breed": lambda r: r.entity(BREEDS), "kilo": lambda r: str(r.int(2, 80)),
        "place": lambda r: r.entity(PLACES), "code": lambda r: r.code(), "fear": lambda r: r.entity(FEARS), "model": lambda r: r.product(), "pin": lambda r: str(r.int(1000, 9999)), "part": lambda r: r.entity(PARTS),
        "month": lambda r: "%s %d" % (r.pick(lex.MONTHS), r.int(2026, 2034)), "hall": lambda r: r.entity(HALLS), "hours": lambda r: r.pick(("two", "three", "four", "five", "six", "eight")), "bring": lambda r: r.entity(THINGS), "topic": lambda r: r.entity(TOPICS),
        "team": lambda r: r.entity(TEAMS), "diet": lambda r: r.entity(DIETS), "phobia": lambda r: r.entity(PHOBIAS), "habit": lambda r: r.entity(HABITS), "hair": lambda r: r.entity(HAIR), "nick": lambda r: r.entity(NICKNAMES),
        "school": lambda r: r.entity(SCHOOLS), "prize": lambda r: r.entity(PRIZES), "goal": lambda r: r.entity(GOALS), "lost": lambda r: r.entity(LOST), "drink": lambda r: r.entity(DRINKS), "gift": lambda r: r.entity(GIFTS),
        "injury": lambda r: r.entity(INJURIES), "street": lambda r: "%d %s" % (r.int(1, 180), r.entity(STREETS)), "coffee": lambda r: r.entity(COFFEES), "collects": lambda r: r.entity(COLLECTED), "picture": lambda r: r.entity(PICTURES),
        "lent": lambda r: r.entity(LENT), "trick": lambda r: r.entity(TRICKS), "toy": lambda r: r.entity(TOYS), "mark": lambda r: r.entity(MARKS), "chewed": lambda r: r.entity(CHEWED), "reason": lambda r: r.entity(REASONS),
        "entrance": lambda r: r.entity(ENTRANCES), "hotel": lambda r: r.entity(HOTELS), "charm": lambda r: r.entity(CHARMS), "seat": lambda r: "%d%s" % (r.int(1, 38), r.pick("ABCDEF")), "room": lambda r: str(r.int(101, 499)),
        "flight": lambda r: "%s %d" % (r.pick(("LH", "BA", "KL", "AF", "SK", "IB", "TP", "LO", "AY", "OS")), r.int(100, 2999)), "fit": lambda r: r.pick(("XS", "S", "M", "L", "XL", "XXL", "3XL")),
        "many": lambda r: str(r.int(3, 60)), "km": lambda r: str(r.int(3, 600)),
        "early": lambda r: "%02d:%02d" % (r.int(4, 9), r.pick((0, 5, 10, 15, 20, 30, 40, 45, 50)))}
_verb = re.compile(r"\[([^/\]]*)/([^\]]*)\]")
_before = re.compile(r"\b(does|is|has|was) (?=\{X\})")
MANY = {"does": "do", "is": "are", "has": "have", "was": "were"}


class Subject:
    """Somebody or something of the person's own."""

    def __init__(self, r, cls):
        nouns, pronouns = r.weighted([(len(n), (n, p)) for n, p in SUBJECTS[cls]])
        self.cls, self.noun, self.they = cls, r.entity(nouns), PRONOUNS[r.pick(pronouns)]
        self.mine = ("the " if cls == "e" and r.chance(0.5) else "my ") + self.noun

    def put(self, form, v="", by="mine"):
        """A form filled: by pronoun, by the person's own words, or as it is said to them."""
        many = self.they[0] == "they"
        if many:
            form = _before.sub(lambda m: MANY[m[1]] + " ", form)
        form = _verb.sub(lambda m: m[2 if many else 1], form)
        mine = self.mine if by == "mine" else second(self.mine)
        own = mine + ("'" if mine.endswith("s") else "'s")
        x, o, xs = (self.they[0], self.they[1], self.they[2]) if by == "they" else (mine, mine, own)
        return fill(form, {"X": x, "o": o, "Xs": xs, "Y": upper_first(mine), "Ys": upper_first(own), "P": self.they[2], "Ps": self.they[3], "R": self.they[4], "I": self.they[2], "v": v, "av": article(v) if v else ""})


class Attribute:
    def __init__(self, classes, make, what, told, asks, few, answers):
        self.classes, self.make, self.what = classes, MAKE[make], what
        self.told, self.asks, self.few, self.answers = Phrases(told.split("|")), Phrases(asks.split("|")), few.split("|"), answers.split("|")

    def near(self, others):
        """Whether a question could mean one of the others as well."""
        return any(a is not self and not set(self.few).isdisjoint(a.few) for a in others)


ATTRIBUTES = [Attribute(*row) for row in read_rows("spoken.txt")]
OF = {cls: [a for a in ATTRIBUTES if cls in a.classes] for cls in SUBJECTS}
SWITCH = Phrases(bars("and {n}?|what about {n}?|and with {n}?|the same for {n}?|and how is that with {n}?|now {n}|{n} too?|ok, and {n}?|what did I say of {n}?|and for {n}?|then {n}?|{n}?"))
AND = [" and ", ", and ", ". ", "; ", ", ", ". Also, ", ". And ", " - "]
MEANT = ["They mean %s; they said: %s.", "That is about %s; they said: %s."]


class Told:
    """What was said of one subject, clause by clause."""

    def __init__(self, r, subject, attributes):
        self.subject, self.said, text = subject, {}, ""
        for a in attributes:
            if a in self.said or a.near(self.said):
                continue
            v = a.make(r)
            clause = subject.put(r.phrase(a.told), v, "they" if self.said else "mine")
            link = r.pick(AND) if text else ""
            if not text or link.strip() == ".":
                clause = upper_first(clause) if text or r.chance(0.5) else clause
            text += link + clause
            self.said[a] = v, clause
        self.text = text + r.pick((".", "", "."))


def choose(r):
    """One subject or two, with what is told of each: often the same of both."""
    classes = [r.weighted([(5, "w"), (1.2, "g"), (1.5, "a"), (3, "t"), (2, "e")])]
    if r.chance(0.4):
        classes.append(classes[0] if r.chance(0.6) else r.pick("wwgate"))
    out = []
    for cls in classes:
        s = Subject(r, cls)
        if any(s.noun == t.subject.noun for t in out):
            continue
        some = r.some(OF[cls], r.weighted([(3, 1), (5, 2), (3, 3), (1, 4)]))
        if out and cls == out[0].subject.cls and r.chance(0.7):
            shared = r.pick(list(out[0].said))
            some = [shared] + some
        out.append(Told(r, s, some))
    return out


def spoken(c):
    r = c.r
    told = choose(r)
    for text in ["\n".join(t.text for t in told)] if r.chance(0.4) and len(told) > 1 else [t.text for t in told]:
        c.say(text)
        answer = "Noted: %s." % second(text).rstrip(".!?").replace("\n", " ")
        c.answer(r.pick(STATED), answer, check_text("chat", [v for t in told if t.text in text for v, _ in t.said.values() if v in answer]))
        c.done()
    last = told[-1]  # whom a pronoun means
    before = None
    for _ in range(r.weighted([(3, 1), (4, 2), (3, 3), (1, 4)])):
        t = r.pick(told)
        lacking = [a for a in OF[t.subject.cls] if a not in t.said and not a.near(t.said)]
        a = r.pick(lacking) if lacking and r.chance(0.15) else r.pick(list(t.said))
        alone = all(x is t or x.subject.they[0] != t.subject.they[0] for x in told)
        by = "they" if (alone or t is last) and r.chance(0.8) else "mine"
        form = r.phrase(a.asks)
        q = t.subject.put(form, by=by)
        if before and before[0] is t and r.chance(0.3):
            by, q = "few", t.subject.put(r.pick(a.few), by="they")
        elif before and before[0] is not t and before[1] is a and r.chance(0.6):
            by, q = "mine", fill(r.phrase(SWITCH), {"n": t.subject.mine})
        c.say(speak(r, q)[0])
        if a in t.said:
            v, clause = t.said[a]
            v = second(v)  # my passport
            c.answer(r.pick(MEANT) % (t.subject.mine, clause), upper_first(t.subject.put(r.pick(a.answers), v, "yours")), check_text("recall" if by == "mine" else "pronouns", [v]))
        else:
            unsaid(c, t.subject, a, form)
        last, before = t, (t, a)
        c.about = None
        c.done()


def unsaid(c, s, a, form):
    """Nobody said it here: the memory is asked where there is one, for the one who is meant."""
    r = c.r
    if c.has("memory_read"):
        query = query_of(s.put(form))
        if s.noun not in query:  # "how many kids of theirs"
            query = s.noun + " " + query
        c.call("They mean %s; that was not said here, so I look in the memory." % s.mine, [make_call("memory_read", {"query": query})],
               check={"type": "call", "name": "memory_read", "contains": {"query": [s.noun]}, "group": c.group("builtin_tools")})
        c.result("memory_read", memory_result(r, [], r.int(0, 2), s.noun))
        return c.answer("Nothing that was found answers it; I say so.", "I don't remember anything about that. Tell me, and I will keep it in mind.", check_honest("recall"))
    return c.answer("They mean %s; that was not said, and I must not guess." % s.mine, "I don't know %s: you have not told me." % second(s.put(a.what)), check_honest("recall"))
