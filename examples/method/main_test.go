package main

func Example() {
	main()
	// Output:
	// --torus 7x7 --size 11 --routing udr:tie=both: E_max 3 by descent, bound 3
}
