package embed

// stopWords say nearly nothing alone.
const stopWords = `
a an the and or but if then than so as of at by for from in into on onto to up with without about over under
is am are was were be been being do does did doing done have has had having will would shall should can could may might must
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those
there here what which who whom whose when where why how not no nor yes too very just also only even ever
im ive ill id youre youve youll hes shes its were theyre weve dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt
oh hey hi wow yeah ok okay well really thats whats any some such both each other more most own same all
`

// commonWords are said so often that they tell little.
const commonWords = `
go get make take come know think see look want give use find tell ask work seem feel try leave call
good great new nice cool amazing awesome lot thing something anything everything time day way people year much many
like love say keep let need start help show thank glad hope sure right now still always never since after before
`

// irregular lists a base and its forms, a family a line.
const irregular = `
go goes went gone going
buy bought buying
think thought
bring brought
teach taught
catch caught
see saw seen
make made making
take took taken taking
give gave given giving
get got gotten getting
come came coming
become became
know knew known
grow grew grown
fly flew flown
draw drew drawn
begin began begun
run ran running
swim swam swum swimming
sing sang sung
ring rang rung
drink drank drunk
eat ate eaten
speak spoke spoken
write wrote written writing
drive drove driven driving
ride rode ridden riding
win won winning
find found
meet met
leave left
lose lost losing
feel felt
keep kept
sleep slept
tell told
sell sold
hold held
build built
spend spent
send sent
say said
pay paid
read reads reading
hear heard
stand stood
understand understood
sit sat sitting
wear wore worn
break broke broken
choose chose chosen
wake woke woken
fall fell fallen
forget forgot forgotten
hide hid hidden
bite bit bitten
fight fought
seek sought
throw threw thrown
die died dying
lie lay lain lying
child children kid kids
man men
woman women
person people persons
mouse mice
foot feet
tooth teeth
life lives
wife wives
half halves
leaf leaves
mother mom mum mommy mama moms
father dad daddy papa dads
grandmother grandma granny nana
grandfather grandpa grandad
brother bro
television tv
photograph photo photos pic pics picture pictures
bicycle bike bikes cycling biking
favorite favourite favorites favourites
color colour colors colours
january jan
february feb
march mar
april apr
august aug
september sept sep
october oct
november nov
december dec
1 one first
2 two second twice
3 three third
4 four fourth
5 five fifth
6 six sixth
7 seven seventh
8 eight eighth
9 nine ninth
10 ten tenth
11 eleven
12 twelve dozen
20 twenty
100 hundred
`

// conceptTable names everyday concepts and words that belong to them, the
// concept's own word included. A word may be under several.
const conceptTable = `
time: when date yesterday today tomorrow ago last next week weekend month year monday tuesday wednesday thursday friday saturday sunday night morning january february april june july august september october november december recently soon since birthday anniversary summer winter autumn spring
place: where place location city town country state beach park mountain lake forest street near located visit trip travel moved move live area village island
family: family relative mother father parent sister brother son daughter child husband wife spouse married wedding cousin aunt uncle grandmother grandfather niece nephew sibling baby
partner: partner husband wife spouse boyfriend girlfriend fiance married marry wedding engaged relationship single dating date divorce breakup
friend: friend buddy pal mate neighbor colleague coworker teammate roommate
pet: pet animal dog puppy pup cat kitten kitty bird parrot fish turtle rabbit bunny hamster guinea lizard snake horse adopt vet leash
work: work job career profession occupation employer company office boss manager business startup hired fired promotion interview colleague salary employee internship position role
money: money cost price pay paid expensive cheap budget salary save savings loan debt rent invest financial fund afford
study: study school college university class course degree exam test student teacher education educational graduate graduation lesson learn homework professor major scholarship academic training certification
health: health healthy doctor hospital sick ill illness pain injury injured hurt medicine medication therapy surgery diagnosis allergy allergic asthma disease symptom checkup diet weight
mind: mental stress stressed anxiety anxious depression depressed therapist therapy counselor counseling psychology relax meditation mindfulness yoga calm
food: food eat meal dish cook cooking recipe bake baking dinner lunch breakfast restaurant cuisine snack cake bread pizza pasta soup salad chicken vegetable fruit dessert chocolate cookie pie ice cream flavor delicious tasty
drink: drink coffee tea wine beer juice water soda smoothie cocktail
travel: travel trip vacation holiday journey tour tourist flight hotel camp camping roadtrip visit abroad destination sightseeing cruise
outdoors: outdoors nature hike hiking camp camping trail mountain forest beach park lake river waterfall garden sunset kayak climb
sport: sport game play team player basketball football soccer tennis baseball hockey golf volleyball swim run marathon race gym workout exercise match tournament championship league coach score
exercise: exercise workout gym fitness run jog yoga swim lift weight training boxing martial karate
music: music song band concert sing singer guitar piano violin drum album instrument musician perform performance melody festival tune clarinet flute jazz rock classical
art: art artist paint painting draw drawing sketch sculpture pottery clay canvas gallery museum exhibit photography craft creative
book: book read novel author story series write writing library poem poetry literature chapter publish fiction fantasy
film: film movie cinema watch show series episode actor actress director scene documentary screenplay script television
game: game play gaming video console nintendo xbox playstation board card chess puzzle tournament multiplayer
hobby: hobby hobbies activity activities pastime interest leisure fun passion enjoy unwind destress relax
home: home house apartment flat room kitchen bedroom rent mortgage furniture decorate renovate move roommate yard
vehicle: car vehicle truck drive bicycle motorcycle bus train garage engine mechanic
accident: accident crash hurt injury injured damage broken emergency flood fire storm hurricane
computer: computer laptop phone software app code coding program programming internet website online blog tech technology device
clothes: clothes clothing dress shirt shoes jacket hat necklace jewelry wear fashion outfit sneakers bracelet ring
gift: gift present birthday christmas surprise gave receive
party: party celebrate celebration birthday wedding anniversary festival holiday christmas halloween thanksgiving parade
religion: religion religious church faith god pray prayer spiritual bible temple mosque christian muslim jewish buddhist
politics: politics political vote election government law policy rights campaign mayor senator military army veteran
community: community volunteer volunteering charity donate support group shelter homeless fundraiser nonprofit cause activism activist event
identity: identity gender transgender trans gay lesbian queer lgbt lgbtq pride lgbtqia sexuality
emotion: feel feeling happy sad angry afraid scared proud excited grateful thankful upset joy love lonely nervous disappointed
like: like love enjoy favorite prefer fond adore passion
dislike: dislike hate avoid annoy annoying
goal: goal plan plans dream hope want aim ambition future intend goals resolution pursue
win: win prize award trophy medal champion first achievement success victory
origin: origin born birth hometown roots native immigrant country grew
name: name named called nickname
age: age old years birthday turned
buy: buy purchase shop shopping store ordered bought order sell
begin: begin start started join launch open opening found
end: end stop quit finish lose close closed
say: say tell talk speak mention discuss share conversation
reason: why because reason motivate motivation inspire inspired inspiration
help: help support assist advice encourage
weather: weather rain snow sunny storm cold hot wind
plant: plant garden gardening flower tree rose sunflower grow seed
`
