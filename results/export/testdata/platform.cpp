// Reads names of SimGrid platforms and tells, for each, when the last of the messages arrives if every host sends one
// of size 1 to every other and all start at once. The model is what the platform says.

#include "simgrid.hpp"

#include <iostream>

int main()
{
	for (std::string file; std::getline(std::cin, file);)
		simulate({}, [&](sg4::Engine& engine) {
			engine.load_platform(file);
			std::vector<Pair> messages;
			for (auto* from : engine.get_all_hosts())
				for (auto* to : engine.get_all_hosts())
					if (from != to)
						messages.emplace_back(from, to);
			return messages;
		});
	return 0;
}
