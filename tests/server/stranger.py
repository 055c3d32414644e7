#!/usr/bin/env python3
"""A client written from docs/server.md alone, with nothing but the standard library: requests by http.client,
frames by hand. It plays the way somebody would who has never seen the server's sources.

    python3 tests/server/stranger.py PORT

Says what it does; ends with 0 exactly if everything was as the page says."""
import base64
import http.client
import json
import os
import random
import re
import socket
import struct
import sys
import time

PORT = int(sys.argv[1])
HOST = "127.0.0.1"
chance = random.Random(7)


def check(true, *what):
    if not true:
        raise AssertionError(" ".join(str(one) for one in what))


# ---- Requests.

def ask(method, path, token=None, body=None, headers=None, status=200):
    line = http.client.HTTPConnection(HOST, PORT, timeout=100)
    head = {"Content-Type": "application/json", **(headers or {})}
    if token:
        head["Authorization"] = "Bearer " + token
    line.request(method, "/api/v1" + path, None if body is None else json.dumps(body), head)
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    if answer.status == 429 and status != 429:  # too fast for this server
        time.sleep(int(answer.getheader("Retry-After")))
        return ask(method, path, token, body, headers, status)
    check(answer.status == status, method, path, "answered", answer.status, text[:300])
    if answer.getheader("Content-Type", "").split(";")[0] == "application/json" and text:
        parsed = json.loads(text)
        check(parsed["ok"] == (status < 400), path, "ok is", parsed["ok"])
        if status >= 400:
            check({"code", "message"} <= parsed["error"].keys(), "an error has a code and a message")
        return parsed
    return text


def handle(name):
    made = ask("POST", "/handles", body={"name": name}, status=201)
    check(made["handle"]["name"] == name and made["handle"]["id"] and made["token"], made)
    return made["token"]


# ---- Sockets.

