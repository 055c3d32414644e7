"""A state as a picture: SVG from the scene of a game and the stage of a state (docs/page.md has their words). It stands
alone, for notebooks, reports and frames of a film; the page draws more, and is clicked on."""
import math
from xml.sax.saxutils import escape, quoteattr

UNIT = 1000  # a cell, in the lengths of a scene
PIXELS = 56  # a cell, on the screen
WIDEST = 900  # pixels
LINE = 420  # between lines of text
CHIP = 700  # of a token beside the board
INK, PAPER, FAINT = "#22201c", "#fbf8f1", "#8a8276"
SHADES = ("#f0e2c6", "#c9a26f", "#ddc08f", "#b98f5c")
GROUNDS = {"wood": "#e3c08a", "felt": "#2f6b4f", "water": "#bcd9e6"}
PIPS = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agcbi", 6: "agdfbi"}
PIP_AT = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}
HEXAGON = ((0, -577), (500, -289), (500, 289), (0, 577), (-500, 289), (-500, -289))


def tag(name, inside="", /, **attributes):
    """One element. Underscores in the names of attributes stand for dashes; what is None is left out."""
    said = "".join(f" {key.replace('_', '-')}={quoteattr(_number(value))}"
                   for key, value in attributes.items() if value is not None)
    return f"<{name}{said}>{inside}</{name}>" if inside else f"<{name}{said}/>"


def _number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(words, x, y, size=260, fill=INK, anchor="middle", weight=None):
    return tag("text", escape(str(words)), x=x, y=y, font_size=size, fill=fill, text_anchor=anchor,
               font_weight=weight)


def moved(x, y, inside):
    return tag("g", inside, transform=f"translate({_number(x)} {_number(y)})") if inside else ""


def points(corners, scale=1.0):
    return " ".join(f"{_number(float(x * scale))},{_number(float(y * scale))}" for x, y in corners)


def ink_on(colour):
    """Black or white, whichever is read better on a colour."""
    try:
        red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    except (ValueError, IndexError):
        return INK
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


# ---- Tokens

def colours(scene, token):
    look = token["look"]
    if look.get("color"):
        return look["color"], ink_on(look["color"])
    if look["seat"] is not None and look["seat"] < len(scene["seats"]):
        seat = scene["seats"][look["seat"]]
        return seat["color"], seat["ink"]
    return "#b9a276", INK


def groups(tokens):
    """Those that look alike, together."""
    out = {}
    for token in tokens:
        look = token["look"]
        key = (token["type"], look["label"], look["seat"], tuple(look["badges"]), look.get("color"))
        out.setdefault(key, []).append(token)
    return list(out.values())


def die(token, size):
    shown = [v for v in (token["props"].get("pips"), *token["props"].values())
             if isinstance(v, int) and not isinstance(v, bool)]
    body = tag("rect", x=-size, y=-size, width=2 * size, height=2 * size, rx=size * 0.35, fill="#ffffff", stroke=INK,
               stroke_width=size * 0.08)
    if shown and shown[0] in PIPS:
        return body + "".join(tag("circle", cx=PIP_AT[at][0] * size * 0.55, cy=PIP_AT[at][1] * size * 0.55,
                                  r=size * 0.18, fill=INK) for at in PIPS[shown[0]])
    return body + text(shown[0] if shown else token["look"]["label"], 0, size * 0.4, size)


def mark(face, size, colour):
    arm = size * 0.7
    if face.lower() == "x":
        return tag("path", d=f"M{-arm} {-arm}L{arm} {arm}M{arm} {-arm}L{-arm} {arm}", stroke=colour,
                   stroke_width=size * 0.34, stroke_linecap="round")
    if face.lower() == "o":
        return tag("circle", r=arm, stroke=colour, stroke_width=size * 0.34, fill="none")
    return text(face, 0, size * 0.45, size * 1.3, colour)


def fitted(words, wide, size):
    """A size of letters at which the words are as wide as there is room for."""
    return min(size, wide / max(1, 0.6 * len(words)))


def card(label, size, back=False):
    body = tag("rect", x=-size * 0.75, y=-size, width=size * 1.5, height=size * 2, rx=size * 0.14,
               fill="#5b6f8f" if back else "#ffffff", stroke=INK, stroke_width=size * 0.05)
    if back:
        return body + tag("rect", x=-size * 0.6, y=-size * 0.85, width=size * 1.2, height=size * 1.7, rx=size * 0.1,
                          fill="none", stroke="#ffffff", stroke_width=size * 0.06)
    red = any(suit in label for suit in "♥♦")
    return body + text(label, 0, size * 0.2, fitted(label, size * 1.35, size * 0.7), "#b3261e" if red else INK)


