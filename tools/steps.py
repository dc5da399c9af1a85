#!/usr/bin/env python3
"""Checks a proof by steps, as docs/steps.md defines it: python3 tools/steps.py RECORD STREAM

RECORD is a record of an optimal placement, or an answer to --below that is infeasible; STREAM is to refute that some
placement has E_max below its value. Exit status 0: it does; 1: refused, with the reason; 2: a file cannot be read.
It was written from docs/steps.md alone, needs nothing but the standard library, and is slow.
"""
import collections
import functools
import itertools
import json
import math
import sys
from fractions import Fraction

HEADER = b"leeway steps 1\n"


class Wrong(Exception):
    pass


def need(condition, problem):
    if not condition:
        raise Wrong(problem)


class Network:
    """A torus, open or not, twisted or not."""

    def __init__(self, text):
        sides, *options = text.split(":")
        self.sides = [int(k) for k in sides.split("x")]
        d = len(self.sides)
        self.open, self.bandwidth, self.shifts = set(), [1] * d, [[0] * d for _ in range(d)]
        for name, value in (option.split("=") for option in options):
            if name == "open":
                self.open = {int(j) for j in value.split(",")}
            elif name == "bandwidth":
                self.bandwidth = [int(b) for b in value.split(",")]
            elif "," in value:
                self.shifts = [[int(x) for x in shift.split(",")] for shift in value.split("+")]
            else:
                self.shifts[0][1] = int(value)
        self.coords, self.order = list(itertools.product(*map(range, self.sides))), []
        self.size, self.numbers = len(self.coords), {c: v for v, c in enumerate(self.coords)}
        while len(self.order) < d:  # each dimension before those that its end shifts
            left = [j for j in range(d) if j not in self.order]
            self.order.append(next(j for j in left if not any(self.shifts[i][j] for i in left)))
        self.go, self.links, self.ports = {}, {}, []  # (node, dimension, direction): (link, node); link: these and the end
        for j in range(d):
            twice = self.node([2 * (i == j) for i in range(d)])
            for s in (1, -1) if twice or j in self.open and self.sides[j] > 2 else (1,):
                for v in range(self.size):
                    c = [x + s * (i == j) for i, x in enumerate(self.coords[v])]
                    if j not in self.open or 0 <= c[j] < self.sides[j]:
                        l = len(self.ports) * self.size + v
                        self.go[v, j, s], self.links[l] = (l, self.node(c)), (v, self.node(c), j, s)
                self.ports.append((j, s))

    def node(self, coords):
        c = list(coords)
        for j in self.order:
            times, c[j] = divmod(c[j], self.sides[j])
            c = [x + times * by for x, by in zip(c, self.shifts[j])]
        return self.numbers[tuple(c)]

    @functools.cache
    def within(self, v, links):
        ball = {v}
        for _ in range(links):
            ball |= {to for u, to, _, _ in self.links.values() if u in ball}
        return ball

    def vectors(self, p):
        """By node, the shortest vectors of steps from p, in descending order."""
        found, ring = {}, {(0,) * len(self.sides)}
        while ring:
            new = collections.defaultdict(list)
            for vector in ring:
                c = [a + x for a, x in zip(self.coords[p], vector)]
                if all(0 <= c[j] < self.sides[j] for j in self.open) and self.node(c) not in found:
                    new[self.node(c)].append(vector)
            found.update((q, sorted(list_, reverse=True)) for q, list_ in new.items())
            ring = {v[:j] + (v[j] + s,) + v[j + 1:] for list_ in new.values() for v in list_
                    for j, s in self.ports if v[j] * s >= 0}
        return found


