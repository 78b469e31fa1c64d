/**
 * Logins: without a hash, with one, from the cache, refused, arriving, in a flood, sprayed, and over a million accounts. A {@code …Scenario}
 * measures, a {@code …Section} tells, and what stands between them is what was measured. Start reading at {@code BasicScenario}.
 */
package dev.latchkey.benchmarks.load.login;
