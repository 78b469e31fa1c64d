/*
 * The copies of revocations of two nodes, over a store that may lose its last writes. README.md in this folder explains
 * the model.
 *
 * Code: CopyReader and ReadFloor (begin, readOn, readAll, setMark), LostRevocations (giveBack), RedisRevocationStore and
 * record.lua (record), Traces and trace.lua (leaveTrace), JdbcRevocationStore (insert, commit, abort).
 */
module revocations

open util/ordering[Position] as positions
open util/ordering[Mark] as marks

/** The number of an entry in the store. After a loss, the store gives numbers again. */
sig Position {}

/** The bound of a subject that does not exist. A node that finds another mark reads all entries. */
sig Mark {}

sig Revocation {
  by: one Node,                // the node that records the revocation
  var pending: lone Position   // of an INSERT without its commit
}

/** The revocations whose caller has an answer. */
var sig Acknowledged in Revocation {}

abstract sig Server {
  var entry: Position -> lone Revocation,   // shown to readers
  var top: lone Position,                   // the last position given
  var mark: lone Mark,
  var traced: set Node                      // the nodes whose last trace this server has
}
one sig Primary, Replica extends Server {}

var lone sig FailedOver {}

/** A database: positions become visible late, and there are no traces. Without it, the store is a Redis. */
lone sig Database {}

abstract sig Phase {}
one sig Idle, ReadingOn, ReadingAll, GivingBack, Marking, Tracing extends Phase {}

sig Node {
  var copy: set Revocation,
  var phase: one Phase,
  var floor: lone Position,         // the next reading begins behind this position
  var young: set Position,          // the highest positions of readings that lower positions may still follow
  var ripe: set Position,           // the same of earlier readings: all lower positions are visible
  var unproved: set Revocation,     // what the last reading found above the floor
  var missing: set Revocation,      // what the store has lost
  var found: lone Mark,             // the store's mark in this reading
  var known: lone Mark,             // the mark that this node expects
  var asked: set Revocation,        // acknowledged before this reading began, and not lost meanwhile
  var expected: set Revocation         // the same of the last complete reading: the copy must have all of these
}
var sig MustReadAll in Node {}

/** The nodes that read all entries because their trace had vanished: no trace follows. */
var sig Again in Node {}

/** The nodes that found their trace vanished while they wrote. */
var sig Noticed in Node {}

/** The nodes whose present reading began after the failover, and those that have completed such a reading. */
var sig Behind in Node {}
var sig Mended in Node {}

// ---- Planted faults ----

abstract sig Fault {}
one sig
  TrustsTheTrace,      // a reading is not compared with the reading before: a loss between a reading and its trace
  FirstMarkIsFixed,    // each node without a mark sets the same first mark
  NoticesNoLoss,       // a vanished trace has no effect
  NoOverlap,           // a reading begins behind the last position of the reading before
  AgeFromTheEnd,       // a copy is as old as the end of its reading
  TakesTheStores,      // a reading of all entries replaces the copy
  KeepsTheMark         // a node that has given entries back leaves the mark as it is
  extends Fault {}
one sig Planted { fault: lone Fault }
pred has[f: Fault] { f in Planted.fault }

// ---- The first state: both nodes have read an empty store ----

fact start {
  no entry and no top and no FailedOver and no pending and no Acknowledged
  Primary.mark = marks/first
  Replica.mark = (some Database implies none else marks/first)
  traced = Server -> Node
  Node.phase = Idle and known = Node -> marks/first
  no copy and no floor and no young and no ripe and no unproved and no missing and no found and no asked and no expected
  no MustReadAll and no Again and no Noticed and no Behind and no Mended
}

// ---- What stays ----