def token_art(scene, token, size):
    """A token around the origin, about 2 × size wide."""
    kind, look = scene["tokens"].get(token["type"], {}), token["look"]
    shape, face = kind.get("shape", "disc"), kind.get("glyph") or look["face"] or ""
    fill, ink = colours(scene, token)
    owner = scene["seats"][look["seat"]]["name"] if look["seat"] is not None else ""
    label = text(face, 0, size * 0.34, fitted(face, size * 1.6, size * 0.95), ink) if face else ""
    if shape == "die":
        return die(token, size * 0.8)
    if shape == "card":
        return card(look["label"], size)
    if shape == "piece":
        badges = "".join(moved(size * 0.72, -size * 0.8 + i * size * 0.55, badge_art(badge.split()[-1], size * 0.3))
                         for i, badge in enumerate(look["badges"]))
        return text(face or look["label"][:1], 0, size * 0.62, size * 1.9) + badges
    if shape == "mark" or (shape == "disc" and owner.lower() in ("x", "o")):
        return mark(face if shape == "mark" else owner, size, fill)
    if shape in ("cube", "tile"):
        side = size * (0.8 if shape == "cube" else 1)
        return tag("rect", x=-side, y=-side, width=2 * side, height=2 * side, rx=side * 0.2, fill=fill, stroke=INK,
                   stroke_width=30) + label
    if shape == "ring":
        return tag("circle", r=size * 0.75, fill="none", stroke=fill, stroke_width=size * 0.3)
    body = tag("circle", r=size, fill=fill, stroke=INK, stroke_width=30)
    if look["badges"]:  # a piece that was made more of: a crown
        crown = ((-42, 28), (-50, -25), (-20, 2), (0, -40), (20, 2), (50, -25), (42, 28))
        return body + tag("polygon", points=points(crown, size / 100), fill=ink)
    # A letter that only repeats whose it is says nothing that the colour does not say.
    return body if owner and face.lower() == owner[:1].lower() else body + label


def badge_art(words, radius):
    return tag("circle", r=radius, fill=INK) + text(words, 0, radius * 0.36, radius * 1.1, "#ffffff")


# ---- Boards

def size_of(board, cell):
    form = cell.get("form", "")
    if "size" in cell:
        return cell["size"]
    if form.startswith("spike"):
        return 1000, 5000
    return (960, 960) if form == "circle" else (1760, 1320) if board["shape"] == "graph" else (1000, 1000)


def is_groove(cell):
    return "row" in cell and "size" in cell and min(cell["size"]) < 500


def cell_art(board, cell):
    wide, high = size_of(board, cell)
    form, style = cell.get("form", ""), board["style"]
    shade = cell["shade"] if style == "checker" or board["shape"] != "square" or form else 0
    fill = cell.get("color") or (SHADES[shade % len(SHADES)] if style != "plain" else "#efe7d6")
    box = dict(x=-wide / 2, y=-high / 2, width=wide, height=high)
    if cell.get("polygon"):
        # A polygon is where it is, not about the middle of its cell.
        return tag("polygon", points=points([(x - cell["x"], y - cell["y"]) for x, y in cell["polygon"]]),
                   fill=fill, stroke=INK, stroke_width=24)
    if form.startswith("spike"):
        foot, tip = (high / 2, -high / 2 + 300) if form == "spike-up" else (-high / 2, high / 2 - 300)
        return tag("polygon", points=points([(-wide / 2 + 40, foot), (wide / 2 - 40, foot), (0, tip)]), fill=fill)
    if form == "circle":
        return tag("circle", r=wide / 2, fill=fill, stroke=FAINT, stroke_width=24)
    if form == "tray" or (board["shape"] == "graph"):
        return tag("rect", **box, rx=160, fill=fill, stroke=FAINT, stroke_width=24)
    if is_groove(cell):
        return tag("rect", **box, fill="#e8dcc2")
    if board["shape"] == "hex":
        return tag("polygon", points=points(HEXAGON, 0.985), fill=fill, stroke=FAINT, stroke_width=24)
    if board["shape"] == "points":
        return tag("circle", r=130, fill=INK)
    if style == "lines":
        return ""
    if style == "holes":
        return tag("rect", **box, fill="#3565a8") + tag("circle", r=410, fill=PAPER)
    return tag("rect", **box, fill=fill, stroke=FAINT if style != "checker" else None, stroke_width=24)


