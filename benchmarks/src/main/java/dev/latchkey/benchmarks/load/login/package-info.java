/**
 * Logins: without a hash, with a hash, from the cache, refused, arriving, and over a million accounts. Start reading at {@code
 * BasicScenario}.
 */
package dev.latchkey.benchmarks.load.login;
