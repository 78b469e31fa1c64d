package dev.latchkey.tests.simulator;

import java.util.List;
import java.util.function.Predicate;

/**
 * A history of nodes over a store, simulated or real.
 *
 * @param setting the bounds of the promises
 * @param lostLogins the numbers of the moments at which the store may have lost acknowledged logins
 * @param lostRevocations the numbers of the moments at which the store may have lost acknowledged revocations
 * @param isLive whether the store has this session at the end of the history
 */
record History(
        Setting setting,
        List<Op> ops,
        List<Session> sessions,
        List<Integer> lostLogins,
        List<Integer> lostRevocations,
        Predicate<Session> isLive) {}
