// Reads networks with routes and tells, for each, when the last of some messages arrives if all start at once: an
// evaluator of E_max by SimGrid, which shares the bandwidth of every link fairly among the messages that cross it.
//
//   torus D K... N NODE...           messages among nodes of SimGrid's own torus, in its own routing
//   routes NODES LINKS B... P        then P lines FROM TO M LINK...: messages over links of bandwidth B
//
// A line of output for each: the time.

#include "simgrid.hpp"

#include <iostream>

struct Message {
	int from, to;
	std::vector<int> links;
};

struct Network {
	std::vector<unsigned long> sides; // of a torus, or empty
	int nodes = 1;
	std::vector<int> bandwidths;
	std::vector<Message> messages;
};

static bool read(Network& n)
{
	std::string kind;
	if (!(std::cin >> kind))
		return false;
	int count;
	if (kind == "torus") {
		std::cin >> count;
		n.sides.resize(count);
		for (auto& k : n.sides) {
			std::cin >> k;
			n.nodes *= static_cast<int>(k);
		}
		std::cin >> count;
		std::vector<int> processors(count);
		for (int& v : processors)
			std::cin >> v;
		for (int from : processors)
			for (int to : processors)
				if (from != to)
					n.messages.push_back({from, to, {}});
		return true;
	}
	std::cin >> n.nodes >> count;
	n.bandwidths.resize(count);
	for (int& b : n.bandwidths)
		std::cin >> b;
	std::cin >> count;
	n.messages.resize(count);
	for (auto& m : n.messages) {
		std::cin >> m.from >> m.to >> count;
		m.links.resize(count);
		for (int& l : m.links)
			std::cin >> l;
	}
	return true;
}

// torus makes SimGrid's torus with links of bandwidth 1 each way.
static std::vector<sg4::Host*> torus(const Network& n)
{
	std::vector<sg4::Host*> hosts(n.nodes);
	auto host = [&hosts](sg4::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
		hosts[id] = zone->create_host("h" + std::to_string(id), 1.0)->seal();
		return std::make_pair(hosts[id]->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
	};
	sg4::create_torus_zone("torus", nullptr, n.sides, sg4::ClusterCallbacks(host), 1.0, 0.0,
	                       sg4::Link::SharingPolicy::SPLITDUPLEX)
	    ->seal();
	return hosts;
}

// routes makes a network in which every message has a route of its own.
static std::vector<sg4::Host*> routes(const Network& n)
{
	auto* zone = sg4::create_full_zone("network");
	std::vector<sg4::Host*> hosts;
	for (int v = 0; v < n.nodes; v++)
		hosts.push_back(zone->create_host("h" + std::to_string(v), 1.0)->seal());
	std::vector<sg4::Link*> links;
	for (size_t l = 0; l < n.bandwidths.size(); l++)
		links.push_back(zone->create_link("l" + std::to_string(l), n.bandwidths[l])->set_latency(0)->seal());
	for (const auto& m : n.messages) {
		std::vector<sg4::LinkInRoute> route;
		for (int l : m.links)
			route.emplace_back(links[l]);
		zone->add_route(hosts[m.from]->get_netpoint(), hosts[m.to]->get_netpoint(), nullptr, nullptr, route, false);
	}
	zone->seal();
	return hosts;
}

int main()
{
	std::vector<Network> list;
	for (Network n; read(n); n = Network())
		list.push_back(n);
	for (const auto& n : list)
		simulate({"--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"}, [&](sg4::Engine&) {
			auto hosts = n.sides.empty() ? routes(n) : torus(n);
			std::vector<Pair> messages;
			for (const auto& m : n.messages)
				messages.emplace_back(hosts[m.from], hosts[m.to]);
			return messages;
		});
	return 0;
}