pred storeStays { entry' = entry and top' = top and mark' = mark and traced' = traced and FailedOver' = FailedOver }
pred revocationsStay { pending' = pending and Acknowledged' = Acknowledged }
pred readingsStay {
  phase' = phase and floor' = floor and young' = young and ripe' = ripe and unproved' = unproved
  missing' = missing and found' = found and known' = known and asked' = asked and expected' = expected
  MustReadAll' = MustReadAll and Again' = Again and Behind' = Behind and Mended' = Mended
}

/** No other node than this changes. */
pred othersStay[n: Node] {
  all m: Node - n {
    m.copy' = m.copy and m.phase' = m.phase and m.floor' = m.floor and m.young' = m.young and m.ripe' = m.ripe
    m.unproved' = m.unproved and m.missing' = m.missing and m.found' = m.found and m.known' = m.known
    m.asked' = m.asked and m.expected' = m.expected
  }
  MustReadAll' - n = MustReadAll - n and Again' - n = Again - n and Noticed' - n = Noticed - n
  Behind' - n = Behind - n and Mended' - n = Mended - n
}
pred placesStay[n: Node] { n.floor' = n.floor and n.young' = n.young and n.ripe' = n.ripe and n.unproved' = n.unproved }

// ---- The store ----

fun shown: Position -> Revocation { Primary.entry }
fun stored: set Revocation { Position.shown }
fun behind[p: lone Position]: set Position { some p implies positions/nexts[p] else Position }
fun following[p: lone Position]: lone Position { some p implies positions/next[p] else positions/first }

/** The replica gets the trace with the next replication. */
pred leavesTrace[n: Node] { traced' = traced + Primary -> n - Replica -> n }
pred notesLoss[n: Node] { Noticed' = (n in Primary.traced implies Noticed else Noticed + n) }

/** record.lua: one step. The entry is in the copy of its node before the caller has the answer. */
pred record[r: Revocation] {
  no Database and r not in Acknowledged
  some following[Primary.top]
  entry' = entry + Primary -> following[Primary.top] -> r
  top' = top ++ Primary -> following[Primary.top]
  mark' = mark and FailedOver' = FailedOver
  leavesTrace[r.by] and notesLoss[r.by]
  Acknowledged' = Acknowledged + r and pending' = pending
  copy' = copy + r.by -> r and readingsStay
}

pred insert[r: Revocation] {
  some Database and r not in Acknowledged and no r.pending
  some following[Primary.top]
  pending' = pending + r -> following[Primary.top] and Acknowledged' = Acknowledged
  top' = top ++ Primary -> following[Primary.top]
  entry' = entry and mark' = mark and traced' = traced and FailedOver' = FailedOver
  copy' = copy and Noticed' = Noticed and readingsStay
}
pred commit[r: Revocation] {
  some r.pending
  entry' = entry + Primary -> r.pending -> r
  top' = top and mark' = mark and traced' = traced and FailedOver' = FailedOver
  pending' = pending - r -> Position and Acknowledged' = Acknowledged + r
  copy' = copy + r.by -> r and Noticed' = Noticed and readingsStay
}
pred abort[r: Revocation] {
  some r.pending and storeStays
  pending' = pending - r -> Position and Acknowledged' = Acknowledged
  copy' = copy and Noticed' = Noticed and readingsStay
}

pred replicate {
  no Database
  entry' = Server -> Primary.entry
  top' = Server -> Primary.top
  mark' = Server -> Primary.mark
  traced' = Server -> Primary.traced
  FailedOver' = FailedOver
  revocationsStay and copy' = copy and Noticed' = Noticed and readingsStay
}

/** The replica takes the primary's place. A database comes back empty: its replica never gets anything. */
pred failOver {
  no FailedOver and some FailedOver'
  entry' = Server -> Replica.entry
  top' = Server -> Replica.top
  mark' = Server -> Replica.mark
  traced' = Server -> Replica.traced
  no pending' and Acknowledged' = Acknowledged
  copy' = copy and Noticed' = Noticed
  phase' = phase and floor' = floor and young' = young and ripe' = ripe and unproved' = unproved
  missing' = missing and found' = found and known' = known and expected' = expected
  asked' = asked & Node -> Position.(Replica.entry)
  MustReadAll' = MustReadAll and Again' = Again and Behind' = Behind and Mended' = Mended
}

// ---- A reading ----

pred begin[n: Node] {
  n.phase = Idle and storeStays and revocationsStay and othersStay[n] and placesStay[n]
  n.phase' = ((n in MustReadAll or Primary.mark != n.known) implies ReadingAll else ReadingOn)
  n.found' = Primary.mark and n.known' = n.known
  n.asked' = Acknowledged & stored and n.expected' = n.expected
  n.copy' = n.copy and n.missing' = n.missing
  n not in MustReadAll' and n not in Again'
  n in Noticed' iff n in Noticed
  n in Behind' iff some FailedOver
  n in Mended' iff n in Mended
}

/** Above the floor alone. The floor rises to the end of an earlier reading, as far as this reading reached. */
pred readOn[n: Node] {
  n.phase = ReadingOn and storeStays and revocationsStay and othersStay[n]
  let places = behind[n.floor],
      seen = places.shown,
      highest = positions/max[places & shown.Revocation + n.floor] {
    n.copy' = n.copy + seen
    (not has[TrustsTheTrace] and n.unproved not in seen) implies {
      n.phase' = ReadingAll
      placesStay[n] and n.expected' = n.expected
      (n in Again' iff n in Again) and (n in Mended' iff n in Mended)
    } else {
      n.floor' = raised[n, highest]
      n.ripe' = (some Database implies none else highest)
      n.young' = (some Database implies n.young + highest else none)
      n.unproved' = behind[n.floor'].shown
      goesOn[n]
    }
  }
  n.found' = n.found and n.known' = n.known and n.missing' = n.missing and n.asked' = n.asked
  (n in MustReadAll' iff n in MustReadAll) and (n in Noticed' iff n in Noticed) and (n in Behind' iff n in Behind)
}
fun raised[n: Node, highest: lone Position]: lone Position {
  has[NoOverlap] implies highest
  else has[TrustsTheTrace] implies positions/max[n.floor + n.ripe]
  else (some n.ripe and some highest) implies positions/max[n.floor + positions/min[positions/max[n.ripe] + highest]]
  else n.floor
}

pred readAll[n: Node] {
  n.phase = ReadingAll and storeStays and revocationsStay and othersStay[n]
  n.copy' = (has[TakesTheStores] implies stored else n.copy + stored)
  n.missing' = n.copy - stored
  no n.floor'
  let highest = positions/max[shown.Revocation] {
    n.ripe' = (some Database implies none else highest)
    n.young' = (some Database implies highest else none)
  }
  n.unproved' = stored
  n.found' = n.found and n.asked' = n.asked
  some n.copy - stored implies {
    n.phase' = GivingBack and n.known' = n.known and isUnderWay[n]
  } else no n.found implies {
    n.phase' = Marking and n.known' = n.known and isUnderWay[n]
  } else {
    n.known' = n.found and goesOn[n]
  }
  (n in MustReadAll' iff n in MustReadAll) and (n in Noticed' iff n in Noticed) and (n in Behind' iff n in Behind)
}

/** The lost entries get the next positions, in any order. */
pred giveBack[n: Node] {
  n.phase = GivingBack and revocationsStay and othersStay[n] and placesStay[n]
  Replica.entry' = Replica.entry and Replica.top' = Replica.top
  all p: Position - behind[Primary.top] | p.(Primary.entry') = p.(Primary.entry) - n.missing
  behind[Primary.top].(Primary.entry') = n.missing
  all r: n.missing | one (Primary.entry').r
  Primary.top' = positions/max[behind[Primary.top] & (Primary.entry').Revocation]
  all p: behind[Primary.top] & positions/prevs[Primary.top'] | some p.(Primary.entry')
  mark' = mark and FailedOver' = FailedOver
  leavesTrace[n] and notesLoss[n]
  n.phase' = Marking and no n.missing'
  n.copy' = n.copy and n.found' = n.found and n.known' = n.known and n.asked' = n.asked
  isUnderWay[n]
  (n in MustReadAll' iff n in MustReadAll) and (n in Behind' iff n in Behind)
}

pred setMark[n: Node] {
  n.phase = Marking and revocationsStay and othersStay[n] and placesStay[n]
  entry' = entry and top' = top and FailedOver' = FailedOver
  some n.known'
  no n.found + n.known implies {
    has[FirstMarkIsFixed] implies n.known' = marks/first
    // From the time of the node: no node had this mark before.
    else n.known' not in Server.mark + Node.known
  } else {
    n.known' = (has[KeepsTheMark] implies marks/max[n.found + n.known] else marks/next[marks/max[n.found + n.known]])
  }
  mark' = mark ++ Primary -> marks/max[Primary.mark + n.known']
  leavesTrace[n] and notesLoss[n]
  n.copy' = n.copy and n.missing' = n.missing and n.found' = n.found and n.asked' = n.asked
  goesOn[n]
  (n in MustReadAll' iff n in MustReadAll) and (n in Behind' iff n in Behind)
}

pred leaveTrace[n: Node] {
  n.phase = Tracing and revocationsStay and othersStay[n] and placesStay[n]
  entry' = entry and top' = top and mark' = mark and FailedOver' = FailedOver
  leavesTrace[n] and n not in Noticed'
  ((n in Noticed or n not in Primary.traced) and not has[NoticesNoLoss]) implies {
    n.phase' = ReadingAll and n in Again' and n.found' = Primary.mark
    n.expected' = n.expected and (n in Mended' iff n in Mended)
  } else {
    n.found' = n.found and completes[n]
  }
  n.copy' = n.copy and n.missing' = n.missing and n.known' = n.known and n.asked' = n.asked
  (n in MustReadAll' iff n in MustReadAll) and (n in Behind' iff n in Behind)
}

pred isUnderWay[n: Node] { n.expected' = n.expected and (n in Again' iff n in Again) and (n in Mended' iff n in Mended) }

/** After the entries: a trace, or the end of the reading. */
pred goesOn[n: Node] {
  (no Database and n not in Again) implies { n.phase' = Tracing and isUnderWay[n] } else completes[n]
}
pred completes[n: Node] {
  n.phase' = Idle and n not in Again'
  n.expected' = (has[AgeFromTheEnd] implies Acknowledged & stored else n.asked)
  n in Mended' iff n in Mended + Behind
}

/** A call of the reading fails. */
pred fail[n: Node] {
  n.phase != Idle and storeStays and revocationsStay and othersStay[n] and placesStay[n]
  n.phase' = Idle and n in MustReadAll' and n not in Again' and no n.missing'
  n.copy' = n.copy and n.found' = n.found and n.known' = n.known and n.asked' = n.asked and n.expected' = n.expected
  (n in Noticed' iff n in Noticed) and (n in Behind' iff n in Behind) and (n in Mended' iff n in Mended)
}

/** The lateness passes: the lower positions of earlier readings are visible, or given up. */
pred ripen[n: Node] {
  some Database and n.phase = Idle and some n.young
  no Revocation.pending & positions/prevs[positions/max[n.young]]
  n.ripe' = n.ripe + n.young and no n.young'
  n.floor' = n.floor and n.unproved' = n.unproved
  storeStays and revocationsStay and othersStay[n]
  n.phase' = n.phase and n.copy' = n.copy and n.missing' = n.missing and n.found' = n.found and n.known' = n.known
  n.asked' = n.asked and n.expected' = n.expected
  MustReadAll' = MustReadAll and Again' = Again and Noticed' = Noticed and Behind' = Behind and Mended' = Mended
}

/** The node ends, and another begins with an empty copy and a trace of its own. */
pred restart[n: Node] {
  entry' = entry and top' = top and mark' = mark and FailedOver' = FailedOver
  traced' = traced + Server -> n
  revocationsStay and othersStay[n]
  n.phase' = Idle and n in MustReadAll'
  no n.copy' and no n.floor' and no n.young' and no n.ripe' and no n.unproved' and no n.missing'
  no n.found' and no n.known' and no n.asked' and no n.expected'
  n not in Again' + Noticed' + Behind' + Mended'
}

pred stutter { storeStays and revocationsStay and copy' = copy and Noticed' = Noticed and readingsStay }

fact everyStep {
  always (replicate or failOver or stutter
    or (some r: Revocation | record[r] or insert[r] or commit[r] or abort[r])
    or (some n: Node | begin[n] or readOn[n] or readAll[n] or giveBack[n] or setMark[n] or leaveTrace[n] or fail[n]
      or ripen[n] or restart[n]))
}

// ---- Promises ----

/** A copy has each revocation that was acknowledged before its last reading began: after two seconds, each node refuses. */
pred eachNodeKnows { always all n: Node | n.expected in n.copy }

/** Whatever the store loses, a node that has a revocation keeps the revocation. */
pred nothingIsForgotten { always all n: Node | n.copy in n.copy' or restart[n] }

/** A store that lost entries gets them back, at the first reading of each node that has them. */
pred storeGetsThemBack { always all n: Mended | n.copy in stored }

// ---- The protocol as it is: no counterexample ----

pred isRight { no Planted.fault and no Database }
pred isRightOnADatabase { no Planted.fault and some Database }

check eachNodeKnowsOnRedis { isRight implies eachNodeKnows } for 3 but 2 Node, 2 Revocation, 13..13 steps expect 0
check eachNodeKnowsOnADatabase { isRightOnADatabase implies eachNodeKnows } for 3 but 2 Node, 2 Revocation, 13..13 steps expect 0
check nothingIsForgottenOnRedis { isRight implies nothingIsForgotten } for 3 but 2 Node, 10..10 steps expect 0
check nothingIsForgottenOnADatabase { isRightOnADatabase implies nothingIsForgotten } for 3 but 2 Node, 10..10 steps expect 0
check storeGetsThemBackOnRedis { isRight implies storeGetsThemBack } for 3 but 2 Node, 2 Revocation, 11..11 steps expect 0
check storeGetsThemBackOnADatabase { isRightOnADatabase implies storeGetsThemBack } for 3 but 2 Node, 2 Revocation, 11..11 steps expect 0

// ---- Planted: a counterexample each ----

pred hasOnRedis[f: Fault] { Planted.fault = f and no Database }
pred hasOnADatabase[f: Fault] { Planted.fault = f and some Database }

check trustsTheTrace { hasOnRedis[TrustsTheTrace] implies storeGetsThemBack } for 3 but 2 Node, 2 Revocation, 10..10 steps expect 1
check missesPositionsGivenAgain { hasOnRedis[TrustsTheTrace] implies eachNodeKnows } for 3 but 2 Node, 2 Revocation, 13..13 steps expect 1
check firstMarkIsFixed { hasOnADatabase[FirstMarkIsFixed] implies storeGetsThemBack } for 3 but 2 Node, 11..11 steps expect 1
check noticesNoLoss { hasOnRedis[NoticesNoLoss] implies storeGetsThemBack } for 3 but 2 Node, 10..10 steps expect 1
check noOverlap { hasOnADatabase[NoOverlap] implies eachNodeKnows } for 3 but 2 Node, 10..10 steps expect 1
check ageFromTheEnd { hasOnRedis[AgeFromTheEnd] implies eachNodeKnows } for 3 but 2 Node, 10..10 steps expect 1
check takesTheStores { hasOnRedis[TakesTheStores] implies nothingIsForgotten } for 3 but 2 Node, 10..10 steps expect 1
check keepsTheMark { hasOnADatabase[KeepsTheMark] implies storeGetsThemBack } for 3 but 2 Node, 11..11 steps expect 1
