"""Lists of words and names of our own. The files in train/data add to them."""
from .phrases import bars

FIRST = """Ana Ben Clara David Emma Finn Greta Hugo Ines Jonas Kira Liam Mara Nils Olga Paul Quinn Rosa Samir Tess Umar Vera
Walter Xenia Yusuf Zoe Amara Boris Chen Dilara Elio Fatima Gustav Hana Ivan Joana Kofi Lena Mateo Nadia Omar Petra Rafael
Sofia Tariq Ursula Viktor Wanda Ximena Yara Zoran Agnes Bruno Carla Dario Edith Felix Gita Henrik Ilse Jakub Katya Louis
Mira Noah Oskar Pilar Rune Selma Theo Una Valerie Wilma Yannick Zuri Abel Bianca Casper Dora Elin Frida Goran Hilda Igor
Juno Klaus Leila Milan Nora Otis Priya Rohan Sina Tomas Ulla Vito Alma Basil Cora Dennis Esther Florian Gwen Hector""".split()

LAST = """Abbott Baker Castell Dorn Eriksen Falk Granger Hollis Ito Jansen Keller Lindqvist Moreau Novak Okafor Petrov Quade
Rossi Schmidt Tanaka Underhill Varga Weiss Yilmaz Zeller Almeida Brandt Costa Duarte Engel Ferreira Gomez Haas Ivanov Jonsson
Kowalski Larsen Marin Nielsen Ortega Palmer Reyes Sato Turner Ulrich Vogel Wagner Young Zhao Archer Bishop Carver Draper
Fletcher Gardner Hunter Mason Porter Sawyer Shepherd Thatcher Weaver""".split()

CITIES = """Berlin Paris Madrid Rome Vienna Lisbon Oslo Helsinki Dublin Prague Warsaw Budapest Athens Zurich Geneva Brussels
Amsterdam Copenhagen Stockholm Hamburg Munich Cologne Leipzig Lyon Marseille Porto Seville Valencia Turin Naples Krakow Gdansk
Tokyo Osaka Kyoto Seoul Beijing Shanghai Delhi Mumbai Bangkok Hanoi Jakarta Manila Sydney Melbourne Auckland Cairo Nairobi Lagos
Accra Tunis Rabat Dakar Toronto Montreal Vancouver Boston Chicago Denver Seattle Austin Miami Lima Bogota Quito Santiago
Montevideo Havana Reykjavik Riga Tallinn Vilnius Sofia Belgrade Zagreb Ljubljana Tirana Skopje Valletta Nicosia Izmir Ankara
Tbilisi Yerevan Baku Tashkent Almaty Amman Beirut Doha Muscat Leeds Bristol Cardiff Glasgow Bergen Malmo Utrecht Ghent Basel
Graz Linz Brno Split Patras Alderhaven Brackwater Northmere Silverton Oakridge Fenwick Harrowgate Millbrook Eastvale Rookham
Stonebury Westmarch Greenhollow Kestrel Bay Lower Tarn Upton Quay""".replace("Kestrel Bay", "Kestrel_Bay").replace(
    "Lower Tarn", "Lower_Tarn").replace("Upton Quay", "Upton_Quay").split()
CITIES = [c.replace("_", " ") for c in CITIES]

COUNTRIES = """France Spain Italy Germany Poland Norway Sweden Finland Denmark Portugal Greece Austria Switzerland Belgium
Ireland Hungary Romania Bulgaria Croatia Serbia Turkey Egypt Kenya Ghana Nigeria Morocco Japan China India Thailand Vietnam
Indonesia Australia Canada Mexico Brazil Argentina Chile Peru Colombia Iceland Latvia Estonia Lithuania Slovenia Slovakia
Malta Cyprus Georgia Armenia Jordan Oman Nepal Bhutan Mongolia Laos Cambodia Fiji Samoa Tonga Belize Cuba Jamaica Panama
Uruguay Paraguay Bolivia Ecuador Senegal Mali Chad Niger Togo Benin Gabon Angola Zambia Malawi Rwanda Uganda Tunisia""".split()

ORGS = bars("""Northwind Traders|Bluefin Labs|Harbour & Sons|Copperleaf|Sunmill Energy|Oakfield Press|Tidal Robotics|Lantern Foods|
Fairweather Bank|Quarry Street Bakery|Greyhound Freight|Marble Arch Dental|Redwood Cycles|Pinecone Software|Halden Motors|
Silverline Rail|Morrow & Finch|Cobalt Insurance|Driftwood Hotels|Evergreen Clinic|Starling Airlines|Kettle & Co|Aster Pharma|
Bright Loom Textiles|Foxglove Media|Granite Peak Outdoors|Hollow Tree Books|Ironbridge Steel|Juniper Housing|Kingfisher Water|
Lowland Dairy|Meridian Post|Nettle Street Theatre|Otterbank Brewery|Plover Telecom|Quillpoint|Riverside School|Sandpiper Toys|
Thornbury Council|Vantage Optics|Willow Court Care|Yarrow Gardens|Zenith Elevators|Amber Museum|Beacon Hospital""")

