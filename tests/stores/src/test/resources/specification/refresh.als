/*
 * Refresh rotation with reuse detection, and one failover. README.md in this folder explains the model.
 *
 * A call is one request at any node: a node keeps no state of a session between two requests.
 * Code: RefreshableLogins (read), RedisLoginStore.replace and keep-login.lua (write), Replicas and confirm-login.lua
 * (confirm), not-sent.lua (renounce).
 */
module refresh

/** RefreshToken.next: a client needs the predecessor to compute a successor. */
sig Token { parent: lone Token }
one sig First extends Token {}

fact tokensGrowFromTheFirst {
  no First.parent
  Token in First.*~parent
}

abstract sig Server {
  var token: lone Token,    // the session's token; none: the session has ended
  var senders: set Call     // the calls that may send this token to a client
}
one sig Primary, Replica extends Server {}

/** The servers whose token was stored within the race window. */
var sig Recent in Server {}

var lone sig FailedOver {}

/** Planted: a repeated token is sent although the store has another one by then (defect D5). */
lone sig Unmended {}

/** Planted: a change is acknowledged before the replica has the change. */
lone sig Hasty {}

abstract sig Phase {}
one sig Idle, Reading, Writing, Written, Checked, Confirmed, Sent, Ending, Deleted, CheckedEnd, Refused, Failed
  extends Phase {}

sig Call {
  presented: one Token,
  var phase: one Phase,
  var mine: lone Token      // the token that this call is about to send
}
sig Logout in Call {}

/** The calls whose token was already stored by another call. */
var sig Repeating in Call {}

/** Of these, the calls that found no sender: the store answers with the present time as the time of replacement. */
var sig FoundUnsent in Call {}

/** The failed calls that have not removed their names yet. */
var sig Pending in Call {}

/** The tokens that exist so far. */
var sig Made in Token {}

fact start {
  all s: Server | s.token = First
  no senders and no Recent and no FailedOver
  Call.phase = Idle and no mine
  no Repeating and no FoundUnsent and no Pending
  Made = First
}

pred storeStays { token' = token and senders' = senders and Recent' = Recent and FailedOver' = FailedOver }
pred callsStay {
  phase' = phase and mine' = mine and Made' = Made
  Repeating' = Repeating and FoundUnsent' = FoundUnsent and Pending' = Pending
}

/** Only this call changes. */
pred becomes[c: Call, p: Phase, token: lone Token] {
  phase' = phase ++ c -> p
  mine' = mine - c -> Token + c -> token
  Repeating' - c = Repeating - c and FoundUnsent' - c = FoundUnsent - c and Pending' - c = Pending - c
}
pred goesTo[c: Call, p: Phase] {
  becomes[c, p, c.mine]
  Repeating' = Repeating and FoundUnsent' = FoundUnsent and Pending' = Pending and Made' = Made
}

fun sentTokens: set Token { { t: Token | some c: Call | c.phase = Sent and c.mine = t } }

// RefreshableLogins.winnersToken: the successor that the store has, within the window or while no client knows it.
fun winner[t: Token]: lone Token { (Primary in Recent or no Primary.senders) implies Primary.token & parent.t else none }
fun good[c: Call]: lone Token { some winner[c.presented] implies winner[c.presented] else Primary.token & c.mine + winner[c.mine] }

/** A client may present any token sent to any client. */
pred read[c: Call] {
  c.phase in Idle + Reading and c not in Logout
  c.phase = Idle implies c.presented in First + sentTokens
  storeStays and Pending' = Pending
  no Primary.token implies {
    goesTo[c, Refused]
  } else c.presented = Primary.token implies {
    some fresh: Token - Made | fresh.parent = c.presented and becomes[c, Writing, fresh] and Made' = Made + fresh
    c not in Repeating' + FoundUnsent'
  } else some good[c] implies {
    becomes[c, Writing, good[c]] and Made' = Made
    c in Repeating' and (c in FoundUnsent' iff no Primary.senders)
  } else {
    goesTo[c, Ending]
  }
}

/** keep-login.lua: one step. */
pred isExpected[c: Call] { some Primary.token and Primary.token = (c in Repeating implies c.mine else c.presented) }
pred stores[c: Call] {
  token' = token ++ Primary -> c.mine
  FailedOver' = FailedOver
  c in Repeating implies {
    senders' = senders + Primary -> c
    Recent' = Recent + (c in FoundUnsent implies Primary else none)
  } else {
    senders' = senders - Primary -> Call + Primary -> c
    Recent' = Recent + Primary
  }
}
pred loses[c: Call] { goesTo[c, (some Unmended and c in Repeating) implies Sent else Reading] }

pred write[c: Call] {
  c.phase = Writing
  isExpected[c] implies { stores[c] and goesTo[c, some Hasty implies Sent else Written] } else { storeStays and loses[c] }
}

