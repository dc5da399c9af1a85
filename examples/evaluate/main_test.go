package main

func Example() {
	main()
	// Output:
	// multilinear:t=2: E_max 7 on 32 of 256 links
	// spaced:t=2: E_max 4 on 256 of 256 links
	// no 16 processors stay below 4: corner
}