class Socket:
    def __init__(self, table):
        head = self.shake_hands(table)
        while b" 429 " in head.split(b"\r\n")[0]:  # too fast for this server
            time.sleep(int(re.search(rb"Retry-After: (\d+)", head)[1]))
            head = self.shake_hands(table)
        check(b" 101 " in head.split(b"\r\n")[0], head)

    def shake_hands(self, table):
        self.line = socket.create_connection((HOST, PORT), timeout=100)
        key = base64.b64encode(os.urandom(16)).decode()
        self.line.sendall((f"GET /api/v1/tables/{table}/ws HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nUpgrade: websocket\r\n"
                           f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                           "Sec-WebSocket-Protocol: parlor.1\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        return head

    def more(self):
        data = self.line.recv(65536)
        check(data, "the line is closed")
        return data

    def send(self, frame):
        data = json.dumps(frame).encode()
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xfe]) + struct.pack(">H", len(data))
        self.line.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        while True:
            while len(self.buffer) < 2:
                self.buffer += self.more()
            kind, size, head = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if size == 126:
                while len(self.buffer) < 4:
                    self.buffer += self.more()
                size, head = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif size == 127:
                while len(self.buffer) < 10:
                    self.buffer += self.more()
                size, head = struct.unpack(">Q", self.buffer[2:10])[0], 10
            while len(self.buffer) < head + size:
                self.buffer += self.more()
            data, self.buffer = self.buffer[head:head + size], self.buffer[head + size:]
            if kind == 1:
                return json.loads(data)
            if kind == 9:  # ping
                mask = os.urandom(4)
                self.line.sendall(b"\x8a" + bytes([0x80 | len(data)]) + mask +
                                  bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
            if kind == 8:
                raise AssertionError(f"closed: {data!r}")

    def close(self):
        self.line.close()


def patched(state, patch):
    """The next state, as the page says: remove what "-" lists, then put in what changed."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in state.items()}
    for path in patch.get("-", []):
        if len(path) == 1:
            del out[path[0]]
        else:
            del out[path[0]][path[1]]
    for key, value in patch.items():
        if key == "-":
            continue
        if isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key].update(value)
        else:
            out[key] = value
    return out


class Player:
    """One connection to a table, following what it is told."""

    def __init__(self, table, token=None, since=None, state=None):
        self.table, self.token, self.state, self.acts = table, token, state, 0
        self.seq, self.rev, self.decision, self.over = (since or {}).get("seq"), 0, None, None
        self.heard = []
        self.connect(since)

    def connect(self, since=None):
        self.socket = Socket(self.table)
        hello = {"t": "hello", "as": "seat" if self.token else "watch"}
        if self.token:
            hello["token"] = self.token
        if since:
            hello["since"] = since
        self.socket.send(hello)
        welcome = self.next()
        check(welcome["t"] == "welcome" and {"you", "rev", "seq", "now", "limits"} <= welcome.keys(), welcome)
        self.you = welcome["you"]

    def next(self):
        frame = self.socket.receive()
        kind = frame["t"]
        self.heard.append(frame)
        if kind == "sync":
            check({"rev", "seq", "scene", "state", "decision", "clock", "seats", "offers"} <= frame.keys(), frame.keys())
            self.state, self.outcome = frame["state"], frame.get("outcome")
        if kind == "update":
            check({"rev", "seq", "by", "label", "events", "patch", "decision", "clock", "viewHash"} <= frame.keys(), frame.keys())
            check("hash" not in frame, "no hash of the whole state")
            self.state = patched(self.state, frame["patch"])
        if kind in ("sync", "update"):
            self.rev, self.decision = frame["rev"], frame["decision"]
        if "seq" in frame and kind != "welcome":
            if self.seq is not None and kind != "sync":
                check(frame["seq"] == self.seq + 1, "seq rises by one:", self.seq, frame["seq"], kind)
            self.seq = frame["seq"]
        if kind == "over":
            self.over = frame
        return frame

    def until(self, kind, **with_values):
        while True:
            frame = self.next()
            if frame["t"] == kind and all(frame.get(key) == value for key, value in with_values.items()):
                return frame

    def catch_up(self, rev):
        while self.rev < rev:
            self.next()

    def act(self, **what):
        self.acts += 1
        name = f"c{self.acts}-{chance.randrange(10 ** 9)}"
        self.socket.send({"t": "act", "id": name, "rev": self.rev, **what})
        while True:
            frame = self.next()
            if frame["t"] == "reject" and frame.get("id") == name:
                return frame
            if frame["t"] == "ack" and frame["id"] == name:
                self.catch_up(frame["rev"])  # what came of it follows
                return frame

    def mine(self):
        return bool(self.decision and self.decision.get("options"))


def two_people(game, first="ann", second="bob", **more):
    """A table with two people who are ready; their connections and the table's id."""
    ann, bob = handle(first), handle(second)
    made = ask("POST", "/tables", ann, {"game": game, "players": 2, "rules": [], "constants": {}, "visibility": "public",
                                        "clock": "none", "seats": [{"kind": "human"}, {"kind": "human"}], "sit": 0, **more}, status=201)
    table = made["table"]["id"]
    check(made["seat"] == 0 and made["seatToken"] and made["table"]["state"] == "open", made)
    check(len(made["table"]["seats"]) == 2, made)
    taken = ask("POST", f"/tables/{table}/sit", bob, {"seat": 0}, status=409)
    check(taken["error"]["code"] == "SEAT_TAKEN", taken)
    sat = ask("POST", f"/tables/{table}/sit", bob, {"seat": 1})
    check(sat["seat"] == 1, sat)
    tokens = [made["seatToken"], sat["seatToken"]]
    check(ask("POST", f"/tables/{table}/ready", tokens[0])["table"]["state"] == "open", "one is not ready")
    check(ask("POST", f"/tables/{table}/ready", tokens[1])["table"]["state"] == "playing", "both are ready")
    players = [Player(table, token) for token in tokens]
    for player in players:
        while player.state is None:
            player.next()
    return table, players, tokens


def play_randomly(players, most=10_000):
    """Until it is over, or so many acts; players hear everything."""
    acts = 0
    while not all(p.over for p in players) and acts < most:
        mover = next((p for p in players if p.mine() and not p.over), None)
        if mover is None:
            for p in players:
                if not p.over:
                    p.next()
                    break
            continue
        answer = mover.act(option=chance.choice(mover.decision["options"])["index"])
        check(answer["t"] == "ack", answer)
        acts += 1
        for p in players:
            while p.rev < answer["rev"]:
                p.next()
        if mover.decision is None:
            for p in players:
                while not p.over:
                    p.next()
    return acts


# ---- What somebody would do.

def tic_tac_toe():
    table, (x, o), tokens = two_people("tic-tac-toe")
    watcher = Player(table)
    watcher.until("sync")
    # In words: what an option is about is what a request names.
    for number, (mover, cell) in enumerate([(x, "cell_0_0"), (o, "cell_1_0"), (x, "cell_0_1"), (o, "cell_1_1"), (x, "cell_0_2")]):
        option = next(o for o in mover.decision["options"] if o["text"].endswith(cell))
        parameter = option["refs"][0]
        answer = mover.act(request={"action": option["action"], "params": {parameter["p"]: parameter[parameter["kind"]]}})
        check(answer["t"] == "ack" and answer["rev"] == number + 1, answer)
        for player in (x, o, watcher):
            player.catch_up(answer["rev"])
    for player in (x, o, watcher):
        player.until("over") if not player.over else None
        check(player.over["outcome"]["winners"] == [0] and player.over["outcome"]["by"] == "rules", player.over)
        check(player.state == x.state, "all see the same board")
    facts = ask("GET", f"/tables/{table}")["table"]
    check(facts["state"] == "finished" and facts["result"]["winners"] == [0], facts)
    check(len(ask("GET", f"/tables/{table}/replay").splitlines()) > 5, "a replay")
    check(len(ask("GET", f"/tables/{table}/log", tokens[0])["entries"]) == 5, "a log")


def against_a_bot():
    ann = handle("ann")
    made = ask("POST", "/tables", ann, {"game": "connect-four", "players": 2, "rules": [], "constants": {}, "visibility": "public",
                                        "clock": "none", "seats": [{"kind": "human"}, {"kind": "bot", "agent": "random"}], "sit": 0}, status=201)
    table = made["table"]["id"]
    check(made["table"]["seats"][1]["kind"] == "bot", made)
    me = Player(table, made["seatToken"])
    ask("POST", f"/tables/{table}/ready", made["seatToken"])
    while me.state is None:
        me.next()
    scene = ask("POST", "/games/connect-four/options", body={"players": 2})
    check(scene["scene"]["format"] == "parlor.scene.1" and len(scene["scene"]["boards"][0]["cells"]) == 42, "a scene")
    check(any(f["t"] == "sync" and f["scene"] == scene["sceneHash"] for f in me.heard), "the sync names it")
    play_randomly([me])
    check(set(me.over["outcome"]["winners"]) <= {0, 1}, me.over)


def holdem():
    table, players, _ = two_people("texas-holdem", chat="all")
    watcher = Player(table)
    watcher.until("sync")
    hands = lambda state: {zone: content for zone, content in state["zones"].items() if "hand" in zone or "hole" in zone}
    check(hands(players[0].state), "there are hands", list(players[0].state["zones"]))
    for _ in range(12):
        check(not any(zone["tokens"] for zone in hands(watcher.state).values()), "those who watch see no hand")
        for seat, player in enumerate(players):
            seen = [zone for zone, content in hands(player.state).items() if content["tokens"]]
            check(len(seen) <= 1, "a seat sees its own hand alone:", seen)
        if play_randomly(players, 1) == 0:
            break
        watcher.catch_up(players[0].rev)
        if players[0].over:
            break
    # The spectators' channel is their own.
    watcher.socket.send({"t": "chat", "text": "what a hand"})
    check(watcher.until("chat")["text"] == "what a hand", "chat")
    players[0].socket.send({"t": "ping", "c": 1})
    check(players[0].until("pong")["c"] == 1, "pong")
    check(players[0].over or not any(f["t"] == "chat" for f in players[0].heard), "players do not hear spectators while they play")


def reconnecting():
    table, (one, two), tokens = two_people("connect-four")
    play_randomly([one, two], 3)
    since, state = {"rev": two.rev, "seq": two.seq}, two.state
    two.socket.close()
    play_one = next(p for p in (one, two) if p.mine())
    if play_one is two:  # their turn: come back, play, and go again
        two = Player(table, tokens[1], since, state)
        two.socket.send({"t": "sync"})
        two.until("sync")
        check(two.act(option=0)["t"] == "ack", "an act after coming back")
        one.catch_up(two.rev)
        since, state = {"rev": two.rev, "seq": two.seq}, two.state
        two.socket.close()
    check(one.act(option=0)["t"] == "ack", "an act")
    one.catch_up(since["rev"] + 1)
    back = Player(table, tokens[1], since, state)
    back.catch_up(one.rev)
    fresh = Player(table, tokens[1])
    fresh.until("sync")
    check(back.state == fresh.state == one.state, "the same, whichever way one came")
    # An act for an old revision is refused, with everything anew.
    one.socket.send({"t": "act", "id": "late", "rev": 0, "option": 0})
    check(one.until("reject", id="late")["error"]["code"] == "REVISION_CONFLICT", "refused")
    one.until("sync")
    # The same id again is answered again and done once.
    mover = next(p for p in (one, back) if p.mine())
    rev = mover.rev
    for _ in range(2):
        mover.socket.send({"t": "act", "id": "twice", "rev": rev, "option": 0})
        check(mover.until("ack", id="twice")["rev"] == rev + 1, "the same answer")


def people():
    table, (one, two), _ = two_people("connect-four")
    check(one.act(option=3)["t"] == "ack", "an act")
    two.catch_up(1)
    before = dict(one.state)
    # Why: what is legal, what is not.
    option = two.decision["options"][0]
    params = {ref["p"]: ref.get(ref["kind"], ref.get("value")) for ref in option["refs"]}
    two.socket.send({"t": "why", "id": "w1", "rev": two.rev, "request": {"action": option["action"], "params": params}})
    check(two.until("why", id="w1")["legal"] is True, "legal")
    one.socket.send({"t": "why", "id": "w2", "rev": one.rev, "request": {"action": option["action"], "params": params}})
    answer = one.until("why", id="w2")
    check(answer["legal"] is False and answer["reason"]["code"] == "ACTOR_NOT_DECIDING", answer)
    # Undo by consent.
    one.socket.send({"t": "offer", "kind": "undo"})
    check(two.until("offers")["offers"][0]["kind"] == "undo", "an offer")
    two.socket.send({"t": "answer", "kind": "undo", "yes": True})
    check(one.until("update")["deed"] == "undo", "undone")
    two.catch_up(one.rev)
    check(one.state["zones"] != before["zones"] and one.mine(), "their turn again")
    # A queued act is played when its turn comes.
    two.socket.send({"t": "queue", "acts": [{"request": {"action": option["action"], "params": params}}]})
    check(two.until("queued")["waiting"] == 1, "queued")
    check(one.act(option=3)["t"] == "ack", "an act")
    one.catch_up(one.rev + 1)
    check(one.heard[-1]["by"] == 1 and one.mine(), "played at once")
    two.catch_up(one.rev)
    # Chat, and a draw that is refused and then accepted.
    one.socket.send({"t": "chat", "text": "draw?"})
    check(two.until("chat")["author"] == "ann", "chat")
    for yes in (False, True):
        one.socket.send({"t": "offer", "kind": "draw"})
        two.until("offers")
        two.socket.send({"t": "answer", "kind": "draw", "yes": yes})
        if not yes:
            check(two.until("offers")["offers"] == [], "refused")
    over = one.until("over")
    two.until("over")
    check(over["outcome"]["by"] == "table" and over["outcome"]["winners"] == [], over)
    check(over["seed"].isdigit(), "the seed is told afterwards")
    # A rematch begins at another table, one seat further.
    one.socket.send({"t": "offer", "kind": "rematch"})
    two.until("offers")
    two.socket.send({"t": "answer", "kind": "rematch", "yes": True})
    next_one, next_two = one.until("rematch"), two.until("rematch")
    check(next_one["table"] == next_two["table"] != table and {next_one["seat"], next_two["seat"]} == {0, 1}, next_one)
    again = [Player(frame["table"], frame["seatToken"]) for frame in (next_one, next_two)]
    for player in again:
        while player.state is None:
            player.next()
    # And somebody resigns.
    again[0].socket.send({"t": "resign"})
    over = again[1].until("over")
    check(over["outcome"]["winners"] == [again[1].you] and over["outcome"]["by"] == "table", over)


def refusals():
    check(ask("POST", "/tables", None, {"game": "hex"}, status=401)["error"]["code"] == "TOKEN_MISSING", "no token")
    check(ask("GET", "/tables/nothere", status=404)["error"]["code"] == "TABLE_UNKNOWN", "no table")
    check(ask("GET", "/games/nothere", status=404)["error"]["code"] == "GAME_UNKNOWN", "no game")
    ann = handle("ann")
    check(ask("POST", "/tables", ann, {"game": "hex", "clock": "soon"}, status=400)["error"]["details"]["field"] == "clock", "the field")
    check(ask("POST", "/tables", ann, {"game": "chess", "rules": ["nothere"]}, status=422)["diagnostics"], "diagnostics")
    key = {"Idempotency-Key": "k1"}
    made = [ask("POST", "/tables", ann, {"game": "hex"}, key, 201)["table"]["id"] for _ in range(2)]
    check(made[0] == made[1], "made once")
    listed = ask("GET", "/tables?game=hex")
    check(made[0] in [t["id"] for t in listed["tables"]] and "next" in listed, listed)
    games = ask("GET", "/games")["games"]
    check(next(g for g in games if g["id"] == "connect-four")["players"] == {"min": 2, "max": 2}, "players")


for story in (refusals, tic_tac_toe, against_a_bot, holdem, reconnecting, people):
    story()
    print(story.__name__.replace("_", " "), "fine", flush=True)
