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


def numbers(text):
    return [int(x) for x in text.split(",")]


class Network:
    """A torus, open or not, twisted or not, or a list of links."""

    def __init__(self, text):
        sides, *options = text.split(":")
        given = dict(option.split("=", 1) for option in options)
        self.sides = numbers(sides.replace("x", ","))
        self.go, self.links, self.ports = {}, {}, []  # (node, dimension, direction): (link, node); link: these and the end
        self.width, self.reverse, self.listed = {}, {}, "links" in given  # by link: bandwidth, the link back
        if self.listed:
            return self.join(given["links"])
        d = len(self.sides)
        self.open = set(numbers(given["open"])) if "open" in given else set()
        self.bandwidth = numbers(given["bandwidth"]) if "bandwidth" in given else [1] * d
        self.shifts = [[0] * d for _ in range(d)]
        if "," in given.get("twist", ""):
            self.shifts = [numbers(shift) for shift in given["twist"].split("+")]
        elif "twist" in given:
            self.shifts[0][1] = int(given["twist"])
        self.coords, self.order = list(itertools.product(*map(range, self.sides))), []
        self.size, self.numbers = len(self.coords), {c: v for v, c in enumerate(self.coords)}
        while len(self.order) < d:  # each dimension before those that its end shifts
            left = [j for j in range(d) if j not in self.order]
            self.order.append(next(j for j in left if not any(self.shifts[i][j] for i in left)))
        for j in range(d):
            twice = self.node([2 * (i == j) for i in range(d)])
            for s in (1, -1) if twice or j in self.open and self.sides[j] > 2 else (1,):
                for v in range(self.size):
                    c = [x + s * (i == j) for i, x in enumerate(self.coords[v])]
                    if j not in self.open or 0 <= c[j] < self.sides[j]:
                        l = len(self.ports) * self.size + v
                        self.go[v, j, s], self.links[l] = (l, self.node(c)), (v, self.node(c), j, s)
                self.ports.append((j, s))
        for l, (_, end, j, s) in self.links.items():
            self.width[l], self.reverse[l] = self.bandwidth[j], self.go[end, j, -s if (j, -1) in self.ports else s][0]

    def join(self, text):
        """The links of a list of edges: those that leave a node are numbered by their ends, then by their edges."""
        self.size, self.shifts, self.order, self.open = self.sides[0], [[0]], [0], {0}
        self.coords = [(v,) for v in range(self.size)]
        self.numbers, edges = {c: v for v, c in enumerate(self.coords)}, []
        for edge in text.split(","):
            ends, _, width = edge.partition("*")
            edges.append((*sorted(map(int, ends.split("-"))), int(width or 1)))
        ends = [(v, w, i, width) for i, (a, b, width) in enumerate(sorted(edges)) for v, w in ((a, b), (b, a))]
        degree, of = collections.Counter(), {}
        for v, w, i, width in sorted(ends):
            l = degree[v] * self.size + v
            degree[v] += 1
            self.links[l], self.width[l], of[v, i] = (v, w, 0, 1), width, l
        self.reverse = {of[v, i]: of[w, i] for v, w, i, _ in ends}
        self.ports = [(0, 1)] * max(degree.values())

    def shortest(self, p, q):
        """All shortest paths in a list of links, each as its links."""
        if p == q:
            return [[]]
        links = 1
        while q not in self.within(p, links):
            links += 1
        return [path + [l] for l, (v, end, _, _) in self.links.items() if end == q and v in self.within(p, links - 1)
                for path in self.shortest(p, v)]

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


LEGS = {  # whether a step is of the first leg, by dimension and number of steps
    "west-first": lambda j, x: j == 1 and x < 0,
    "north-last": lambda j, x: j != 0 or x > 0,
    "negative-first": lambda j, x: x < 0,
}


