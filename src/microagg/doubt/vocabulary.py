"""Words in names of columns that tell what a column holds, in the languages of statistical offices: data, no rules.

Names are split into words, in lower case and without accents; digits are no part of a word, but of a whole name.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Identifiers: anywhere in a name; at its end, over whole numbers ("case_no", but not "no_of_rooms"); as a whole name.
IDENTIFIERS = _words("id ids uid uids uuid guid pid hid hhid idno idnr idnum ssn caseid")
NUMBERINGS = _words(
    "key keys nr no num number phone telephone mobile fax account acct iban numero nummer serial pernum persnum intnum "
    "hhnum famnum ident identifiant identificador folio matricule matricula registro siren siret nif nie cif dni cpf "
    "cnpj nip pesel regon personnummer personnumer fodselsnummer cprnr bsn nino svnr ahvnr lfdnr laufnr persnr hhnr"
)
IDENTIFYING_NAMES = _words("db030 hb030 pb030 rb030 rx030 v002 hv002 mv002 idind noind numind nquest nordp nomen orgnr")
# Ends of words that run together, as UTILITYID and casenummer do; these words end so and are something else.
NUMBERING_ENDINGS = ("nummer", "numero", "number", "serial", "pernum", "persnum")
NOT_IDENTIFIERS = _words(
    "aid medicaid bid kid lid mid rid did said laid maid raid acid amid arid avid void grid valid invalid rigid vivid "
    "rapid solid centroid asteroid android thyroid opioid squid orchid pyramid plasmid skid madrid"
)
NOT_IDENTIFIER_ENDINGS = ("paid", "fluid", "liquid", "humid", "hybrid", "covid", "lipid", "steroid", "avoid")
# What a number of its own is given to: at the end of a name, over many whole numbers.
HOUSEHOLDS = _words("household households hh haushalt menage menages hogar hogares vivienda famille foyer huishouden")
UNITS = HOUSEHOLDS | _words(
    "enterprise firm company establishment plant patient case respondent person persona personne empresa entreprise "
    "etablissement unternehmen betrieb firma azienda bedrijf foretag worker employee pupil student subject"
)

# Sampling weights: ends of words, beginnings (WTFINL, wtmec), whole words, whole names (EU-SILC, DHS, …).
WEIGHT_ENDINGS = ("weight", "weights", "wgt", "wgts", "wght", "wghts", "wt", "wts", "gewicht", "gewichte", "wgtp")
WEIGHT_BEGINNINGS = ("wt", "pondera", "hochrechnung", "gewichtung")
WEIGHTS = _words(
    "pond factorel facexp factorexp fexp wegingsfactor weegfactor gewichtungsfaktor extri extrid phrf hhrf kalvikt "
    "painokerroin"
)
WEIGHT_NAMES = _words(
    "db080 db090 db095 pb040 pb050 pb060 pb080 rb050 rb060 rb062 rb063 rb064 rl070 v005 hv005 mv005 d005 hv028"
)
FACTORS = _words("factor factors faktor faktoren fac fact fator facteur fattore")
EXPANDING = _words(
    "expansion expansao elevacion exp grossing raising weighting sampling sample population inflation extrapolation "
    "ponderacion"
)
# Words that are also those for something else: only where the values look like sampling weights.
MAYBE_WEIGHTS = FACTORS | _words("peso pesos poids vikt vekt waga paino calib")
SHORT_WEIGHTS = _words("w fw pw hw iw")
MEASURED = _words(
    "kg kilo kilos lb lbs oz g gram grams pound pounds ton tons tonnes body bodyweight birth birthweight net gross "
    "overweight underweight corporal nacer naissance height"
)

# Codes of a classification or a design anywhere in a name; other categories where they end it, or come before "of";
# what is to be predicted where it stands alone: "financial_outcome" is an amount.
CLASSIFICATIONS = _words(
    "code codes zip zipcode postcode postal plz nace isco isic sic naics nuts fips stratum strata psu"
)
CATEGORIES = _words(
    "region sex gender race ethnicity cluster class type status flag cd category state county country district "
    "province municipality commune comune comuna gemeinde gemeente kommun kommune gmina canton departement sexe sexo "
    "geschlecht"
)
TARGETS = _words("target outcome label")
# Beginnings of words for what neighbours, colleagues and registers know of a person or an enterprise.
CATEGORY_BEGINNINGS = (
    *("sex", "gender", "marst", "marit", "marri", "civ", "relat", "hhciv"),
    *("region", "provin", "distr", "county", "munic", "state", "country", "city", "town", "vill", "urb", "rural"),
    *(
        "commun",
        "nuts",
        "zip",
        "postcod",
        "postal",
        "plz",
        "educ",
        "school",
        "degree",
        "occu",
        "isco",
        "profes",
        "indus",
        "nace",
    ),
    *("isic", "naics", "sector", "branch", "ethn", "etni", "race", "nation", "citiz", "relig", "lang", "disab"),
)
KNOWN_BEGINNINGS = (*CATEGORY_BEGINNINGS, "birth", "dob", "famil", "child", "kids", "hhsize")
PLACE_BEGINNINGS = ("region", "provin", "distr", "county", "munic", "state", "country", "urb", "rural", "nuts", "strat")
ORDERED_BEGINNINGS = (
    *("educ", "degree", "grade", "level", "num", "size", "rank", "score", "health", "satisf", "agegr", "agecl"),
)
AMOUNTS = _words(
    "tax taxes gdp income wage wages pay price prices cost costs size rate share exp expenditure sales revenue hours "
    "num number count index score total sum budget debt area distance population pop earnings salary value years yrs"
)

AMOUNT_ENDINGS = tuple(word for word in AMOUNTS if len(word) > 2)  # STATETAX

# Numbers of years, persons and the like: numbers, although they may be few and whole. "edad" is an age, "agency" none.
AGES = _words("alter edad idade leeftijd alder wiek")
NOT_AGES = "agen"
AGE_CLASSES = ("agegr", "agecl", "agecat", "ageband", "agerange")
CLASSES = _words("group groups grp gr gruppe grupo cat category class classes cl band bracket range interval code cd")
SCHOOLING = ("educ", "school")
QUANTITIES = _words(
    "years yrs tenure exper experience expr seniority hours weeks kids children siblings sibs rooms members persons"
)

# Text.
NAME_ENDINGS = ("name", "names", "nachname", "vorname")
CONTACTS = _words("address street email mail phone telephone mobile url website passport licence license plate")

# Dates.
DATES = _words("date dates dob birth birthday birthdate")
BIRTHS = _words("birth birthday birthdate dob born")