NOUNS = """apple bridge candle drawer engine feather garden hammer island jacket kettle ladder mirror needle orchard pencil
quilt ribbon saddle table umbrella valley window yard anchor basket castle desk easel flute glove harbour ink jug key lamp
market notebook oven piano rope shelf tunnel urn vase wagon barn clock door field gate hedge kitchen lake meadow pond road
shed tower wall bicycle boat camera carpet chair coat cup curtain dish fence flag flower fork fridge hat helmet hose iron
jar knife lantern lock mat mug nail net paint pan paper path pillow pipe plate pot printer pump radio roof rug sack scarf
screw sink soap sofa spoon stairs stamp stone stove string suitcase tent ticket tile torch towel toy train tray tree truck
vest watch wheel whistle wire zip budget contract deadline delivery draft feature invoice lease licence meeting menu order
parcel permit petition plan policy proposal quote receipt recipe report request review schedule score survey target tender
timetable warranty workshop""".split()

ADJ = """red blue green yellow old new small large quick slow heavy light bright dark quiet loud warm cold soft hard round
flat narrow wide early late cheap dear clean dirty dry wet empty full fresh stale rough smooth sharp blunt simple plain fancy
sturdy fragile gentle fierce golden silver wooden rusty hollow solid hidden open closed broken spare second final annual weekly
monthly daily local foreign northern southern public private shared urgent""".split()

VERBS = """open close move lift paint mend wash carry fold sort count weigh measure cut bake cook boil fry plant water feed
walk ride drive row sail climb build draw write read sing play pack send fetch order buy sell rent lend borrow return check
test clean sweep dust iron sew knit tie lock""".split()

FOODS = """bread butter cheese milk eggs rice pasta flour sugar salt pepper honey lemon tea coffee apples pears plums onions
carrots potatoes tomatoes garlic ginger beans lentils oats yoghurt olives olive_oil mushrooms spinach cabbage leeks bananas grapes
oranges almonds walnuts chocolate jam mustard vinegar parsley basil mint cinnamon fish chicken tofu soup noodles cream""".replace("_", " ").split()
FOODS = ["olive oil" if f == "olive" else f for f in FOODS if f != "oil"]

TASKS = bars("""call the plumber|water the plants|book the dentist|pay the rent|renew the passport|fix the bike|clean the gutters|
send the invoice|return the library books|buy a birthday present|update the website|write the report|pick up the parcel|
change the light bulb|walk the dog|order new ink|back up the laptop|cancel the subscription|paint the fence|wash the curtains|
check the tyres|reply to the landlord|prepare the slides|order firewood|sharpen the knives|sort the photos|sew the button|
descale the kettle|sign the contract|charge the drill|feed the neighbour's cat|sweep the yard|mend the tent|print the tickets|
test the smoke alarm|rotate the logs|merge the branch|review the draft|plan the trip|tidy the shed""")

TOPICS = bars("""ferry bridge|tram strike|harbour festival|new library|city marathon|flood defences|solar farm|night train|school reform|
bee decline|cycle path|housing vote|wind park|museum robbery|chess championship|heat wave|rail merger|comet landing|airport expansion|
potato harvest|water restrictions|film festival|bus timetable|tower demolition|vaccine trial|ice shelf|power cut|bakery strike|
bridge toll|river clean-up|opera house renovation|data centre fire|space telescope|coral reef|lithium mine|postal prices|
electric buses|swimming pool closure|football transfer|stock market|interest rates|rent cap|phone recall|car recall|cheese awards|
book prize|island election|storm warning|avalanche risk|lighthouse sale|village fair|botanical garden|zoo pandas|kite contest|
street lighting|parking fees|train punctuality|organic farming|deep sea cable|language exam|hiking trail|beach pollution|
wolf sightings|mushroom season|bicycle theft|cinema reopening|choir competition|salt tax|glass recycling|drone rules""")

MATTERS = """prices repair history rules season festival market strike project trail exhibition contest accident opening design
shortage test museum law ban award theft campaign trade harvest research factory robot auction app club tour course exam
insurance tax recall championship workshop fair plan crisis industry record""".split()