/** A write that arrives after its caller has failed. */
pred writeLate[c: Call] {
  c.phase = Failed and c not in Logout and some c.mine and isExpected[c] and stores[c] and goesTo[c, Failed]
}

/** confirm-login.lua: the primary has the token or its successor. */
pred confirm[c: Call] {
  c.phase = Written and storeStays
  c.mine in Primary.token.(iden + parent) implies goesTo[c, Checked] else loses[c]
}

pred send[c: Call] { c.phase = Confirmed and storeStays and goesTo[c, Sent] }

/** Each call may fail at each moment, whatever the store does with it: the client gets 503. */
pred fail[c: Call] {
  c.phase in Reading + Writing + Written + Checked + Confirmed + Ending + Deleted + CheckedEnd
  storeStays and becomes[c, Failed, c.mine] and Made' = Made
  c in Pending' and Repeating' = Repeating and FoundUnsent' = FoundUnsent
}

/** not-sent.lua */
pred renounce[c: Call] {
  c.phase = Failed and c in Pending and c not in Pending'
  becomes[c, Failed, c.mine] and Made' = Made and Repeating' = Repeating and FoundUnsent' = FoundUnsent
  token' = token and Recent' = Recent and FailedOver' = FailedOver
  senders' = (some c.mine and c.mine = Primary.token
    implies senders - Primary -> c else senders)
}

/** A logout. After a reuse the session ends in the same steps. */
pred logOut[c: Call] { c.phase = Idle and c in Logout and storeStays and goesTo[c, Ending] }
pred delete[c: Call] {
  c.phase = Ending and FailedOver' = FailedOver and goesTo[c, some Hasty implies Refused else Deleted]
  token' = token - Primary -> Token and senders' = senders - Primary -> Call and Recent' = Recent - Primary
}
pred confirmEnd[c: Call] { c.phase = Deleted and no Primary.token and storeStays and goesTo[c, CheckedEnd] }

/** The replica gets everything: WAIT is answered for whatever was checked before. */
pred replicate {
  token' = Server -> Primary.token
  senders' = Server -> Primary.senders
  Recent' = (Primary in Recent implies Server else none)
  FailedOver' = FailedOver
  mine' = mine and Made' = Made and Repeating' = Repeating and FoundUnsent' = FoundUnsent and Pending' = Pending
  phase' = phase ++ (phase.Checked -> Confirmed + phase.CheckedEnd -> Refused)
}

/** The replica takes the primary's place. What a connection of before was about to confirm fails. */
pred failOver {
  no FailedOver and some FailedOver'
  token' = Server -> Replica.token
  senders' = Server -> Replica.senders
  Recent' = (Replica in Recent implies Server else none)
  mine' = mine and Made' = Made and Repeating' = Repeating and FoundUnsent' = FoundUnsent
  phase' = phase ++ phase.(Checked + CheckedEnd) -> Failed
  Pending' = Pending + phase.(Checked + CheckedEnd)
}

/** More time passes than the race window. */
pred age {
  token' = token and senders' = senders and no Recent' and FailedOver' = FailedOver and callsStay
}

pred stutter { storeStays and callsStay }

fact everyStep {
  always (replicate or failOver or age or stutter or some c: Call |
    read[c] or write[c] or writeLate[c] or confirm[c] or send[c] or fail[c] or renounce[c]
    or logOut[c] or delete[c] or confirmEnd[c])
}

// ---- Promises ----

/** The store knows each token sent to a client, or a later token; a failover loses none. */
assert sentTokensAreKept {
  always (some Primary.token implies sentTokens in Primary.token.*parent)
}

/** A client that asks one call after the other, each time with the last token sent to the client. */
pred honest {
  no Logout
  always all c: Call | (c.phase = Idle and c.phase' != Idle) implies {
    no (Call.phase & (Reading + Writing + Written + Checked + Confirmed + Ending + Deleted + CheckedEnd))
    c.presented in (First + sentTokens) - (sentTokens.^parent)
  }
}

/** Such a client stays logged in through a failover, if it tries again within the race window. */
assert honestClientStays { (honest and always not age) implies always no c: Call | c.phase in Ending + Refused }

// ---- The protocol as it is: no counterexample ----

check sentTokensAreKept for 4 but 3 Call, 9..9 steps, 0 Unmended, 0 Hasty expect 0
check honestClientStays for 4 but 3 Call, 9..9 steps, 0 Unmended, 0 Hasty expect 0

// ---- Planted: a counterexample each ----

check sentTokensAreKept for 4 but 3 Call, 9..9 steps, 1 Unmended, 0 Hasty expect 1
check honestClientStays for 4 but 3 Call, 9..9 steps, 1 Unmended, 0 Hasty expect 1
check sentTokensAreKept for 4 but 3 Call, 9..9 steps, 0 Unmended, 1 Hasty expect 1