def standing(scene, board, cell, tokens):
    """Where the tokens of a cell stand and how large: (token, x, y, size, how many)."""
    wide, high = size_of(board, cell)
    form = cell.get("form", "")
    if form.startswith("spike") or form == "tray":
        step = min(900, (high - 920) / (len(tokens) - 1)) if len(tokens) > 1 else 0
        sign = 1 if form == "spike-down" else -1
        return [(t, 0, sign * (480 - high / 2 + i * step), 440, 1) for i, t in enumerate(tokens)]
    alike = groups(tokens)
    ground = [g for g in alike if scene["tokens"].get(g[0]["type"], {}).get("shape") == "tile"]
    if len(alike) == 1 and len(alike[0]) == 1:
        return [(tokens[0], 0, 0, 400 if board["shape"] != "hex" else 370, 1)]
    out = [(group[-1], 0, 0, 420, 1) for group in ground[-1:]]
    rest = [g for g in alike if g not in ground]
    columns = max(1, math.ceil(math.sqrt(len(rest))))
    rows = max(1, math.ceil(len(rest) / columns))
    size = min(230, wide / columns / 2.4, high / rows / 2.4)
    for i, group in enumerate(rest):
        out.append((group[0], (i % columns - (columns - 1) / 2) * size * 2.2,
                    (i // columns - (rows - 1) / 2) * size * 2.2 + (high * 0.12 if board["shape"] == "graph" else 0),
                    size, len(group)))
    return out


def scattered(scene, room, tokens):
    """What belongs to nobody lies in a pit as it fell, like the seeds of a sunflower, and is counted."""
    out, most = "", max(len(tokens), 8)
    for i, token in enumerate(tokens):
        far, turn = math.sqrt((i + 0.5) / most), i * 2.399963
        out += tag("circle", cx=far * math.cos(turn) * (room[0] / 2 - 190), cy=far * math.sin(turn) * (room[1] / 2 - 190),
                   r=105, fill=colours(scene, token)[0], stroke=INK, stroke_width=20)
    return out + moved(room[0] * 0.37, room[1] * 0.37, badge_art(len(tokens), 165))


def cell_tokens(scene, board, cell, zone):
    """What stands on a cell; of tokens that nobody may see only how many."""
    if is_groove(cell):  # what lies in a groove fills it, as a wall does
        wide, high = cell["size"]
        return "".join(tag("rect", x=-wide / 2, y=-high / 2, width=wide, height=high, fill=colours(scene, t)[0])
                       for t in zone["tokens"][-1:])
    if cell.get("form") in ("circle", "tray") and zone["tokens"] and all(t["look"]["seat"] is None for t in zone["tokens"]):
        return scattered(scene, size_of(board, cell), zone["tokens"])
    out = ""
    for token, x, y, size, count in standing(scene, board, cell, zone["tokens"]):
        art = token_art(scene, token, size)
        if count > 1:
            art += moved(size * 0.8, size * 0.75, badge_art(count, max(95, size * 0.42)))
        out += moved(x, y, art)
    unseen = (zone["count"] or 0) - len(zone["tokens"])
    return out + (badge_art(f"{unseen}?", 170) if unseen > 0 else "")


def board_art(scene, stage, board, viewer):
    """A board from its own corner, and how large it is."""
    sign = -1 if viewer in board["flipFor"] else 1
    at = {cell["zone"]: (sign * cell["x"], sign * cell["y"]) for cell in board["cells"]}
    halves = [(*at[c["zone"]], *(half / 2 for half in size_of(board, c))) for c in board["cells"]]
    margin = 420
    left, top = min(x - w for x, _, w, _ in halves) - margin, min(y - h for _, y, _, h in halves) - margin
    right, bottom = max(x + w for x, _, w, _ in halves) + margin, max(y + h for _, y, _, h in halves) + margin
    ground = board["background"] or ""
    out = tag("rect", x=left + 20, y=top + 20, width=right - left - 40, height=bottom - top - 40, rx=180,
              fill=ground if ground.startswith("#") else GROUNDS.get(ground, "#f3ead9"))
    out += board_lines(board, at)
    cells, tokens, names = "", "", ""
    for cell in board["cells"]:
        x, y = at[cell["zone"]]
        cells += moved(x, y, cell_art(board, cell))
        zone = stage["zones"].get(cell["zone"])
        if zone:
            tokens += moved(x, y, cell_tokens(scene, board, cell, zone))
        if board["shape"] == "graph":
            names += text(cell["label"], x, y - size_of(board, cell)[1] / 2 + 250, fitted(cell["label"], 1700, 210))
            marks = [f"{key} {value}" for key, value in stage["markers"].get(cell["zone"], {}).items()]
            names += "".join(text(m, x, y + size_of(board, cell)[1] / 2 - 60 - 170 * i, 160, FAINT)
                             for i, m in enumerate(marks))
    names += coordinates(board, sign, left + margin, bottom - margin, margin)
    return moved(-left, -top, out + cells + names + tokens), right - left, bottom - top


def board_lines(board, at):
    """Ways between places, and the lines that stones stand on."""
    line = {"stroke": INK, "stroke_width": 28}
    out = "".join(tag("line", x1=at[a][0], y1=at[a][1], x2=at[b][0], y2=at[b][1], **line)
                  for a, b in board["edges"] if a in at and b in at)
    if board["style"] == "lines" and board["shape"] == "square":
        columns, rows = sorted({x for x, _ in at.values()}), sorted({y for _, y in at.values()})
        out += "".join(tag("line", x1=x, y1=rows[0], x2=x, y2=rows[-1], **line) for x in columns)
        out += "".join(tag("line", x1=columns[0], y1=y, x2=columns[-1], y2=y, **line) for y in rows)
    return out


def coordinates(board, sign, left, bottom, margin):
    if board["shape"] in ("points", "graph") or any(map(is_groove, board["cells"])):
        return ""
    names = board["coordinates"]
    return "".join(text(name, sign * i * UNIT, bottom + margin * 0.65, 240, FAINT)
                   for i, name in enumerate(names["columns"])) + \
        "".join(text(name, left - margin * 0.5, sign * i * UNIT + 85, 240, FAINT)
                for i, name in enumerate(names["rows"]))


# ---- Beside the board

def area_art(scene, area, zone, wide):
    """A hand, pile or market as rows of tokens under its name, and how high that is."""
    count = zone["count"]
    title = area["title"] + ("" if count is None else f" ({count})")
    unseen = max(0, (count or 0) - len(zone["tokens"]))
    chips = [(token_art(scene, group[0], CHIP * 0.4), len(group)) for group in groups(zone["tokens"])]
    if unseen:
        chips.append((card("", CHIP * 0.4, back=True), unseen))
    out, x, y = text(title, 0, 250, 240, FAINT, "start"), CHIP / 2, LINE + CHIP / 2
    for art, many in chips:
        if x > wide:
            x, y = CHIP / 2, y + CHIP * 1.1
        if many > 1:
            art += moved(CHIP * 0.34, CHIP * 0.34, badge_art(many, 150))
        out += moved(x, y, art)
        x += CHIP * 1.05
    return out, y + CHIP * 0.7 if chips else LINE


def said_of(value):
    return ("no", "yes")[value] if isinstance(value, bool) else value


def lines_of(scene, stage):
    """What is not on the table: who is active, and the variables that are shown."""
    seats = [seat["name"] for seat in scene["seats"]]
    active = stage["active"]
    said = [f"turn {stage['turn']}"] + ([stage["phase"]] if stage["phase"] else []) + \
        ([f"{seats[active]} to move"] if active is not None and active < len(seats) else [])
    out = [" · ".join(said)]

    def shown(where, values):
        return ", ".join(f"{v['label']} {said_of(values[v['name']])}" for v in scene["variables"][where]
                         if v["show"] and v["name"] in values)
    common = [shown("globals", stage["globals"])] + [f"{k} {v}" for k, v in stage["globalMarkers"].items()]
    out.append(", ".join(words for words in common if words))
    for seat, values in zip(seats, stage["players"]):
        own = shown("players", values)
        out.append(f"{seat}: {own}" if own else "")
    return [line for line in out if line]


def svg(scene, stage, viewer=None):
    """The whole table, from the seat of `viewer` where boards are turned for it."""
    drawn = [board_art(scene, stage, board, viewer) for board in scene["boards"] if board["cells"]]
    wide = max([9 * UNIT] + [w for _, w, _ in drawn])
    scale = wide / (9 * UNIT)  # letters are as large on a large board
    parts, y = text(scene["name"], 0, 300 * scale, 340 * scale, anchor="start", weight="bold"), LINE * 1.1 * scale
    for line in lines_of(scene, stage):
        parts += text(line, 0, y + 250 * scale, fitted(line, wide * 1.15, 250 * scale), anchor="start")
        y += LINE * 0.9 * scale
    for art, _, high in drawn:
        parts += moved(0, y, art)
        y += high + 100
    for area in scene["areas"]:
        zone = stage["zones"].get(area["id"])
        if zone is None or area["layout"] == "none" or (not zone["tokens"] and not zone["count"]):
            continue
        art, high = area_art(scene, area, zone, wide)
        parts += moved(0, y, art)
        y += high
    edge = 200
    width = min(WIDEST, round((wide + 2 * edge) * PIXELS / UNIT))
    height = round(width * (y + 2 * edge) / (wide + 2 * edge))
    back = tag("rect", x=-edge, y=-edge, width=wide + 2 * edge, height=y + 2 * edge, fill=PAPER)
    return tag("svg", back + parts, xmlns="http://www.w3.org/2000/svg", width=width, height=height,
               viewBox=f"{-edge} {-edge} {_number(float(wide + 2 * edge))} {_number(y + 2 * edge)}",
               font_family="DejaVu Sans, Noto Sans, sans-serif", role="img")