NUMBER_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty""".split()

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
COLOURS = "red blue green yellow black white grey brown orange purple pink silver golden turquoise".split()

STEMS = """notes todo plan report draft budget config settings readme changelog journal diary letter invoice shopping list ideas
agenda minutes schedule recipe contacts inventory log errors access server app main index test utils parser data results summary
backup archive photo scan manual guide license contract offer order timetable route packing garden kitchen wedding trip holiday
tax rent insurance passwords-hint bills wifi router printer deploy build install env database schema users products prices stock
survey feedback interview thesis chapter outline poem song lyrics script scene story essay review bugs release roadmap team
meeting standup sprint training lesson homework exam grades attendance members""".split()

FOLDERS = """docs notes src data reports projects work private photos music archive backup config etc logs scripts tests tools
letters recipes invoices taxes school travel garden house library drafts old shared team client website app server design
assets images research exports downloads inbox outbox 2023 2024 2025 2026 january march misc tmp""".split()

EXT_TEXT = ["txt", "md", "txt", "md", "log", "csv", "yaml", "yml", "json", "toml", "ini", "conf", "env", "html", "py", "go", "js", "sh",
            "rst", "tex", "xml", "sql", "rs", "ts", "cfg", "org"]
EXT_CONFIG = ["yaml", "yml", "toml", "ini", "conf", "json", "env", "cfg", "properties"]

ZONES = """Tokyo=Asia/Tokyo|London=Europe/London|New York=America/New_York|Paris=Europe/Paris|Berlin=Europe/Berlin|
Sydney=Australia/Sydney|Los Angeles=America/Los_Angeles|Moscow=Europe/Moscow|Dubai=Asia/Dubai|Singapore=Asia/Singapore|
Chicago=America/Chicago|Toronto=America/Toronto|Cairo=Africa/Cairo|Nairobi=Africa/Nairobi|Lagos=Africa/Lagos|
Istanbul=Europe/Istanbul|Rome=Europe/Rome|Madrid=Europe/Madrid|Lisbon=Europe/Lisbon|Vienna=Europe/Vienna|Warsaw=Europe/Warsaw|
Athens=Europe/Athens|Helsinki=Europe/Helsinki|Oslo=Europe/Oslo|Stockholm=Europe/Stockholm|Copenhagen=Europe/Copenhagen|
Dublin=Europe/Dublin|Prague=Europe/Prague|Budapest=Europe/Budapest|Zurich=Europe/Zurich|Brussels=Europe/Brussels|
Amsterdam=Europe/Amsterdam|Seoul=Asia/Seoul|Shanghai=Asia/Shanghai|Hong Kong=Asia/Hong_Kong|Bangkok=Asia/Bangkok|
Jakarta=Asia/Jakarta|Manila=Asia/Manila|Kolkata=Asia/Kolkata|Karachi=Asia/Karachi|Tehran=Asia/Tehran|Auckland=Pacific/Auckland|
Honolulu=Pacific/Honolulu|Anchorage=America/Anchorage|Denver=America/Denver|Mexico City=America/Mexico_City|Bogota=America/Bogota|
Lima=America/Lima|Buenos Aires=America/Argentina/Buenos_Aires|Sao Paulo=America/Sao_Paulo|Reykjavik=Atlantic/Reykjavik|
Johannesburg=Africa/Johannesburg|Melbourne=Australia/Melbourne|Perth=Australia/Perth|Vancouver=America/Vancouver|Riga=Europe/Riga|
Kyiv=Europe/Kyiv|Bucharest=Europe/Bucharest|Sofia=Europe/Sofia|Belgrade=Europe/Belgrade|Hanoi=Asia/Bangkok|Dhaka=Asia/Dhaka|
Kathmandu=Asia/Kathmandu|Tbilisi=Asia/Tbilisi|Baku=Asia/Baku|Casablanca=Africa/Casablanca|Accra=Africa/Accra|Havana=America/Havana""".replace("\n", "")
ZONES = [tuple(z.split("=")) for z in ZONES.split("|")]

ONSET = "b br bl c ch cl cr d dr f fl fr g gl gr h j k kl kr l m n p pl pr qu r s sc sh sk sl sm sn sp st str t th tr v w wh y z".split()
NUCLEUS = "a e i o u a e i o ai ea ee ie oa oo ou au".split()
CODA = ["", "", "", "n", "r", "l", "s", "t", "m", "nd", "rt", "lk", "st", "ck", "sh", "rn", "ld", "mp", "th", "x", "b", "d", "g", "k", "p"]
OPEN = [o + n for o in ONSET for n in NUCLEUS]
CLOSED = [s + c for s in OPEN for c in CODA]