def routes(network, text):
    """The function that lists the paths of a pair with their weights, each as its links: of avoid those of udr."""
    if network.listed:
        need(text == "minimal:tie=both", "routing " + text + " is not for a list of links")
        return lambda p, q: [(1, path) for path in network.shortest(p, q)]
    kind, *rest = text.split(":")
    dims, sides = range(len(network.sides)), network.sides
    orders = list(itertools.permutations(dims))
    if kind in ("odr", "val", "romm"):
        orders = [numbers(rest[0][6:])] if rest[0].startswith("order=") else orders[:1]
    elif kind == "orders":
        orders = [[int(j) for j in word] for word in rest[0].split("+")]
    else:
        need(kind in ("udr", "minimal", "avoid", "rlb", *LEGS), "routing " + text + " is not known here")
    every, vectors = kind in ("minimal", *LEGS), [network.vectors(p) for p in range(network.size)]

    def shortest(p, q):
        return vectors[p][q] if text.endswith("tie=both") else vectors[p][q][:1]

    def legs(p, q):
        """The ways to go on one leg, or two, as vectors, with their probabilities."""
        if kind in LEGS:
            for vector in shortest(p, q):
                first = tuple(x if LEGS[kind](j, x) else 0 for j, x in enumerate(vector))
                yield None, (first, tuple(x - y for x, y in zip(vector, first)))
        elif kind == "val":
            for stop in range(network.size):
                for vector, other in itertools.product(shortest(p, stop), shortest(stop, q)):
                    yield Fraction(1, len(shortest(p, stop)) * len(shortest(stop, q))), (vector, other)
        elif kind in ("romm", "rlb"):
            around = [(vector, 1) for vector in shortest(p, q)]
            if kind == "rlb":
                ways = []
                for j, k in enumerate(sides):
                    d = network.coords[q][j] - network.coords[p][j]
                    ring = j not in network.open and (j, -1) in network.ports and d
                    d = d % k if ring or j not in network.open else d
                    ways.append([(d, k - d), (d - k, d)] if ring else [(d, 1)])
                around = [([x for x, _ in choice], math.prod(w for _, w in choice)) for choice in itertools.product(*ways)]
            for vector, weight in around:
                box = list(itertools.product(*(range(0, x + 1) if x >= 0 else range(x, 1) for x in vector)))
                for stop in box:
                    yield Fraction(weight, len(box)), (stop, tuple(x - y for x, y in zip(vector, stop)))
        else:
            for vector in shortest(p, q):
                yield None, (vector,)

    def walks(vector):
        steps = [j for j, x in enumerate(vector) for _ in range(abs(x))]
        return arrangements(steps) if every else {tuple(sorted(steps, key=list(order).index)) for order in orders}

    def paths(p, q):
        listed = []
        for weight, parts in legs(p, q):
            choices = [[(vector, word) for word in walks(vector)] for vector in parts]
            for choice in itertools.product(*choices):
                v, path = p, []
                for vector, word in choice:
                    for j in word:
                        l, v = network.go[v, j, 1 if vector[j] > 0 else -1]
                        path.append(l)
                listed.append((1 if weight is None else weight / math.prod(map(len, choices)), path))
        whole = math.lcm(*(Fraction(weight).denominator for weight, _ in listed))
        return [(int(weight * whole), path) for weight, path in listed]
    return paths


def arrangements(steps):
    """All different orders of some steps."""
    return [[]] if not steps else [[j] + rest for j in set(steps) for i in [steps.index(j)]
                                   for rest in arrangements(steps[:i] + steps[i + 1:])]


