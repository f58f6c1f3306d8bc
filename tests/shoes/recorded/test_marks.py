"""Winners alone, and marks that carry pairs or a total: every form in which they are written, with a small sample."""

import pytest

from bacclab.errors import SourceError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BPPTB\nPPB\n", ["BPPTB", "PPB"]),
        ("bpptb\nppb", ["BPPTB", "PPB"]),
        ("B,P,P,T,B\nP,P,B", ["BPPTB", "PPB"]),
        ("B;P;P;T;B\r\nP;P;B\r\n", ["BPPTB", "PPB"]),
        ("B P P T B\nP  P B", ["BPPTB", "PPB"]),
        ("B\tP\tT", ["BPT"]),
        ("B\nP\nT\nB", ["BPTB"]),
        ("B\nP\n\n\nT\nB\n\n", ["BP", "TB"]),
        ("BPPTB", ["BPPTB"]),
        ("Shoe 1: BPPT\nShoe 2: PPB", ["BPPT", "PPB"]),
        ("Shoe 1:\nB\nP\nShoe 2:\nT\nB", ["BP", "TB"]),
        ("# my notes\nBPT", ["BPT"]),
        ('"B","P","T"', ["BPT"]),
    ],
)
def test_letters(shoes, text, expected):
    assert shoes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Banker Player Tie",
        "BANKER\nPLAYER\nTIE",
        "banker,player,tie",
        "Banker win\nPlayer win\nTie",
        "Banker wins!\nPlayer wins!\nIt's a tie!",
        "banker_win\nplayer_win\ntie",
        "Winning Outcome\nBanker\nPlayer\nTie",
        "outcome\nbanker\nplayer\ntie",
        "result\nB\nP\nT",
        "winner\nBanker wins\nPlayer wins\nTie",
        "Winner\nBANKER\nPLAYER\nTIE",
        "actual\nB\nP\nT",
        "no,actual\n1,B\n2,P\n3,T",
    ],
)
def test_words_with_and_without_a_header(shoes, text):
    assert shoes(text) == ["BPT"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("庄,闲,和", "chinese"),
        ("莊，閒，和", "chinese"),
        ("庄閑和", "chinese"),
        ("莊\n闲\n和", "chinese"),
        ("เจ้ามือ\nผู้เล่น\nเสมอ", "thai"),
        ("แดง,น้ำเงิน,เสมอ", "thai"),
        ("BJE", "french"),
        ("B,J,E", "french"),
        ("banquier\njoueur\négalité", "french"),
        ("BPE", "spanish"),
        ("banca,jugador,empate", "spanish"),
        ("banco\ngiocatore\npareggio", "italian"),
        ("RBG", "colours"),
        ("R,B,G", "colours"),
        ("red,blue,green", "colours"),
    ],
)
def test_languages(read, text, language):
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == ["BPT"]
    assert record.facts["language"] == language


def test_one_alphabet_for_mixed_spellings(shoes, read):
    assert shoes("b, B , Banker, 庄, 莊\nP, player, 閒, t") == ["BBBBB", "PPPT"]
    with pytest.raises(SourceError, match=r"line 2: 'Bnker' is no result of a round \(did you mean banker\?\)"):
        read("Banker, 庄\nBnker, P")
    with pytest.raises(SourceError, match="line 3: 'X' is no result"):
        read("B\nP\nX")


def test_b_alone_is_never_guessed(read, shoes):
    for text in ("BBB", "B\nB", "winner\nB\nB", "b,b"):
        with pytest.raises(SourceError, match=r"blue, that is Player, in colours.*--language english or --colours"):
            read(text)
    assert shoes("BBB", language="colours") == ["PPP"]
    assert shoes("BBB", language="english") == ["BBB"]
    assert shoes("RBRB") == ["BPBP"], "an R shows that they are colours"
    assert shoes("BBP") == ["BBP"], "a P shows that they are letters"
    with pytest.raises(SourceError, match=r"'R' is no result|'G' is no result|'P' is no result"):
        read("RBGP")


def test_the_case_of_letters_is_not_folded_silently(read, shoes):
    with pytest.raises(SourceError, match="B and b and P and p both stand there, and the case may carry a mark"):
        read("BPpbPbPpbpPpt")
    with pytest.raises(SourceError, match="--fold-case"):
        read("winner\nB\nb\nP")
    assert shoes("BPpbPbPpbpPpt", fold_case=True) == ["BPPBPBPPBPPPT"]
    assert "taken for the same" in read("BPpb", fold_case=True).facts["notes"][0]


def test_codes(read, shoes):
    assert shoes("1,2,3,1") == ["BPTB"]
    assert shoes("1231") == ["BPTB"]
    assert shoes("result\n1\n2\n3") == ["BPT"]
    assert read("1,2,3").facts["language"] == "1 Banker, 2 Player, 3 Tie"
    with pytest.raises(SourceError, match="0 and 1 are Player and Banker in some records"):
        read("0,1,1,0")
    assert shoes("0,1,1,0", format="codes-01") == ["PBBP"]
    with pytest.raises(SourceError, match="'7' is no result"):
        read("result\n1\n7\n3", format="codes")


