// What programs that ask SimGrid share: a process has one engine, so that each question is simulated in its own.

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sg4 = simgrid::s4u;

// A Pair is a message of size 1 from a host to another.
using Pair = std::pair<sg4::Host*, sg4::Host*>;

// simulate prints when the last of some messages arrives if all start at once, on the platform that a function makes; it
// returns the messages. The words are further options of SimGrid.
static void simulate(std::vector<std::string> words, const std::function<std::vector<Pair>(sg4::Engine&)>& platform)
{
	pid_t child = fork();
	if (child != 0) {
		int status = 0;
		if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
			std::exit(1);
		return;
	}
	words.insert(words.begin(), {"simulate", "--log=root.thres:critical"});
	std::vector<char*> argv;
	for (auto& w : words)
		argv.push_back(&w[0]);
	int argc = static_cast<int>(argv.size());
	argv.push_back(nullptr);
	sg4::Engine engine(&argc, argv.data());
	auto messages = platform(engine);
	double last = 0;
	sg4::Actor::create("sender", engine.get_all_hosts()[0], [&] {
		std::vector<sg4::CommPtr> comms;
		for (const auto& [from, to] : messages)
			comms.push_back(sg4::Comm::sendto_async(from, to, 1));
		for (auto& c : comms)
			c->wait();
		last = sg4::Engine::get_clock();
	});
	engine.run();
	std::printf("%.12f\n", last);
	std::fflush(stdout);
	_exit(0);
}