class Routing:
    """The paths of a pair, each as its links; those of avoid are the ones to choose from, the paths of udr."""

    def __init__(self, network, text):
        self.network, self.both, d = network, text.endswith("tie=both"), len(network.sides)
        self.kind, *rest = text.split(":")
        self.vectors = [network.vectors(p) for p in range(network.size)]
        self.orders = list(itertools.permutations(range(d)))
        if self.kind == "odr":
            order = rest[0][6:] if rest[0].startswith("order=") else ",".join(map(str, range(d)))
            self.orders = [tuple(map(int, order.split(",")))]
        elif self.kind == "orders":
            self.orders = [tuple(map(int, word)) for word in rest[0].split("+")]
        else:
            need(self.kind in ("udr", "minimal", "avoid"), "routing " + text + " is not known here")

    def paths(self, p, q):
        vectors = self.vectors[p][q]
        for vector in vectors if self.both else vectors[:1]:
            steps = tuple(j for j, x in enumerate(vector) for _ in range(abs(x)))
            words = {tuple(sorted(steps, key=order.index)) for order in self.orders}
            for word in arrangements(steps) if self.kind == "minimal" else words:
                v, path = p, []
                for j in word:
                    l, v = self.network.go[v, j, 1 if vector[j] > 0 else -1]
                    path.append(l)
                yield path


def arrangements(steps):
    """All different orders of some steps."""
    return [()] if not steps else [(j,) + rest for j in sorted(set(steps)) for i in [steps.index(j)]
                                   for rest in arrangements(steps[:i] + steps[i + 1:])]


class Question:
    """What a record claims to have no answer: amounts on links in units of 1/D, and their limits."""

    def __init__(self, record):
        free = record.get("routing_choice", "")
        need(free or record["routing"] != "table", "not a question that steps are about")
        net = self.net = Network(record.get("network") or "x".join(map(str, record["torus"])))
        self.n, self.nodes, self.radius = record["size"], net.size, record.get("radius", 0)
        self.distance = record.get("distance", 0)
        self.fixed = {net.node(c) for c in record.get("fixed", [])}
        self.forbidden = {net.node(c) for c in record.get("forbidden", [])}
        routing = Routing(net, "udr:tie=both" if free else record["routing"])
        self.single, self.fewest = free.endswith("single-path"), int(free.split("min-paths=")[1]) if "=" in free else 1
        self.free = bool(free)
        traffic = record.get("traffic", "all")
        self.clients, self.chosen = traffic != "all", self.free or routing.kind == "avoid"
        need(not (self.clients and self.chosen), "avoid under client traffic")
        messages, pairs = [], list(itertools.permutations(range(net.size), 2))
        if self.clients:
            options = dict(part.split("=") for part in traffic.split(":")[1:])
            replies = Routing(net, record.get("reply_routing") or record["routing"])
            for u, v in pairs:  # v has the processor
                messages.append((routing, u, v, (v,), int(options.get("request", 1))))
                messages.append((replies, v, u, (v,), int(options.get("reply", 1))))
        else:
            messages = [(routing, u, v, (min(u, v), max(u, v)), 1) for u, v in pairs]
        listed = [(list(r.paths(u, v)), (u, v), key, amount) for r, u, v, key, amount in messages if amount]
        counts = {len(paths) for paths, *_ in listed}
        self.units = math.lcm(*(range(1, 1 if self.single else max(counts, default=0) + 1) if self.chosen else counts))
        self.amounts, self.paths = {}, {}  # by (u, v) with u < v, or (v,): amounts by link; by (u, v): links and inner nodes
        for paths, ends, key, amount in listed:
            if self.chosen:
                self.paths[ends] = [(frozenset(path), frozenset(net.links[l][0] for l in path[1:])) for path in paths]
                continue
            on = self.amounts.setdefault(key, collections.Counter())
            for link in itertools.chain(*paths):
                on[link] += amount * self.units // len(paths)
        self.most = max(itertools.chain((sum(on.values()) for on in self.amounts.values()), (
            2 * self.units * len(links) for paths in self.paths.values() for links, _ in paths)), default=0)
        infeasible = record["schema"] == "leeway/below/1"
        need(record["status"] == ("infeasible" if infeasible else "optimal"), "the record claims nothing that steps are about")
        below = Fraction(record["below" if infeasible else "max_load"])
        self.listing = "placed" in (record.get("proof") or {})
        self.limits, self.value = {}, {}
        for l, (_, _, j, _) in net.links.items():
            self.value[l] = below * self.units * net.bandwidth[j]
            most = math.floor(self.value[l]) if self.listing else math.ceil(self.value[l]) - 1
            self.limits[l] = most - most % (math.gcd(*(on.get(l, 0) for on in self.amounts.values())) or 1)


