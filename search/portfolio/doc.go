// Package portfolio runs methods side by side, in epochs, and lets them share what they find.
//
// In an epoch every method gets a quota of the budget, a seed of its own, hashed from (seed, epoch, name), and as
// starts the archive as it stood when the epoch began: up to 16 good placements, no two in one orbit where the group
// that preserves E_max is at hand. What has been proved about the problem comes as the goal. At the border the results
// are merged in the order of the methods.
//
// Quotas. Under Params.Evaluations a quota is 2000 in the first epoch, times the parts that Options give the method,
// and half as much again in every epoch after. If what is left is less than two epochs of that, all of it is dealt out
// in the same proportion, the first methods taking the remainder. So a third of the budget lies in the last epoch, and
// a method that begins anew in each gets as far as one that had a third of its evaluations to itself. What a method
// leaves of its quota stays in the budget for all. Nothing depends on the workers or the clock. Without such a budget
// quotas are time: the mean quota is a quarter of a second at first and grows in the same way, up to the deadline. Of
// the sum of the quotas a method gets in proportion to its weight, 8 less the epochs since it last improved on the best
// placement, but never under 1. The first method begins, then those with the most parts, then the others.
//
// A method that plans how it spends its budget, as PlansAhead() == true says, gets what is left at once where it is
// alone.
//
// Resting. A method that ends before its quota is spent, complete or not, has nothing left to look at and rests. Its
// turn comes again when there is a better start than all that it has met, unless it says by UsesStarts() == false that
// starts change nothing. When all rest the run is complete. A method that can finish, but estimates that this takes
// more than four turns as long as its last, rests too, until quotas have grown to a quarter of that.
//
// The end. The first method to reach the goal, or to refute everything below the
// best value, or up to the goal under Params.GoalOnly, ends the epoch for all: first
// by its own evaluations, not by the clock. The others count as having made as many, and what they found later does
// not count, so that they can be stopped at once. By time all are stopped at once.
//
// Going on. Under a budget of evaluations a run that was stopped and resumed after any epoch is the same as one left
// alone. When the context ends inside an epoch, that epoch is not part of the state; placements that are better, and
// proofs, go into the result all the same. By time such an epoch counts as it stands, since nothing would be repeated
// exactly.
//
// Limits. A problem with a limit asks for the largest size with a placement within it. A run goes up from the largest
// size known, or else from the first within the limit from the upper bound down, in rounds,
// with steps that double while placements are found and halve when not, down to 1. Methods are
// asked whether the limit can be met, not for the optimum: proofs are shorter so. Every size that is
// tried gets 4000 evaluations for each part of a method in the first round, but at most a 32nd of all, half as many
// again in every round after, and a seed hashed from (seed, round, problem). Dropping a processor raises no load, so a
// size out of reach is the end for a fixed limit; where the limit grows or paths depend on the processors (avoid), the
// next sizes are tried too. It ends when the upper bound is met or nothing is left to look at, when the evaluations are
// spent or when the context ends. Starts may be of any size: the largest within the limit is where it begins, and every
// size begins from nothing but the starts of that size. There is no state to go on from.
//
// Free routings. A method that finds tables gives one with every placement, and the archive keeps it.
//
// Nothing that a method says is taken on trust: every placement is evaluated
// again, and a placement below a value that was refuted ends the run with an error.
package portfolio