class Question:
    """What a record claims to have no answer: amounts on links in units of 1/D, and their limits."""

    def __init__(self, record):
        free, traffic = record.get("routing_choice", ""), record.get("traffic", "all")
        need(free or record["routing"] != "table", "not a question that steps are about")
        net = self.net = Network(record.get("network") or "x".join(map(str, record["torus"])))
        self.n, self.nodes, self.radius = record["size"], net.size, record.get("radius", 0)
        self.distance = record.get("distance", 0)
        self.fixed, self.forbidden = ({net.node(c) for c in record.get(name, [])} for name in ("fixed", "forbidden"))
        self.free, self.fewest = bool(free), int(free.split("min-paths=")[1]) if "=" in free else 1
        text = "udr:tie=both" if free else record["routing"]
        self.clients, self.chosen = traffic != "all", self.free or text.startswith("avoid")
        need(not (self.clients and self.chosen), "avoid under client traffic")
        routing, pairs = routes(net, text), list(itertools.permutations(range(net.size), 2))
        if self.clients:  # v has the processor
            options = dict(part.split("=") for part in traffic.split(":")[1:])
            replies = routes(net, record.get("reply_routing") or text)
            messages = [(routing, (u, v), frozenset([v]), int(options.get("request", 1))) for u, v in pairs]
            messages += [(replies, (v, u), frozenset([v]), int(options.get("reply", 1))) for u, v in pairs]
        else:
            messages = [(routing, ends, frozenset(ends), 1) for ends in pairs]
        listed = [(r(*ends), ends, key, amount) for r, ends, key, amount in messages if amount]
        counts = {sum(weight for weight, _ in paths) for paths, *_ in listed}
        if self.chosen:
            counts = range(1, 1 if free.endswith("single-path") else max(counts, default=0) + 1)
        self.units = math.lcm(*counts)
        # By {u, v} or {v}: amounts by link. By (u, v), where messages choose: the links and inner nodes of each path.
        self.amounts, self.paths = collections.defaultdict(collections.Counter), {}
        for paths, ends, key, amount in listed:
            if self.chosen:
                self.paths[ends] = {(frozenset(path), frozenset(net.links[l][0] for l in path[1:])) for _, path in paths}
                continue
            total = sum(weight for weight, _ in paths)
            for weight, path in paths:
                for link in path:
                    self.amounts[key][link] += amount * self.units // total * weight
        self.most = max(itertools.chain((sum(on.values()) for on in self.amounts.values()), (
            2 * self.units * len(links) for paths in self.paths.values() for links, _ in paths)), default=0)
        infeasible = record["schema"] == "leeway/below/1"
        need(record["status"] == ("infeasible" if infeasible else "optimal"), "the record claims nothing that steps are about")
        below = Fraction(record["below" if infeasible else "max_load"])
        self.listing = "placed" in (record.get("proof") or {})
        self.limits, self.value = {}, {}
        for l in net.links:
            self.value[l] = below * self.units * net.width[l]
            most = math.floor(self.value[l]) if self.listing else math.ceil(self.value[l]) - 1
            self.limits[l] = most - most % (math.gcd(*(on[l] for on in self.amounts.values())) or 1)

    def load(self, nodes):
        """What processors at some nodes put on links."""
        load = collections.Counter()
        for key in itertools.chain(itertools.combinations(nodes, 2), ((v,) for v in nodes)):
            load.update(self.amounts.get(frozenset(key), {}))
        for ends in itertools.permutations(nodes, 2) if self.chosen else ():
            inside = {path: len(path[1].intersection(nodes)) for path in self.paths[ends]}
            fewest = [path for path, count in inside.items() if count == min(inside.values())]
            for l in itertools.chain(*(links for links, _ in fewest)):
                load[l] += self.units // len(fewest)
        return load

    def overloaded(self, nodes):
        load = self.load(nodes)
        return any(load[l] > limit for l, limit in self.limits.items())