def test_flags(read):
    record = read("1,2,4,9,17,18,10,28")
    assert [shoe.letters for shoe in record.shoes()] == ["BPTBBPPT"]
    assert record.frame["banker_pair"].to_list() == [False, False, False, True, False, False, True, True]
    assert record.frame["player_pair"].to_list() == [False, False, False, False, True, True, False, True]
    with pytest.raises(SourceError, match="line 1: '3' is no result"):
        read("1,2,4,3", format="flags")


def test_letters_that_carry_pairs(read):
    record = read("bptqwefghijklmno")
    assert [shoe.letters for shoe in record.shoes()] == ["BPTBBBPPPTTTBBBB"]
    pairs = list(zip(record.frame["player_pair"], record.frame["banker_pair"], strict=True))
    no, player, banker, both = (False, False), (True, False), (False, True), (True, True)
    assert pairs[:12] == [no, no, no, banker, both, player, banker, both, player, banker, both, player]
    assert pairs[12:] == [(None, None)] * 4, "the further mark of l, m, n, o is not known"
    assert "l, m, n, o" in record.facts["notes"][0]


def test_an_e_may_be_a_tie_or_a_pair(read, shoes):
    with pytest.raises(SourceError, match="e is a tie in Spanish and Italian, and Banker with a Player pair"):
        read("bpeb")
    assert shoes("bpeb", language="spanish") == ["BPTB"]
    assert shoes("bpeb", format="pair-letters") == ["BPBB"]


def test_colour_total_and_pair(read):
    record = read("R5n,B8r,G6a,B9b")
    assert [shoe.letters for shoe in record.shoes()] == ["BPTP"]
    assert record.frame["player_pair"].to_list() == [False, False, True, True]
    assert record.frame["banker_pair"].to_list() == [False, True, True, False]
    assert record.frame["banker_total"].to_list() == [5, None, 6, None]
    assert record.frame["player_total"].to_list() == [None, 8, 6, 9]
    with pytest.raises(SourceError, match="blue, that is Player"):
        read("B8r,B3n")


def test_the_bbin_shoe_map(read):
    record = read("27-7,77-4,73-8")
    assert [shoe.letters for shoe in record.shoes()] == ["BPB"]
    assert record.frame["player_pair"].to_list() == [True, False, False]
    assert record.frame["banker_pair"].to_list() == [False, False, False]
    assert record.frame["banker_total"].to_list() == [7, None, 8]
    assert record.frame["player_total"].to_list() == [None, 4, None]
    perfect = read(f"{27 + 96}-7").frame
    assert (perfect["winner"][0], perfect["player_pair"][0]) == ("banker", True)
    with pytest.raises(SourceError, match="a BBIN shoe map has marks such as 27-7"):
        read("27-7,0-4", format="bbin-map")


def test_beads_by_row_and_column(read):
    record = read("0,0,1,0;1,0,2,1;2,0,3,16;3,0,1,17;4,0,1,0;5,0,1,0;0,1,2,0")
    assert [shoe.letters for shoe in record.shoes()] == ["BPTBBBP"]
    assert record.frame["player_pair"].to_list()[:4] == [False, True, False, True]
    assert record.frame["banker_pair"].to_list()[:4] == [False, False, True, True]
    with pytest.raises(SourceError, match="no bead plate"):
        read("0,0,1,256;1,0,1,0")  # a Big Road: its first icon carries a tie


@pytest.mark.parametrize("text", ["010203#010101", "0402,,,,,#0901,0902", "01#02"])
def test_road_strings_of_operators_are_refused_with_what_to_do(read, text):
    with pytest.raises(SourceError, match=r"line 1 is a (bead plate of two digits|Big Road)"):
        read(text)


def test_posts_of_a_channel(read):
    text = (
        "#N123. 7(♠5♥2) - ✅8(♦9♣9) #R #T15\nhello\n#N124. ✅6(♠5♥A♦10) - 4(♦9♣5) #T10\n"
        "#N126. 0(♠K♥2♦8) - ✅6(♦4♣2) #T6\n#N127. 7(♠5♥2) 🔰 7(♦3♣4)"
    )
    with pytest.raises(SourceError, match="which side of the posts is Player"):
        read("#N1. 7(♠5♥2) - ✅8(♦9♣9)")
    record = read(text, card_order="player-first")
    assert [shoe.letters for shoe in record.shoes()] == ["BPBT"]
    assert record.frame["p3"].to_list() == ["", "10d", "8d", ""]
    assert [(one.line, one.kind) for one in record.findings] == [
        (1, "gap"),  # the numbers begin with 123
        (3, "third card"),  # Player drew on a six
        (4, "gap"),
    ]
    player, banker = "0(♠K♥2♦8)", "5(♦3♣2)"  # a five stands on an eight; a Player with five would have drawn
    assert read(f"#N1. {player} - ✅{banker}").facts["sides"] == "Player first"
    assert read(f"#N1. ✅{banker} - {player}").facts["sides"] == "Banker first"


def test_unknown_options_are_refused(read):
    for options in ({"format": "leters"}, {"language": "englsh"}, {"order": "newest"}, {"shoes_in": "line"}):
        with pytest.raises(SourceError, match=r"did you mean|one of"):
            read("BPT", **options)
