// Three hosts on a ring of 4 that send to each other, then the same three moved by two nodes: messages on the busiest link.
#include <algorithm>
#include <iostream>
#include <map>
#include <simgrid/s4u.hpp>
namespace sg4 = simgrid::s4u;

int main(int argc, char** argv)
{
	sg4::Engine engine(&argc, argv);
	std::vector<sg4::Host*> hosts(4);
	auto host = [&hosts](sg4::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
		hosts[id] = zone->create_host("h" + std::to_string(id), 1.0)->seal();
		return std::make_pair(hosts[id]->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
	};
	sg4::create_torus_zone("ring", nullptr, {4}, sg4::ClusterCallbacks(host), 1.0, 0.0, sg4::Link::SharingPolicy::SPLITDUPLEX)->seal();
	for (const std::vector<int>& placed : {std::vector<int>{0, 1, 2}, std::vector<int>{2, 3, 0}}) {
		std::map<std::string, int> messages;
		for (int from : placed)
			for (int to : placed)
				if (from != to) {
					std::vector<sg4::Link*> links;
					double latency = 0;
					hosts[from]->route_to(hosts[to], links, &latency);
					for (const auto* link : links)
						messages[link->get_name()]++;
				}
		int most = 0;
		for (const auto& link : messages)
			most = std::max(most, link.second);
		std::cout << most << std::endl;
	}
}
