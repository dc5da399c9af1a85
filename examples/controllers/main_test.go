package main

func Example() {
	main()
	// Output:
	// --torus 8x8:open=0,1 --size 16 --routing odr:order=1,0:tie=both --traffic clients:request=1:reply=1
	//   diamond          E_max  78, mean distance 5.33
	//   x                E_max  78, mean distance 5.33
	//   rows:at=0,7      E_max 160, mean distance 6.22
	//   rows:at=2,5      E_max 160, mean distance 4.95
	//   columns:at=0,7   E_max 160, mean distance 6.22
	//   columns:at=2,5   E_max 160, mean distance 4.95
	//   corners:side=2   E_max 112, mean distance 6.35
	//   spaced:t=2       E_max  78, mean distance 5.33
	//   no placement of 16 is below 78, in 33779 steps
	// --torus 8x8 --size 16 --routing odr:order=1,0:tie=both --traffic clients:request=1:reply=1
	//   diamond          E_max  64, mean distance 4.06
	//   x                E_max  64, mean distance 4.06
	//   rows:at=0,7      E_max  80, mean distance 4.06
	//   rows:at=2,5      E_max  80, mean distance 4.06
	//   columns:at=0,7   E_max  80, mean distance 4.06
	//   columns:at=2,5   E_max  80, mean distance 4.06
	//   corners:side=2   E_max  74, mean distance 4.06
	//   spaced:t=2       E_max  44, mean distance 4.06
	//   no placement of 16 is below 44, in 290 steps
}
