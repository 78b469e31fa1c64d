/** Tokens: in a service that is under load, in a single request, and by themselves beside other libraries. Start reading at {@code TokenScenario}. */
package dev.latchkey.benchmarks.load.token;