class Branch:
    """Bounds on the counts of sets, with what sums imply."""

    def __init__(self, lo, hi, sums, within):
        self.lo, self.hi, self.sums, self.within = lo, hi, sums, within

    def crossed(self):
        return any(a > b for a, b in zip(self.lo, self.hi))

    def propagate(self, queue):
        queue = set(queue)
        while queue:
            whole, parts = self.sums[queue.pop()]
            lo, hi = sum(t * self.lo[s] for s, t in parts), sum(t * self.hi[s] for s, t in parts)
            new = [(whole, lo, hi)]
            above, below = min(hi, self.hi[whole]) - lo, hi - max(lo, self.lo[whole])
            new += [(s, self.hi[s] - below // t, self.lo[s] + above // t) for s, t in parts]
            for s, least, most in new:
                if least > self.lo[s] or most < self.hi[s]:
                    self.lo[s], self.hi[s] = max(least, self.lo[s]), min(most, self.hi[s])
                    if self.lo[s] > self.hi[s]:
                        return
                    queue.update(self.within[s])

    def assume(self, s, at_least, t):
        b = Branch(self.lo[:], self.hi[:], self.sums, self.within)
        b.lo[s], b.hi[s] = max(b.lo[s], t if at_least else 0), min(b.hi[s], b.hi[s] if at_least else t)
        if not b.crossed():
            b.propagate(b.within[s])
        return b


def least(costs, m):
    return sum(sorted(costs)[:max(m, 0)])


class Checker:
    def __init__(self, question, stream):
        self.q, self.stream, self.at, self.steps, self.placed = question, stream, len(HEADER), 0, 0
        need(stream.startswith(HEADER), "the stream does not begin with its header")
        q, n = question, question.nodes
        self.sets, self.known_as, self.sums, self.within = [], {}, [], collections.defaultdict(list)
        self.branch, self.root = Branch([], [], self.sums, self.within), None
        for nodes in [range(n)] + [[v] for v in range(n)]:
            self.add_set({v: 1 for v in nodes})
        bounds = [(0, q.n, q.n)] + [(1 + v, 1, 1) for v in q.fixed] + [(1 + v, 0, 0) for v in q.forbidden]
        if q.radius:
            for v in range(n):
                ball = q.net.within(v, q.radius)
                bounds.append((len(self.sets), 1, len(ball)))
                self.add_set({u: 1 for u in sorted(ball)})
        if q.clients:
            for l in range(len(q.net.ports) * n):
                on = {v: q.amounts[(v,)][l] for v in range(n) if l in q.amounts.get((v,), {})}
                bounds.append((len(self.sets), 0, q.limits.get(l, 0)))
                self.add_set(on)
        for s, lo, hi in bounds:
            self.branch.lo[s], self.branch.hi[s] = max(lo, self.branch.lo[s]), min(hi, self.branch.hi[s])
        self.keys, self.elements, self.weightings, self.views, self.lemmas = None, [list(range(n))], [], [], []

    def add_set(self, times):
        number = len(self.sets)
        self.sets.append(times)
        self.known_as[tuple(sorted(times.items()))] = number
        self.branch.lo.append(0)
        self.branch.hi.append(sum(times.values()))
        need(self.branch.hi[-1] <= 1 << 40, "a set counts too much")
        if not 1 <= number <= self.q.nodes:
            self.add_sum(number, [(1 + v, t) for v, t in times.items()])

    def add_sum(self, whole, parts):
        for s in {whole} | {s for s, _ in parts}:
            self.within[s].append(len(self.sums))
        self.sums.append((whole, parts))

    def number(self, most=2**32 - 1):
        value, shift, byte = 0, 0, 128
        while byte >= 128:
            need(self.at < len(self.stream), "the stream ends early")
            byte = self.stream[self.at]
            value |= (byte & 127) << shift
            need(value < 2**32 and shift <= 28, "a number above 2^32-1")
            self.at, shift = self.at + 1, shift + 7
        need(value <= most, f"{value} where at most {most} can be")
        return value

    def of(self, things):
        return self.number(len(things) - 1)

    def list(self, entry):
        return [entry() for _ in range(self.number(1 << 20))]

    # Definitions.

    def define(self, code):
        q = self.q
        need(self.root is None or code > 3, "sets, sums and keys come before all steps")
        if code == 1:
            nodes = self.list(lambda: self.of(range(q.nodes)))
            need(nodes == sorted(nodes), "nodes out of order")
            self.add_set({v: nodes.count(v) for v in sorted(set(nodes))})
        elif code == 2:
            whole = self.of(self.sets)
            parts = self.list(lambda: (self.of(self.sets), self.number(1 << 20)))
            total = collections.Counter()
            for s, t in parts:
                need(t > 0, "a part that counts 0 times")
                total.update({v: t * times for v, times in self.sets[s].items()})
            need(total == self.sets[whole], "the parts are not the whole")
            self.add_sum(whole, parts)
        elif code == 3:
            need(self.keys is None, "keys twice")
            self.keys = self.list(lambda: self.of(self.sets))
        elif code == 4:
            mask = self.number()
            self.elements.append(self.verified(mask, [self.of(range(q.nodes)) for _ in range(q.nodes)]))
        elif code == 5:
            f, g = self.of(self.elements), self.of(self.elements)
            self.elements.append([self.elements[f][v] for v in self.elements[g]])
        elif code == 6:
            weights = {}
            for _ in range(self.number(1 << 20)):
                link = self.number()
                need(link in q.net.links and not weights.get(link), "a link that is not there, or twice")
                weights[link] = self.number(1 << 20)
            amounts = {key: sum(weights.get(l, 0) * a for l, a in on.items()) for key, on in q.amounts.items()}
            paths = {ends: [(q.units * sum(weights.get(l, 0) for l in links), inside) for links, inside in paths]
                     for ends, paths in q.paths.items()}
            limit, heaviest = sum(w * q.limits[l] for l, w in weights.items()), max(weights.values(), default=0)
            need(abs(limit) <= 1 << 60 and heaviest * q.nodes**2 * q.most <= 1 << 60, "numbers too large")
            self.weightings.append((amounts, paths, limit))
        else:
            view = [self.list(lambda: self.of(self.sets)) for _ in range(2)]
            for side in view:
                nodes = [v for s in side for v, t in self.sets[s].items() for _ in range(t)]
                need(len(nodes) == len(set(nodes)), "a node twice in a view")
            self.views.append(view)

    def verified(self, mask, image):
        q = self.q
        need(sorted(image) == list(range(q.nodes)), "no permutation")
        need({image[v] for v in q.fixed} == q.fixed and {image[v] for v in q.forbidden} == q.forbidden,
             "fixed or forbidden nodes are moved")
        between = {}
        for l in sorted(q.net.links):
            between.setdefault(q.net.links[l][:2], []).append(l)
        to = {}
        for (u, v), list_ in between.items():
            images = between.get((image[u], image[v]), [])
            need(len(images) == len(list_), "a link without an image")
            for l, k in zip(list_, images):
                _, end, j, s = q.net.links[k]
                back = s if (j, -1) not in q.net.ports else -s
                to[l] = q.net.go[end, j, back][0] if mask >> j & 1 else k
        need(len(set(to.values())) == len(to) and all(q.limits[l] == q.limits[k] for l, k in to.items()),
             "links without an image of their own")
        for key, on in q.amounts.items():
            moved = {to[l]: a for l, a in on.items()}
            need(moved == q.amounts.get(tuple(sorted(image[v] for v in key)), {}), "loads are not preserved")
        has = {ends: set(paths) for ends, paths in q.paths.items()}
        for (u, v) in has:
            there, back = ({(frozenset(to[l] for l in links), frozenset(image[x] for x in inside))
                            for links, inside in has[ends]} for ends in ((u, v), (v, u)))
            x, y = image[u], image[v]
            need((there, back) in ((has[x, y], has[y, x]), (has[y, x], has[x, y])), "paths are not preserved")
        return image

    # Steps.

    def run(self):
        """The proof of the first branch; what is open is kept in a list, since proofs are deep."""
        self.open, deep = [], 0
        while True:
            self.steps += 1
            code = self.number()
            need(1 <= code <= 17, f"there is no step {code}")
            if code <= 7:
                self.define(code)
                continue
            if self.root is None:
                self.branch.propagate(range(len(self.sums)))
                self.root = self.branch
            b = self.branch
            if code in (8, 9):
                s, t = self.of(self.sets), self.number()
                high, low = (s, True, t), (s, False, t - 1)
                first, second = (high, low) if code == 8 else (low, high)
                self.open.append((b, second))
                self.branch = b.assume(*first)
            elif code == 12:
                premises = self.list(lambda: (self.of(self.sets), self.number(1) == 1, self.number()))
                deep += 1
                need(deep <= 16, "lemmas too deep")
                self.open.append((b, premises))
                self.branch = self.root
                for p in premises:
                    self.branch = self.branch.assume(*p)
            elif code == 15:
                self.branch = self.filtered()
            else:
                need(code != 14 or self.q.listing and not self.q.free, "placements are listed only where all are asked for")
                need(code not in (11, 14) or deep == 0, "a turn or a placement within a lemma")
                why = {10: self.weigh, 11: self.turn, 13: self.use, 14: self.place,
                       16: lambda: "the bounds do not cross", 17: self.far}[code]()
                need(b.crossed() or not why, why)
                while True:
                    if not self.open:
                        need(self.at == len(self.stream), "bytes after the end")
                        return
                    self.branch, rest = self.open.pop()
                    if isinstance(rest, list):
                        self.lemmas.append(rest)
                        deep -= 1
                        break
                    if rest:
                        self.open.append((self.branch, None))
                        self.branch = self.branch.assume(*rest)
                        break

    def now(self):
        known = [v for v in range(self.q.nodes) if self.branch.lo[1 + v] > 0]
        return known, {v for v in range(self.q.nodes) if self.branch.lo[1 + v] <= 0 < self.branch.hi[1 + v]}

    def weigh(self):
        (amounts, paths, limit), image = self.weightings[self.of(self.weightings)], self.elements[self.of(self.elements)]
        outer, inner = self.views[self.of(self.views)]
        if self.branch.crossed():
            return ""
        back = sorted(range(self.q.nodes), key=image.__getitem__)
        known, free = self.now()
        lo, hi = ([bounds[1 + v] for v in image] for bounds in (self.branch.lo, self.branch.hi))

        def message(u, v):
            """The least average of paths that can be the ones with the fewest processors inside."""
            counts = [(sum(lo[x] for x in inside), sum(hi[x] for x in inside), a) for a, inside in paths.get((u, v), [])]
            fewest, worst = min((n[0] for n in counts), default=0), min((n[1] for n in counts), default=0)
            if self.q.free:
                fewest, worst = -1, math.inf
            certain = [a for _, most, a in counts if most <= fewest]
            others = sorted(a for least, most, a in counts if most > fewest and least <= worst)
            sets = [certain + others[:k] for k in range(len(others) + 1)]
            count = min(self.q.fewest, len(counts)) or 1
            return min((Fraction(sum(s), len(s)) for s in sets if len(s) >= count), default=0)

        @functools.cache
        def W(u, v):
            u, v = back[u], back[v]
            return amounts.get((min(u, v), max(u, v)), 0) + message(u, v) + message(v, u)
        A = lambda v: amounts.get((back[v],), 0)
        T = {v for s in outer for v in self.sets[s]}
        missing = lambda s: max(0, self.branch.lo[s] - sum(v in self.sets[s] for v in known))
        parts = [(missing(c), [x for x in self.sets[c] if x in free], c) for c in inner]
        bound = 2 * sum(W(u, v) for u, v in itertools.combinations(known, 2)) + 2 * sum(map(A, known))
        for u in known:
            bound += sum(least([0 if x in T else 2 * W(u, x) for x in xs], m) for m, xs, _ in parts)
        for b in outer:
            heads = []
            for v in (v for v in self.sets[b] if v in free):
                M = sum(least([W(v, x) if x in T else 2 * W(v, x) for x in xs if x != v], m - (v in self.sets[c]))
                        for m, xs, c in parts)
                heads.append(2 * A(v) + 2 * sum(W(u, v) for u in known) + M)
            bound += least(heads, missing(b))
        return "" if bound > 2 * limit else f"twice the load may be {bound}, twice the limit is {2 * limit}"

    def image_bounds(self, s, image):
        times = {image[v]: t for v, t in self.sets[s].items()}
        known = self.known_as.get(tuple(sorted(times.items())))
        if known is not None:
            return self.branch.lo[known], self.branch.hi[known]
        return [sum(t * bounds[1 + v] for v, t in times.items()) for bounds in (self.branch.lo, self.branch.hi)]

    def turn(self):
        back = sorted(range(self.q.nodes), key=self.elements[self.of(self.elements)].__getitem__)
        for s in (self.keys or []) + [1 + v for v in range(self.q.nodes)]:
            lo, top = self.image_bounds(s, back)[0], self.branch.hi[s]
            if lo != top:
                return "" if lo > top else "the image may be smaller"
        return "the image may be the placement itself"

    def use(self):
        lemma, image = self.lemmas[self.of(self.lemmas)], self.elements[self.of(self.elements)]
        for s, at_least, t in lemma:
            lo, hi = self.image_bounds(s, image)
            if lo < t if at_least else hi > t:
                return "the branch does not have a premise"
        return ""

    def place(self):
        known, free = self.now()
        if free or self.branch.crossed():
            return "not all nodes are known"
        need(not self.q.distance or self.far(), "a placement that is too far from the nodes")
        self.placed += 1
        load = collections.Counter()
        for u, v in itertools.permutations(known, 2) if self.q.chosen else ():
            inside = {p: len(p[1] & set(known)) for p in self.q.paths[u, v]}
            fewest = [p for p, count in inside.items() if count == min(inside.values())]
            for l in itertools.chain(*(p[0] for p in fewest)):
                load[l] += self.q.units // len(fewest)
        load = load or self.load(known)
        need(any(load[l] >= value for l, value in self.q.value.items()), "a placement is below the value")
        return ""

    def far(self):
        """Why the nodes need not be farther from their nearest processors than they may be together."""
        (known, free), total = self.now(), 0
        for d in range(self.q.nodes):
            balls = [self.q.net.within(v, d) for v in range(self.q.nodes)]
            outside = set(range(self.q.nodes)).difference(*(balls[v] for v in known))
            total += max(0, len(outside) + least([-len(outside & balls[x]) for x in free], self.q.n - len(known)))
        return "" if 0 < self.q.distance < total else f"the nodes may be {total} links from the nearest processors"

    def filtered(self):
        need(not self.q.chosen, "a filter where paths depend on processors")
        (known, free), branch = self.now(), self.branch
        for more in ([v] for v in free) if not branch.crossed() else []:
            if self.overloaded(known + more):
                branch = branch.assume(1 + more[0], False, 0)
        return branch.assume(0, False, -1) if not branch.crossed() and self.overloaded(known) else branch

    def load(self, nodes):
        load = collections.Counter()
        for key in itertools.chain(itertools.combinations(sorted(nodes), 2), ((v,) for v in nodes)):
            load.update(self.q.amounts.get(key, {}))
        return load

    def overloaded(self, nodes):
        load = self.load(nodes)
        return any(load[l] > limit for l, limit in self.q.limits.items())


def main(args):
    if len(args) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    try:
        with open(args[0], encoding="utf-8") as f:
            record = json.load(f)
        with open(args[1], "rb") as f:
            stream = f.read()
    except (OSError, ValueError) as e:
        print(f"steps.py: {e}", file=sys.stderr)
        return 2
    try:
        checker = Checker(Question(record), stream)
        checker.run()
    except Wrong as e:
        print("refused:", e)
        return 1
    listed = f"; no others than the {checker.placed} placed have that value, up to symmetry" if checker.q.listing else ""
    print(f"accepted: {checker.steps} definitions and steps{listed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
