; SPDX-License-Identifier: Apache-2.0
; division.smt2 - what is left of a division when prove_division.c has proved its steps, for integers of any size. Each question
; is answered unsat: there is no counterexample.

; A step: product is quotient * divisor, and stays that when both take a bit.
(declare-const q Int)
(declare-const d Int)
(declare-const bit Int)
(declare-const product Int)
(push)
(assert (and (or (= bit 0) (= bit 1)) (= product (* q d))))
(assert (not (= (+ (* 2 product) (* bit d)) (* (+ (* 2 q) bit) d))))
(check-sat)
(pop)

; The end: of n = q * d + r with 0 <= r < d, q is the quotient and r the remainder. Two quotients that differ, differ by one at least,
; and their remainders by d at least.
(declare-const r Int)
(declare-const q2 Int)
(declare-const r2 Int)
(declare-const more Int)
(push)
(assert (and (<= 0 r) (< r d) (<= 0 r2) (< r2 d) (= q (+ q2 1 more)) (>= more 0)))
(assert (>= (* more d) 0))
(assert (= (+ (* q d) r) (+ (* q2 d) r2)))
(check-sat)
(pop)

; What the second question took for granted: a product of what is not negative is not negative.
(push)
(assert (and (>= more 0) (> d 0) (< (* more d) 0)))
(check-sat)
(pop)
