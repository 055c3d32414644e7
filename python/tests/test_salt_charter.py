"""An accountant of its own follows random games of The Salt Charter: whose turn it is and what may be done, by the rules
as people read them; where the pieces are; who wins. It reads what the program tells and knows nothing of how it is done."""
import json
import subprocess

import pytest

SEATS = ["crown", "league", "clans", "brethren"]
LETTERS = dict(zip("CLHB", SEATS))
TIES = ["brethren", "clans", "league", "crown"]
AIMS = {"crown": 16, "league": 20, "clans": 20, "brethren": 10}
AFTER = {"event": {"operation", "operationPlusSpecialActivity"}, "operation": {"limitedOperation"},
         "operationPlusSpecialActivity": {"limitedOperation", "event"}}
ACTIVITIES = {"edict", "trade", "ambush", "smuggle"}
TRUMPS = {"crown": "proclamation", "league": "great-fair", "clans": "rising"}
BLOCKED = {"blockade": {"smuggle"}, "boycott": {"trade"}, "night-watch": {"raid", "incite"}, "blind-eye": {"assault", "patrol"}}
REWARDS = {"crown": 3, "league": 3, "clans": 2, "brethren": 2}


def ask(program, *words):
    run = subprocess.run([program, *words], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


class Table:
    """What lies where, as the events tell it."""

    def __init__(self, state):
        self.zone = {token["id"]: zone for zone, tokens in state["zones"].items() for token in tokens}
        self.token = {token["id"]: token for tokens in state["zones"].values() for token in tokens}
        self.opinion = {space: marks["opinion"] for space, marks in state["markers"].items()}
        self.globals = dict(state["globals"])
        self.played = [token["props"]["cardId"] for token in reversed(state["zones"]["played:none"])]
        self.phase = state["phase"]
        self.lasting = []

    def take_in(self, kind, data):
        if kind == "tokenMoved":
            assert self.zone[data["token"]] == data["from"]
            self.zone[data["token"]] = data["to"]
            if data["to"] == "played:none":
                self.played.append(self.token[data["token"]]["props"]["cardId"])
        elif kind == "varChanged":
            assert self.globals[data["var"]] == data["old"], data
            self.globals[data["var"]] = data["new"]
        elif kind == "markerChanged" and data["marker"] == "opinion":
            self.opinion[data["space"]] = data["new"]
        elif kind == "lastingStarted":
            self.lasting.append(data["effect"])
        elif kind == "lastingEnded":
            self.lasting.remove(data["effect"])
        elif kind == "phaseEntered":
            self.phase = data["phase"]

    def pieces(self, space, *factions):
        return sum(1 for token, zone in self.zone.items()
                   if zone == space and self.token[token]["props"].get("faction") in factions)

    def on_map(self, kind, people):
        return sum(1 for token, zone in self.zone.items() if zone in people and self.token[token]["type"] == kind)

    def margins(self, people):
        governed = sum(n for space, n in people.items()
                       if self.pieces(space, "crown", "league") > self.pieces(space, "clans", "brethren"))
        alone = sum(n for space, n in people.items()
                    if self.pieces(space, "brethren") > self.pieces(space, "crown", "league", "clans"))
        weigh = lambda mild, strong: sum(n * {mild: 1, strong: 2}.get(self.opinion.get(space), 0) for space, n in people.items())
        chests = sum(1 for zone in self.zone.values() if zone == "counting-house:none")
        return {"crown": governed + self.globals["favour"] - AIMS["crown"],
                "league": weigh("content", "loyal") + chests - AIMS["league"],
                "clans": weigh("unrest", "revolt") + self.on_map("clans-base", people) - AIMS["clans"],
                "brethren": alone + self.on_map("brethren-base", people) - AIMS["brethren"]}


class Turns:
    """Whose turn it is on the cards."""

    def __init__(self, cards):
        self.cards = cards
        self.fresh()

    def fresh(self):
        self.eligible, self.queue = set(SEATS), []
        self.new_card()

    def new_card(self):
        self.acted, self.passed, self.first = [], [], None

    def candidates(self, card):
        order = [LETTERS[letter] for letter in self.cards[card]["metadata"]["order"]]
        return [seat for seat in order if seat in self.eligible and seat not in self.acted + self.passed]

    def count(self, seat, option, table, card):
        if option["action"] == "pass":
            self.passed.append(seat)
            return
        self.acted.append(seat)
        wide = "operationPlusSpecialActivity"
        kind = "event" if option["class"] == "event" else wide if option["class"] == wide or option["action"] in ACTIVITIES else "operation"
        self.first = self.first or kind
        if option["action"] != "event":
            return
        for change in self.cards[card][option["params"]["side"]]["part"].get("eligibilityOverrides", []):
            if "when" in change and table.globals["crownGold"] == 0:  # the one condition there is
                continue
            target = change.get("seat") or seat
            if change["windowId"] == "this-card":
                (self.eligible.add if change["eligible"] else self.eligible.discard)(target)
            else:
                self.queue.append((target, change["eligible"]))

    def over(self, card):
        return len(self.acted) == 2 or not self.candidates(card)

    def end_card(self):
        self.eligible = {seat for seat in SEATS if seat not in self.acted}
        for seat, eligible in self.queue:
            (self.eligible.add if eligible else self.eligible.discard)(seat)
        self.queue = []
        self.new_card()


def follow(program, game, seed):
    cards, people = deck_and_people(program, game)
    table = Table(json.loads(ask(program, "state", game, "--seed", str(seed), "--json")))
    told = [json.loads(line) for line in ask(program, "trace", game, "--seed", str(seed)).splitlines()]
    seen = [json.loads(line) for line in ask(program, "trace", game, "--seed", str(seed), "--viewer", "spectator").splitlines()]
    turns, used, pieces, move = Turns(cards), set(), dict(table.zone), None
    drawn = len(table.played)
    for decision, record in zip(told[:-1], seen[:-1]):
        option = decision["options"][decision["picked"]]
        blocked = set().union(*(BLOCKED.get(effect, ()) for effect in table.lasting))
        assert not blocked & {o.get("value") for o in decision["options"]}  # as an operation's special activity
        if decision["kind"] == "actionSelection":
            move = None
            if table.phase == "main" and not option.get("free"):
                card = table.played[-1]
                if not turns.candidates(card):
                    turns.end_card()
                check_offer(turns, table, decision, card, used | blocked)
                move = (SEATS[decision["decider"]], option, card, table.globals.copy())
                used |= {option["action"]} & set(TRUMPS.values())
        for event in record["events"]:
            table.take_in(event["kind"], event["data"])
        if move and (len(seen) == record["n"] + 2 or told[record["n"] + 1].get("kind") in (None, "actionSelection")):
            finish(turns, table, *move)
            move = None
        if len(table.played) > drawn:
            drawn = leave_cards(turns, table, drawn)
    assert pieces.keys() == table.zone.keys()
    winner = max(SEATS, key=lambda s: (table.margins(people)[s], -TIES.index(s)))
    assert [SEATS[w] for w in told[-1]["outcome"]["winners"]] == [winner], table.margins(people)
    best, reason = table.margins(people)[winner], told[-1]["outcome"]["reason"]
    audiences = [k for k, card in enumerate(table.played) if card.startswith("audience")]
    assert audiences[0] >= 2 and all(b - a > 2 for a, b in zip(audiences, audiences[1:]))
    assert (best > 0 and len(audiences) >= 2) if reason.endswith("-aim") else (reason == "charter-runs-out" and len(audiences) == 4)
    return len(told) - 1


def check_offer(turns, table, decision, card, closed):
    seat = SEATS[decision["decider"]]
    assert turns.candidates(card)[0] == seat, (decision["n"], card, turns.candidates(card), seat)
    paid = [o for o in decision["options"] if not o.get("free")]
    assert any(o["action"] == "pass" for o in paid)
    classes = {o["class"] for o in paid if o["action"] != "pass"}
    if len(turns.acted) == 1:
        assert classes <= AFTER[turns.first], (decision["n"], turns.first, classes)
    else:
        assert "limitedOperation" not in classes
    next_card = [table.token[t]["props"]["cardId"] for t, zone in table.zone.items() if zone == "lookahead:none"]
    monsoon = bool(next_card) and next_card[0].startswith("audience")
    names = {o["action"] for o in paid}
    assert not (monsoon and names & {"patrol", *TRUMPS.values()})
    assert not (turns.acted and names & set(TRUMPS.values())) and not names & closed
    if names & set(TRUMPS.values()):
        ranks = ["clans", "league", "crown", "brethren"]
        assert ranks.index(seat) == min(ranks.index(other) for other in turns.candidates(card)[:2])
    assert not ("proclamation" in names and card in ("salt-tax", "bill-of-rights", "court-intrigue", "curfew") and "event" in names)
    assert not ("rising" in names and card in ("bill-of-rights", "amnesty", "harvest-rising", "printing-press") and "event" in names)
    mine = {"crown": {"muster", "patrol", "assault", "govern", "found", "edict", "proclamation"},
            "league": {"muster", "patrol", "assault", "govern", "found", "trade", "great-fair"},
            "clans": {"rally", "march", "raid", "incite", "found", "ambush", "rising"},
            "brethren": {"rally", "march", "raid", "incite", "found", "smuggle"}}[seat]
    assert names <= mine | {"pass", "event"}


def finish(turns, table, seat, option, card, before):
    turns.count(seat, option, table, card)
    if option["action"] == "pass" and table.phase == "main" and not turns.over(card):
        assert table.globals[seat + "Gold"] == min(40, before[seat + "Gold"] + REWARDS[seat])


def leave_cards(turns, table, drawn):
    for card in table.played[drawn:]:
        if card.startswith("audience"):
            turns.fresh()
        elif table.played[drawn - 1].startswith("audience"):
            turns.fresh()
        else:
            assert turns.over(table.played[drawn - 1]), table.played
            turns.end_card()
        drawn += 1
    return drawn


_known = {}


def deck_and_people(program, game):
    if game not in _known:
        definition = json.loads(ask(program, "compile", game))
        cards = {card["id"]: card for card in definition["eventDecks"][0]["cards"]}
        people = {zone["base"] + ":none": attribute["value"] for zone in definition["zones"]
                  for attribute in zone.get("attributes", []) if attribute["name"] == "population"}
        assert len(people) == 12
        _known[game] = cards, people
    return _known[game]


@pytest.mark.parametrize("seed", range(8))
def test_the_accountant_agrees(program, seed):
    assert follow(program, "salt-charter", seed) > 50
