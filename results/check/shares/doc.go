// Package shares counts on listed paths what one pair of nodes puts on links: the shares of its traffic, their
// common denominators, and the same by slabs. Bounds and walks are derived from them.
package shares
