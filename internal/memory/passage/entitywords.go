package passage

var (
	titles  = setOf("mr mrs ms dr prof professor sir aunt uncle captain president king queen")
	kin     = setOf("sister brother mother father mom mum dad son daughter wife husband friend cousin niece nephew partner girlfriend boyfriend boss colleague neighbor neighbour roommate named aunt uncle grandmother grandfather grandma grandpa")
	noNames = setOf(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
		october november december yes no the today tomorrow yesterday please however also although because during since until when while after
		before perhaps maybe hopefully congratulations happy merry dear sorry absolutely definitely exactly nice cool amazing awesome
		english french german spanish italian chinese japanese american british european internet`)
	orgWords = setOf(`inc ltd llc gmbh corp corporation company university college school institute bank hospital museum church ministry
		association society foundation club committee agency council union laboratories labs group airlines hotel`)
	placeWords  = setOf("street avenue road square city town village lake river mountain mountains island beach park valley bridge station airport county province district bay forest canyon")
	employer    = setOf("joined employer")
	greeting    = setOf("hi hey hello dear thanks with met told asked called")
	personVerbs = setOf(`said says say lives lived works worked moved married loves likes hates prefers enjoys told asked thinks wants wanted went met
		got has was is had bought adopted plays played studies studied started joined graduated teaches speaks came called visited wrote`)
	places = setOf(`germany france spain italy portugal england scotland ireland wales sweden norway denmark finland poland austria switzerland
		netherlands belgium greece turkey russia ukraine china japan india korea vietnam thailand australia canada mexico brazil argentina chile
		egypt kenya nigeria morocco israel iran iraq europe africa asia america berlin paris london madrid rome lisbon vienna prague
		amsterdam dublin stockholm oslo copenhagen athens moscow tokyo beijing shanghai delhi mumbai sydney toronto chicago boston seattle
		texas california florida porto hamburg munich zurich barcelona milan kyoto usa uk`)
)
