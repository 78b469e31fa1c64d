/** Tokens: in a service under load, in a single request, and alone beside other libraries. Start reading at {@code TokenScenario}. */
package dev.latchkey.benchmarks.load.token;