class Branch:
    """Bounds on the counts of sets, with what sums imply."""

    def __init__(self, lo, hi, sums, within):
        self.lo, self.hi, self.sums, self.within = lo, hi, sums, within

    def crossed(self):
        return any(a > b for a, b in zip(self.lo, self.hi))

    def assume(self, *bounds, sums=()):
        """The branch with more bounds, (set, least, most) each, and what follows by all sums that they or sums touch."""
        if self.crossed():
            return self
        b, queue = Branch(self.lo[:], self.hi[:], self.sums, self.within), set(sums)
        while True:
            for s, least, most in bounds:
                if least > b.lo[s] or most < b.hi[s]:
                    b.lo[s], b.hi[s] = max(least, b.lo[s]), min(most, b.hi[s])
                    queue.update(b.within[s])
            if not queue or any(b.lo[s] > b.hi[s] for s, *_ in bounds):
                return b
            whole, parts = b.sums[queue.pop()]
            lo, hi = sum(t * b.lo[s] for s, t in parts), sum(t * b.hi[s] for s, t in parts)
            above, below = min(hi, b.hi[whole]) - lo, hi - max(lo, b.lo[whole])
            bounds = [(whole, lo, hi)] + [(s, b.hi[s] - below // t, b.lo[s] + above // t) for s, t in parts]


def least(costs, m):
    return sum(sorted(costs)[:max(m, 0)])


class Checker:
    def __init__(self, question, stream):
        self.q, self.stream, self.at, self.steps, self.placed = question, stream, len(HEADER), 0, 0
        need(stream.startswith(HEADER), "the stream does not begin with its header")
        q = question
        self.sets, self.known_as, self.sums, self.within = [], {}, [], collections.defaultdict(list)
        self.branch, self.root = Branch([], [], self.sums, self.within), None
        self.keys, self.elements, self.weightings, self.views, self.lemmas = None, [list(range(q.nodes))], [], [], []
        for nodes in [range(q.nodes)] + [[v] for v in range(q.nodes)]:
            self.add_set({v: 1 for v in nodes})
        self.first = [(0, q.n, q.n)] + [(1 + v, 1, 1) for v in q.fixed] + [(1 + v, 0, 0) for v in q.forbidden]
        for v in range(q.nodes if q.radius else 0):
            ball = sorted(q.net.within(v, q.radius))
            self.first.append((self.add_set({u: 1 for u in ball}), 1, len(ball)))
        for l in range(len(q.net.ports) * q.nodes if q.clients else 0):
            on = {v: q.amounts[frozenset([v])][l] for v in range(q.nodes)}
            self.first.append((self.add_set({v: a for v, a in on.items() if a}), 0, q.limits.get(l, 0)))

    def add_set(self, times):
        number = len(self.sets)
        self.sets.append(times)
        self.known_as[frozenset(times.items())] = number
        self.branch.lo.append(0)
        self.branch.hi.append(sum(times.values()))
        need(self.branch.hi[-1] <= 1 << 40, "a set counts too much")
        if not 1 <= number <= self.q.nodes:
            self.add_sum(number, [(1 + v, t) for v, t in times.items()])
        return number

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

    def take(self, things):
        return things[self.of(things)]

    def list(self, *entries):
        """A list of tuples, one member for each reader of an entry."""
        return [tuple(read() for read in entries) for _ in range(self.number(1 << 20))]

    def set(self):
        return self.of(self.sets)

    def node(self):
        return self.number(self.q.nodes - 1)

    # Definitions.

    def define(self, code):
        need(self.root is None or code > 3, "sets, sums and keys come before all steps")
        if code == 1:
            nodes = [v for v, in self.list(self.node)]
            need(nodes == sorted(nodes), "nodes out of order")
            self.add_set(dict(collections.Counter(nodes)))
        elif code == 2:
            whole, parts, total = self.set(), self.list(self.set, lambda: self.number(1 << 20)), collections.Counter()
            for s, t in parts:
                need(t > 0, "a part that counts 0 times")
                total.update({v: t * times for v, times in self.sets[s].items()})
            need(total == self.sets[whole], "the parts are not the whole")
            self.add_sum(whole, parts)
        elif code == 3:
            need(self.keys is None, "keys twice")
            self.keys = [s for s, in self.list(self.set)]
        elif code == 4:
            self.elements.append(self.verified(self.number(), [self.node() for _ in range(self.q.nodes)]))
        elif code == 5:
            f, g = self.take(self.elements), self.take(self.elements)
            self.elements.append([f[v] for v in g])
        elif code == 6:
            self.weightings.append(self.weighted(self.list(self.number, lambda: self.number(1 << 20))))
        else:
            view = [[s for s, in self.list(self.set)] for _ in range(2)]
            for side in view:
                nodes = [v for s in side for v, t in self.sets[s].items() for _ in range(t)]
                need(len(nodes) == len(set(nodes)), "a node twice in a view")
            self.views.append(view)

    def weighted(self, given):
        """What the weights make of amounts, of paths and of limits."""
        q, weights = self.q, dict(given)
        need(len(weights) == len(given) and set(weights) <= set(q.net.links), "a link that is not there, or twice")
        amounts = {key: sum(weights.get(l, 0) * a for l, a in on.items()) for key, on in q.amounts.items()}
        paths = {ends: [(q.units * sum(weights.get(l, 0) for l in links), inside) for links, inside in paths]
                 for ends, paths in q.paths.items()}
        limits = [w * q.limits[l] for l, w in given]
        need(all(abs(total) <= 1 << 60 for total in itertools.accumulate(limits)), "limits too large")
        need(max(weights.values(), default=0) * q.nodes**2 * q.most <= 1 << 60, "numbers too large")
        return amounts, paths, sum(limits)

    def verified(self, mask, image):
        q = self.q
        need(sorted(image) == list(range(q.nodes)), "no permutation")
        need(all({image[v] for v in nodes} == nodes for nodes in (q.fixed, q.forbidden)), "fixed or forbidden nodes move")
        between, to = collections.defaultdict(list), {}
        for l in sorted(q.net.links):
            between[q.net.links[l][:2]].append(l)
        for (u, v), links in list(between.items()):
            images = between[image[u], image[v]]
            need(len(images) == len(links), "a link without an image")
            for l, k in zip(links, images):
                to[l] = q.net.reverse[k] if mask >> q.net.links[k][2] & 1 else k
        need(len(set(to.values())) == len(to) and all(q.limits[l] == q.limits[k] for l, k in to.items()),
             "links without an image of their own")
        for key, on in list(q.amounts.items()):
            moved = q.amounts[frozenset(image[v] for v in key)]
            need({to[l]: a for l, a in on.items()} == moved, "loads are not preserved")
        for u, v in q.paths:
            there, back = ({(frozenset(to[l] for l in links), frozenset(image[x] for x in inside))
                            for links, inside in q.paths[ends]} for ends in ((u, v), (v, u)))
            one, other = q.paths[image[u], image[v]], q.paths[image[v], image[u]]
            need((there, back) in ((one, other), (other, one)), "paths are not preserved")
        return image

    # Steps.

    def run(self):
        """The proof of the first branch; what is open is kept in a list, since proofs are deep."""
        self.open, deep, closed = [], 0, False
        closing = {10: self.weigh, 11: self.turn, 13: self.use, 14: self.place,
                   16: lambda: "the bounds do not cross", 17: self.far}
        while not closed or self.open:
            if closed:  # go on with the second side of a split, or behind a lemma
                self.branch, lemma, second = self.open.pop()
                if second:
                    self.branch = self.branch.assume(second)
                else:
                    self.lemmas.append(lemma)
                    deep -= 1
            self.steps, closed, code = self.steps + 1, False, self.number()
            need(1 <= code <= 17, f"there is no step {code}")
            if code <= 7:
                self.define(code)
                continue
            if self.root is None:
                self.root = self.branch = self.branch.assume(*self.first, sums=range(len(self.sums)))
            need(code not in (11, 14) or deep == 0, "a turn or a placement within a lemma")
            if code in (8, 9):
                s, t = self.set(), self.number()
                sides = [(s, t, 1 << 40), (s, 0, t - 1)]
                first, second = sides if code == 8 else sides[::-1]
                self.open.append((self.branch, None, second))
                self.branch = self.branch.assume(first)
            elif code == 12:
                premises = [(s, t, 1 << 40) if side else (s, 0, t)
                            for s, side, t in self.list(self.set, lambda: self.number(1), self.number)]
                deep += 1
                need(deep <= 16, "lemmas too deep")
                self.open.append((self.branch, premises, None))
                self.branch = self.root.assume(*premises)
            elif code == 15:
                self.branch = self.filtered()
            else:
                why = closing[code]()
                need(self.branch.crossed() or not why, why)
                closed = True
        need(self.at == len(self.stream), "bytes after the end")

    def now(self):
        lo, hi = self.branch.lo[1:1 + self.q.nodes], self.branch.hi[1:1 + self.q.nodes]
        return [v for v, a in enumerate(lo) if a > 0], {v for v, (a, b) in enumerate(zip(lo, hi)) if a <= 0 < b}

    def weigh(self):
        (amounts, paths, limit), image = self.take(self.weightings), self.take(self.elements)
        outer, inner = self.take(self.views)
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
            return amounts.get(frozenset((u, v)), 0) + message(u, v) + message(v, u)

        def A(v):
            return amounts.get(frozenset((back[v],)), 0)

        def missing(s):
            return self.branch.lo[s] - sum(v in self.sets[s] for v in known)
        T = {v for s in outer for v in self.sets[s]}
        parts = [(missing(c), [x for x in self.sets[c] if x in free]) for c in inner]
        bound = 2 * sum(W(u, v) for u, v in itertools.combinations(known, 2)) + 2 * sum(map(A, known))
        for u, (m, xs) in itertools.product(known, parts):
            bound += least([0 if x in T else 2 * W(u, x) for x in xs], m)
        for b in outer:
            heads = []
            for v in free.intersection(self.sets[b]):
                M = sum(least([W(v, x) if x in T else 2 * W(v, x) for x in xs if x != v], m - (v in xs))
                        for m, xs in parts)
                heads.append(2 * A(v) + 2 * sum(W(u, v) for u in known) + M)
            bound += least(heads, missing(b))
        return "" if bound > 2 * limit else f"twice the load may be {bound}, twice the limit is {2 * limit}"

    def image_bounds(self, s, image):
        times = {image[v]: t for v, t in self.sets[s].items()}
        known = self.known_as.get(frozenset(times.items()))
        parts = times.items() if known is None else [(known - 1, 1)]
        return [sum(t * bounds[1 + v] for v, t in parts) for bounds in (self.branch.lo, self.branch.hi)]

    def turn(self):
        image = self.take(self.elements)
        back = sorted(range(self.q.nodes), key=image.__getitem__)
        for s in (self.keys or []) + [1 + v for v in range(self.q.nodes)]:
            lo, top = self.image_bounds(s, back)[0], self.branch.hi[s]
            if lo != top:
                return "" if lo > top else "the image may be smaller"
        return "the image may be the placement itself"

    def use(self):
        lemma, image = self.take(self.lemmas), self.take(self.elements)
        for s, least_, most in lemma:
            lo, hi = self.image_bounds(s, image)
            if lo < least_ or hi > most:
                return "the branch does not have a premise"
        return ""

    def place(self):
        need(self.q.listing and not self.q.free, "placements are listed only where all are asked for")
        known, free = self.now()
        if free or self.branch.crossed():
            return "not all nodes are known"
        need(not self.q.distance or self.far(), "a placement that is too far from the nodes")
        self.placed, load = self.placed + 1, self.q.load(known)
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
        known, free = self.now()
        if self.branch.crossed():
            return self.branch
        if self.q.overloaded(known):
            return self.branch.assume((0, 0, -1))
        return self.branch.assume(*((1 + v, 0, 0) for v in free if self.q.overloaded(known + [v])))


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
