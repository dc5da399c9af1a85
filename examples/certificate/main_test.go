package main

func Example() {
	main()
	// Output:
	// as written: valid
	// forged: wrong
	//   claim_sha256 is "07b0b4b1b9cf4e51456734d59574127fd6dbe698c53f05dd05318674a6fa8739"
	//   the claim has 4349be742a5f88ef9742bbcb3344a525b008170dacd88c9f85df9fdb6351bb2a
	//   max_load is 1
	//   recomputed it is 5/4
}
