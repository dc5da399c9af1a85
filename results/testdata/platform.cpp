// Reads names of SimGrid platforms and tells, for each, when the last of the messages arrives if every host sends one
// of size 1 to every other and all start at once. The model is what the platform says.

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sg4 = simgrid::s4u;

static void simulate(const std::string& file)
{
	std::vector<std::string> words = {"platform", "--log=root.thres:critical"};
	std::vector<char*> argv;
	for (auto& w : words)
		argv.push_back(&w[0]);
	int argc = static_cast<int>(argv.size());
	argv.push_back(nullptr);
	sg4::Engine engine(&argc, argv.data());
	engine.load_platform(file);
	auto hosts = engine.get_all_hosts();
	double last = 0;
	sg4::Actor::create("sender", hosts[0], [&] {
		std::vector<sg4::CommPtr> comms;
		for (auto* from : hosts)
			for (auto* to : hosts)
				if (from != to)
					comms.push_back(sg4::Comm::sendto_async(from, to, 1));
		for (auto& c : comms)
			c->wait();
		last = sg4::Engine::get_clock();
	});
	engine.run();
	std::printf("%.12f\n", last);
	std::fflush(stdout);
}

int main()
{
	for (std::string file; std::getline(std::cin, file);) {
		pid_t child = fork(); // a process has one engine
		if (child == 0) {
			simulate(file);
			_exit(0);
		}
		int status = 0;
		if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
			return 1;
	}
	return 0;
}
